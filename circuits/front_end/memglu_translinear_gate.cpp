// The translinear circuit behind the interface of front-ends.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/gate_mismatch.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/memglu_translinear.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/circuits/front_end/tabulated_gate.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"

namespace tellegen::circuits {
namespace {

/// Saturation of a transistor in weak inversion, in kT/q: below it the current is 2 % short.
constexpr double saturation = 4;

/// Everything that the curves and books are made of.
struct Translinear {
  GateBias bias;
  GateFunction gate;
  BiasedTransistor transistor;
  double supply_V, common_V;

  Translinear(const GateBias& settings, const GateFunction& function, Temperature temperature)
      : bias(settings), gate(function), transistor(settings, temperature), supply_V(settings.supply_V()) {
    common_V = 0.5 * supply_V;
    check_headroom();
  }

  /// dV / (n kT/q) at x: u = x is half of it.
  double dv(double x) const { return 2 * transistor.per_x * x; }
  TranslinearPoint at(double x) const { return translinear_gate(dv(x), transistor.tail); }
  double y_per_current() const { return 2 * gate.amplitude / transistor.tail; }

  /// Of the pair's source against ground, with both gates around the common mode.
  double source_V(double x) const {
    const double v = (common_V - transistor.mosfet.threshold_V()) / (transistor.slope * transistor.thermal_V);
    const std::array voltage{v + 0.5 * dv(x), v - 0.5 * dv(x)}, size{1.0, 1.0};
    return transistor.thermal_V * source_voltage(voltage, size, transistor.tail);
  }
  double diode_V(double i) const { return transistor.gate_source_V(i); }

  void check_headroom() const {
    const double needed_V = saturation * transistor.thermal_V;
    const double low_V = source_V(0), stack_V = 2 * diode_V(0.5 * transistor.tail);
    const double top_V = supply_V - diode_V(transistor.tail) - low_V;
    if (low_V >= needed_V && top_V >= needed_V && supply_V - stack_V >= needed_V) return;
    throw RefusedError(
        {"The translinear gate has no headroom: the tail has " + format_quantity(low_V, Voltage::dimension) +
             ", the pair " + format_quantity(top_V, Voltage::dimension) +
             " and the stack of the geometric mean leaves " + format_quantity(supply_V - stack_V, Voltage::dimension) +
             "; each needs " + format_quantity(needed_V, Voltage::dimension) + ".",
         "Raise the supply or take another transistor."});
  }

