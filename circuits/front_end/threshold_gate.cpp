#include "tellegen/circuits/front_end/threshold_gate.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/gate_cost.h"
#include "tellegen/circuits/front_end/gate_energy.h"
#include "tellegen/circuits/front_end/gate_speed.h"

namespace tellegen::circuits {
namespace {

/// Draws of a chunk are kept on the stack: one for the currents and one for each decision at most.
constexpr int most_draws = 9;
/// Pairs whose output feeds another keep it for the rest of the chunk.
constexpr std::size_t most_stacked = 32;

double noise_bandwidth_Hz(const ThresholdDesign& design, const FrontEndCost& cost) {
  if (design.settings.noise.bandwidth) return design.settings.noise.bandwidth->si();
  return gate_poles(cost.loads, Corner::typical).noise_bandwidth_Hz();
}

float to_float(double x) { return static_cast<float>(x); }

/// What one level of a stack leaves for the next.
struct alignas(64) StackMemory {
  float current[most_stacked][kernels::chunk];
  float variance[most_stacked][kernels::chunk];
};

}  // namespace

ThresholdGate::ThresholdGate(const GateSettings& settings, const GateFunction& gate, Temperature temperature)
    : design_(design_gate(settings, gate, temperature)),
      cost_(gate_cost(design_)),
      noise_(design_, noise_bandwidth_Hz(design_, cost_)),
      mismatch_(design_),
      // Tails of single units exceed the largest nominal one by their gain error: twice as much covers it.
      table_(2 * design_.ic_per_tail * design_.network.largest_tail) {
  draws_ = settings.compares ? 1 + static_cast<int>(design_.gate.thresholds.size()) : 1;
  stacked_ = std::ranges::any_of(design_.pairs, [](const DesignedPair& pair) { return pair.net.stacked_on >= 0; });
  if (draws_ > most_draws || (stacked_ && design_.pairs.size() > most_stacked)) {
    throw InputError("The gate has too many thresholds: 8 are possible with comparators, and 32 pairs in stacks.");
  }
  for (std::size_t k = 0; k < design_.pairs.size(); ++k) prepare(k);
}

void ThresholdGate::prepare(std::size_t k) {
  const DesignedPair& pair = design_.pairs[k];
  const PairNoise& noise = noise_.pairs()[k];
  const TailLaw& tail = pair.net.tail;
  kernels::PairConstants c{};
  c.signal_low = to_float(design_.limits.x_low);
  c.signal_high = to_float(design_.limits.x_high);
  c.gate_low = to_float(design_.limits.gate_low);
  c.gate_high = to_float(design_.limits.gate_high);
  c.theta = to_float(pair.theta);
  c.dv_per_x = to_float(pair.dv_per_x);
  c.tail_constant = to_float(tail.constant);
  c.tail_slope = to_float(tail.slope);
  c.split = to_float(tail.split);
  c.quiescent2 = to_float(tail.quiescent * tail.quiescent);
  c.four_ic = to_float(4 * design_.ic_per_tail);
  c.pedestal = to_float(pair.net.pedestal);
  c.weight = to_float(pair.net.weight);
  c.partition = to_float(noise.partition);
  c.gate_variance = to_float(noise.gate_variance);
  c.mirror_two = to_float(noise.mirror_two);
  c.mirror_step = to_float(noise.mirror_one - noise.mirror_two);
  c.tail_white = to_float(noise.tail_white);
  c.tail_flicker = to_float(noise.tail_flicker);
  constants_.push_back(c);
  decision_x_.push_back(to_float(noise.comparator_x));
}

double ThresholdGate::table_error() const {
  // Rounding of exponentials and sums in float, as a share of the largest currents.
  constexpr double rounding = 1e-6;
  double error = rounding * (std::abs(design_.network.base_constant) +
                             std::abs(design_.network.base_slope) * design_.settings.full_scale);
  const double table = design_.settings.compares ? 0 : table_.error();
  for (const DesignedPair& pair : design_.pairs) {
    const double tail =
        pair.net.tail.carries_signal() || pair.net.tail.constant != 0 ? design_.network.largest_tail : 0;
    error += std::max(std::abs(pair.net.weight), 1.0) * tail * (table + rounding);
  }
  return error;
}

kernels::PairErrors ThresholdGate::errors_of(std::size_t k, const UnitErrors& errors, std::int64_t first_unit) const {
  if (errors.units == 0) return {nullptr, nullptr, nullptr};
  return {errors.plane(3 * k).data() + first_unit, errors.plane(3 * k + 1).data() + first_unit,
          errors.plane(3 * k + 2).data() + first_unit};
}

void ThresholdGate::evaluate_chunk(const float* x, std::int64_t count, const UnitErrors& errors,
                                   std::int64_t first_unit, const float* normals, float* y) const {
  alignas(64) float out[kernels::chunk];
  alignas(64) float variance[kernels::chunk];
  const std::size_t base_plane = 3 * constants_.size();
  const bool has_base_error = errors.units > 0 && mismatch_.planes().size() > base_plane;
  kernels::start(unit_, to_float(design_.network.base_slope), to_float(design_.network.base_constant),
                 has_base_error ? errors.plane(base_plane).data() + first_unit : nullptr,
                 to_float(design_.limits.x_low), to_float(design_.limits.x_high), 0.0f, x, count, out, variance);
  const kernels::TableView table{table_.cells().data(), to_float(table_.rows_per_w())};
  StackMemory memory;
  for (std::size_t k = 0; k < constants_.size(); ++k) {
    const kernels::PairErrors pair_errors = errors_of(k, errors, first_unit);
    const NetworkPair& net = design_.pairs[k].net;
    if (design_.settings.compares) {
      const float* decisions = normals == nullptr ? nullptr : normals + 1 + net.threshold;
      kernels::add_comparator(unit_, constants_[k], pair_errors, decision_x_[k], decisions, draws_, x, count, out,
                              variance);
    } else if (stacked_) {
      const auto below = static_cast<std::size_t>(std::max(net.stacked_on, 0));
      const bool on_top = net.stacked_on >= 0;
      kernels::add_stacked_pair(unit_, constants_[k], table, pair_errors,
                                {on_top ? memory.current[below] : nullptr, on_top ? memory.variance[below] : nullptr,
                                 memory.current[k], memory.variance[k]},
                                x, count, out, variance);
    } else {
      kernels::add_pair(unit_, constants_[k], table, pair_errors, x, count, out, variance);
    }
  }
  if (normals != nullptr) kernels::add_noise(unit_, variance, normals, draws_, count, out);
  std::copy_n(out, count, y);
}

void ThresholdGate::evaluate(std::span<const float> x, const UnitErrors& errors, const Stream* noise,
                             std::uint64_t first_element, std::span<float> y) const {
  TELLEGEN_ASSERT(x.size() == y.size());
  TELLEGEN_ASSERT(errors.units == 0 || static_cast<std::int64_t>(x.size()) % errors.units == 0);
  TELLEGEN_ASSERT(errors.units == 0 || errors.values.size() == mismatch_.planes().size() * errors.units);
  alignas(64) float normals[most_draws * kernels::chunk];
  const auto size = static_cast<std::int64_t>(x.size());
  const std::int64_t units = errors.units > 0 ? errors.units : std::max<std::int64_t>(size, 1);
  for (std::int64_t sample = 0; sample < size; sample += units) {
    for (std::int64_t unit = 0; unit < units; unit += kernels::chunk) {
      const std::int64_t count = std::min(kernels::chunk, units - unit), at = sample + unit;
      if (noise != nullptr) {
        const auto draws = static_cast<std::uint64_t>(draws_);
        noise->normals((first_element + static_cast<std::uint64_t>(at)) * draws,
                       std::span(normals, static_cast<std::size_t>(count * draws_)));
      }
      evaluate_chunk(x.data() + at, count, errors, unit, noise != nullptr ? normals : nullptr, y.data() + at);
    }
  }
}

EnergyBook ThresholdGate::energy(double x_before, double x, double duration_s) const {
  return energy_between(design_, operating_state(design_, x_before), operating_state(design_, x), duration_s);
}

std::unique_ptr<FrontEnd> ThresholdGateParameters::make(const GateFunction& gate, Temperature temperature) const {
  return std::make_unique<ThresholdGate>(settings_, gate, temperature);
}

std::unique_ptr<FrontEndParameters> ThresholdGateParameters::clone() const {
  return std::make_unique<ThresholdGateParameters>(*this);
}

FrontEndEntry differential_pair_entry() {
  return {
      "differential_pair",
      "Differential pairs: each steers its tail current by a sigmoid of the input; the tail is fixed or carries x.",
      "transistors: Enz, Krummenacher and Vittoz 1995 (EKV, charge form); networks of pairs and their noise: own "
      "derivation",
      "front_end: {circuit: differential_pair}",
      []() -> std::unique_ptr<FrontEndParameters> { return std::make_unique<ThresholdGateParameters>(false); },
      swish_gate(1),
      "dV / (n kT/q) = 2 (q1 - q2) + ln(q1 / q2), q^2 + q = I / I_spec on each side, I1 + I2 = tail; "
      "tau = volts per x / (n kT/q) in weak inversion; offset^2 = A_VT^2 / (W L) + (n kT/q / G)^2 (d beta / beta)^2"};
}

FrontEndEntry comparator_entry() {
  return {"comparator",
          "Comparators that switch tail currents: hard gates (ReLU, hard-tanh), with offset, noise and power.",
          "own derivation; preamplifier, latch and their areas are assumptions with low and high",
          "front_end: {circuit: comparator}",
          []() -> std::unique_ptr<FrontEndParameters> { return std::make_unique<ThresholdGateParameters>(true); },
          relu_gate(),
          "share = 1 where x + offset + noise > theta, else 0; the switched current is that of the tail"};
}

}  // namespace tellegen::circuits
