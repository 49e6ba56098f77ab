// tellegen crossbar solve, in one process: exit codes, messages, files.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/cli/program.h"
#include "tellegen/sim/crossbar/array_file.h"
#include "temporary_folder.h"

namespace tellegen::array {
namespace {

using testing::TemporaryFolder;

const std::string data = TELLEGEN_SOURCE_DIR "/tests/data/crossbar/";

struct Outcome {
  int code;
  std::string out, err;
};
Outcome solve(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"tellegen", "crossbar", "solve"});
  std::vector<const char*> argv;
  for (const std::string& argument : arguments) argv.push_back(argument.c_str());
  std::ostringstream out, err;
  const int code = cli::run_program(static_cast<int>(argv.size()), argv.data(), out, err);
  return {code, out.str(), err.str()};
}

TEST(CrossbarVerb, SolvesAndCompares) {
  const Outcome run = solve({data + "tiny_2x3.json", "--solver", "reference"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out, ::testing::HasSubstr("Solver: reference, as asked.\n"));
  EXPECT_THAT(run.out, ::testing::ContainsRegex("Largest difference from the outputs in the file: [0-9.]+e-1[6-9]"));
}

TEST(CrossbarVerb, WiresFromOptionsAreThoseOfTheJson) {
  const TemporaryFolder folder;
  const ArrayFile file = read_array_file(data + "tiny_2x3.json");
  std::string cells, voltages;
  for (std::size_t k = 0; k < 6; ++k) cells += nlohmann::json(file.cell_S[k]).dump() + (k % 3 == 2 ? "\n" : ",");
  for (const auto& vector : file.input_V) {
    voltages += nlohmann::json(vector[0]).dump() + "," + nlohmann::json(vector[1]).dump() + "\n";
  }
  const Outcome run =
      solve({folder.write("g.csv", cells).string(), "--voltages", folder.write("v.csv", voltages).string(),
             "--row-wire", "10 ohm", "--column-wire", "5 ohm", "--out", folder.path("r.json").string()});
  ASSERT_EQ(run.code, 0) << run.err;
  const nlohmann::json result = nlohmann::json::parse(std::ifstream(folder.path("r.json")));
  for (std::size_t n = 0; n < 3; ++n) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(result["vectors"][n]["output"][j].get<double>(), file.expected_A[n][j],
                  1e-15 * file.expected_A[n][j]);
    }
  }
}

TEST(CrossbarVerb, WritesTheSameNumbersInEveryFormat) {
  const TemporaryFolder folder;
  const auto write = [&](const char* name) {
    return solve({data + "tiny_2x3.json", "--nodes", "--transfer", "--out", folder.path(name).string()});
  };
  const Outcome csv = write("r.csv");
  EXPECT_EQ(csv.code, 0) << csv.err;
  for (const char* name : {"r.csv", "r.energy.csv", "r.nodes.csv", "r.transfer.csv"}) {
    EXPECT_THAT(csv.out, ::testing::HasSubstr("wrote " + folder.path(name).string() + "\n"));
    EXPECT_TRUE(std::filesystem::exists(folder.path(name)));
  }
  ASSERT_EQ(write("r.json").code, 0);
  ASSERT_EQ(write("r.h5").code, 0);
  const nlohmann::json json = nlohmann::json::parse(std::ifstream(folder.path("r.json")));
  const Hdf5Reader hdf5(folder.path("r.h5"));
  EXPECT_THAT(hdf5.shape("output"), ::testing::ElementsAre(3, 3));
  EXPECT_THAT(hdf5.shape("row_node_voltage"), ::testing::ElementsAre(3, 2, 3));
  EXPECT_EQ(hdf5.text_attribute("T", "unit"), "S");
  const std::vector<double> output_A = hdf5.doubles("output");
  const std::vector<double> t_S = hdf5.doubles("T");
  const std::vector<double> dissipated_W = hdf5.doubles("dissipated_power");
  const std::vector<std::vector<double>> from_csv = read_voltages(folder.path("r.csv"), 3);
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(json["vectors"][n]["dissipated_power"].get<double>(), dissipated_W[n]);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(json["vectors"][n]["output"][j].get<double>(), output_A[n * 3 + j]);
      EXPECT_EQ(from_csv[n][j], output_A[n * 3 + j]);
    }
  }
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(json["T"][k / 2][k % 2].get<double>(), t_S[k]);
}

