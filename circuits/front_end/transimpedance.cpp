// A current into a virtual ground becomes a voltage.

#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/two_pole_response.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

struct TransimpedanceSettings {
  GateBias bias;
  Resistance feedback = Resistance::si(100e3), source = Resistance::si(20e3);
  Capacitance source_capacitance = Capacitance::si(100e-15);
  std::optional<Capacitance> feedback_capacitance;
  double gain = 1000;
  TransimpedanceSettings() {
    bias.bias = Current::si(10e-6);
    bias.mosfet.width = Length::si(10e-6);
  }
  void settings(Settings& v) {
    bias.settings(v);
    v("feedback", feedback, "resistor from output to input", positive());
    v("source", source, "resistance of what drives the input, to a fixed voltage", positive());
    v("source_capacitance", source_capacitance, "at the input", positive());
    v("feedback_capacitance", feedback_capacitance, "across the feedback; absent: for a flat response", at_least(0));
    v("gain", gain, "of the amplifier without feedback (assumed; 300 to 3000)", at_least(1));
  }
};

class Transimpedance final : public Crossing {
 public:
  Transimpedance(const TransimpedanceSettings& settings, Temperature temperature)
      : own_(settings), transistor_(settings.bias, temperature), supply_V_(settings.bias.supply_V()) {
    build_response();
    build_errors();
    build_cost();
  }
  const char* input_unit() const override { return "A"; }
  const char* output_unit() const override { return "V"; }
  double full_scale() const override { return 0.35 * supply_V_ / own_.feedback.si(); }
  double ideal(double input) const override { return -own_.feedback.si() * input; }
  double transfer(double input) const override { return ideal(input) * (1 + errors_.gain_error); }
  const CrossingErrors& errors() const override { return errors_; }
  const FrontEndCost& cost() const override { return cost_; }
  EnergyBook energy(double input_before, double input, double duration_s) const override;

 private:
  double noise_gain() const { return 1 + own_.feedback.si() / own_.source.si(); }
  double side() const { return 0.5 * transistor_.tail; }
  void build_response() {
    // One side of the input pair sets g_m; the amplifier is an integrator of that over its load.
    const double gm_S = 1 / transistor_.gate_ohm(side());
    const double unity_per_s = gm_S / own_.bias.load.si();
    const double input_F = own_.source_capacitance.si() + own_.bias.gate_area_m2() * oxide_F_per_m2.typical;
    const double r_ohm = own_.feedback.si(), slow_s = noise_gain() / unity_per_s;
    feedback_F_ = own_.feedback_capacitance ? own_.feedback_capacitance->si()
                                            : flat_capacitance(r_ohm, input_F, unity_per_s, slow_s);
    response_ = {r_ohm * feedback_F_ + slow_s, r_ohm * (input_F + feedback_F_) / unity_per_s};
  }
  void build_errors() {
    const double loss = noise_gain() / own_.gain, shrink = 1 / (1 + loss);
    const double offset_V = devices::pair_offset_V(devices::pair_mismatch(own_.bias.mosfet, side()), transistor_.slope,
                                                   transistor_.thermal_V, side());
    errors_.gain_error = -loss * shrink;
    errors_.gain_deviation = 0.01;
    errors_.offset_deviation = offset_V * noise_gain() * shrink;
    errors_.bandwidth_Hz = response_.bandwidth_Hz();
    errors_.input_ohm = own_.feedback.si() / (1 + own_.gain);
    const double band_Hz = noise_bandwidth_Hz(errors_.bandwidth_Hz), r_ohm = own_.feedback.si();
    const double unit_V = transistor_.slope * transistor_.thermal_V;
    // Both sides of the pair, and as much again from the mirror that loads it.
    const double amplifier_V =
        unit_V * noise_gain() *
        std::sqrt(4 * transistor_.white_per_Hz(side(), own_.bias.mosfet.card.white_excess) * band_Hz +
                  2 * transistor_.flicker(own_.bias, band_Hz));
    const double resistor_V =
        std::sqrt(4 * devices::elementary_charge_C * transistor_.thermal_V * r_ohm * noise_gain() * band_Hz);
    errors_.noise = std::hypot(amplifier_V, resistor_V);
  }
  void build_cost() {
    const double bias_A = own_.bias.bias.si(), wl = own_.bias.gate_area_m2(), r_ohm = own_.feedback.si();
    cost_.supply_V = supply_V_;
    cost_.branches = {{"tail of the input pair", Band::exact(bias_A), "the setting"},
                      {"output stage", bias_A * Band{1, 2, 4}, "twice the tail (1 to 4), assumed"},
                      {"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"}};
    cost_.loads = {{"output", Band::exact(own_.bias.load.si()), Band::exact(transistor_.gate_ohm(side())),
                    "the setting, through 1 / g_m of the input pair"},
                   {"feedback", Band::exact(feedback_F_), Band::exact(r_ohm), "the feedback"}};
    cost_.areas = {
        transistor_area("8 transistors", 8, wl),
        {"feedback resistor", r_ohm / 1e3 * Band{0.25e-12, 0.5e-12, 1e-12},
         "1 kohm per square of 0.5 um2 with its spacing (0.25 to 1), assumed"},
        {"feedback capacitor", feedback_F_ * Band{1 / 4e-3, 1 / 2e-3, 1 / 1e-3}, "2 fF/um2 (1 to 4), assumed"}};
    cost_.assumptions = {"The gain without feedback is assumed, not derived from the transistors.",
                         "Feedback resistors scatter by 1 %, assumed."};
    sum_costs(cost_, own_.bias.settled_bits, 0.35 * supply_V_);
    const double settling_s = response_.settling_s(own_.bias.settled_bits);
    cost_.bandwidth_Hz = errors_.bandwidth_Hz;
    cost_.settling_s = Band::exact(settling_s);
    cost_.evaluation_s = settling_s;
    cost_.energy_J = settling_s * cost_.power_W + cost_.dynamic_J;
  }

