// tellegen spice, in this process: what it prints, refuses and writes, with and without ngspice.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tellegen/sim/cli/program.h"

namespace tellegen::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"tellegen", "spice"});
  std::ostringstream out, err;
  const int code = run_program(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {code, out.str(), err.str()};
}

constexpr const char* sinh_tile = R"({"rows": 2, "cols": 3, "r_row": 10, "r_col": 5, "device": "sinh", "a": 3,
  "G_matrix": [[3e-5, 2e-5, 6e-5], [5e-5, 1e-5, 5e-5]], "V_vectors": [[0.1, 0.2], [-0.2, 0.15]]})";
constexpr const char* capacitors =
    R"({"rows": 3, "cols": 2, "C_matrix": [[1e-15, 2e-15], [0.5e-15, 1.5e-15], [2e-15, 0.5e-15]],
  "C_column": [5e-15, 5e-15], "C_neighbour": 1e-15, "row_state": ["driven", "floating", "driven"],
  "V_vectors": [[0.1, 0, 0.2]]})";

/// An empty working directory, removed at the end; the search path as it was.
class SpiceVerb : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    path_ = std::getenv("PATH");
    std::string name = (fs::temp_directory_path() / "tellegen-spice-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::current_path(folder_);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  static void write(const char* name, const std::string& text) { std::ofstream(name) << text; }
  static nlohmann::json report(const fs::path& folder) {
    return nlohmann::json::parse(std::ifstream(folder / "spice.json"));
  }
  fs::path before_, folder_;
  std::string path_;
};

TEST_F(SpiceVerb, ComparesAResistiveTile) {
  write("tile.json", sinh_tile);
  const Outcome outcome = run({"tile.json"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("2 x 3 cells, sinh\n"));
  EXPECT_THAT(outcome.out, HasSubstr("wrote vector0.cir, vector1.cir, spice.json to out/spice_tile\n"));
  const nlohmann::json stored = report("out/spice_tile");
  ASSERT_EQ(stored.at("vectors").size(), 2);
  EXPECT_TRUE(fs::exists("out/spice_tile/vector1.cir"));
  if (stored.at("largest_difference").is_null()) GTEST_SKIP() << "ngspice is not installed.";
  EXPECT_LE(stored.at("largest_difference").get<double>(), 1e-10);
  EXPECT_THAT(outcome.out, HasSubstr("Largest difference between tellegen and ngspice: "));
  EXPECT_EQ(stored.at("vectors")[1].at("ngspice_output").size(), 3);
}

TEST_F(SpiceVerb, ComparesATileOfCapacitors) {
  write("tile.json", capacitors);
  const Outcome outcome = run({"tile.json", "--out", "check"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, StartsWith("3 x 2 capacitors, charge sharing\n"));
  const nlohmann::json stored = report("check");
  EXPECT_EQ(stored.at("unit"), "V");
  if (stored.at("largest_difference").is_null()) GTEST_SKIP() << "ngspice is not installed.";
  EXPECT_LE(stored.at("largest_difference").get<double>(), 1e-11);
}

TEST_F(SpiceVerb, WiresAsOptions) {
  write("tile.csv", "3e-5, 2e-5\n1e-5, 5e-5\n");
  write("inputs.csv", "0.1, -0.2\n");
  ASSERT_EQ(run({"tile.csv", "--voltages", "inputs.csv", "--row-wire", "7 ohm", "--sense", "both_ends"}).code, kDone);
  std::stringstream deck;
  deck << std::ifstream("out/spice_tile/vector0.cir").rdbuf();
  EXPECT_THAT(deck.str(), HasSubstr("Rw1 w0_l w0_0 7\n"));
  write("charges.json", capacitors);
  const Outcome refused = run({"charges.json", "--row-wire", "7 ohm"});
  EXPECT_EQ(refused.code, kWrongInput);
  EXPECT_EQ(refused.err,
            "tellegen: error: charges.json: --row-wire is for arrays of conductances, and this is one of capacitors. "
            "Leave it out.\n");
}

TEST_F(SpiceVerb, OneVector) {
  write("tile.json", sinh_tile);
  ASSERT_EQ(run({"tile.json", "--vector", "1", "--quiet"}).code, kDone);
  EXPECT_FALSE(fs::exists("out/spice_tile/vector0.cir"));
  EXPECT_EQ(report("out/spice_tile").at("vectors")[0].at("number"), 1);
}

TEST_F(SpiceVerb, WithoutNgspiceTheNetlistsAreWritten) {
  write("tile.json", sinh_tile);
  setenv("PATH", folder_.c_str(), 1);
  const Outcome outcome = run({"tile.json"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_EQ(outcome.out,
            "2 x 3 cells, sinh\n"
            "The program ngspice was not found: nothing was compared. Install the package ngspice and run again, or "
            "run 'ngspice -b -r out.raw FILE.cir' elsewhere.\n"
            "wrote vector0.cir, vector1.cir, spice.json to out/spice_tile\n");
  EXPECT_TRUE(report("out/spice_tile").at("largest_difference").is_null());
}

TEST_F(SpiceVerb, RefusesNonsense) {
  const auto expect_refused = [](const std::string& text, const std::string& message) {
    write("tile.json", text);
    const Outcome outcome = run({"tile.json", "--vector", "2"});
    EXPECT_EQ(outcome.code, kWrongInput);
    EXPECT_EQ(outcome.err, "tellegen: error: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
  };
  expect_refused(sinh_tile, "Input vector '2' is asked for; the file has vectors 0 to 1.");
  expect_refused(R"({"rows": 1, "cols": 1, "G_matrix": [[1e-5]]})",
                 "There are no input voltages. Give them with --voltages, or as 'V_vectors' in the file.");
  expect_refused(R"({"rows": 1, "cols": 1, "C_matrix": [[1e-15]]})", "tile.json: 'V_vectors' is missing.");
  expect_refused(R"({"rows": 1, "cols": 1, "C_matrix": [[1e-15]], "C_rows": [0], "V_vectors": [[1]]})",
                 "tile.json: 'C_rows' is not a known key; did you mean 'C_row'?");
  expect_refused(R"({"rows": 1, "cols": 1, "C_matrix": [[-1e-15]], "V_vectors": [[1]]})",
                 "The capacitance of the cell in row 0, column 0 is '-1e-15 F'; a finite capacitance of 0 F or more is "
                 "needed.");
}

}  // namespace
}  // namespace tellegen::cli
