// A current goes in at a low resistance and comes out at a high one.

#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

struct ConveyorSettings {
  GateBias bias;
  Resistance source = Resistance::si(20e3);
  Capacitance source_capacitance = Capacitance::si(100e-15);
  double regulation = 30;
  double conductance_per_V = 0.1;
  ConveyorSettings() {
    bias.bias = Current::si(10e-6);
    bias.mosfet.width = Length::si(10e-6);
  }
  void settings(Settings& v) {
    bias.settings(v);
    v("source", source, "resistance of what drives the input, to a fixed voltage", positive());
    v("source_capacitance", source_capacitance, "at the input", positive());
    v("regulation", regulation, "gain around the input transistor (assumed; 10 to 100); 0: none", at_least(0));
    v("conductance_per_V", conductance_per_V,
      "rise of a mirror's current per volt at its output (assumed; 0.02 to 0.3)", at_least(0));
  }
};

class Conveyor final : public Crossing {
 public:
  Conveyor(const ConveyorSettings& settings, Temperature temperature)
      : own_(settings), transistor_(settings.bias, temperature), supply_V_(settings.bias.supply_V()) {
    build_errors();
    build_cost();
  }
  const char* input_unit() const override { return "A"; }
  const char* output_unit() const override { return "A"; }
  /// Class A: the bias is what can be taken away.
  double full_scale() const override { return 0.9 * own_.bias.bias.si(); }
  double ideal(double input) const override { return input; }
  double transfer(double input) const override { return input * (1 + errors_.gain_error) + errors_.offset; }
  const CrossingErrors& errors() const override { return errors_; }
  const FrontEndCost& cost() const override { return cost_; }
  EnergyBook energy(double input_before, double input, double duration_s) const override;

 private:
  double diode_V() const { return transistor_.gate_source_V(transistor_.tail); }
  double out_V() const { return 0.5 * supply_V_; }
  void build_errors() {
    const double bias_A = own_.bias.bias.si(), i = transistor_.tail;
    errors_.input_ohm = transistor_.source_ohm(i) / (1 + own_.regulation);
    const double finite = own_.conductance_per_V * (out_V() - diode_V());
    errors_.gain_error = own_.source.si() / (own_.source.si() + errors_.input_ohm) * (1 + finite) - 1;
    errors_.offset = bias_A * finite;
    const double mirror =
        devices::mirror_error(devices::pair_mismatch(own_.bias.mosfet, i), transistor_.slope, transistor_.thermal_V, i);
    errors_.gain_deviation = mirror;
    // The mirror and the two sources of bias that it has to balance.
    errors_.offset_deviation = std::numbers::sqrt2 * mirror * bias_A;
    const double mirror_s = transistor_.gate_ohm(i) * mirror_F().typical;
    const double input_s = errors_.input_ohm * own_.source_capacitance.si();
    errors_.bandwidth_Hz = 1 / (2 * std::numbers::pi * std::hypot(mirror_s, input_s));
    const double band_Hz = noise_bandwidth_Hz(errors_.bandwidth_Hz);
    // Two transistors of the mirror and two sources of bias, each g_m times its gate's noise.
    const double gate = transistor_.white_per_Hz(i, own_.bias.mosfet.card.white_excess) * band_Hz +
                        transistor_.flicker(own_.bias, band_Hz);
    errors_.noise = 2 * transistor_.spec_A * devices::ekv::charge_of_current(i) * std::sqrt(gate);
  }
  Band mirror_F() const { return 2 * own_.bias.gate_area_m2() * oxide_F_per_m2 + 4 * wiring_F; }
  void build_cost() {
    const double bias_A = own_.bias.bias.si(), wl = own_.bias.gate_area_m2();
    cost_.supply_V = supply_V_;
    cost_.branches = {{"input", Band::exact(bias_A), "the setting"},
                      {"output", Band::exact(bias_A), "the mirror's copy"},
                      {"regulation", bias_A * Band{0.1, 0.5, 1}, "half the bias (0.1 to 1), assumed"},
                      {"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"}};
    cost_.loads = {
        {"input", Band::exact(own_.source_capacitance.si()), Band::exact(errors_.input_ohm), "the source"},
        {"mirror", mirror_F(), Band::exact(transistor_.gate_ohm(transistor_.tail)), "two gates, four drains"}};
    cost_.areas = {transistor_area("10 transistors", 10, wl)};
    cost_.assumptions = {"Gain of the regulation and conductance of the outputs are assumed.",
                         "The input of the regulation adds no noise of its own."};
    sum_costs(cost_, own_.bias.settled_bits, transistor_.volts_per_x);
    cost_.bandwidth_Hz = errors_.bandwidth_Hz;
  }

  ConveyorSettings own_;
  BiasedTransistor transistor_;
  double supply_V_;
  CrossingErrors errors_;
  FrontEndCost cost_;
};

EnergyBook Conveyor::energy(double input_before, double input, double t_s) const {
  EnergyBook book;
  const double bias_A = own_.bias.bias.si(), diode = diode_V();
  const double through_A = bias_A + input, before_A = bias_A + input_before;
  const double now_V = transistor_.gate_source_V(through_A / transistor_.spec_A);
  const double before_V = transistor_.gate_source_V(before_A / transistor_.spec_A);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V_ - diode}, Drop{"bias reference", diode}};
  const std::array<Drop, 1> regulation{Drop{"regulation", supply_V_}};
  book_branch(book, supply_V_, "bias reference", bias_A, t_s, reference);
  book_branch(book, supply_V_, "regulation", 0.5 * bias_A, t_s, regulation);
  // The source brings the signal to the input node, the bias the rest; both leave through the diode of the mirror.
  book.supplied.push_back({"input", supply_V_ * bias_A * t_s});
  book.dissipated.push_back({"bias of the input", (supply_V_ - now_V) * bias_A * t_s});
  book.dissipated.push_back({"diode of the mirror", now_V * through_A * t_s});
  book.delivered.push_back({"input", -now_V * input * t_s});
  const double out_A = bias_A + transfer(input);
  book.supplied.push_back({"output", supply_V_ * bias_A * t_s});
  book.dissipated.push_back({"bias of the output", (supply_V_ - out_V()) * bias_A * t_s});
  book.dissipated.push_back({"output of the mirror", out_V() * out_A * t_s});
  book.delivered.push_back({"output", -out_V() * transfer(input) * t_s});
  book_charging(book, supply_V_, "mirror", mirror_F().typical, before_V, now_V);
  return book;
}

class ConveyorParameters final : public CrossingParameters {
 public:
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<Crossing> make(Temperature temperature) const override {
    return std::make_unique<Conveyor>(own_, temperature);
  }
  std::unique_ptr<CrossingParameters> clone() const override { return std::make_unique<ConveyorParameters>(*this); }

 private:
  ConveyorSettings own_;
};

}  // namespace

CrossingEntry current_conveyor_entry() {
  return {
      "current_conveyor",
      "A regulated common-gate input and a mirror: the current of a column goes on as a current.",
      "r_in = 1 / (g_ms (1 + A)); gain R_s / (R_s + r_in) (1 + g (V_out - V_in)); mirror error sigma^2 = (G / (n "
      "kT/q))^2 "
      "sigma^2(dV_T) + sigma^2(d beta / beta); noise of four transistors at the bias; poles of the input and of the "
      "mirror.",
      "textbook circuit (second-generation conveyor, class A); transistors as in devices/mosfet; regulation assumed",
      "crossing: {circuit: current_conveyor}",
      [] { return std::unique_ptr<CrossingParameters>(new ConveyorParameters); }};
}

}  // namespace tellegen::circuits
