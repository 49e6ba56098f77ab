// n transistors on one source node: a softmax in weak inversion.

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/gate_mismatch.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

struct ArraySettings {
  GateBias bias;
  Current leakage = Current::si(1e-12);
  void settings(Settings& v) {
    bias.settings(v);
    v("leakage", leakage, "of a transistor that is off, to its output (assumed; 0.1 to 10 pA)", at_least(0));
  }
};

class SoftmaxArray final : public SoftmaxCircuit {
 public:
  SoftmaxArray(const ArraySettings& settings, Temperature temperature)
      : own_(settings), transistor_(settings.bias, temperature), supply_V_(settings.bias.supply_V()) {
    const double ic = transistor_.tail;
    const TransistorSpread one = transistor_spread(own_.bias, transistor_, ic);
    planes_ = {{"threshold", "x", one.shift / transistor_.per_x}, {"size", "", one.size}};
    if (own_.bias.trim) prepare_trim(*own_.bias.trim);
    const double low_V = source_V(), needed_V = 4 * transistor_.thermal_V;
    if (low_V < needed_V) {
      throw RefusedError({"The softmax array leaves " + format_quantity(low_V, Voltage::dimension) +
                              " to its tail, which needs " + format_quantity(needed_V, Voltage::dimension) + ".",
                          "Raise the supply, lower the bias or take another transistor."});
    }
  }

  void evaluate(std::span<const float> z, std::size_t n, std::span<const unsigned char> masked,
                const SoftmaxErrors& errors, const Stream* noise, std::uint64_t first_row,
                std::span<float> p) const override;
  std::size_t draws_per_row(std::size_t n) const override { return n + 1; }
  std::vector<double> row(std::span<const double> z) const override;
  const std::vector<ErrorPlane>& output_planes() const override { return planes_; }
  const std::vector<ErrorPlane>& cell_planes() const override { return no_planes_; }
  SoftmaxErrors sample(const Stream& mismatch, std::size_t n) const override;
  std::vector<double> output_noise(std::span<const double> z) const override;
  double input_range() const override { return own_.bias.input_range; }
  double floor(std::size_t n) const override {
    const double least = std::exp(-own_.bias.input_range * transistor_.per_x);
    return least / (static_cast<double>(n) - 1 + least) + leak();
  }
  FrontEndCost cost(std::size_t n) const override;
  EnergyBook energy(std::span<const double> z_before, std::span<const double> z, double duration_s) const override;

 private:
  /// The source node on its way to new inputs, and what flowed meanwhile.
  struct Transient {
    double start_V, end_V;
    double diodes_J, transistors_J, tail_J, supply_J;
  };
  Transient settle(std::span<const double> v_before, std::span<const double> v, double t_s) const;
  void prepare_trim(const UnitTrim& trim) {
    const BiasedTransistor measured(own_.bias, trim.measured_at);
    measured_ = transistor_spread(own_.bias, measured, measured.tail);
    carry_ = measured.thermal_V / transistor_.thermal_V;
  }
  /// Of one transistor: its threshold's draw becomes what the trimming voltage at its gate leaves. What is measured is the share
  /// of the tail, to which threshold and size add up.
  double trimmed_threshold(double threshold, double size) const {
    const double measured = measured_.shift * threshold - measured_.size * size;
    const TrimDac dac{own_.bias.trim->bits, own_.bias.trim->range_sigmas * std::hypot(measured_.shift, measured_.size)};
    return planes_[0].deviation * threshold - carry_ * dac.correction(measured) / transistor_.per_x;
  }
  double leak() const { return own_.leakage.si() / own_.bias.bias.si(); }
  /// Voltages of the gates, in n kT/q below the largest.
  std::vector<double> gates(std::span<const double> z) const {
    const double top = *std::ranges::max_element(z);
    std::vector<double> v;
    for (const double one : z) v.push_back(transistor_.per_x * std::max(one - top, -own_.bias.input_range));
    return v;
  }
  /// Of the source node where one transistor carries the tail: as low as it gets.
  double source_V() const {
    return transistor_.thermal_V * (common_pinch() - ekv::voltage_of_current(transistor_.tail));
  }
  /// The largest gate stands at 0.6 of the supply: its pinch-off in kT/q.
  double common_pinch() const {
    return (0.6 * supply_V_ - transistor_.mosfet.threshold_V()) / (transistor_.slope * transistor_.thermal_V);
  }
  double node_F(std::size_t n) const { return static_cast<double>(n + 1) * wiring_F.typical; }
  double band_Hz(std::size_t n) const { return noise_bandwidth_Hz(cost(n).bandwidth_Hz); }
  /// Standard deviation of each transistor's own noise in I_spec, at currents i, and of the tail's last.
  std::vector<double> own_noise(std::span<const double> i, double bandwidth_Hz) const;
  void add_noise(const Stream& noise, std::uint64_t first, double bandwidth_Hz, std::span<float> p) const;

