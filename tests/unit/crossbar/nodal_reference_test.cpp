#include "tellegen/circuits/crossbar/nodal_reference.h"

#include <gtest/gtest.h>

#include "arrays.h"

namespace tellegen::circuits {
namespace {

using namespace testing_support;

TEST(NodalReference, OneCellIsASeriesOfResistors) {
  Wires wires;
  wires.rows = wires.columns = 1;
  wires.row_segment_ohm = 3;
  wires.column_segment_ohm = 5;
  wires.driver_ohm = 50;
  wires.sense_ohm = 100;
  wires.access_ohm = 2000;
  const NodalSolution one = NodalReference(wires, std::vector<double>{1e-4}).solve(std::vector<double>{0.2});
  EXPECT_NEAR(one.output_A[0], 0.2 / 12158, 1e-20);
  EXPECT_NEAR(one.source_A[0], 0.2 / 12158, 1e-20);
  EXPECT_NEAR(one.row_node_V[0], 0.2 - 53 * 0.2 / 12158, 1e-16);
  EXPECT_NEAR(one.column_node_V[0], 105 * 0.2 / 12158, 1e-16);
  EXPECT_NEAR(one.dissipated_W, 0.04 / 12158, 1e-20);
  wires.drive = Drive::both_sides;
  wires.sense = Sense::both_ends;
  const NodalSolution both = NodalReference(wires, std::vector<double>{1e-4}).solve(std::vector<double>{0.2});
  EXPECT_NEAR(both.output_A[0], 0.2 / (53.0 / 2 + 12000 + 105.0 / 2), 1e-20);
}

TEST(NodalReference, AgreesWithAnIndependentProgram) {
  const nlohmann::json data = physics_data("crossbar_circuit.json");
  ASSERT_FALSE(data["cases"].empty());
  for (const auto& each : data["cases"]) {
    Wires wires;
    wires.rows = each["m"];
    wires.columns = each["n"];
    wires.row_segment_ohm = each["rw"];
    wires.column_segment_ohm = each["cw"];
    wires.driver_ohm = each["Rs"];
    wires.sense_ohm = each["Rt"];
    const NodalReference reference(wires, flat(each["G_S"]));
    const NodalSolution solution = reference.solve(each["V"].get<std::vector<double>>());
    EXPECT_LT(largest_difference(solution.output_A, each["I_A"].get<std::vector<double>>()),
              1e-12 * largest(solution.output_A));
    EXPECT_LT(largest_difference(solution.row_node_V, flat(each["v_row_nodes"])), 1e-14);
    EXPECT_LT(largest_difference(solution.column_node_V, flat(each["v_col_nodes"])), 1e-14);
    EXPECT_LT(largest_difference(reference.transfer(), flat(each["T_S"])), 1e-12 * largest(reference.transfer()));
  }
}

TEST(NodalReference, ReproducesAPublishedExample) {
  const nlohmann::json example = physics_data("crossbar_circuit.json")["published_example"];
  Wires wires;
  wires.rows = 3;
  wires.columns = 5;
  wires.row_segment_ohm = wires.column_segment_ohm = example["r_i"];
  std::vector<double> cell_S = flat(example["R_ohm"]);
  for (double& g_S : cell_S) g_S = 1 / g_S;
  const NodalReference reference(wires, cell_S);
  const NodalSolution published = reference.solve(example["published_check"]["V"].get<std::vector<double>>());
  EXPECT_NEAR(published.cell_A[3], 0.00986, 5e-6);  // printed with three digits
  const NodalSolution other = reference.solve(example["V"].get<std::vector<double>>());
  EXPECT_LT(largest_difference(other.output_A, example["I_out_A"].get<std::vector<double>>()),
            1e-12 * largest(other.output_A));
}

TEST(NodalReference, PublishedOperatingPoints) {
  const nlohmann::json data = physics_data("crossbar_operating_points.json");
  std::size_t solved = 0;
  for (const auto& each : data["cases"]) {
    if (each["rows"].get<int>() > 64 || each["columns"].get<int>() > 64) continue;
    Wires wires;
    wires.rows = each["rows"];
    wires.columns = each["columns"];
    wires.row_segment_ohm = each["row_segment_ohm"];
    wires.column_segment_ohm = each["column_segment_ohm"];
    wires.driver_ohm = each["driver_ohm"];
    wires.sense_ohm = each["sense_ohm"];
    wires.drive = each["drive"] == "both_sides" ? Drive::both_sides : Drive::one_side;
    const auto drawn = [&](const char* name, std::int64_t count) {
      return Uniform(each[name]["seed"].get<std::uint64_t>()).numbers(count, each[name]["lo"], each[name]["hi"]);
    };
    const NodalReference reference(wires, drawn("conductance_S", wires.rows * wires.columns));
    const NodalSolution solution = reference.solve(drawn("voltage_V", wires.rows));
    EXPECT_LT(largest_difference(solution.output_A, each["output_A"].get<std::vector<double>>()),
              1e-13 * largest(solution.output_A))
        << each["name"];
    ++solved;
  }
  EXPECT_EQ(solved, 7U);
}

TEST(NodalReference, EveryTopologyDissipatesWhatTheSourcesGive) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) {
    const TestArray array = random_array(seed);
    const NodalSolution solution = NodalReference(array.wires, array.cell_S).solve(array.input_V);
    EXPECT_NEAR(solution.source_W, solution.dissipated_W, 1e-12 * solution.dissipated_W) << seed;
  }
}

TEST(NodalReference, CurrentsBalance) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const TestArray array = random_array(seed);
    const NodalSolution solution = NodalReference(array.wires, array.cell_S).solve(array.input_V);
    double sum_A = 0;
    for (const double source_A : solution.source_A) sum_A += source_A;
    for (const double output_A : solution.output_A) sum_A -= output_A;
    EXPECT_LE(std::abs(sum_A), 1e-12 * (largest(solution.source_A) + largest(solution.output_A))) << seed;
  }
}

TEST(NodalReference, Superposition) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TestArray array = random_array(seed);
    const NodalReference reference(array.wires, array.cell_S);
    std::vector<double> part_V = Uniform(seed + 7).numbers(array.wires.rows, -0.2, 0.2);
    std::vector<double> rest_V = array.input_V;
    for (std::size_t i = 0; i < rest_V.size(); ++i) rest_V[i] -= part_V[i];
    std::vector<double> sum_A = reference.solve(part_V).output_A;
    const std::vector<double> rest_A = reference.solve(rest_V).output_A;
    for (std::size_t j = 0; j < sum_A.size(); ++j) sum_A[j] += rest_A[j];
    const double scale = largest(sum_A) + largest(rest_A);
    EXPECT_LE(largest_difference(sum_A, reference.solve(array.input_V).output_A), 1e-12 * scale) << seed;
  }
}

TEST(NodalReference, IsolatedNodesAreLeftOut) {
  TestArray array = plain_array(3, 3, 1);
  array.wires.row_state = {RowState::driven, RowState::floating, RowState::driven};
  for (std::size_t j = 3; j < 6; ++j) array.cell_S[j] = 0;
  const NodalSolution solution = NodalReference(array.wires, array.cell_S).solve(array.input_V);
  EXPECT_EQ(solution.row_node_V[4], 0);
  EXPECT_EQ(solution.source_A[1], 0);
  EXPECT_NE(solution.output_A[0], 0);
}

}  // namespace
}  // namespace tellegen::circuits