  OutputNoise output_noise(double x, double bandwidth_Hz) const;
  /// Offset in x, and standard deviations of half the sum and half the difference of the logarithms of both products'
  /// gains.
  struct Spread {
    double offset_x = 0, common = 0, opposite = 0;
    double covariance = 0;  ///< of the two: only one of the products goes through the last mirror
  };
  Spread spread() const;
  FrontEndCost cost() const;
  EnergyBook energy(double x_before, double x, double duration_s) const;
  std::vector<std::pair<std::string, double>> node_voltages(double x) const;
  double node_F(int gates, int transistors) const {
    return gates * oxide_F_per_m2.typical * bias.gate_area_m2() + transistors * wiring_F.typical;
  }
};

OutputNoise Translinear::output_noise(double x, double bandwidth_Hz) const {
  const TranslinearPoint point = at(x);
  const auto weight = translinear_sensitivity(dv(x), transistor.tail);
  const double flicker = transistor.flicker(bias, bandwidth_Hz);
  OutputNoise variance;
  for (std::size_t k = 0; k < translinear_transistors; ++k) {
    const double squared = weight[k] * weight[k];
    // A node is no faster than its own transistor: two poles in a row let B_1 B_2 / (B_1 + B_2) through.
    const double own_Hz = 1 / (4 * transistor.gate_ohm(point.current[k]) * node_F(3, 4));
    const double band_Hz = bandwidth_Hz * own_Hz / (bandwidth_Hz + own_Hz);
    variance.white += squared * transistor.white_per_Hz(point.current[k], bias.mosfet.card.white_excess) * band_Hz;
    variance.flicker += squared * flicker;
  }
  const double scale = std::abs(y_per_current());
  return {scale * std::sqrt(variance.white), scale * std::sqrt(variance.flicker)};
}

/// What thresholds and sizes of single transistors do to both products, at the balanced point; the pair itself only moves
/// x.
Translinear::Spread Translinear::spread() const {
  const double ic = 0.5 * transistor.tail;
  const TransistorSpread one = transistor_spread(bias, transistor, ic);
  const auto mismatch = devices::pair_mismatch(bias.mosfet, ic);
  const double offset_V = devices::pair_offset_V(mismatch, transistor.slope, transistor.thermal_V, ic);
  const auto products = [&](std::size_t k, double shift, double size) {
    TranslinearTransistors moved{};
    moved[k] = {shift, 1 + size};
    const TranslinearPoint p = translinear_gate(0, transistor.tail, moved);
    return std::array{p.i_plus, p.current.back()};
  };
  constexpr double step = 1e-4;
  double gain = 0, balance = 0, covariance = 0;
  const double nominal = at(0).i_plus;
  const auto add = [&](const std::array<double, 2>& above, const std::array<double, 2>& below, double deviation) {
    const double plus = (above[0] - below[0]) / (2 * step * nominal),
                 minus = (above[1] - below[1]) / (2 * step * nominal);
    const double common = 0.5 * (plus + minus) * deviation, opposite = 0.5 * (plus - minus) * deviation;
    gain += common * common;
    balance += opposite * opposite;
    covariance += common * opposite;
  };
  for (std::size_t k = 0; k < translinear_transistors; ++k) {
    if (is_of_the_pair(k)) continue;
    add(products(k, step, 0), products(k, -step, 0), one.shift);
    add(products(k, 0, step), products(k, 0, -step), one.size);
  }
  return {offset_V / (2 * transistor.volts_per_x), std::sqrt(gain), std::sqrt(balance), covariance};
}

FrontEndCost Translinear::cost() const {
  FrontEndCost cost;
  cost.supply_V = supply_V;
  const auto nominal = translinear_branches(at(0));
  std::vector<Band> range(nominal.size());
  for (std::size_t k = 0; k < nominal.size(); ++k) range[k] = Band::exact(nominal[k].current);
  constexpr int steps = 64;
  for (int step = 0; step <= steps; ++step) {
    const auto here = translinear_branches(at(bias.input_range * (2.0 * step / steps - 1)));
    for (std::size_t k = 0; k < here.size(); ++k) {
      range[k].low = std::min(range[k].low, here[k].current);
      range[k].high = std::max(range[k].high, here[k].current);
    }
  }
  for (std::size_t k = 0; k < nominal.size(); ++k) {
    cost.branches.push_back(
        {nominal[k].name, transistor.spec_A * range[k], "solved circuit at x = 0; low and high over the range of x"});
  }
  const TranslinearPoint p = at(0);
  const auto load = [&](const char* name, int gates, int touching, double r_ohm) {
    const Band c = gates * bias.gate_area_m2() * oxide_F_per_m2 + touching * wiring_F;
    cost.loads.push_back({name, c, Band::exact(r_ohm), "gates and drains on the node; 1 / g_m at x = 0"});
  };
  load("source of the pair", 0, 3, 0.5 * transistor.source_ohm(p.i_1));
  load("copies of 1", 3, 4, transistor.gate_ohm(p.i_1));
  load("copies of 2", 3, 4, transistor.gate_ohm(p.i_2));
  load("geometric mean", 4, 6, transistor.gate_ohm(p.i_mean));
  load("copies of the mean", 3, 4, transistor.gate_ohm(p.i_mean));
  load("product, plus", 4, 6, transistor.gate_ohm(p.i_plus));
  load("product, minus", 4, 6, transistor.gate_ohm(p.i_minus));
  load("subtraction", 2, 3, transistor.gate_ohm(p.i_minus));
  cost.loads.push_back({"output", Band::exact(bias.load.si()), Band::exact(transistor.gate_ohm(p.i_plus)),
                        "the setting, through a diode at the current of the plus branch"});
  cost.areas.push_back(transistor_area("29 transistors", translinear_transistors, bias.gate_area_m2()));
  if (const auto trim = trim_area(bias.trim, 3)) cost.areas.push_back(*trim);
  cost.assumptions = {
      "Gates load their nodes with 8.4 fF/um2 (5 to 15), drains and wires with 1 fF per transistor (0.5 to 2).",
      "p-channel transistors behave as n-channel ones.",
      "The reference of the bias is counted in full, not shared between units."};
  sum_costs(cost, bias.settled_bits, 2 * transistor.volts_per_x);
  return cost;
}

std::vector<std::pair<std::string, double>> Translinear::node_voltages(double x) const {
  const TranslinearPoint p = at(x);
  return {{"source of the pair", source_V(x)},
          {"copies of 1", supply_V - diode_V(p.i_1)},
          {"copies of 2", supply_V - diode_V(p.i_2)},
          {"copies of the mean", supply_V - diode_V(p.i_mean)},
          {"subtraction", diode_V(p.i_minus)}};
}

EnergyBook Translinear::energy(double x_before, double x, double t_s) const {
  EnergyBook book;
  const TranslinearPoint p = at(x);
  const double source = source_V(x), out_V = 0.5 * supply_V;
  const auto branch = [&](const std::string& name, double i, std::initializer_list<Drop> drops) {
    book_branch(book, supply_V, name, transistor.spec_A * i, t_s, std::vector<Drop>(drops));
  };
  const auto from_diode = [&](const std::string& name, const char* top, const char* bottom, double i) {
    branch(name, i, {{top, supply_V - diode_V(i)}, {bottom, diode_V(i)}});
  };
  from_diode("bias reference", "current reference", "bias reference", transistor.tail);
  const auto leg = [&](const char* name, const char* top, const char* middle, double i) {
    branch(name, i, {{top, diode_V(i)}, {middle, supply_V - diode_V(i) - source}, {"tail", source}});
  };
  leg("pair, output 1", "copy 1 in", "pair 1", p.i_1);
  leg("pair, output 2", "copy 2 in", "pair 2", p.i_2);
  from_diode("copy of 1 into the mean", "copy 1 to mean", "mean 1", p.i_1);
  from_diode("copy of 2 into the mean", "copy 2 to mean", "mean 2", p.i_2);
  branch("geometric mean", p.i_mean, {{"copy mean in", diode_V(p.i_mean)}, {"mean out", supply_V - diode_V(p.i_mean)}});
  const auto product = [&](const std::string& side, double factor) {
    from_diode("mean into " + side, "copy of the mean", "factor 1", p.i_mean);
    from_diode("copy into " + side, "copy of the branch", "factor 2", factor);
    from_diode("bias into " + side, "copy of the bias", "divisor", transistor.tail);
  };
  product("plus", p.i_1);
  product("minus", p.i_2);
  from_diode("minus out", "product, minus", "subtract in", p.i_minus);
  const double subtracted = p.current.back();
  book.supplied.push_back({"plus out", supply_V * transistor.spec_A * p.i_plus * t_s});
  book.dissipated.push_back({"product, plus", (supply_V - out_V) * transistor.spec_A * p.i_plus * t_s});
  book.dissipated.push_back({"subtract out", out_V * transistor.spec_A * subtracted * t_s});
  book.delivered.push_back({"output", out_V * transistor.spec_A * p.i_out * t_s});
  const auto before = node_voltages(x_before), after = node_voltages(x);
  for (std::size_t k = 0; k < after.size(); ++k) {
    book_charging(book, supply_V, after[k].first, node_F(3, 4), before[k].second, after[k].second);
  }
  return book;
}

/// In weak inversion gains are exponentials of thresholds: e^a and e^b of the products, which is a factor e^A cosh B of
/// their difference and e^A sinh B of their sum, A = (a + b) / 2, B = (a - b) / 2. Deviations of lognormal variables.
std::vector<ErrorPlane> planes_of(const Translinear::Spread& spread) {
  const double common = spread.common * spread.common, opposite = spread.opposite * spread.opposite;
  const double mean = std::exp(0.5 * (common + opposite)), alone = 0.5 * std::exp(2 * common);
  const double both = alone * std::exp(2 * opposite) * std::cosh(4 * spread.covariance);
  return {
      {"pair: threshold", "x", spread.offset_x},
      {"gain", "", std::sqrt(both + alone - std::pow(mean * std::cosh(spread.covariance), 2))},
      {"balance of the two products", "", std::sqrt(both - alone - std::pow(mean * std::sinh(spread.covariance), 2))}};
}

/// Gains of the two products as logarithms, out of two draws: half their sum and half their difference.
struct LogGains {
  double common, along, across;
  explicit LogGains(const Translinear::Spread& spread)
      : common(spread.common),
        along(spread.covariance / spread.common),
        across(std::sqrt(spread.opposite * spread.opposite - along * along)) {}
  /// Of the product towards plus (sign 1) or minus (sign -1): one draw of the common part and one of the rest.
  double of(double sign, double first, double second) const {
    return common * first + sign * (along * first + across * second);
  }
};

/// Trimmed, each of the products has a DAC of its own that shifts a gate of its loop: volts, whose logarithm of a gain
/// goes as 1 / T. Its range follows the deviation of that logarithm.
std::function<void(std::span<float>)> errors_of(const Translinear& circuit, const Translinear::Spread& spread) {
  const LogGains now(spread);
  const std::optional<UnitTrim>& trim = circuit.bias.trim;
  TrimmedDeviation offset{spread.offset_x, 0, 1};
  std::optional<LogGains> measured;
  double carry = 1;
  if (trim) {
    const Translinear then(circuit.bias, circuit.gate, trim->measured_at);
    const Translinear::Spread spread_then = then.spread();
    offset.measured = spread_then.offset_x;
    offset.carry = then.transistor.volts_per_x / circuit.transistor.volts_per_x;
    measured.emplace(spread_then);
    carry = then.transistor.thermal_V / circuit.transistor.thermal_V;
  }
  return [=](std::span<float> draws) {
    const auto first = static_cast<double>(draws[1]), second = static_cast<double>(draws[2]);
    std::array<double, 2> gains{};
    for (std::size_t k = 0; k < 2; ++k) {
      const double sign = k == 0 ? 1 : -1;
      double log_gain = now.of(sign, first, second);
      if (trim) {
        const double deviation = std::hypot(measured->of(sign, 1, 0), measured->of(sign, 0, 1));
        const TrimDac dac{trim->bits, trim->range_sigmas * deviation};
        log_gain -= carry * dac.correction(measured->of(sign, first, second));
      }
      gains[k] = std::exp(log_gain);
    }
    draws[0] = static_cast<float>(offset.left_of(static_cast<double>(draws[0]), trim));
    draws[1] = static_cast<float>(0.5 * (gains[0] + gains[1]) - 1);
    draws[2] = static_cast<float>(0.5 * (gains[0] - gains[1]));
  };
}

class TranslinearParameters final : public FrontEndParameters {
 public:
  void settings(Settings& v) override { bias_.settings(v); }
  std::unique_ptr<FrontEndParameters> clone() const override { return std::make_unique<TranslinearParameters>(*this); }
  std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const override {
    require_tanh_sech(gate, "memglu_translinear");
    const auto circuit = std::make_shared<const Translinear>(bias_, gate, temperature);
    // The errors of the two products are a common one and a difference of gains.
    const auto products = [circuit](double sign) {
      return [circuit, sign](double x) {
        const TranslinearPoint p = circuit->at(x);
        return circuit->y_per_current() * (p.i_plus + sign * p.i_minus);
      };
    };
    TabulatedDesign design;
    design.gate = gate;
    design.terms = {{products(-1), false, 1, 0, 1}, {products(1), false, 0, 0, 2}};
    const Translinear::Spread spread = circuit->spread();
    design.planes = planes_of(spread);
    design.errors_of_draws = errors_of(*circuit, spread);
    const double range = bias_.input_range;
    design.limits = {-range, range, -range, range};
    design.cost = circuit->cost();
    const double band_Hz = noise_bandwidth_Hz(design.cost.bandwidth_Hz);
    design.output_noise = [circuit, band_Hz](double x) { return circuit->output_noise(x, band_Hz).total(); };
    const OutputNoise centre = circuit->output_noise(0, band_Hz);
    design.noise = referred_to_input(band_Hz, centre.white, centre.flicker, gate.amplitude * circuit->transistor.per_x);
    design.energy = [circuit](double before, double x, double t_s) { return circuit->energy(before, x, t_s); };
    return make_tabulated_gate(std::move(design));
  }

