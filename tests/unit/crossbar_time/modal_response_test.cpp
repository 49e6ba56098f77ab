// Modes of whole arrays against the solvers without time, against small time steps, and against superposition.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "../crossbar/arrays.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/rc_network.h"
#include "tellegen/circuits/crossbar/settling.h"

namespace tellegen::circuits {
namespace {

using testing_support::largest;
using testing_support::largest_difference;
using testing_support::random_array;
using testing_support::TestArray;

constexpr NodeCapacitance both{0.3e-15, 0.5e-15};

bool small(const TestArray& array) { return array.wires.rows * array.wires.columns <= 300; }

ModalResponse modes_of(const TestArray& array, const NodeCapacitance& capacitance) {
  return std::get<ModalResponse>(modal_response(array.wires, array.cell_S, capacitance));
}

std::vector<VoltageStep> all_at_once(const std::vector<double>& input_V) {
  std::vector<VoltageStep> out;
  for (std::size_t i = 0; i < input_V.size(); ++i) out.push_back({0, static_cast<std::int64_t>(i), input_V[i]});
  return out;
}

TEST(ModalResponse, SettlesAtTheOperatingPointInEveryTopology) {
  int arrays = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const TestArray array = random_array(seed);
    if (!small(array)) continue;
    ++arrays;
    const NodalReference reference(array.wires, array.cell_S);
    const std::vector<double> exact_S = reference.transfer();
    const std::vector<double> exact_A = reference.solve(array.input_V).output_A;
    for (const NodeCapacitance& capacitance : {both, NodeCapacitance{1e-15, 0}, NodeCapacitance{0, 2e-15}}) {
      const ModalResponse response = modes_of(array, capacitance);
      EXPECT_LE(largest_difference(response.transfer_S(), exact_S), 1e-11 * largest(exact_S)) << seed;
      const double slowest_s = response.time_constants_s().empty() ? 0 : response.time_constants_s()[0];
      EXPECT_LE(largest_difference(response.currents_A(all_at_once(array.input_V), 50 * slowest_s + 1e-12), exact_A),
                1e-11 * largest(exact_A))
          << seed;
      const double bound_s = slowest_time_bound_s(array.wires, array.cell_S, capacitance);
      EXPECT_LE(slowest_s, bound_s * (1 + 1e-10)) << seed;
    }
  }
  EXPECT_GT(arrays, 15);
}

/// Every node begins at 0 V, so no current flows yet where wires have resistance: modes and settled state cancel.
TEST(ModalResponse, BeginsAtRest) {
  TestArray array = testing_support::plain_array(12, 9, 2);
  array.wires.driver_ohm = 100;
  const ModalResponse response = modes_of(array, both);
  const auto steps = all_at_once(array.input_V);
  const double settled_A = largest(response.currents_A(steps, 1e-9));
  EXPECT_LE(largest(response.currents_A(steps, 0)), 1e-9 * settled_A);
}

/// The implicit midpoint rule on the nodal equations: errors fall with the square of the step.
std::vector<double> midpoint_currents(const TestArray& array, double end_s, int steps) {
  const RcNetwork network = rc_network(array.wires, array.cell_S, both);
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(network.unknowns, network.unknowns);
  Eigen::VectorXd driven = Eigen::VectorXd::Zero(network.unknowns), v = driven;
  for (const auto& entry : network.conductance) a(entry.row, entry.column) += entry.value_S;
  for (const auto& entry : network.from_driver) {
    driven[entry.row] += entry.value_S * array.input_V[static_cast<std::size_t>(entry.column)];
  }
  const Eigen::MatrixXd c =
      Eigen::Map<const Eigen::VectorXd>(network.capacitance_F.data(), network.unknowns).asDiagonal();
  const double h_s = end_s / steps;
  const Eigen::PartialPivLU<Eigen::MatrixXd> lu(c / h_s + a / 2);
  for (int k = 0; k < steps; ++k) v = lu.solve((c / h_s - a / 2) * v + driven).eval();
  std::vector<double> out(static_cast<std::size_t>(network.outputs));
  for (const auto& entry : network.to_sense)
    out[static_cast<std::size_t>(entry.row)] += entry.value_S * v[entry.column];
  return out;
}

TEST(ModalResponse, EqualsTimeStepsInTheLimit) {
  TestArray array = testing_support::plain_array(5, 4, 3);
  array.wires.driver_ohm = 700;
  array.wires.sense_ohm = 300;
  const ModalResponse response = modes_of(array, both);
  const double end_s = 1.5 * response.time_constants_s()[0];
  const std::vector<double> exact_A = response.currents_A(all_at_once(array.input_V), end_s);
  const double coarse = largest_difference(midpoint_currents(array, end_s, 4000), exact_A) / largest(exact_A);
  const double fine = largest_difference(midpoint_currents(array, end_s, 8000), exact_A) / largest(exact_A);
  EXPECT_LT(fine, 1e-6);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
}

/// Charge is the integral of current: Simpson's rule on a window in the middle of a waveform.
TEST(ModalResponse, ChargeIsTheIntegralOfCurrent) {
  TestArray array = testing_support::plain_array(6, 3, 4);
  array.wires.driver_ohm = 1000;
  const ModalResponse response = modes_of(array, both);
  const double tau_s = response.time_constants_s()[0];
  std::vector<VoltageStep> steps{{0, 0, 0.1}, {0.2 * tau_s, 3, -0.2}, {0.5 * tau_s, 0, 0}};
  const double begin_s = 0.6 * tau_s;
  const double end_s = 1.8 * tau_s;
  const std::vector<double> charge_C = response.charges_C(steps, std::vector{begin_s, end_s});
  constexpr int intervals = 400;
  std::vector<double> simpson_C(3);
  for (int k = 0; k <= intervals; ++k) {
    const double weight = k == 0 || k == intervals ? 1 : k % 2 == 1 ? 4 : 2;
    const auto current_A = response.currents_A(steps, begin_s + (end_s - begin_s) * k / intervals);
    for (std::size_t j = 0; j < 3; ++j) {
      simpson_C[j] += current_A[j] * weight * (end_s - begin_s) / (3 * intervals);
    }
  }
  for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(charge_C[3 + j] / simpson_C[j], 1, 1e-9);
}

TEST(ModalResponse, WaveformsSuperpose) {
  TestArray array = testing_support::plain_array(4, 4, 5);
  array.wires.driver_ohm = 2000;
  const ModalResponse response = modes_of(array, both);
  const double tau_s = response.time_constants_s()[0];
  const std::vector<VoltageStep> first{{0, 0, 0.1}, {tau_s, 0, -0.05}}, second{{0.5 * tau_s, 2, 0.2}};
  const std::vector<VoltageStep> together{first[0], second[0], first[1]};
  const std::vector ends_s{0.7 * tau_s, 1.6 * tau_s};
  const auto a = response.charges_C(first, ends_s), b = response.charges_C(second, ends_s);
  const auto sum = response.charges_C(together, ends_s);
  for (std::size_t k = 0; k < sum.size(); ++k) EXPECT_NEAR(sum[k], a[k] + b[k], 1e-14 * largest(sum));
}

/// With inputs of one sign the error falls, so the last crossing is where the error has the size of the tolerance.
TEST(ModalResponse, SettlingTimeIsWhereTheErrorMeetsTheTolerance) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    TestArray array = testing_support::plain_array(6, 5, seed);
    array.wires.driver_ohm = 500;
    const ModalResponse response = modes_of(array, both);
    const auto settled_A = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    const double tolerance_A = largest(settled_A) / 512;
    const double time_s = response.settling_time_s(array.input_V, tolerance_A);
    const auto steps = all_at_once(array.input_V);
    EXPECT_NEAR(largest_difference(response.currents_A(steps, time_s), settled_A) / tolerance_A, 1, 1e-6);
    for (double later_s = 1.001 * time_s; later_s < 10 * time_s; later_s *= 1.05) {
      EXPECT_LT(largest_difference(response.currents_A(steps, later_s), settled_A), tolerance_A);
    }
  }
}

TEST(ModalResponse, WithoutCapacitanceItFollowsAtOnce) {
  const TestArray array = testing_support::plain_array(7, 3, 9);
  const ModalResponse response = modes_of(array, {});
  EXPECT_TRUE(response.time_constants_s().empty());
  const auto exact_A = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
  EXPECT_LE(largest_difference(response.currents_A(all_at_once(array.input_V), 0), exact_A), 1e-12 * largest(exact_A));
  EXPECT_EQ(response.settling_time_s(array.input_V, 1e-12), 0);
}

}  // namespace
}  // namespace tellegen::circuits
