// Arrays of capacitors through `crossbar solve`: closed forms, both ways of solving, files, messages.

#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/cli/program.h"
#include "tellegen/sim/crossbar/charge_results.h"
#include "temporary_folder.h"

namespace tellegen::array {
namespace {

using testing::TemporaryFolder;

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

/// 3 x 2 cells in the notation of people.
const std::string sharing =
    "rows: 3\n"
    "cols: 2\n"
    "C_matrix: [[1e-15, 2e-15], [0.5e-15, .25e-15], [2e-15, 1e-15]]\n"
    "C_column: [10e-15, 12e-15]  # wire and amplifier input\n"
    "V_vectors:\n"
    "  - [0.3, -0.2, 0.1]\n"
    "  - [0, 0, 0.4]\n";

TEST(ChargeSolve, FloatingColumnsShareTheirCharge) {
  const TemporaryFolder folder;
  const ChargeFile file = read_charge_file(folder.write("c.yaml", sharing));
  const ChargeSolution solution = solve_charge(file, true);
  const double total_F[2] = {13.5e-15, 15.25e-15};
  const double charge_C[2][2] = {{0.3e-15 - 0.1e-15 + 0.2e-15, 0.6e-15 - 0.05e-15 + 0.1e-15}, {0.8e-15, 0.4e-15}};
  for (std::size_t n = 0; n < 2; ++n) {
    for (std::size_t j = 0; j < 2; ++j) {
      EXPECT_NEAR(solution.vectors[n].output_V[j], charge_C[n][j] / total_F[j], 1e-15);
    }
  }
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(solution.total_F[j], total_F[j], 1e-28);
    EXPECT_NEAR(solution.noise_V[j], std::sqrt(1.380649e-23 * 300 / total_F[j]), 1e-12);
  }
  EXPECT_NEAR(solution.transfer[0], 1e-15 / 13.5e-15, 1e-15);
  EXPECT_LT(solution.largest_difference, 1e-13);
  for (const ChargeResult& vector : solution.vectors) {
    EXPECT_GT(vector.dissipated_J, 0);
    // From rest, half of what sources give to capacitors becomes heat.
    EXPECT_NEAR(vector.dissipated_J, vector.source_J / 2, 1e-12 * vector.source_J);
  }
}

/// Finite gain, floating rows, neighbours, injection: the phases are an independent answer.
TEST(ChargeSolve, AmplifiersAndEverythingAroundThem) {
  const TemporaryFolder folder;
  const std::string more =
      "C_row: [1e-15, 3e-15, 2e-15]\n"
      "C_neighbour: 0.4e-15\n"
      "row_state: [driven, floating, driven]\n"
      "amplifier: {feedback: 20e-15, gain: 300}\n"
      "reset: {width: 0.4e-6, length: 60e-9, oxide: 15e-3, gate: 0.9, threshold: 0.4}\n"
      "temperature: 350\n";
  const ChargeFile file = read_charge_file(folder.write("c.yaml", sharing + more));
  const ChargeSolution solution = solve_charge(file, false);
  EXPECT_TRUE(solution.transfer.empty());
  EXPECT_LT(solution.largest_difference, 1e-12);
  EXPECT_NE(solution.offset_V[0], 0);
  EXPECT_EQ(solution.vectors[0].row_C[1], 0);
  ChargeFile ideal = file;
  ideal.amplifier->gain = INFINITY;
  const ChargeSolution limit = solve_charge(ideal, false);
  EXPECT_LT(limit.largest_difference, 1e-12);
  EXPECT_NEAR(limit.vectors[1].output_V[0] / solution.vectors[1].output_V[0], 1, 0.01);
  ChargeFile quiet = file;
  quiet.reset.reset();
  const ChargeSolution without = solve_charge(quiet, false);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_NEAR(solution.vectors[0].output_V[j] - without.vectors[0].output_V[j], solution.offset_V[j], 1e-15);
  }
}

TEST(ChargeVerb, TellsAndWritesTheSameInEveryFormat) {
  const TemporaryFolder folder;
  const std::string file = folder.write("c.yaml", sharing).string();
  const Outcome run = solve({file, "--transfer", "--out", folder.path("r.json").string()});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.out,
              ::testing::StartsWith("Read by charge: columns float and share charge, 0 of 3 rows floating.\n"
                                    "Capacitance of a column, what its charge is divided by: 13.5 fF to 15.2 fF.\n"
                                    "Noise of the reset (kT/C) at 300 K: "));
  EXPECT_THAT(run.out, ::testing::ContainsRegex("Largest difference between matrix and phases: [0-9.]+e-1[5-9] of"));
  const nlohmann::json result = nlohmann::json::parse(std::ifstream(folder.path("r.json")));
  EXPECT_EQ(result["T"].size(), 2u);
  ASSERT_EQ(solve({file, "--out", folder.path("r.h5").string()}).code, 0);
  const Hdf5Reader reader(folder.path("r.h5"));
  const std::vector<double> output_V = reader.doubles("output");
  EXPECT_EQ(output_V[3], result["vectors"][1]["output"][1].get<double>());
  EXPECT_EQ(reader.doubles("dissipated_energy")[1], result["vectors"][1]["dissipated_energy"].get<double>());
  const Outcome csv = solve({file, "--transfer", "--out", folder.path("r.csv").string()});
  for (const char* name : {"r.csv", "r.columns.csv", "r.energy.csv", "r.transfer.csv"}) {
    EXPECT_THAT(csv.out, ::testing::HasSubstr(name));
    EXPECT_TRUE(std::filesystem::exists(folder.path(name)));
  }
}

TEST(ChargeVerb, BadInputIsNamedWithExitCode2) {
  const TemporaryFolder folder;
  const std::string file = folder.write("c.yaml", sharing).string();
  const auto expect_message = [&](const std::vector<std::string>& arguments, const std::string& message) {
    const Outcome outcome = solve(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.err, "tellegen: error: " + message + "\n");
  };
  expect_message({file, "--row-wire", "1 ohm"},
                 file + ": --row-wire is for arrays of conductances, and this is one of capacitors. Leave it out.");
  expect_message({file, "--solver", "line"},
                 file + ": --solver is for arrays of conductances, and this is one of capacitors. Leave it out.");
  expect_message({file, "--nodes"},
                 file + ": --nodes is for arrays of conductances, and this is one of capacitors. Leave it out.");
  const std::string cold = folder.write("t.yaml", sharing + "temperature: -1\n").string();
  expect_message({cold}, cold + ": 'temperature' is '-1'; it must be above 0.");
  const std::string negative =
      folder.write("n.yaml", "rows: 1\ncols: 1\nC_matrix: [[-1e-15]]\nC_column: [1e-15]\nV_vectors: [[0.1]]\n")
          .string();
  EXPECT_EQ(solve({negative}).code, 2);
  EXPECT_THAT(solve({negative}).err, ::testing::HasSubstr("'-1e-15 F'"));
}

}  // namespace
}  // namespace tellegen::array