  ArraySettings own_;
  BiasedTransistor transistor_;
  double supply_V_;
  std::vector<ErrorPlane> planes_, no_planes_;
  TransistorSpread measured_;  ///< where it is trimmed: at the temperature of trimming
  double carry_ = 1;           ///< of a voltage in n kT/q, from there to work
};

void SoftmaxArray::evaluate(std::span<const float> z, std::size_t n, std::span<const unsigned char> masked,
                            const SoftmaxErrors& errors, const Stream* noise, std::uint64_t first_row,
                            std::span<float> p) const {
  TELLEGEN_ASSERT(n > 0 && z.size() % n == 0 && p.size() == z.size());
  TELLEGEN_ASSERT(errors.outputs.units == 0 || errors.outputs.units == static_cast<std::int64_t>(n));
  const auto per_x = static_cast<float>(transistor_.per_x), range = static_cast<float>(own_.bias.input_range);
  std::vector<float> v(z.size()), shift, size;
  for (std::size_t first = 0; first < z.size(); first += n) {
    // The row's largest, of those that take part, sets the common mode.
    float top = -HUGE_VALF;
    for (std::size_t k = first; k < first + n; ++k) {
      if (masked.empty() || masked[k] == 0) top = std::max(top, z[k]);
    }
    for (std::size_t k = first; k < first + n; ++k) v[k] = per_x * std::clamp(z[k] - top, -range, 0.0f);
  }
  if (errors.outputs.units > 0) {
    for (std::size_t k = 0; k < n; ++k) {
      shift.push_back(-per_x * errors.outputs.plane(0)[k]);
      size.push_back(std::max(0.01f, 1 + errors.outputs.plane(1)[k]));
    }
  }
  split_rows(v, n, shift, size, masked, static_cast<float>(transistor_.tail), p);
  const auto leakage = static_cast<float>(leak());
  const double bandwidth_Hz = noise == nullptr ? 0 : band_Hz(n);
  for (std::size_t r = 0; r < z.size() / n; ++r) {
    const std::span<float> row_p = p.subspan(r * n, n);
    const bool off = std::ranges::all_of(row_p, [](float one) { return one == 0; });
    if (off) continue;
    if (noise != nullptr) add_noise(*noise, (first_row + r) * (n + 1), bandwidth_Hz, row_p);
    for (std::size_t k = 0; k < n; ++k) {
      const bool out = !masked.empty() && masked[r * n + k] != 0;
      row_p[k] = out ? 0 : row_p[k] + leakage;
    }
  }
}

std::vector<double> SoftmaxArray::row(std::span<const double> z) const {
  const std::vector<double> v = gates(z), size(z.size(), 1.0);
  std::vector<double> p(z.size());
  split_tail(v, size, transistor_.tail, p);
  for (double& one : p) one = one / transistor_.tail + leak();
  return p;
}

SoftmaxErrors SoftmaxArray::sample(const Stream& mismatch, std::size_t n) const {
  SoftmaxErrors errors;
  errors.outputs = {static_cast<std::int64_t>(n), std::vector<float>(2 * n)};
  mismatch.normals(0, errors.outputs.values);
  const std::span<float> threshold = errors.outputs.plane(0), size = errors.outputs.plane(1);
  for (std::size_t k = 0; k < n; ++k) {
    threshold[k] = own_.bias.trim ? static_cast<float>(trimmed_threshold(threshold[k], size[k]))
                                  : threshold[k] * static_cast<float>(planes_[0].deviation);
    size[k] *= static_cast<float>(planes_[1].deviation);
  }
  return errors;
}

std::vector<double> SoftmaxArray::own_noise(std::span<const double> i, double bandwidth_Hz) const {
  const double excess = own_.bias.mosfet.card.white_excess, flicker = transistor_.flicker(own_.bias, bandwidth_Hz);
  std::vector<double> deviation;
  const auto add = [&](double one) {
    const double q = ekv::charge_of_current(std::max(one, 1e-30));
    const double variance = transistor_.white_per_Hz(std::max(one, 1e-30), excess) * bandwidth_Hz + flicker;
    deviation.push_back(q * std::sqrt(variance));
  };
  for (const double one : i) add(one);
  add(transistor_.tail);
  return deviation;
}