 private:
  GateBias bias_;
};

}  // namespace

FrontEndEntry memglu_translinear_entry() {
  return {"memglu_translinear",
          "The gate tanh x sech x from a differential pair, a translinear geometric mean and two products.",
          "own derivation on the translinear principle, B. Gilbert, Electron. Lett. 11:14 (1975); transistors as in "
          "devices/mosfet",
          "front_end: {circuit: memglu_translinear}",
          [] { return std::unique_ptr<FrontEndParameters>(new TranslinearParameters); },
          tanh_sech_gate(1),
          "I_out = (I_1 - I_2) sqrt(I_1 I_2) / I_b = (I_b / 2) tanh u sech u in weak inversion, u = dV / (2 n kT/q), x "
          "= u; "
          "in all regions each loop balances the gate-source voltages n kT/q (2 q + ln q), i = q^2 + q. An offset of "
          "the pair moves x; mirrors and loops change the gains of the two products."};
}

void require_tanh_sech(const GateFunction& gate, const std::string& circuit) {
  if (gate.shape == GateFunction::Shape::tanh_sech) return;
  throw InputError("front_end.circuit = '" + circuit +
                   "' makes the gate tanh(x) sech(x) only; allowed for other gates: differential_pair, comparator.");
}

double noise_bandwidth_Hz(double corner_Hz) { return 0.5 * std::numbers::pi * corner_Hz; }

FrontEndNoise referred_to_input(double bandwidth_Hz, double white_y, double flicker_y, double slope) {
  return {bandwidth_Hz, white_y / std::abs(slope), flicker_y / std::abs(slope), 0};
}

}  // namespace tellegen::circuits