TEST(CrossbarVerb, CellLawFromOptions) {
  const Outcome linear = solve({data + "tiny_2x3.json"});
  const Outcome sinh_run = solve({data + "tiny_2x3.json", "--cell", "sinh", "--v0", "0.1 V"});
  EXPECT_EQ(sinh_run.code, 0) << sinh_run.err;
  EXPECT_THAT(sinh_run.out,
              ::testing::HasSubstr("Solver: newton on the equations of the line solver (the cells are not "
                                   "linear), 3 input vectors.\n"));
  EXPECT_THAT(linear.out, ::testing::Not(::testing::HasSubstr("newton")));
}

TEST(CrossbarVerb, BadInputIsNamedWithExitCode2) {
  const TemporaryFolder folder;
  const std::string good = data + "tiny_2x3.json";
  const std::string negative = folder.write("negative.csv", "1e-5,-2e-5\n").string();
  const std::string voltages = folder.write("v.csv", "0.1\n").string();
  const std::string three = folder.write("three.csv", "1,2,3\n").string();
  const std::pair<std::vector<std::string>, std::string> cases[] = {
      {{good, "--row-wire", "10"}, "--row-wire '10' needs a number and a unit (ohm, kohm, Mohm)."},
      {{good, "--row-wire", "-1 ohm"},
       "The resistance of a row segment is '-1 ohm'; a finite resistance of 0 ohm or more is needed. Give an open wire "
       "as "
       "a broken segment."},
      {{good, "--solver", "lines"},
       "--solver 'lines' is not known; did you mean 'line'? Allowed: auto, line, transfer, reference."},
      {{good, "--drive", "top"}, "--drive 'top' is not known. Allowed: one_side, both_sides."},
      {{good, "--sense", "x"}, "--sense 'x' is not known. Allowed: one_end, both_ends, alternate."},
      {{good, "--cell", "sine"}, "--cell 'sine' is not known; did you mean 'sinh'? Allowed: ohmic, sinh, cubic, milo."},
      {{good, "--tolerance", "0"}, "--tolerance must be above 0. Write for example 1e-10."},
      {{good, "--v0", "0.1 V"}, "--v0 is given without --cell. Add --cell sinh or --cell cubic."},
      {{good, "--cell", "sinh", "--v0", "0 V"}, "--v0 '0 V' is not above 0 V."},
      {{good, "--out", "r.txt"}, "r.txt: the name ends in '.txt'; results are written to .json, .csv, .h5 or .hdf5."},
      {{negative, "--voltages", voltages},
       "The cell in row 0, column 1 has the conductance '-2e-05 S'; 0 S (open) or more is needed."},
      {{good, "--voltages", three}, three + ": a line has '3' voltages; the array has 2 rows, and each needs one."},
  };
  for (const auto& [arguments, message] : cases) {
    const Outcome run = solve(arguments);
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.err, "tellegen: error: " + message + "\n");
    EXPECT_EQ(run.out, "");
  }
  EXPECT_EQ(solve({}).code, 2);
}

TEST(CrossbarVerb, NoConvergenceIsExitCode3) {
  const Outcome run = solve({data + "sinh_32x32.json", "--tolerance", "1e-18"});
  EXPECT_EQ(run.code, 3);
  EXPECT_THAT(run.err,
              ::testing::StartsWith("tellegen: error: The operating point of the non-linear array was not found in "));
}

}  // namespace
}  // namespace tellegen::array
