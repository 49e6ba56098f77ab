// Few modes against all of them, and against what is known exactly for any number of modes.

#include <gmock/gmock.h>

#include <cmath>

#include "../crossbar/arrays.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/settling.h"

namespace tellegen::circuits {
namespace {

using testing_support::largest;
using testing_support::largest_difference;
using testing_support::random_array;
using testing_support::TestArray;

constexpr NodeCapacitance both{0.3e-15, 0.5e-15};

std::vector<VoltageStep> all_at_once(const std::vector<double>& input_V) {
  std::vector<VoltageStep> out;
  for (std::size_t i = 0; i < input_V.size(); ++i) out.push_back({0, static_cast<std::int64_t>(i), input_V[i]});
  return out;
}

/// With as many modes as nodes nothing is left out.
TEST(ReducedResponse, EqualsAllModesInEveryTopologyWhenItMayTakeThemAll) {
  int arrays = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const TestArray array = random_array(seed);
    if (array.wires.rows * array.wires.columns > 100) continue;
    ++arrays;
    for (const NodeCapacitance& capacitance : {both, NodeCapacitance{1e-15, 0}, NodeCapacitance{0, 2e-15}}) {
      const auto all = std::get<ModalResponse>(modal_response(array.wires, array.cell_S, capacitance));
      const ModalResponse few = reduced_response(array.wires, array.cell_S, capacitance, 40);
      EXPECT_LE(few.time_constants_s().size(), all.time_constants_s().size()) << seed;
      if (all.time_constants_s().empty()) continue;
      const double tau_s = all.time_constants_s()[0];
      const auto steps = all_at_once(array.input_V);
      const double scale_A = largest(all.currents_A(steps, 100 * tau_s));
      for (const double time_s : {0.3 * tau_s, tau_s, 5 * tau_s}) {
        EXPECT_LE(largest_difference(few.currents_A(steps, time_s), all.currents_A(steps, time_s)), 1e-6 * scale_A)
            << seed;
      }
    }
  }
  EXPECT_GT(arrays, 8);
}

/// The errors that the manual states.
TEST(ReducedResponse, ThreeBlocksHaveTheErrorThatTheManualStates) {
  for (const double terminal_ohm : {0.0, 500.0}) {
    TestArray array = testing_support::plain_array(24, 24, 3);
    array.wires.driver_ohm = array.wires.sense_ohm = terminal_ohm;
    const auto all = std::get<ModalResponse>(modal_response(array.wires, array.cell_S, both));
    const ModalResponse few = reduced_response(array.wires, array.cell_S, both);
    EXPECT_LE(few.time_constants_s().size(), 3U * 48U);
    const double tau_s = all.time_constants_s()[0];
    const auto steps = all_at_once(array.input_V);
    const double scale_A = largest(all.currents_A(steps, 100 * tau_s));
    for (const int bits : {8, 12}) {
      const double tolerance_A = scale_A / std::exp2(bits + 1);
      const double exact_s = all.settling_time_s(array.input_V, tolerance_A);
      EXPECT_NEAR(few.settling_time_s(array.input_V, tolerance_A), exact_s, 1e-5 * exact_s);
    }
    const double allowed = terminal_ohm > 0 ? 1e-8 : 2e-4;
    EXPECT_LE(largest_difference(few.currents_A(steps, tau_s), all.currents_A(steps, tau_s)), allowed * scale_A);
    const std::vector window_s{tau_s};
    EXPECT_LE(largest_difference(few.charges_C(steps, window_s), all.charges_C(steps, window_s)),
              allowed / 2 * scale_A * tau_s);
    // One block is not enough where wires alone make the delay: the error is real and the blocks cure it.
    const ModalResponse one = reduced_response(array.wires, array.cell_S, both, 1);
    EXPECT_GT(largest_difference(one.currents_A(steps, tau_s), all.currents_A(steps, tau_s)), 10 * allowed * scale_A);
  }
}

/// 8192 nodes: settles at the operating point, and misses the charge that SettledReadout computes without any modes.
TEST(ReducedResponse, ManyNodesSettleAndMissTheirChargeExactly) {
  TestArray array = testing_support::plain_array(64, 64, 5);
  array.wires.driver_ohm = 100;
  const ModalResponse few = reduced_response(array.wires, array.cell_S, both);
  EXPECT_GT(few.time_constants_s().size(), 300U);
  EXPECT_LE(few.time_constants_s()[0], slowest_time_bound_s(array.wires, array.cell_S, both));
  const auto exact_A = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
  const double long_s = 100 * few.time_constants_s()[0];
  const auto steps = all_at_once(array.input_V);
  EXPECT_LE(largest_difference(few.currents_A(steps, long_s), exact_A), 1e-12 * largest(exact_A));
  const std::vector<double> missing_F = SettledReadout(array.wires, array.cell_S, both).missing_F();
  const std::vector<double> charge_C = few.charges_C(steps, std::vector{long_s});
  double scale_C = 0;
  std::vector<double> expected_C(64), got_C(64);
  for (std::size_t j = 0; j < 64; ++j) {
    for (std::size_t i = 0; i < 64; ++i) expected_C[j] += missing_F[j * 64 + i] * array.input_V[i];
    got_C[j] = exact_A[j] * long_s - charge_C[j];
    scale_C = std::max(scale_C, std::fabs(expected_C[j]));
  }
  EXPECT_LE(largest_difference(got_C, expected_C), 1e-8 * scale_C);
}

TEST(ReducedResponse, WithoutCapacitanceItFollowsAtOnce) {
  const TestArray array = testing_support::plain_array(7, 3, 9);
  const ModalResponse response = reduced_response(array.wires, array.cell_S, {});
  EXPECT_TRUE(response.time_constants_s().empty());
  const auto exact_A = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
  EXPECT_LE(largest_difference(response.currents_A(all_at_once(array.input_V), 0), exact_A), 1e-12 * largest(exact_A));
}

TEST(ReducedResponse, RefusesNonsense) {
  const TestArray array = testing_support::plain_array(3, 3, 9);
  EXPECT_THAT([&] { reduced_response(array.wires, array.cell_S, both, 0); },
              ::testing::ThrowsMessage<InputError>("A response of '0' blocks is asked for; at least 1 is needed."));
}

}  // namespace
}  // namespace tellegen::circuits