/// A noise current at one transistor moves the common source, so that the others give back what it takes: each by its
/// share of the transconductance.
void SoftmaxArray::add_noise(const Stream& noise, std::uint64_t first, double bandwidth_Hz, std::span<float> p) const {
  const std::size_t n = p.size();
  std::vector<double> i, weight;
  double weights = 0, sum = 0;
  for (const float one : p) {
    i.push_back(static_cast<double>(one) * transistor_.tail);
    weight.push_back(one > 0 ? ekv::charge_of_current(i.back()) : 0);
    weights += weight.back();
  }
  const std::vector<double> deviation = own_noise(i, bandwidth_Hz);
  std::vector<float> draws(n + 1);
  noise.normals(first, draws);
  for (std::size_t k = 0; k < n; ++k) sum += p[k] > 0 ? deviation[k] * draws[k] : 0;
  const double common = deviation[n] * draws[n] - sum;
  for (std::size_t k = 0; k < n; ++k) {
    if (p[k] == 0) continue;
    const double change = deviation[k] * draws[k] + weight[k] / weights * common;
    p[k] += static_cast<float>(change / transistor_.tail);
  }
}

std::vector<double> SoftmaxArray::output_noise(std::span<const double> z) const {
  const std::size_t n = z.size();
  std::vector<double> i = row(z), weight;
  double weights = 0, squares = 0;
  for (double& one : i) {
    one = (one - leak()) * transistor_.tail;
    weight.push_back(ekv::charge_of_current(one));
    weights += weight.back();
  }
  const std::vector<double> deviation = own_noise(i, band_Hz(n));
  for (std::size_t k = 0; k < n; ++k) squares += deviation[k] * deviation[k];
  std::vector<double> result;
  for (std::size_t k = 0; k < n; ++k) {
    const double w = weight[k] / weights, own = deviation[k] * deviation[k];
    const double variance = (1 - w) * (1 - w) * own + w * w * (squares - own + deviation[n] * deviation[n]);
    result.push_back(std::sqrt(variance) / transistor_.tail);
  }
  return result;
}

FrontEndCost SoftmaxArray::cost(std::size_t n) const {
  FrontEndCost cost;
  cost.supply_V = supply_V_;
  const double bias_A = own_.bias.bias.si(), wl = own_.bias.gate_area_m2();
  const auto count = static_cast<double>(n);
  const double each = transistor_.tail / count;
  cost.branches = {{"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"},
                   {"tail", Band::exact(bias_A), "the setting: flows through the n transistors"},
                   {"output mirrors", Band::exact(bias_A), "copies of the n currents, which sum to the tail"}};
  cost.loads = {{"source node", (count + 1) * wiring_F, Band::exact(transistor_.source_ohm(each) / count),
                 "n + 1 drains and wires; all transistors at equal inputs"},
                {"an output mirror", 2 * wl * oxide_F_per_m2 + 3 * wiring_F, Band::exact(transistor_.gate_ohm(each)),
                 "two gates; 1 / g_m at a share of 1 / n"},
                {"an output", Band::exact(own_.bias.load.si()), Band::exact(transistor_.gate_ohm(each)),
                 "the load, at a share of 1 / n"}};
  cost.areas = {transistor_area("n transistors and their output mirrors", 3 * count, wl),
                transistor_area("bias mirror and switch of the tail", 3, wl),
                transistor_area("series switches of the mask", count, 0.25 * wl)};
  if (const auto trim = trim_area(own_.bias.trim, count)) cost.areas.push_back(*trim);
  cost.assumptions = {
      "Gates load their nodes with 8.4 fF/um2 (5 to 15), drains and wires with 1 fF per transistor (0.5 to 2).",
      "Switches have a quarter of the gate area of a transistor and all toggle once per row, that of the tail too."};
  sum_costs(cost, own_.bias.settled_bits, own_.bias.input_range * transistor_.volts_per_x);
  // The loads above are those of one signal path; the row charges n outputs, and the mask's switches.
  const double swing_V = own_.bias.input_range * transistor_.volts_per_x / count;
  const Band outputs = supply_V_ * swing_V * (count - 1) * (cost.loads[1].capacitance_F + cost.loads[2].capacitance_F);
  const Band switches = supply_V_ * supply_V_ * (count + 1) * 0.25 * wl * oxide_F_per_m2;
  cost.dynamic_J += outputs + switches;
  cost.energy_J += outputs + switches;
  return cost;
}

