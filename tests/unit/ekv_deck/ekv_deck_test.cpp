// Source-coupled arrays and the translinear gate: what the solvers here and ngspice make of the same circuit, both in
// the charge form of EKV.

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "../../spice/live.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/circuits/spice/ekv_deck.h"

namespace tellegen::circuits {
namespace {

/// ngspice stops at 1e-12 of a node's voltage: of some ten kT/q in the array, 1e-11 of a current. In the translinear gate
/// some twenty gate-source voltages of up to 1 V stand one after another, each 3e-11 of a current of n kT/q.
constexpr double array_tolerance = 1e-10, gate_tolerance = 1e-9;

const devices::Mosfet transistor(1.3738, 1.69e-6, 0.62, Temperature::si(300));

class SourceCoupled : public ::testing::TestWithParam<double> {};

TEST_P(SourceCoupled, ArrayEqualsNgspice) {
  const double tail_A = GetParam(), unit_V = transistor.slope() * transistor.thermal_voltage_V();
  const std::array z{0.3, -1.2, 2.0, 0.7, -0.5}, size{1.0, 1.1, 0.9, 1.05, 1.0};
  const std::array shift_V{0.0, 2e-3, -5e-3, 1e-3, 7e-3};
  std::array<double, 5> gate_V{}, v{}, current{};
  for (std::size_t k = 0; k < 5; ++k) {
    gate_V[k] = 0.9 + unit_V * z[k];
    v[k] = (gate_V[k] - transistor.threshold_V() - shift_V[k]) / unit_V;
  }
  NGSPICE_OR_SKIP(theirs, source_coupled_deck(transistor, gate_V, shift_V, size, tail_A, 1.8));
  split_tail(v, size, tail_A / transistor.specific_current_A(), current);
  for (double& i : current) i *= transistor.specific_current_A();
  EXPECT_LE(relative_difference(current, theirs), array_tolerance);
  // Without mismatch the answer is another one, so the comparison can fail.
  for (std::size_t k = 0; k < 5; ++k) v[k] += shift_V[k] / unit_V;
  split_tail(v, size, tail_A / transistor.specific_current_A(), current);
  for (double& i : current) i *= transistor.specific_current_A();
  EXPECT_GE(relative_difference(current, theirs), 1e-3);
}
INSTANTIATE_TEST_SUITE_P(Spice, SourceCoupled, ::testing::Values(1e-9, 1e-7, 1e-5, 1e-4));

class TranslinearDeck : public ::testing::TestWithParam<double> {};

TEST_P(TranslinearDeck, GateEqualsNgspice) {
  const double bias_A = GetParam(), unit_V = transistor.slope() * transistor.thermal_voltage_V();
  const double spec_A = transistor.specific_current_A();
  TranslinearTransistors parts;
  for (std::size_t k = 0; k < translinear_transistors; ++k) {
    parts[k] = {0.05 * std::sin(1.7 * static_cast<double>(k)), 1 + 0.03 * std::cos(2.3 * static_cast<double>(k))};
  }
  for (const double dv : {-3.0, -0.4, 0.0, 1.76, 4.0}) {
    const TranslinearPoint nominal = translinear_gate(dv, bias_A / spec_A);
    const TranslinearPoint ours = translinear_gate(dv, bias_A / spec_A, parts);
    NGSPICE_OR_SKIP(theirs, translinear_deck(transistor, dv * unit_V, bias_A, 3.3, parts));
    const std::array wanted{spec_A * ours.i_plus, spec_A * ours.current.back()};
    EXPECT_LE(relative_difference(wanted, theirs), gate_tolerance) << dv;
    EXPECT_GE(relative_difference(std::array{spec_A * nominal.i_plus, spec_A * nominal.current.back()}, theirs), 1e-3);
    NGSPICE_OR_SKIP(matched, translinear_deck(transistor, dv * unit_V, bias_A, 3.3));
    EXPECT_NEAR((matched[0] - matched[1]) / bias_A, nominal.i_out * spec_A / bias_A, gate_tolerance) << dv;
  }
}
INSTANTIATE_TEST_SUITE_P(Spice, TranslinearDeck, ::testing::Values(1e-9, 1e-7, 1e-5));

}  // namespace
}  // namespace tellegen::circuits
