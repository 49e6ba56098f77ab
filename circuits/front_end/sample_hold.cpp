// A switch and a capacitor: a voltage that waits for the next stage.

#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

struct HoldSettings {
  GateBias bias;
  Capacitance capacitor = Capacitance::si(100e-15);
  Time hold = Time::si(1e-6);
  Current leakage = Current::si(1e-12);
  double injected = 0.5;
  double cancelled = 0;
  HoldSettings() {
    bias.mosfet.width = Length::si(0.42e-6);
    bias.mosfet.length = Length::si(0.15e-6);
    bias.bias = Current::si(1e-6);
  }
  void settings(Settings& v) {
    bias.settings(v);
    v("capacitor", capacitor, "that holds the voltage", positive());
    v("hold", hold, "time from sampling to use", at_least(0));
    v("leakage", leakage, "of the switch that is off (assumed; 0.1 to 10 pA)", at_least(0));
    v("injected", injected, "share of the channel's charge that goes to the capacitor (assumed; 0.3 to 0.7)",
      between(0, 1));
    v("cancelled", cancelled, "share of it that a dummy switch takes back (assumed; 0 to 0.9)", between(0, 1));
  }
};

class SampleHold final : public Crossing {
 public:
  SampleHold(const HoldSettings& settings, Temperature temperature)
      : own_(settings), transistor_(settings.bias, temperature), supply_V_(settings.bias.supply_V()) {
    const double top_V = (supply_V_ - transistor_.mosfet.threshold_V()) / transistor_.slope;
    if (top_V <= full_scale()) {
      throw RefusedError({"The switch of the sample-and-hold passes voltages up to " +
                              format_quantity(top_V, Voltage::dimension) + " and signals reach " +
                              format_quantity(full_scale(), Voltage::dimension) + ".",
                          "Raise the supply or take a transistor with a lower threshold."});
    }
    build_errors();
    build_cost();
  }
  const char* input_unit() const override { return "V"; }
  const char* output_unit() const override { return "V"; }
  double full_scale() const override { return 0.35 * supply_V_; }
  double ideal(double input) const override { return input; }
  double transfer(double input) const override { return input * (1 + errors_.gain_error) + errors_.offset; }
  const CrossingErrors& errors() const override { return errors_; }
  const FrontEndCost& cost() const override { return cost_; }
  EnergyBook energy(double input_before, double input, double duration_s) const override;

 private:
  double gate_F() const { return own_.bias.gate_area_m2() * oxide_F_per_m2.typical; }
  void build_errors() {
    const double c_F = own_.capacitor.si(), kept = own_.injected * (1 - own_.cancelled);
    // The channel of a closed switch holds C_ox W L (V_G - V_T - n V): a part that is fixed and one that goes with V.
    errors_.gain_error = kept * gate_F() * transistor_.slope / c_F;
    const double injected_V = -kept * gate_F() * (supply_V_ - transistor_.mosfet.threshold_V()) / c_F;
    const double droop_V = -own_.leakage.si() * own_.hold.si() / c_F;
    errors_.offset = injected_V + droop_V;
    errors_.gain_deviation = 0.1 * errors_.gain_error;
    errors_.offset_deviation = 0.1 * std::abs(injected_V);
    errors_.noise = std::sqrt(devices::elementary_charge_C * transistor_.thermal_V / c_F);
    // The largest signal leaves the switch least.
    const auto point = transistor_.mosfet.operating_point(supply_V_, full_scale(), full_scale());
    errors_.bandwidth_Hz = point.gmd_S / (2 * std::numbers::pi * c_F);
  }
  void build_cost() {
    const double bias_A = own_.bias.bias.si(), wl = own_.bias.gate_area_m2(), c_F = own_.capacitor.si();
    cost_.supply_V = supply_V_;
    cost_.branches = {{"buffer", bias_A * Band{0.5, 1, 4}, "the setting (half to four times)"},
                      {"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"}};
    cost_.loads = {{"capacitor", Band::exact(c_F), Band::exact(1 / (2 * std::numbers::pi * errors_.bandwidth_Hz * c_F)),
                    "the setting, through the switch at the largest signal"}};
    cost_.areas = {{"capacitor", c_F * Band{1 / 4e-3, 1 / 2e-3, 1 / 1e-3}, "2 fF/um2 (1 to 4), assumed"},
                   transistor_area("switch, dummy and 6 transistors of the buffer", 8, wl)};
    cost_.assumptions = {"Gate capacitance is 8.4 fF/um2 (5 to 15).",
                         "The injected charge scatters by a tenth of itself."};
    sum_costs(cost_, own_.bias.settled_bits, full_scale());
    const Band clock = supply_V_ * supply_V_ * wl * oxide_F_per_m2;
    cost_.dynamic_J += clock;
    cost_.energy_J += clock;
  }

  HoldSettings own_;
  BiasedTransistor transistor_;
  double supply_V_;
  CrossingErrors errors_;
  FrontEndCost cost_;
};

EnergyBook SampleHold::energy(double input_before, double input, double t_s) const {
  EnergyBook book;
  const double bias_A = own_.bias.bias.si(), diode_V = transistor_.gate_source_V(transistor_.tail);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V_ - diode_V}, Drop{"bias reference", diode_V}};
  const std::array<Drop, 2> buffer{Drop{"follower", supply_V_ - 0.25 * supply_V_},
                                   Drop{"tail of the follower", 0.25 * supply_V_}};
  book_branch(book, supply_V_, "bias reference", bias_A, t_s, reference);
  book_branch(book, supply_V_, "buffer", bias_A, t_s, buffer);
  // The clock's swing charges the gate through one resistance and discharges it through another.
  const double c_F = gate_F();
  book.supplied.push_back({"clock", supply_V_ * supply_V_ * c_F});
  book.dissipated.push_back({"clock driver, rising", 0.5 * c_F * supply_V_ * supply_V_});
  book.dissipated.push_back({"clock driver, falling", 0.5 * c_F * supply_V_ * supply_V_});
  book_charging(book, supply_V_, "capacitor", own_.capacitor.si(), input_before, input);
  return book;
}

class HoldParameters final : public CrossingParameters {
 public:
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<Crossing> make(Temperature temperature) const override {
    return std::make_unique<SampleHold>(own_, temperature);
  }
  std::unique_ptr<CrossingParameters> clone() const override { return std::make_unique<HoldParameters>(*this); }

 private:
  HoldSettings own_;
};

}  // namespace

CrossingEntry sample_hold_entry() {
  return {"sample_hold",
          "A transistor switch and a capacitor with a follower behind it.",
          "Injected charge a C_ox W L (V_DD - V_T - n V), droop I t / C, noise kT/C, bandwidth 1 / (2 pi R_on C) at "
          "the largest "
          "signal; energy C V per sample and C_gate V_DD^2 per clock.",
          "textbook circuit; transistors as in devices/mosfet; share of the injected charge and leakage assumed",
          "crossing: {circuit: sample_hold}",
          [] { return std::unique_ptr<CrossingParameters>(new HoldParameters); }};
}

}  // namespace tellegen::circuits
