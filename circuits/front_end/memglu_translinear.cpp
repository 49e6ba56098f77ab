#include "tellegen/circuits/front_end/memglu_translinear.h"

#include <cmath>

#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

// clang-format off
enum Part : std::size_t {
  kReference, kTail, kPair1, kPair2,
  kCopy1In, kCopy1ToMean, kCopy1ToPlus, kCopy2In, kCopy2ToMean, kCopy2ToMinus,
  kMean1, kMean2, kMeanOut1, kMeanOut2,
  kCopyMeanIn, kCopyMeanToPlus, kCopyMeanToMinus,
  kBiasToPlus, kBiasToMinus,
  kPlus1, kPlus2, kPlusBias, kPlusOut, kMinus1, kMinus2, kMinusBias, kMinusOut,
  kSubtractIn, kSubtractOut
};
// clang-format on
static_assert(kSubtractOut + 1 == translinear_transistors);

/// Gate-source voltage of a transistor that carries i with its source at its bulk, in n kT/q above the threshold.
double gate_voltage(const GateTransistor& t, double i) { return t.shift + ekv::voltage_of_current(i / t.size); }
/// The current at such a voltage.
double current_at(const GateTransistor& t, double v) {
  return t.size * ekv::current_of_charge(ekv::charge_of_voltage(v - t.shift));
}

}  // namespace

const std::array<const char*, translinear_transistors>& translinear_names() {
  static const std::array<const char*, translinear_transistors> names{
      "bias reference", "tail",          "pair 1",         "pair 2",          "copy 1 in",       "copy 1 to mean",
      "copy 1 to plus", "copy 2 in",     "copy 2 to mean", "copy 2 to minus", "mean 1",          "mean 2",
      "mean out 1",     "mean out 2",    "copy mean in",   "copy mean plus",  "copy mean minus", "bias to plus",
      "bias to minus",  "plus factor 1", "plus factor 2",  "plus bias",       "plus out",        "minus factor 1",
      "minus factor 2", "minus bias",    "minus out",      "subtract in",     "subtract out"};
  return names;
}

bool is_of_the_pair(std::size_t transistor) { return transistor == kPair1 || transistor == kPair2; }

TranslinearPoint translinear_gate(double dv, double tail, const TranslinearTransistors& t) {
  TranslinearPoint p;
  auto& i = p.current;
  const auto mirrored = [&](Part in, Part out) { return i[out] = current_at(t[out], gate_voltage(t[in], i[in])); };
  i[kReference] = tail;
  mirrored(kReference, kTail);
  const std::array v{0.5 * dv - t[kPair1].shift, -0.5 * dv - t[kPair2].shift};
  const std::array size{t[kPair1].size, t[kPair2].size};
  std::array<double, 2> split{};
  split_tail(v, size, i[kTail], split);
  p.i_1 = i[kPair1] = i[kCopy1In] = split[0];
  p.i_2 = i[kPair2] = i[kCopy2In] = split[1];
  i[kMean1] = mirrored(kCopy1In, kCopy1ToMean);
  i[kMean2] = mirrored(kCopy2In, kCopy2ToMean);
  // Loop: two gate-source voltages up, two down. The outer two carry one current, found where they share the sum.
  const double sum = gate_voltage(t[kMean1], i[kMean1]) + gate_voltage(t[kMean2], i[kMean2]);
  double v_out = 0.5 * sum;
  for (int step = 0; step < 60; ++step) {
    const double upper = current_at(t[kMeanOut1], v_out), lower = current_at(t[kMeanOut2], sum - v_out);
    // d ln i / dv = 1 / (q + 1), between 0 and 1 on both sides.
    const double q_upper = ekv::charge_of_current(upper / t[kMeanOut1].size);
    const double q_lower = ekv::charge_of_current(lower / t[kMeanOut2].size);
    const double move = std::log(lower / upper) / (1 / (q_upper + 1) + 1 / (q_lower + 1));
    v_out += move;
    if (std::abs(move) < 1e-15) break;
  }
  p.i_mean = i[kMeanOut1] = i[kMeanOut2] = i[kCopyMeanIn] = current_at(t[kMeanOut1], v_out);
  const auto multiply = [&](Part mean_copy, Part factor_1, double other, Part factor_2, Part bias_copy, Part bias,
                            Part out) {
    i[factor_1] = mirrored(kCopyMeanIn, mean_copy);
    i[factor_2] = other;
    i[bias] = mirrored(kReference, bias_copy);
    const double up = gate_voltage(t[factor_1], i[factor_1]) + gate_voltage(t[factor_2], i[factor_2]);
    return i[out] = current_at(t[out], up - gate_voltage(t[bias], i[bias]));
  };
  p.i_plus =
      multiply(kCopyMeanToPlus, kPlus1, mirrored(kCopy1In, kCopy1ToPlus), kPlus2, kBiasToPlus, kPlusBias, kPlusOut);
  p.i_minus = multiply(kCopyMeanToMinus, kMinus1, mirrored(kCopy2In, kCopy2ToMinus), kMinus2, kBiasToMinus, kMinusBias,
                       kMinusOut);
  i[kSubtractIn] = p.i_minus;
  p.i_out = p.i_plus - mirrored(kSubtractIn, kSubtractOut);
  return p;
}

std::vector<BranchCurrent> translinear_branches(const TranslinearPoint& p) {
  const auto& i = p.current;
  return {{"bias reference", i[kReference]},      {"pair, output 1", i[kPair1]},
          {"pair, output 2", i[kPair2]},          {"copy of 1 into the mean", i[kMean1]},
          {"copy of 2 into the mean", i[kMean2]}, {"geometric mean", i[kMeanOut1]},
          {"mean into plus", i[kPlus1]},          {"copy of 1 into plus", i[kPlus2]},
          {"bias into plus", i[kPlusBias]},       {"plus out", i[kPlusOut]},
          {"mean into minus", i[kMinus1]},        {"copy of 2 into minus", i[kMinus2]},
          {"bias into minus", i[kMinusBias]},     {"minus out", i[kMinusOut]}};
}

std::array<double, translinear_transistors> translinear_sensitivity(double dv, double tail,
                                                                    const TranslinearTransistors& transistors) {
  constexpr double step = 1e-4;
  std::array<double, translinear_transistors> result{};
  for (std::size_t k = 0; k < translinear_transistors; ++k) {
    TranslinearTransistors moved = transistors;
    moved[k].shift += step;
    const double above = translinear_gate(dv, tail, moved).i_out;
    moved[k].shift -= 2 * step;
    result[k] = (above - translinear_gate(dv, tail, moved).i_out) / (2 * step);
  }
  return result;
}

}  // namespace tellegen::circuits
