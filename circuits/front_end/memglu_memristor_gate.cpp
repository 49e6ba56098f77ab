// The memristor's branches behind the interface of front-ends: a pair turns x into the level tanh x, a comparator finds
// the two instants at which the drive passes it, two samples are held and subtracted.

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_memristor.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/circuits/front_end/tabulated_gate.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

struct MemristorSettings {
  GateBias bias;
  MemristorLoop loop;
  double device_spread = 0.05;
  double hold_offset = 1e-3;
  void settings(Settings& v) {
    bias.settings(v);
    v.section("drive", loop, "the memristor and its sinusoidal drive");
    v("device_spread", device_spread, "standard deviation of a device's gain (assumed)", between(0, 1));
    v("hold_offset", hold_offset, "offset of the two held samples, as a share of the current (assumed)", between(0, 1));
  }
};

struct MemristorCircuit {
  MemristorSettings own;
  GateFunction gate;
  BiasedTransistor transistor;
  MemristorGate device;
  double supply_V;

  MemristorCircuit(const MemristorSettings& settings, const GateFunction& function, Temperature temperature)
      : own(settings),
        gate(function),
        transistor(settings.bias, temperature),
        device(settings.loop),
        supply_V(settings.bias.supply_V()) {
    if (own.loop.amplitude.si() <= supply_V) return;
    throw RefusedError({"The drive of the memristor is " + format(own.loop.amplitude) + " and the supply " +
                            format_quantity(supply_V, Voltage::dimension) + ".",
                        "Lower drive.amplitude or raise the supply."});
  }

  /// The pair's answer, tanh x in weak inversion.
  double level(double x) const {
    return 2 * split_pair(2 * transistor.per_x * x, transistor.tail) / transistor.tail - 1;
  }
  double value(double x) const { return gate.amplitude * device.value_at_level(level(x)); }
  double slope(double x) const { return (value(x + 1e-4) - value(x - 1e-4)) / 2e-4; }
  /// Current of the carrier at the peak, in units of y: what a share of the current is in y.
  double carrier_y() const { return 0.5 * std::abs(gate.amplitude) / device.signal_share(); }

  /// The level's own noise: the pair's, over the band in which it has to settle within a cycle.
  double level_noise_x(double bandwidth_Hz) const {
    const double white = 2 * transistor.white_per_Hz(0.5 * transistor.tail, own.bias.mosfet.card.white_excess);
    const double flicker = 2 * transistor.flicker(own.bias, bandwidth_Hz);
    return std::sqrt(white * bandwidth_Hz + flicker) / (2 * transistor.per_x);
  }
  double read_noise(double x) const {
    return std::abs(gate.amplitude) * device.noise(std::atanh(std::clamp(level(x), -1 + 1e-15, 1 - 1e-15)));
  }
  std::vector<ErrorPlane> planes() const { return planes(transistor); }
  /// Of the same device behind a pair at another temperature.
  std::vector<ErrorPlane> planes(const BiasedTransistor& of_pair) const {
    const double ic = 0.5 * of_pair.tail;
    const double offset_V =
        devices::pair_offset_V(devices::pair_mismatch(own.bias.mosfet, ic), of_pair.slope, of_pair.thermal_V, ic);
    return {{"pair: threshold", "x", offset_V / (2 * of_pair.volts_per_x)},
            {"device: gain", "", own.device_spread},
            {"held samples: offset", "y", own.hold_offset * carrier_y()}};
  }
  std::vector<TrimmedDeviation> trimmed_planes() const {
    const BiasedTransistor measured(own.bias, own.bias.trim->measured_at);
    const std::vector<ErrorPlane> now = planes(), then = planes(measured);
    return {{now[0].deviation, then[0].deviation, measured.volts_per_x / transistor.volts_per_x},
            {now[1].deviation, then[1].deviation},
            {now[2].deviation, then[2].deviation}};
  }
  FrontEndCost cost() const;
  EnergyBook energy(double x_before, double x, double duration_s) const;
  double driven_V() const { return device.energy_J() / device.charge_C(); }
};

FrontEndCost MemristorCircuit::cost() const {
  FrontEndCost cost;
  cost.supply_V = supply_V;
  const double bias_A = own.bias.bias.si();
  cost.evaluation_s = device.duration_s();
  cost.branches = {
      {"pair", Band::exact(bias_A), "the setting"},
      {"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"},
      {"comparator", {0.5 * bias_A, bias_A, 4 * bias_A}, "as much as the pair (half to four times), assumed"},
      {"drive", Band::exact(device.charge_C() / device.duration_s()),
       "mean of the magnitude of the memristor's current, integrated"}};
  const double hold_ohm = transistor.gate_ohm(0.5 * transistor.tail);
  cost.loads = {{"two held samples", 2 * Band::exact(own.bias.load.si()), Band::exact(hold_ohm),
                 "the load, through 1 / g_m at half the bias"}};
  const double wl = own.bias.gate_area_m2();
  cost.areas = {transistor_area("pair, mirrors, comparator: 12 transistors", 12, wl),
                {"capacitors of the held samples", 2 * own.bias.load.si() * Band{1 / 4e-3, 1 / 2e-3, 1 / 1e-3},
                 "2 fF/um2 (1 to 4), assumed; the memristor lies above"}};
  if (const auto trim = trim_area(own.bias.trim, 3)) cost.areas.push_back(*trim);
  cost.assumptions = {
      "One cycle of the drive wears the device by one cycle, however little its state moves.",
      "The sinusoid comes from a driver between the supply and the device; its oscillator is shared and "
      "not counted."};
  sum_costs(cost, own.bias.settled_bits, own.loop.amplitude.si());
  return cost;
}

