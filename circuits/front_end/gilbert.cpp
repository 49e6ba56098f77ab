#include "tellegen/circuits/front_end/gilbert.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace ekv = devices::ekv;

double gilbert_product(double g, double u, double tail, const GilbertTransistors& t) {
  const auto diode = [&](std::size_t k, double i) { return t.shift[k] + ekv::voltage_of_current(i / t.size[k]); };
  const double v_a = diode(0, 0.5 * (1 + u) * tail), v_b = diode(1, 0.5 * (1 - u) * tail);
  const auto pair = [&](std::size_t k, double i_tail) {
    const std::array v{v_a - t.shift[k], v_b - t.shift[k + 1]}, size{t.size[k], t.size[k + 1]};
    std::array<double, 2> i{};
    split_tail(v, size, i_tail, i);
    return i[0] - i[1];
  };
  return (pair(2, 0.5 * (1 + g) * tail) - pair(4, 0.5 * (1 - g) * tail)) / tail;
}

namespace {

struct MultiplierSettings {
  GateBias bias;
  double factor = 0.5;
  void settings(Settings& v) {
    bias.settings(v);
    v("factor", factor, "the second input, in units of the bias, while the first one is swept", between(-0.95, 0.95));
  }
};

class Multiplier final : public Crossing {
 public:
  Multiplier(const MultiplierSettings& settings, Temperature temperature)
      : own_(settings), transistor_(settings.bias, temperature), supply_V_(settings.bias.supply_V()) {
    build_errors();
    build_cost();
  }
  const char* input_unit() const override { return "A"; }
  const char* output_unit() const override { return "A"; }
  double full_scale() const override { return 0.95 * bias_A(); }
  double ideal(double input) const override { return own_.factor * input; }
  double transfer(double input) const override {
    return bias_A() * gilbert_product(input / bias_A(), own_.factor, transistor_.tail);
  }
  const CrossingErrors& errors() const override { return errors_; }
  const FrontEndCost& cost() const override { return cost_; }
  EnergyBook energy(double input_before, double input, double duration_s) const override;

 private:
  double bias_A() const { return own_.bias.bias.si(); }
  void build_errors() {
    const double ic = 0.25 * transistor_.tail, half = 0.5;
    const TransistorSpread one = transistor_spread(own_.bias, transistor_, ic);
    const double mirror = devices::mirror_error(devices::pair_mismatch(own_.bias.mosfet, ic), transistor_.slope,
                                                transistor_.thermal_V, ic);
    // Shifts and sizes of the six: what they do without a signal is offset, what they add to a half signal is gain.
    constexpr double step = 1e-4;
    double offset = 0, gain = 0, noise = 0;
    const auto slope_of = [&](std::size_t k, bool is_size, double g) {
      GilbertTransistors up, down;
      (is_size ? up.size : up.shift)[k] += step;
      (is_size ? down.size : down.shift)[k] -= step;
      return (gilbert_product(g, own_.factor, transistor_.tail, up) -
              gilbert_product(g, own_.factor, transistor_.tail, down)) /
             (2 * step);
    };
    for (std::size_t k = 0; k < 6; ++k) {
      for (const bool is_size : {false, true}) {
        const double deviation = is_size ? one.size : one.shift, at_zero = slope_of(k, is_size, 0);
        offset += std::pow(at_zero * deviation, 2);
        gain += std::pow((slope_of(k, is_size, half) - at_zero) / half * deviation, 2);
        if (!is_size) noise += at_zero * at_zero;
      }
    }
    const double product = gilbert_product(half, own_.factor, transistor_.tail) / half;
    errors_.gain_error = own_.factor == 0 ? 0 : product / own_.factor - 1;
    errors_.gain_deviation = own_.factor == 0 ? 0 : std::hypot(std::sqrt(gain) / own_.factor, mirror);
    // The tails of the two pairs come from mirrors, too: their difference lets u through.
    errors_.offset_deviation = bias_A() * std::hypot(std::sqrt(offset), own_.factor * mirror / std::numbers::sqrt2);
    const double gate_s = transistor_.gate_ohm(0.5 * transistor_.tail) * gate_F().typical;
    const double source_s = transistor_.source_ohm(0.5 * transistor_.tail) * 3 * wiring_F.typical;
    errors_.bandwidth_Hz = 1 / (2 * std::numbers::pi * std::hypot(gate_s, source_s));
    const double band_Hz = noise_bandwidth_Hz(errors_.bandwidth_Hz);
    const double each = transistor_.white_per_Hz(ic, own_.bias.mosfet.card.white_excess) * band_Hz +
                        transistor_.flicker(own_.bias, band_Hz);
    const double tails_A2 = 2 * devices::elementary_charge_C * bias_A() * own_.bias.mosfet.card.white_excess * band_Hz;
    errors_.noise = std::hypot(bias_A() * std::sqrt(noise * each), own_.factor * std::sqrt(tails_A2));
  }
  Band gate_F() const { return 3 * own_.bias.gate_area_m2() * oxide_F_per_m2 + 4 * wiring_F; }
  void build_cost() {
    const double wl = own_.bias.gate_area_m2();
    cost_.supply_V = supply_V_;
    cost_.branches = {{"two diodes", Band::exact(bias_A()), "the second input around its bias"},
                      {"two tails", Band::exact(bias_A()), "the first input around its bias"},
                      {"output mirrors", Band::exact(bias_A()), "copies of the pairs' currents"},
                      {"bias reference", Band::exact(bias_A()), "as much as it mirrors, counted in full"}};
    cost_.loads = {{"gates of the pairs", gate_F(), Band::exact(transistor_.gate_ohm(0.5 * transistor_.tail)),
                    "three gates a side; 1 / g_m of a diode"},
                   {"output", Band::exact(own_.bias.load.si()),
                    Band::exact(transistor_.gate_ohm(0.5 * transistor_.tail)), "the setting; 1 / g_m of a mirror"}};
    cost_.areas = {transistor_area("6 transistors, 2 tails and 6 of mirrors", 14, wl)};
    cost_.assumptions = {
        "Gates load their nodes with 8.4 fF/um2 (5 to 15), drains and wires with 1 fF per transistor (0.5 to 2)."};
    sum_costs(cost_, own_.bias.settled_bits, transistor_.volts_per_x);
  }

