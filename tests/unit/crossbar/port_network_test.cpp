#include "tellegen/circuits/crossbar/port_network.h"

#include <gtest/gtest.h>

#include "arrays.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using namespace testing_support;

TEST(PortNetwork, InputAdmittanceIsWhatTheSourcesGiveAndSymmetric) {
  for (std::uint64_t seed = 300; seed < 340; ++seed) {
    const TestArray array = random_array(seed);
    const auto rows = static_cast<std::size_t>(array.wires.rows);
    const NodalReference reference(array.wires, array.cell_S);
    const std::vector<double> admittance = collapse(array.wires, array.cell_S).input_admittance();
    std::vector<double> direct(rows * rows);
    for (std::size_t k = 0; k < rows; ++k) {
      std::vector<double> unit_V(rows);
      unit_V[k] = 1;
      const std::vector<double> source_A = reference.solve(unit_V).source_A;
      for (std::size_t i = 0; i < rows; ++i) {
        if (array.wires.state(static_cast<std::int64_t>(i)) == RowState::driven) direct[i * rows + k] = source_A[i];
      }
    }
    EXPECT_LE(largest_difference(admittance, direct), 1e-12 * largest(direct)) << seed;
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < i; ++k) EXPECT_EQ(admittance[i * rows + k], admittance[k * rows + i]);
    }
  }
}

TEST(PortNetwork, OutputAdmittanceAgreesWithAnIndependentProgram) {
  const nlohmann::json data = physics_data("crossbar_circuit.json")["thermal_noise"];
  Wires wires;
  wires.rows = 8;
  wires.columns = 6;
  wires.row_segment_ohm = data["rw"];
  wires.column_segment_ohm = data["cw"];
  wires.driver_ohm = data["Rs"];
  wires.sense_ohm = data["Rt"];
  const std::vector<double> admittance = collapse(wires, flat(data["G"])).output_admittance();
  for (std::size_t j = 0; j < 6; ++j) {
    const double expected = data["Y_jj_S"][j];
    EXPECT_NEAR(admittance[j * 6 + j], expected,
                4e-12 * expected);  // theirs is a difference of numbers 60 times as large
  }
}

/// Every current that comes from a driver goes to an output or another driver.
TEST(PortNetwork, RowSumsOfTransferAndAdmittanceAgree) {
  const TestArray array = plain_array(20, 30, 1);
  const PortNetwork ports = collapse(array.wires, array.cell_S);
  const std::vector<double> out_A = product(ports.transfer(), array.input_V);
  const std::vector<double> source_A = product(ports.input_admittance(), array.input_V);
  double balance_A = 0;
  for (const double each : out_A) balance_A += each;
  for (const double each : source_A) balance_A -= each;
  EXPECT_LT(std::abs(balance_A), 1e-13 * largest(source_A));
}

TEST(PortNetwork, GatedRowsEqualFloatingRows) {
  for (std::uint64_t seed = 400; seed < 440; ++seed) {
    const TestArray array = random_array(seed);
    TestArray gated = array;
    Uniform uniform(seed);
    std::vector<std::uint8_t> floating;
    gated.wires.row_state.clear();
    for (std::int64_t i = 0; i < array.wires.rows; ++i) {
      floating.push_back(uniform.chance(0.5) ? 1 : 0);
      gated.wires.row_state.push_back(floating.back() != 0 ? RowState::floating : array.wires.state(i));
    }
    const PortNetwork from_kept = collapse(array.wires, array.cell_S).with_floating(floating);
    const NodalReference reference(gated.wires, gated.cell_S);
    const std::vector<double> expected = reference.transfer();
    EXPECT_LE(largest_difference(from_kept.transfer(), expected), 1e-12 * largest(expected)) << seed;
    const std::vector<double> applied_V = applied_voltages(gated.wires, array.input_V);
    const double power_W = reference.solve(array.input_V).dissipated_W;
    EXPECT_NEAR(dot(applied_V, product(from_kept.input_admittance(), applied_V)), power_W, 1e-12 * power_W) << seed;
  }
}

}  // namespace
}  // namespace tellegen::circuits
