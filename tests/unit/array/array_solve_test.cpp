#include "tellegen/sim/crossbar/array_solve.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::array {
namespace {

const std::filesystem::path data = TELLEGEN_SOURCE_DIR "/tests/data/crossbar";

std::vector<std::filesystem::path> all_cases() {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(data)) {
    if (entry.path().extension() == ".json") out.push_back(entry.path());
  }
  return out;
}

TEST(SolveArray, AllKnownArraysAreRight) {
  EXPECT_EQ(all_cases().size(), 14u);
  for (const std::filesystem::path& path : all_cases()) {
    SCOPED_TRACE(path.filename().string());
    const ArraySolution solution = solve_array(read_array_file(path), {});
    EXPECT_LT(solution.expected_difference.value(), 1e-13);
    for (const ArrayResult& vector : solution.vectors) {
      EXPECT_NEAR(vector.dissipated_W.value_or(vector.source_W), vector.source_W, 1e-12 * vector.source_W);
    }
  }
}

TEST(SolveArray, EverySolverIsRight) {
  for (const char* name : {"tiny_2x3", "base_64x64", "srcsense_64x64", "rect_64x256"}) {
    const ArrayFile file = read_array_file(data / (std::string(name) + ".json"));
    for (const Solver solver : {Solver::line, Solver::transfer, Solver::reference}) {
      SCOPED_TRACE(std::string(name) + std::to_string(static_cast<int>(solver)));
      EXPECT_LT(solve_array(file, {.solver = solver}).expected_difference.value(), 1e-13);
    }
  }
}

TEST(SolveArray, TransferAndNodesOnRequest) {
  const ArrayFile file = read_array_file(data / "base_16x16.json");
  const ArraySolution solution = solve_array(file, {.nodes = true, .transfer = true});
  EXPECT_THAT(solution.log, ::testing::ElementsAre("Solver: line (node voltages are asked for)."));
  for (std::size_t n = 0; n < file.input_V.size(); ++n) {
    const ArrayResult& vector = solution.vectors[n];
    double power_W = 0;
    for (std::size_t j = 0; j < 16; ++j) {
      double sum_A = 0;
      double source_A = 0;
      for (std::size_t i = 0; i < 16; ++i) {
        sum_A += solution.transfer_S[j * 16 + i] * file.input_V[n][i];
        source_A += solution.input_admittance_S[j * 16 + i] * file.input_V[n][i];
      }
      EXPECT_NEAR(sum_A, vector.output_A[j], 1e-13 * vector.output_A[j]);
      power_W += file.input_V[n][j] * source_A;
    }
    EXPECT_NEAR(power_W, vector.source_W, 1e-12 * power_W);
    EXPECT_EQ(vector.nodes.row_node_V.size(), 256u);
  }
  EXPECT_TRUE(solve_array(file, {}).transfer_S.empty());
}

TEST(SolveArray, CostModelTakesTheTransferMatrixForManyVectors) {
  ArrayFile file = read_array_file(data / "base_64x64.json");
  file.expected_A.clear();
  EXPECT_THAT(solve_array(file, {}).log[0], ::testing::StartsWith("Solver: line (estimated "));
  file.input_V.assign(200, file.input_V[0]);
  EXPECT_THAT(solve_array(file, {}).log[0], ::testing::StartsWith("Solver: transfer (estimated "));
}

TEST(SolveArray, FallsBackToTheReferenceAndSaysSo) {
  const ArrayFile file = read_array_file(data / "base_16x16.json");
  const ArraySolution solution = solve_array(file, {.solver = Solver::line, .tolerance = 1e-18});
  EXPECT_THAT(solution.log, ::testing::Contains(::testing::MatchesRegex(
                                "Input vector 0: the line solver stopped at a bound of .* A "
                                "after [0-9]+ iterations; the reference solver takes over\\.")));
  EXPECT_LT(solution.expected_difference.value(), 1e-14);
}

/// Gate high: no more than its on-resistance; gate low: next to nothing flows.
TEST(SolveArray, AccessTransistorIsInSeriesWithEveryCell) {
  ArrayFile file = read_array_file(data / "base_16x16.json");
  file.expected_A.clear();
  const double without_A = solve_array(file, {}).vectors[0].output_A[0];
  file.transistor = AccessTransistor{devices::MosfetConfig(devices::find_mosfet("bulk_28nm")), 1.5, 300};
  const ArraySolution on = solve_array(file, {});
  EXPECT_THAT(on.log[0], ::testing::StartsWith("Solver: newton "));
  EXPECT_LT(on.vectors[0].output_A[0], without_A);
  EXPECT_GT(on.vectors[0].output_A[0], 0.2 * without_A);
  EXPECT_NEAR(on.vectors[0].dissipated_W.value(), on.vectors[0].source_W, 1e-11 * on.vectors[0].source_W);
  file.transistor->gate_V = 0;
  EXPECT_LT(solve_array(file, {}).vectors[0].output_A[0], 0.01 * without_A);
}

TEST(SolveArray, CutOffOutputsAreNamed) {
  ArrayFile file = read_array_file(data / "tiny_2x3.json");
  file.expected_A.clear();
  file.cell_S[1] = file.cell_S[4] = 0;
  const ArraySolution solution = solve_array(file, {.solver = Solver::line});
  EXPECT_THAT(solution.log, ::testing::Contains("Outputs without a path to a driven row give 0 A: columns 1."));
  EXPECT_EQ(solution.vectors[0].output_A[1], 0);
}

TEST(SolveArray, RequestsThatCannotBeMetAreRefused) {
  const auto message = [](const ArrayFile& file, const SolveRequest& request) -> std::string {
    try {
      solve_array(file, request);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  ArrayFile linear = read_array_file(data / "tiny_2x3.json");
  const ArrayFile sinh = read_array_file(data / "sinh_32x32.json");
  EXPECT_EQ(message(sinh, {.transfer = true}),
            "The cells are not linear: there is no transfer matrix. Leave out --transfer.");
  EXPECT_EQ(message(linear, {.solver = Solver::transfer, .nodes = true}),
            "The transfer solver knows no node voltages. Use --solver line, or leave out --nodes.");
  linear.input_V.pop_back();
  EXPECT_EQ(message(linear, {}),
            "The file has outputs for '3' input vectors to compare with; there are 2 input vectors.");
  linear.input_V.clear();
  EXPECT_EQ(message(linear, {}),
            "There are no input voltages. Give them with --voltages, or ask for the transfer matrix "
            "only with --transfer.");
}

TEST(SolveArray, NewtonThatFailsIsARefusal) {
  ArrayFile sinh = read_array_file(data / "sinh_32x32.json");
  EXPECT_THROW(solve_array(sinh, {.tolerance = 1e-18}), RefusedError);
}

}  // namespace
}  // namespace tellegen::array