  MultiplierSettings own_;
  BiasedTransistor transistor_;
  double supply_V_;
  CrossingErrors errors_;
  FrontEndCost cost_;
};

EnergyBook Multiplier::energy(double input_before, double input, double t_s) const {
  EnergyBook book;
  const double u = own_.factor, out_V = 0.5 * supply_V_;
  const auto diode_V = [&](double i_A) { return transistor_.gate_source_V(i_A / transistor_.spec_A); };
  const auto branch = [&](const std::string& name, double i_A, std::initializer_list<Drop> drops) {
    book_branch(book, supply_V_, name, i_A, t_s, std::vector<Drop>(drops));
  };
  const double reference_V = diode_V(bias_A());
  branch("bias reference", bias_A(), {{"current reference", supply_V_ - reference_V}, {"bias reference", reference_V}});
  for (const double sign : {1.0, -1.0}) {
    const double i_A = 0.5 * (1 + sign * u) * bias_A();
    branch("diode", i_A, {{"copy of the second input", supply_V_ - diode_V(i_A)}, {"diode", diode_V(i_A)}});
  }
  // Each tail, through the diode of an output mirror, a pair and a tail transistor.
  const auto source_V = [&](double tail_A) { return std::max(0.0, 0.6 * supply_V_ - diode_V(tail_A)); };
  const double product_A = transfer(input);
  for (const double sign : {1.0, -1.0}) {
    const double out_A = 0.5 * (bias_A() + sign * product_A), top_V = diode_V(std::max(out_A, 1e-6 * bias_A()));
    const double bottom_V = source_V(0.5 * bias_A());
    branch("output of the pairs", out_A,
           {{"diode of the output mirror", top_V}, {"pairs", supply_V_ - top_V - bottom_V}, {"tails", bottom_V}});
    book.supplied.push_back({"output mirror", supply_V_ * out_A * t_s});
    book.dissipated.push_back({"output mirror", (supply_V_ - out_V) * out_A * t_s});
    book.delivered.push_back({"output", out_V * out_A * t_s});
  }
  const double tail_now_A = 0.5 * bias_A() * (1 + input / bias_A());
  const double tail_before_A = 0.5 * bias_A() * (1 + input_before / bias_A());
  book_charging(book, supply_V_, "source of a pair", 3 * wiring_F.typical, source_V(tail_before_A),
                source_V(tail_now_A));
  return book;
}

class MultiplierParameters final : public CrossingParameters {
 public:
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<Crossing> make(Temperature temperature) const override {
    return std::make_unique<Multiplier>(own_, temperature);
  }
  std::unique_ptr<CrossingParameters> clone() const override { return std::make_unique<MultiplierParameters>(*this); }

 private:
  MultiplierSettings own_;
};

}  // namespace

CrossingEntry multiplier_entry() {
  return {"gilbert_multiplier",
          "Product of two currents of either sign: gate times up-projection.",
          "Diodes make v(i) = 2 q + ln q of (1 +- u) I_b / 2, cross-coupled pairs split the tails (1 +- g) I_b / 2 by "
          "their "
          "difference: out = I_b g u in weak inversion; in all regions solved.",
          "B. Gilbert, IEEE J. Solid-State Circuits 3:365 (1968), from memory, for bipolar transistors; in all "
          "regions: own "
          "derivation",
          "crossing: {circuit: gilbert_multiplier}",
          [] { return std::unique_ptr<CrossingParameters>(new MultiplierParameters); }};
}

}  // namespace tellegen::circuits
