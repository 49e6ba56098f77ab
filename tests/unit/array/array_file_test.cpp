#include "tellegen/sim/crossbar/array_file.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "temporary_folder.h"

namespace tellegen::array {
namespace {

using testing::TemporaryFolder;

const std::filesystem::path data = TELLEGEN_SOURCE_DIR "/tests/data/crossbar";

std::string message_of(const std::filesystem::path& file) {
  try {
    read_array_file(file);
  } catch (const InputError& error) {
    const std::string text = error.what();
    const std::string prefix = file.string();
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
  return "no error";
}

TEST(ArrayJson, DrawsWhatTheChecksSay) {
  for (const char* name : {"base_16x16", "asym_64x64", "sinh_32x32", "signed_hardwire_64x64"}) {
    SCOPED_TRACE(name);
    const std::filesystem::path file = data / (std::string(name) + ".json");
    const nlohmann::json expected = nlohmann::json::parse(std::ifstream(file))["check"];
    const ArrayFile got = read_array_file(file);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(got.cell_S[k], expected["G_first"][k].get<double>());
      EXPECT_EQ(got.input_V[0][k], expected["V_first"][k].get<double>());
    }
    EXPECT_EQ(got.cell_S.back(), expected["G_last"].get<double>());
    EXPECT_NEAR(std::accumulate(got.cell_S.begin(), got.cell_S.end(), 0.0), expected["G_sum"].get<double>(), 1e-14);
  }
}

TEST(ArrayJson, ReadsEveryKey) {
  const TemporaryFolder folder;
  const ArrayFile got = read_array_file(folder.write("a.json", R"({"rows": 3, "cols": 2, "r_row": 1, "r_col": 2,
    "r_source": 3, "r_sense": 4, "r_access": 5, "drive": "both", "sense": "alternate",
    "row_state": ["driven", "floating", "grounded"], "broken": [{"line": "column", "index": 1, "segment": 2}],
    "device": "cubic", "v0": 0.5, "G_matrix": [[1, 2], [3, 4], [5, 6]], "V_vectors": [[7, 8, 9]],
    "I_exact": [[1, 1]], "I_ngspice": null, "name": "x"})"));
  EXPECT_EQ(got.wires.row_segment_ohm, 1);
  EXPECT_EQ(got.wires.column_segment_ohm, 2);
  EXPECT_EQ(got.wires.driver_ohm, 3);
  EXPECT_EQ(got.wires.sense_ohm, 4);
  EXPECT_EQ(got.wires.access_ohm, 5);
  EXPECT_EQ(got.wires.drive, circuits::Drive::both_sides);
  EXPECT_EQ(got.wires.sense, circuits::Sense::alternate);
  EXPECT_THAT(got.wires.row_state, ::testing::ElementsAre(circuits::RowState::driven, circuits::RowState::floating,
                                                          circuits::RowState::grounded));
  ASSERT_EQ(got.wires.broken.size(), 1u);
  EXPECT_EQ(got.wires.broken[0].line, circuits::Line::column);
  EXPECT_EQ(got.wires.broken[0].index, 1);
  EXPECT_EQ(got.wires.broken[0].segment, 2);
  EXPECT_EQ(std::get<devices::CubicLaw>(got.law).v0_V, 0.5);
  EXPECT_THAT(got.cell_S, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(got.input_V, ::testing::ElementsAre(::testing::ElementsAre(7, 8, 9)));
  EXPECT_THAT(got.expected_A, ::testing::ElementsAre(::testing::ElementsAre(1, 1)));
}

TEST(ArrayJson, DrawsFaultsInTheStatedShares) {
  const TemporaryFolder folder;
  const ArrayFile got = read_array_file(folder.write("a.json", R"({"rows": 100, "cols": 100,
    "G": {"gen": "splitmix64", "seed": 1, "lo": 2, "hi": 3},
    "faults": {"gen": "splitmix64", "seed": 2, "p_open": 0.1, "p_off": 0.2, "p_on": 0.3, "g_open": 0, "g_off": 1, "g_on": 9}})"));
  const auto count = [&](double value) {
    return static_cast<double>(std::count(got.cell_S.begin(), got.cell_S.end(), value));
  };
  // Five standard deviations of a binomial share of 10^4 are at most 250.
  EXPECT_NEAR(count(0), 1000, 150);
  EXPECT_NEAR(count(1), 2000, 200);
  EXPECT_NEAR(count(9), 3000, 230);
}

TEST(ArrayJson, BadFilesAreNamedExactly) {
  const TemporaryFolder folder;
  const std::pair<const char*, const char*> cases[] = {
      {R"({"rows": 2,)", ":1:12: this is not JSON. Check commas, brackets and quotation marks here and just before."},
      {R"({"rows": 1e999})", ": a number is larger than 1.8e308, the largest there is. Correct it."},
      {R"({"units": "ohm, mS"})",
       ": 'units' has 'mS'; allowed: ohm, siemens, volt, ampere, watt, farad, coulomb, joule. Convert the numbers to "
       "these."},
      {"[1]", ": an object {\"rows\": ...} is needed."},
      {R"({"rows": 1, "col": 1})", ": 'col' is not a known key; did you mean 'cols'?"},
      {R"({"rows": 1})", ": 'cols' is missing."},
      {R"({"rows": 0, "cols": 1})", ": 'rows' is '0'; it must be 1 to 16384."},
      {R"({"rows": 1.5, "cols": 1})", ": 'rows' is '1.5'; it must be a whole number."},
      {R"({"rows": 1, "cols": 1})", ": 'G' is missing."},
      {R"({"rows": 1, "cols": 1, "G": 3})", ": 'G' is '3'; it must be an object."},
      {R"({"rows": 1, "cols": 2, "G_matrix": [[1]]})", ": 'G_matrix[0]' has '1' numbers; 2 are needed."},
      {R"({"rows": 2, "cols": 2, "G_matrix": [[1, 2]]})", ": 'G_matrix' has '1' rows; 2 are needed."},
      {R"({"rows": 1, "cols": 1, "G_matrix": [["a"]]})", ": 'G_matrix[0][0]' is '\"a\"'; it must be a number."},
      {R"({"rows": 1, "cols": 1, "G_matrix": [[1]], "drive": "top"})",
       ": 'drive' is '\"top\"'; it must be one of \"left\", \"both\"."},
      {R"({"rows": 1, "cols": 1, "G_matrix": [[1]], "device": "sinh"})", ": 'a' is missing."},
      {R"({"rows": 1, "cols": 1, "G_matrix": [[1]], "device": "sinh", "a": -1})", ": 'a' is '-1'; it must be above 0."},
      {R"({"rows": 1, "cols": 1, "G": {"gen": "mt", "seed": 1, "lo": 0, "hi": 1}})",
       ": 'G.gen' is '\"mt\"'; it must be one of \"splitmix64\"."},
      {R"({"rows": 1, "cols": 1, "G_matrix": [[1]], "V_vectors": [[1, 2]]})",
       ": 'V_vectors[0]' has '2' numbers; 1 are needed."},
  };
  for (const auto& [text, expected] : cases) EXPECT_EQ(message_of(folder.write("bad.json", text)), expected) << text;
}

TEST(ArrayYaml, HoldsTheSameAsJson) {
  const TemporaryFolder folder;
  const ArrayFile got = read_array_file(
      folder.write("a.yaml",
                   "rows: 2\ncols: 2\nG_matrix:\n  - [1e-5, 2e-5]\n  - [0, .5]\nV_vectors: [[0.1, -0.2]]\n"
                   "r_row: 2\nr_col: 1.5\nsense: both\ndevice: sinh\na: 4\nrow_state: [driven, floating]\n"
                   "broken:\n  - {line: row, index: 0, segment: 1}\n"));
  EXPECT_EQ(got.cell_S, (std::vector{1e-5, 2e-5, 0.0, 0.5}));
  EXPECT_EQ(got.input_V, (std::vector<std::vector<double>>{{0.1, -0.2}}));
  EXPECT_EQ(got.wires.row_segment_ohm, 2);
  EXPECT_EQ(got.wires.column_segment_ohm, 1.5);
  EXPECT_EQ(got.wires.sense, circuits::Sense::both_ends);
  EXPECT_EQ(got.wires.state(1), circuits::RowState::floating);
  ASSERT_EQ(got.wires.broken.size(), 1u);
  EXPECT_EQ(std::get<devices::SinhLaw>(got.law).v0_V, 0.25);
}

TEST(ArrayYaml, BadFilesAreNamedExactly) {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& text) { return message_of(folder.write("b.yaml", text)); };
  EXPECT_EQ(message("rows: 1\ncols: 1\nG_matrix: [[ten]]\n"), ": 'G_matrix[0][0]' is '\"ten\"'; it must be a number.");
  EXPECT_EQ(message("rows: 1\ncols: 1\nG_matrix: [[.nan]]\n"),
            ": 'G_matrix[0][0]' is '\".nan\"'; it must be a number.");
  EXPECT_THAT(message("rows: [1\n"), ::testing::MatchesRegex(":[0-9]+:[0-9]+: this is not valid YAML: .*"));
}

TEST(ArrayJson, AccessTransistor) {
  const TemporaryFolder folder;
  const std::string start = "{\"rows\": 1, \"cols\": 1, \"G_matrix\": [[1e-5]], \"access_transistor\": ";
  const ArrayFile got =
      read_array_file(folder.write("t.json", start + "{\"card\": \"bulk_28nm\", \"width\": 3e-7, \"gate\": 1.1}}"));
  ASSERT_TRUE(got.transistor);
  EXPECT_EQ(got.transistor->mosfet.width.si(), 3e-7);
  EXPECT_EQ(got.transistor->gate_V, 1.1);
  EXPECT_EQ(got.transistor->temperature_K, 300);
  EXPECT_EQ(message_of(folder.write("t.json", start + "{\"card\": \"bulk_28nm\", \"width\": 0, \"gate\": 1.1}}")),
            ": 'access_transistor.width' is '0'; it must be above 0.");
  EXPECT_EQ(message_of(folder.write("t.json", start + "{\"card\": \"bulk_28nm\"}}")),
            ": 'access_transistor.gate' is missing.");
  EXPECT_EQ(message_of(folder.write("t.json", start + "{\"card\": 28, \"gate\": 1}}")),
            ": 'access_transistor.card' is '28'; it must be a text.");
}

TEST(ArrayCsv, ReadsLinesAndNamesBadOnes) {
  const TemporaryFolder folder;
  const ArrayFile got = read_array_file(folder.write("a.csv", "# siemens\n1e-5, 2e-5,3e-5\r\n\n4e-5,5e-5,6e-5"));
  EXPECT_EQ(got.wires.rows, 2);
  EXPECT_EQ(got.wires.columns, 3);
  EXPECT_THAT(got.cell_S, ::testing::ElementsAre(1e-5, 2e-5, 3e-5, 4e-5, 5e-5, 6e-5));
  EXPECT_EQ(message_of(folder.write("bad.csv", "1,2\n3,x\n")),
            ":2:3: 'x' is not a number. Write numbers with commas between them.");
  EXPECT_EQ(message_of(folder.write("bad.csv", "1,2\n3\n")),
            ":2: the line has '1' numbers; the first line has 2, and all need as many.");
  EXPECT_EQ(message_of(folder.write("bad.csv", "\n# nothing\n")),
            ": the file holds no numbers. Write one line per row.");
  EXPECT_EQ(message_of(folder.write("bad.csv", "1,,2\n")),
            ":1:3: '' is not a number. Write numbers with commas between them.");
}

TEST(ArrayHdf5, ReadsConductanceAndVoltage) {
  const TemporaryFolder folder;
  {
    Hdf5Writer writer(folder.path("a.h5"));
    writer.write("conductance", std::vector<double>{1, 2, 3, 4, 5, 6}, {2, 3});
    writer.write("voltage", std::vector<double>{7, 8, 9, 10}, {2, 2});
    writer.commit();
    Hdf5Writer bad(folder.path("bad.h5"));
    bad.write("conductance", std::vector<double>{1, 2, 3, 4, 5, 6}, {2, 3});
    bad.write("voltage", std::vector<double>{7, 8, 9}, {1, 3});
    bad.commit();
  }
  const ArrayFile got = read_array_file(folder.path("a.h5"));
  EXPECT_EQ(got.wires.rows, 2);
  EXPECT_EQ(got.wires.columns, 3);
  EXPECT_THAT(got.cell_S, ::testing::ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(got.input_V, ::testing::ElementsAre(::testing::ElementsAre(7, 8), ::testing::ElementsAre(9, 10)));
  EXPECT_EQ(message_of(folder.path("bad.h5")),
            ": voltage does not end in a dimension of '2', the rows of conductance; "
            "[vectors][rows] or [rows] is needed.");
}

TEST(ArrayFile, NameDecides) {
  const TemporaryFolder folder;
  EXPECT_EQ(message_of(folder.path("none.json")), ": there is no such file. Check the name.");
  EXPECT_EQ(message_of(folder.write("a.txt", "1")),
            ": the name ends in '.txt'; an array is read from .json, .yaml, .csv, .h5 or .hdf5.");
}

}  // namespace
}  // namespace tellegen::array