SoftmaxArray::Transient SoftmaxArray::settle(std::span<const double> v_before, std::span<const double> v,
                                             double t_s) const {
  const std::vector<double> size(v.size(), 1.0);
  const double c_F = node_F(v.size()), u_V = transistor_.thermal_V, spec_A = transistor_.spec_A;
  const double pinch = common_pinch(), bias_A = own_.bias.bias.si();
  // Energies run along with the source voltage: [V_source, through diodes, through transistors, through the tail, out
  // of the supply].
  using State = std::array<double, 5>;
  const auto rates = [&](const State& s) {
    State rate{};
    double sum_A = 0;
    for (const double gate : v) {
      const double i = ekv::current_of_charge(ekv::charge_of_voltage(pinch + gate - s[0] / u_V));
      const double i_A = spec_A * i, diode_V = transistor_.gate_source_V(std::max(i, 1e-30));
      sum_A += i_A;
      rate[1] += i_A * diode_V;
      rate[2] += i_A * (supply_V_ - diode_V - s[0]);
    }
    rate[0] = (sum_A - bias_A) / c_F;
    rate[3] = bias_A * s[0];
    rate[4] = supply_V_ * sum_A;
    return rate;
  };
  const auto moved = [](State from, const State& rate, double h) {
    for (std::size_t k = 0; k < from.size(); ++k) from[k] += h * rate[k];
    return from;
  };
  State s{u_V * (pinch + source_voltage(v_before, size, transistor_.tail))};
  const double start_V = s[0];
  for (double left_s = t_s; left_s > 0;) {
    const State k1 = rates(s);
    // A hundredth of the node's time constant, so that the fourth-order error stays below 1e-10.
    const double h = std::min(left_s, 0.01 * c_F * u_V * supply_V_ / std::max(k1[4], bias_A * supply_V_));
    const State k2 = rates(moved(s, k1, h / 2)), k3 = rates(moved(s, k2, h / 2)), k4 = rates(moved(s, k3, h));
    for (std::size_t k = 0; k < s.size(); ++k) s[k] += h / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
    left_s = h < left_s ? left_s - h : 0;
  }
  return {start_V, s[0], s[1], s[2], s[3], s[4]};
}

EnergyBook SoftmaxArray::energy(std::span<const double> z_before, std::span<const double> z, double t_s) const {
  const Transient row = settle(gates(z_before), gates(z), t_s);
  EnergyBook book;
  const double reference_V = transistor_.gate_source_V(transistor_.tail);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V_ - reference_V},
                                      Drop{"bias reference", reference_V}};
  book_branch(book, supply_V_, "bias reference", own_.bias.bias.si(), t_s, reference);
  book.supplied.push_back({"transistors of the array", row.supply_J});
  book.dissipated.push_back({"diodes of the output mirrors", row.diodes_J});
  book.dissipated.push_back({"transistors of the array", row.transistors_J});
  book.dissipated.push_back({"tail", row.tail_J});
  book.stored.push_back(
      {"source node", 0.5 * node_F(z.size()) * (row.end_V - row.start_V) * (row.end_V + row.start_V)});
  // Copies into virtual grounds at half the supply; the integral of their currents is that of the array.
  const double out_V = 0.5 * supply_V_;
  book.supplied.push_back({"output mirrors", row.supply_J});
  book.dissipated.push_back({"output mirrors", (supply_V_ - out_V) / supply_V_ * row.supply_J});
  book.delivered.push_back({"outputs", out_V / supply_V_ * row.supply_J});
  return book;
}

class ArrayParameters final : public SoftmaxParameters {
 public:
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<SoftmaxCircuit> make(Temperature temperature) const override {
    return std::make_unique<SoftmaxArray>(own_, temperature);
  }
  std::unique_ptr<SoftmaxParameters> clone() const override { return std::make_unique<ArrayParameters>(*this); }

 private:
  ArraySettings own_;
};

}  // namespace

SoftmaxEntry softmax_array_entry() {
  return {"softmax_array",
          "n transistors that share one source node and one tail current.",
          "sum_k i(v_k - v_s) = I_b / I_spec, i = q^2 + q, 2 q + ln q = v; in weak inversion I_k = I_b softmax(V / (n "
          "kT/q))_k "
          "and V_s = kT/q LSE + constant. Deviation 6e-4 at a mean inversion coefficient of 1e-3, 0.046 at 0.1.",
          "weak inversion: I. Elfadel and J. Wyatt, NIPS 6 (1994), from memory; all regions: own derivation, EKV as in "
          "devices/mosfet",
          "softmax: {circuit: softmax_array}",
          [] { return std::unique_ptr<SoftmaxParameters>(new ArrayParameters); }};
}

}  // namespace tellegen::circuits