  TransimpedanceSettings own_;
  BiasedTransistor transistor_;
  double supply_V_, feedback_F_ = 0;
  TwoPoleResponse response_;
  CrossingErrors errors_;
  FrontEndCost cost_;
};

EnergyBook Transimpedance::energy(double input_before, double input, double t_s) const {
  EnergyBook book;
  const double bias_A = own_.bias.bias.si(), middle_V = 0.5 * supply_V_, out_V = middle_V + transfer(input);
  const double drop_V = middle_V - out_V, through_A = drop_V / own_.feedback.si();
  const double diode_V = transistor_.gate_source_V(transistor_.tail);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V_ - diode_V}, Drop{"bias reference", diode_V}};
  const std::array<Drop, 2> pair{Drop{"input pair", 0.75 * supply_V_},
                                 Drop{"tail of the input pair", 0.25 * supply_V_}};
  book_branch(book, supply_V_, "bias reference", bias_A, t_s, reference);
  book_branch(book, supply_V_, "tail of the input pair", bias_A, t_s, pair);
  const double output_A = 2 * bias_A;
  book.supplied.push_back({"output stage", supply_V_ * output_A * t_s});
  book.dissipated.push_back({"output stage, upper transistor", (supply_V_ - out_V) * output_A * t_s});
  book.dissipated.push_back({"output stage, lower transistor", out_V * (output_A + through_A) * t_s});
  book.dissipated.push_back({"feedback resistor", drop_V * through_A * t_s});
  // What drives the input works against the virtual ground.
  book.delivered.push_back({"input", -middle_V * through_A * t_s});
  book_charging(book, supply_V_, "output", own_.bias.load.si(), middle_V + transfer(input_before), out_V);
  return book;
}

class TransimpedanceParameters final : public CrossingParameters {
 public:
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<Crossing> make(Temperature temperature) const override {
    return std::make_unique<Transimpedance>(own_, temperature);
  }
  std::unique_ptr<CrossingParameters> clone() const override {
    return std::make_unique<TransimpedanceParameters>(*this);
  }

 private:
  TransimpedanceSettings own_;
};

}  // namespace

double TwoPoleResponse::bandwidth_Hz() const {
  // |H|^2 = 1/2: (1 - a x)^2 + b^2 x = 2 in x = omega^2, H = 1 / (1 + b s + a s^2).
  const double a = second_s2, b = first_s;
  const double middle = b * b - 2 * a;
  const double x = a > 0 ? 2 / (middle + std::sqrt(middle * middle + 4 * a * a)) : 1 / (b * b);
  return std::sqrt(x) / (2 * std::numbers::pi);
}

double TwoPoleResponse::settling_s(int bits) const {
  const double steps = (bits + 1) * std::numbers::ln2, root = first_s * first_s - 4 * second_s2;
  // Real poles: their time constants one after the other; complex ones decay with 2 a / b.
  return steps * (root >= 0 ? first_s : 2 * second_s2 / first_s);
}

double flat_capacitance(double r_ohm, double input_F, double unity_per_s, double slow_s) {
  // b^2 = 2 a: (R C + slow)^2 = 2 R (C_in + C) / unity, the larger root in C, or none.
  const double p = r_ohm * slow_s - r_ohm / unity_per_s, constant = slow_s * slow_s - 2 * r_ohm * input_F / unity_per_s;
  const double root = p * p - r_ohm * r_ohm * constant;
  return root > 0 ? std::max(0.0, (std::sqrt(root) - p) / (r_ohm * r_ohm)) : 0;
}

CrossingEntry transimpedance_entry() {
  return {"transimpedance",
          "An amplifier with a feedback resistor: the current of a column becomes a voltage at a virtual ground.",
          "V = -I R / (1 + (1 + R / R_s) / A); H = 1 / (1 + s (R C_f + (1 + R / R_s) / w_t) + s^2 R (C_in + C_f) / "
          "w_t), w_t = "
          "g_m / C_load; noise of R and of the amplifier times 1 + R / R_s over pi / 2 of the -3 dB band; offset of "
          "the pair "
          "times 1 + R / R_s.",
          "textbook circuit; transistors as in devices/mosfet; gain, output stage and areas assumed",
          "crossing: {circuit: transimpedance}",
          [] { return std::unique_ptr<CrossingParameters>(new TransimpedanceParameters); }};
}

}  // namespace tellegen::circuits