EnergyBook MemristorCircuit::energy(double x_before, double x, double t_s) const {
  EnergyBook book;
  const double bias_A = own.bias.bias.si(), diode_V = transistor.gate_source_V(transistor.tail);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V - diode_V}, Drop{"bias reference", diode_V}};
  book_branch(book, supply_V, "bias reference", bias_A, t_s, reference);
  const std::array<Drop, 2> pair{Drop{"pair", 0.75 * supply_V}, Drop{"tail of the pair", 0.25 * supply_V}};
  book_branch(book, supply_V, "pair", bias_A, t_s, pair);
  const std::array<Drop, 2> comparator{Drop{"comparator", 0.75 * supply_V},
                                       Drop{"tail of the comparator", 0.25 * supply_V}};
  book_branch(book, supply_V, "comparator", bias_A, t_s, comparator);
  const double cycles = t_s / device.duration_s();
  book.supplied.push_back({"drive", supply_V * device.charge_C() * cycles});
  book.dissipated.push_back({"memristor", device.energy_J() * cycles});
  book.dissipated.push_back({"driver", (supply_V - driven_V()) * device.charge_C() * cycles});
  const double share_before = 0.5 * (1 + level(x_before)), share = 0.5 * (1 + level(x));
  book_charging(book, supply_V, "held level", own.bias.load.si(), share_before * supply_V, share * supply_V);
  return book;
}

class MemristorParameters final : public FrontEndParameters {
 public:
  MemristorParameters() {
    // HP's device, swept so little that its gate is right to 8e-4 of the peak: u = 0.1.
    own_.loop.frequency = Frequency::si(7.908);
    own_.loop.start = 0.50314465408805;
    own_.loop.read_noise = 0.01;
  }
  void settings(Settings& v) override { own_.settings(v); }
  std::unique_ptr<FrontEndParameters> clone() const override { return std::make_unique<MemristorParameters>(*this); }
  std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const override {
    require_tanh_sech(gate, "memglu_memristor");
    const auto circuit = std::make_shared<const MemristorCircuit>(own_, gate, temperature);
    TabulatedDesign design;
    design.gate = gate;
    design.terms = {{[circuit](double x) { return circuit->value(x); }, false, 1, 0, 1},
                    {[](double) { return 1.0; }, false, 0, {}, 2}};
    design.planes = circuit->planes();
    if (own_.bias.trim) design.errors_of_draws = trimmed_errors(*own_.bias.trim, circuit->trimmed_planes());
    const double range = own_.bias.input_range;
    design.limits = {-range, range, -range, range};
    design.cost = circuit->cost();
    const double band_Hz = noise_bandwidth_Hz(design.cost.bandwidth_Hz), level_x = circuit->level_noise_x(band_Hz);
    // Samples come once per evaluation, however fast the pair is.
    design.cost.bandwidth_Hz = 0.5 / design.cost.evaluation_s;
    design.output_noise = [circuit, level_x](double x) {
      return std::hypot(circuit->read_noise(x), circuit->slope(x) * level_x);
    };
    design.noise = referred_to_input(band_Hz, design.output_noise(0), 0, circuit->slope(0));
    design.energy = [circuit](double before, double x, double t_s) { return circuit->energy(before, x, t_s); };
    return make_tabulated_gate(std::move(design));
  }

 private:
  MemristorSettings own_;
};

}  // namespace

FrontEndEntry memglu_memristor_entry() {
  return {"memglu_memristor",
          "The gate tanh x sech x from the two branches of a memristor's loop, driven through a cycle per evaluation.",
          "own derivation: half the difference of the branches of a flux-controlled memristor is xi sqrt(1 - xi^2); "
          "models as in "
          "devices/memristor",
          "front_end: {circuit: memglu_memristor}",
          [] { return std::unique_ptr<FrontEndParameters>(new MemristorParameters); },
          tanh_sech_gate(1),
          "y = A(xi) / N, xi = tanh x, A = (i_falling - i_rising) / 2 at the drive V xi, N the least-squares scale of "
          "A against "
          "xi sqrt(1 - xi^2). Exact for a conductance linear in flux; other models deviate, and two reads with "
          "independent noise lose against a difference of a few per cent of the current."};
}

}  // namespace tellegen::circuits
