// Charges for any size, from T and the charge that settling costs, against all modes.

#include <gtest/gtest.h>

#include "../crossbar/arrays.h"
#include "tellegen/circuits/crossbar/settling.h"

namespace tellegen::circuits {
namespace {

using testing_support::largest;
using testing_support::largest_difference;
using testing_support::random_array;
using testing_support::TestArray;
using testing_support::Uniform;

constexpr NodeCapacitance capacitance{0.3e-15, 0.5e-15};

TEST(SettledReadout, EqualsAllModesInEveryTopology) {
  int arrays = 0;
  for (std::uint64_t seed = 100; seed < 150; ++seed) {
    const TestArray array = random_array(seed);
    if (array.wires.rows * array.wires.columns > 300) continue;
    const auto modes = std::get<ModalResponse>(modal_response(array.wires, array.cell_S, capacitance));
    if (modes.time_constants_s().empty()) continue;
    ++arrays;
    const double window_s = 45 * modes.time_constants_s()[0];
    constexpr int windows = 3;
    const auto rows = static_cast<std::size_t>(array.wires.rows);
    const std::vector<double> input_V = Uniform(seed).numbers(windows * array.wires.rows, -0.2, 0.2);
    std::vector<VoltageStep> steps;
    std::vector<double> ends_s;
    for (std::size_t k = 0; k < windows; ++k) {
      for (std::size_t i = 0; i < rows; ++i) {
        steps.push_back({static_cast<double>(k) * window_s, static_cast<std::int64_t>(i), input_V[k * rows + i]});
      }
      // A step belongs to the window that it begins.
      ends_s.push_back(static_cast<double>(k + 1) * window_s * (1 - 1e-15));
    }
    const SettledReadout readout(array.wires, array.cell_S, capacitance);
    const std::vector<double> exact_C = modes.charges_C(steps, ends_s);
    EXPECT_LE(largest_difference(readout.window_charges_C(input_V, window_s), exact_C), 1e-10 * largest(exact_C))
        << seed;
    // What settling costs is a real part of it, so the test would notice its absence.
    std::vector<double> first_C(exact_C.begin(), exact_C.begin() + array.wires.columns);
    std::vector<double> at_once_C =
        testing_support::product(readout.transfer_S(), {input_V.begin(), input_V.begin() + array.wires.rows});
    for (double& value : at_once_C) value *= window_s;
    if (largest(first_C) > 0 && largest(readout.missing_F()) > 1e-6 * largest(readout.transfer_S()) * window_s) {
      EXPECT_GT(largest_difference(at_once_C, first_C), 1e-9 * largest(first_C)) << seed;
    }
  }
  EXPECT_GT(arrays, 10);
}

TEST(SettledReadout, PulsesLoseNoCharge) {
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const TestArray array = random_array(seed);
    if (array.wires.rows * array.wires.columns > 300) continue;
    const auto modes = std::get<ModalResponse>(modal_response(array.wires, array.cell_S, capacitance));
    if (modes.time_constants_s().empty()) continue;
    const double tau_s = modes.time_constants_s()[0];
    const std::vector<double> width_s = Uniform(seed).numbers(array.wires.rows, 0, 3 * tau_s);
    const SettledReadout readout(array.wires, array.cell_S, capacitance);
    const auto exact_C = modes.charges_C(pulse_widths(array.input_V, width_s), std::vector{50 * tau_s});
    EXPECT_LE(largest_difference(readout.pulse_charges_C(array.input_V, width_s), exact_C), 1e-10 * largest(exact_C));
  }
}

/// Bits shifted and added are the product with the codes: what one window leaves for the next is lost at half its
/// weight, so the sum is short by what windows exchange.
TEST(SettledReadout, BitSerialIsTheProductLessWhatWindowsExchange) {
  const TestArray array = testing_support::plain_array(12, 7, 11);
  constexpr int bits = 6;
  constexpr double period_s = 1e-9;
  constexpr double amplitude_V = 0.15;
  Uniform uniform(5);
  std::vector<std::int64_t> code;
  for (int i = 0; i < 12; ++i) code.push_back(uniform.integer(0, 63));
  const SettledReadout readout(array.wires, array.cell_S, capacitance);
  const auto modes = std::get<ModalResponse>(modal_response(array.wires, array.cell_S, capacitance));
  std::vector<double> input_V, ends_s, product_V(12);
  for (int k = 0; k < bits; ++k) {
    for (const std::int64_t each : code) input_V.push_back((each >> k & 1) != 0 ? amplitude_V : 0);
    ends_s.push_back((k + 1) * period_s * (1 - 1e-15));
  }
  for (std::size_t i = 0; i < 12; ++i) product_V[i] = amplitude_V * static_cast<double>(code[i]);
  const auto sum_C = shift_and_add(readout.window_charges_C(input_V, period_s), bits);
  const auto exact_C = shift_and_add(modes.charges_C(bit_serial(code, bits, amplitude_V, period_s), ends_s), bits);
  EXPECT_LE(largest_difference(sum_C, exact_C), 1e-12 * largest(exact_C));
  // sum_k 2^k (V_k - V_k-1) = sum_k 2^k V_k - 2 sum_k 2^k V_k + 2^bits V_last = -product + 2^bits V_last
  std::vector<double> exchanged_V(12);
  for (std::size_t i = 0; i < 12; ++i) {
    exchanged_V[i] = 64 * input_V[static_cast<std::size_t>(bits - 1) * 12 + i] - product_V[i];
  }
  auto expected_C = testing_support::product(readout.transfer_S(), product_V);
  const auto lost_C = testing_support::product(readout.missing_F(), exchanged_V);
  for (std::size_t j = 0; j < expected_C.size(); ++j) expected_C[j] = expected_C[j] * period_s - lost_C[j];
  EXPECT_LE(largest_difference(sum_C, expected_C), 1e-14 * largest(expected_C));
}

/// One node: M = T tau.
TEST(SettledReadout, OneNodeMissesItsTimeConstant) {
  Wires wires;
  wires.rows = wires.columns = 1;
  wires.driver_ohm = 1500;
  const SettledReadout readout(wires, std::vector{1e-3}, {2e-15, 7e-15});
  const double tau_s = 2e-15 / (1.0 / 1500 + 1e-3);
  EXPECT_NEAR(readout.missing_F()[0] / (tau_s / 2500), 1, 1e-14);
}

TEST(SettledReadout, RefusesNonsense) {
  const TestArray array = testing_support::plain_array(3, 2, 1);
  const SettledReadout readout(array.wires, array.cell_S, capacitance);
  EXPECT_THROW(readout.window_charges_C(array.input_V, 0), InputError);
  EXPECT_THROW(readout.window_charges_C(std::vector{0.1, 0.2}, 1e-9), InputError);
  EXPECT_THROW(readout.pulse_charges_C(array.input_V, std::vector{1e-9, -1e-9, 0.0}), InputError);
}

}  // namespace
}  // namespace tellegen::circuits
