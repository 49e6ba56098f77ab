// The MemGLU gate from threshold gates: three approximations of tanh x sech x that source-coupled transistors can make.

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/memglu_approximation.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/circuits/front_end/tabulated_gate.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {

std::span<const std::pair<TanhSechForm, const char*>> enum_names(TanhSechForm) {
  static constexpr std::array<std::pair<TanhSechForm, const char*>, 3> names{
      {{TanhSechForm::signed_pairs, "signed_pairs"},
       {TanhSechForm::telescoping, "telescoping"},
       {TanhSechForm::normalised, "normalised"}}};
  return names;
}

double tanh_sech_approximation(TanhSechForm form, double x) {
  const auto sigma = [](double u) { return 1 / (1 + std::exp(-u)); };
  switch (form) {
    case TanhSechForm::signed_pairs:
      return signed_pairs.size * (std::tanh(0.5 * signed_pairs.steep * x) - std::tanh(0.5 * signed_pairs.flat * x));
    case TanhSechForm::telescoping:
      return telescoping.slope * x *
             (sigma(telescoping.sharpness * (x + telescoping.threshold)) -
              sigma(telescoping.sharpness * (x - telescoping.threshold)));
    case TanhSechForm::normalised:
      break;
  }
  return normalised.size * x / (normalised.offset + std::cosh(normalised.sharpness * x));
}

namespace {

/// One group of source-coupled transistors whose tail is fixed or carries |slope x|.
struct Group {
  std::vector<double> per_x, constant;  ///< gate voltage of each transistor in n kT/q: per_x x + constant
  std::size_t output = 0;               ///< which transistor's current is the answer
  double slope = 0;                     ///< tail in units of the bias per x; 0: the bias itself
  double weight = 1;                    ///< of its output in y, per bias
  double offset = 0;                    ///< taken from the output's share before weighting
};

struct Pairs {
  GateBias bias;
  TanhSechForm form;
  GateFunction gate;
  BiasedTransistor transistor;
  double supply_V;
  std::vector<Group> groups;

  Pairs(const GateBias& settings, TanhSechForm which, const GateFunction& function, Temperature temperature)
      : bias(settings), form(which), gate(function), transistor(settings, temperature), supply_V(settings.supply_V()) {
    const double a = gate.amplitude;
    const auto pair = [](double sharpness, double threshold) {
      return std::array{std::vector{0.5 * sharpness, -0.5 * sharpness},
                        std::vector{-0.5 * sharpness * threshold, 0.5 * sharpness * threshold}};
    };
    const auto add = [&](const std::array<std::vector<double>, 2>& legs, std::size_t output, double slope,
                         double weight, double offset) {
      groups.push_back({legs[0], legs[1], output, slope, weight, offset});
    };
    switch (form) {
      case TanhSechForm::signed_pairs:
        add(pair(signed_pairs.steep, 0), 0, 0, 2 * a * signed_pairs.size, 0.5);
        add(pair(signed_pairs.flat, 0), 0, 0, -2 * a * signed_pairs.size, 0.5);
        break;
      case TanhSechForm::telescoping:
        add(pair(telescoping.sharpness, -telescoping.threshold), 0, telescoping.slope, a, 0);
        add(pair(telescoping.sharpness, telescoping.threshold), 0, telescoping.slope, -a, 0);
        break;
      case TanhSechForm::normalised: {
        const double tau = normalised.sharpness, inner = normalised.size / normalised.offset;
        add({std::vector{-tau, 0.0, tau}, std::vector{0.0, std::log(2 * normalised.offset), 0.0}}, 1, inner, a, 0);
      }
    }
  }

  double tail(const Group& group, double x) const {
    // A tail is never without current: a thousandth of a millionth of the bias leaks through.
    return transistor.tail * (group.slope == 0 ? 1 : std::max(1e-9, std::abs(group.slope * x)));
  }
  /// The output's share of the tail at x, the tail being that of x.
  double share(const Group& group, double x) const { return shares(group, x)[group.output]; }
  std::vector<double> shares(const Group& group, double x, double* source = nullptr) const {
    const double current = tail(group, x);
    std::vector<double> v(group.per_x.size()), size(v.size(), 1.0), i(v.size());
    for (std::size_t k = 0; k < v.size(); ++k) v[k] = transistor.per_x * (group.per_x[k] * x + group.constant[k]);
    const double at = split_tail(v, size, current, i);
    if (source != nullptr) *source = at;
    for (double& one : i) one /= current;
    return i;
  }
  /// Factor of the tail in y: 1, or slope x.
  static double factor(const Group& group, double x) { return group.slope == 0 ? 1 : group.slope * x; }

  std::function<double(double)> curve(const Group& group) const {
    return [this, group](double x) {
      return group.weight * (group.slope == 0 ? 1 : group.slope) * (share(group, x) - group.offset);
    };
  }
  /// Of a curve, per shift of its output's gate by n kT/q.
  std::function<double(double)> sensitivity(const Group& group) const {
    constexpr double step = 1e-4;
    Group up = group, down = group;
    up.constant[group.output] += step;
    down.constant[group.output] -= step;
    return [above = curve(up), below = curve(down)](double x) { return (above(x) - below(x)) / (2 * step); };
  }
  std::vector<ErrorPlane> planes() const;
  OutputNoise output_noise(double x, double bandwidth_Hz) const;
  FrontEndCost cost() const;
  EnergyBook energy(double x_before, double x, double duration_s) const;
};

std::vector<ErrorPlane> Pairs::planes() const {
  const double ic = 0.5 * transistor.tail;
  const auto mismatch = devices::pair_mismatch(bias.mosfet, ic);
  const double offset_V = devices::pair_offset_V(mismatch, transistor.slope, transistor.thermal_V, ic);
  const double mirror = devices::mirror_error(mismatch, transistor.slope, transistor.thermal_V, ic);
  std::vector<ErrorPlane> planes;
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const double sharpness = groups[j].per_x.front() - groups[j].per_x.back();
    const std::string name = "group " + std::to_string(j + 1);
    planes.push_back({name + ": threshold", "x", offset_V / (std::abs(sharpness) * transistor.volts_per_x)});
    planes.push_back({name + ": tail", "", mirror});
  }
  if (form == TanhSechForm::normalised) {
    // The middle transistor against the mean of the outer two.
    const TransistorSpread one = transistor_spread(bias, transistor, ic);
    planes.push_back({"group 1: middle", "", std::sqrt(1.5) * std::hypot(one.shift, one.size)});
  }
  return planes;
}

OutputNoise Pairs::output_noise(double x, double bandwidth_Hz) const {
  OutputNoise variance;
  const double excess = bias.mosfet.card.white_excess;
  for (const Group& group : groups) {
    const std::vector<double> parts = shares(group, x);
    const double current_A = tail(group, x) * transistor.spec_A, p = parts[group.output];
    // Shot noise of the tail divides like the tail; the difference of a pair's outputs carries all of it, twice one
    // output less the tail.
    const double share = group.offset == 0 ? p : 0.25;
    const double per_bias = group.weight * factor(group, x) / current_A;
    variance.white +=
        per_bias * per_bias * 2 * devices::elementary_charge_C * current_A * excess * share * bandwidth_Hz;
    double slope_squares = 0;
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const double slope = (k == group.output ? p * (1 - p) : p * parts[k]) *
                           devices::ekv::transconductance_efficiency(tail(group, x) * p);
      slope_squares += slope * slope;
    }
    const double weight = group.weight * factor(group, x);
    variance.flicker += weight * weight * slope_squares * transistor.flicker(bias, bandwidth_Hz);
  }
  return {std::sqrt(variance.white), std::sqrt(variance.flicker)};
}

FrontEndCost Pairs::cost() const {
  FrontEndCost cost;
  cost.supply_V = supply_V;
  const double bias_A = bias.bias.si();
  cost.branches.push_back({"bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"});
  std::size_t transistors = 4;
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const Group& group = groups[j];
    const std::string name = "group " + std::to_string(j + 1);
    const Band tail_A =
        group.slope == 0 ? Band::exact(bias_A) : bias_A * Band{0, group.slope, group.slope * bias.input_range};
    const char* from = group.slope == 0 ? "the setting" : "bias times slope times |x|, at x = 1 (0 to the range)";
    cost.branches.push_back({name + ", tail", tail_A, from});
    cost.branches.push_back({name + ", output mirror", 0.5 * tail_A, "half of its tail"});
    const double ic = transistor.tail * (group.slope == 0 ? 1 : group.slope);
    const auto gates = static_cast<double>(group.per_x.size());
    cost.loads.push_back({name + ", source", (gates + 1) * wiring_F, Band::exact(transistor.source_ohm(ic)),
                          "drains and wires; 1 / g_ms of the tail at x = 1"});
    cost.loads.push_back({name + ", mirror", 2 * bias.gate_area_m2() * oxide_F_per_m2 + 3 * wiring_F,
                          Band::exact(transistor.gate_ohm(0.5 * ic)), "gates and drains; 1 / g_m at half the tail"});
    transistors += group.per_x.size() + 4;
  }
  if (groups.front().slope != 0) {
    cost.branches.push_back({"comparator of the sign",
                             {0.5 * bias_A, bias_A, 4 * bias_A},
                             "as much as the bias (half to four times), assumed"});
    cost.branches.push_back({"rectified input", bias_A * groups.front().slope * Band{0, 1, bias.input_range},
                             "bias times slope times |x|, at x = 1 (0 to the range)"});
    transistors += 10;
  }
  cost.loads.push_back({"output", Band::exact(bias.load.si()), Band::exact(transistor.gate_ohm(0.5 * transistor.tail)),
                        "the setting, through a diode at half the bias"});
  cost.areas.push_back(transistor_area(std::to_string(transistors) + " transistors", static_cast<double>(transistors),
                                       bias.gate_area_m2()));
  if (const auto trim = trim_area(bias.trim, static_cast<double>(planes().size()))) cost.areas.push_back(*trim);
  cost.assumptions = {
      "Gates load their nodes with 8.4 fF/um2 (5 to 15), drains and wires with 1 fF per transistor (0.5 to 2).",
      "A tail that carries x carries its magnitude; switches behind a comparator give the sign back."};
  sum_costs(cost, bias.settled_bits, transistor.volts_per_x);
  return cost;
}

EnergyBook Pairs::energy(double x_before, double x, double t_s) const {
  EnergyBook book;
  const double bias_A = bias.bias.si(), diode_V = transistor.gate_source_V(transistor.tail);
  const double common_V = 0.5 * supply_V, spec_A = transistor.spec_A;
  const auto branch = [&](const std::string& name, double i_A, std::initializer_list<Drop> drops) {
    book_branch(book, supply_V, name, i_A, t_s, std::vector<Drop>(drops));
  };
  branch("bias reference", bias_A, {{"current reference", supply_V - diode_V}, {"bias reference", diode_V}});
  const auto source_V = [&](const Group& group, double at_x) {
    double source = 0;
    shares(group, at_x, &source);
    return transistor.thermal_V * source + (common_V - transistor.mosfet.threshold_V()) / transistor.slope;
  };
  for (std::size_t j = 0; j < groups.size(); ++j) {
    const Group& group = groups[j];
    const std::string name = "group " + std::to_string(j + 1);
    const std::vector<double> parts = shares(group, x);
    const double tail_A = tail(group, x) * spec_A, source = source_V(group, x);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const bool is_output = k == group.output;
      // The output flows out of a mirror's diode, the rest straight from the supply.
      const double top_V = is_output ? transistor.gate_source_V(std::max(1e-12, parts[k] * tail(group, x))) : 0;
      branch(
          name + ", transistor " + std::to_string(k + 1), parts[k] * tail_A,
          {{name + ", load", top_V}, {name + ", transistors", supply_V - top_V - source}, {name + ", tail", source}});
    }
    const double out_A = parts[group.output] * tail_A;
    book.supplied.push_back({name + ", output mirror", supply_V * out_A * t_s});
    book.dissipated.push_back({name + ", output mirror", (supply_V - common_V) * out_A * t_s});
    book.delivered.push_back({name + ", output", common_V * out_A * t_s});
    book_charging(book, supply_V, name + ", source", (static_cast<double>(parts.size()) + 1) * wiring_F.typical,
                  source_V(group, x_before), source);
    if (group.slope != 0) {
      branch(name + ", copy of the input", tail_A,
             {{name + ", copy of the input", supply_V - diode_V}, {name + ", mirror of the tail", diode_V}});
    }
  }
  if (groups.front().slope != 0) {
    branch("comparator of the sign", bias_A, {{"comparator of the sign", supply_V}});
  }
  return book;
}

/// Corrections of thresholds are volts at the gates; those of tails are shares of a current.
std::vector<TrimmedDeviation> trimmed_planes(const Pairs& now, const Pairs& measured) {
  const double per_x = measured.transistor.volts_per_x / now.transistor.volts_per_x;
  const double per_thermal = measured.transistor.thermal_V / now.transistor.thermal_V;
  const std::vector<ErrorPlane> at_work = now.planes(), then = measured.planes();
  std::vector<TrimmedDeviation> planes;
  for (std::size_t k = 0; k < at_work.size(); ++k)
    planes.push_back({at_work[k].deviation, then[k].deviation, at_work[k].unit == "x" ? per_x : 1});
  // The middle transistor's error is a voltage, counted in n kT/q.
  if (now.form == TanhSechForm::normalised) planes.back().carry = per_thermal;
  return planes;
}

class PairsParameters final : public FrontEndParameters {
 public:
  void settings(Settings& v) override {
    v("form", form_, "which sum of threshold gates stands for tanh x sech x");
    bias_.settings(v);
  }
  std::unique_ptr<FrontEndParameters> clone() const override { return std::make_unique<PairsParameters>(*this); }
  std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const override {
    require_tanh_sech(gate, "memglu_pairs");
    const auto circuit = std::make_shared<const Pairs>(bias_, form_, gate, temperature);
    TabulatedDesign design;
    design.gate = gate;
    for (std::size_t j = 0; j < circuit->groups.size(); ++j) {
      const Group& group = circuit->groups[j];
      const auto curve = circuit->curve(group);
      design.terms.push_back({[circuit, curve](double x) { return curve(x); }, group.slope != 0, 1, 2 * j, 2 * j + 1});
    }
    design.planes = circuit->planes();
    if (bias_.trim) {
      const Pairs measured(bias_, form_, gate, bias_.trim->measured_at);
      design.errors_of_draws = trimmed_errors(*bias_.trim, trimmed_planes(*circuit, measured));
    }
    if (form_ == TanhSechForm::normalised) {
      const auto slope = circuit->sensitivity(circuit->groups.front());
      design.terms.push_back({[circuit, slope](double x) { return slope(x); }, true, 0, 0, design.planes.size() - 1});
    }
    const double range = bias_.input_range;
    design.limits = {-range, range, -range, range};
    design.cost = circuit->cost();
    const double band_Hz = noise_bandwidth_Hz(design.cost.bandwidth_Hz);
    design.output_noise = [circuit, band_Hz](double x) { return circuit->output_noise(x, band_Hz).total(); };
    const OutputNoise centre = circuit->output_noise(0, band_Hz);
    const auto y = [&](double x) {
      double sum = 0;
      for (const GateTerm& term : design.terms) sum += (term.times_x ? x : 1) * term.curve(x);
      return sum;
    };
    design.noise = referred_to_input(band_Hz, centre.white, centre.flicker, (y(1e-3) - y(-1e-3)) / 2e-3);
    design.energy = [circuit](double before, double x, double t_s) { return circuit->energy(before, x, t_s); };
    return make_tabulated_gate(std::move(design));
  }

 private:
  GateBias bias_;
  TanhSechForm form_ = TanhSechForm::signed_pairs;
};

}  // namespace

FrontEndEntry memglu_pairs_entry() {
  return {
      "memglu_pairs",
      "The gate tanh x sech x approximated by threshold gates: two pairs of unequal sharpness, or gates that carry x.",
      "own fits to tanh x sech x on |x| <= 8 (largest error): signed pairs 0.0026, normalised 0.0043, telescoping "
      "0.0207",
      "front_end: {circuit: memglu_pairs}",
      [] { return std::unique_ptr<FrontEndParameters>(new PairsParameters); },
      tanh_sech_gate(1),
      "signed_pairs: a (tanh(p x / 2) - tanh(q x / 2)), fixed tails; telescoping: s x (sigma(tau (x + t)) - "
      "sigma(tau (x - t))), s = 4; normalised: A x / (q + cosh tau x), three source-coupled transistors whose tail "
      "carries A |x| / q. Tails that carry x are solved at the current that flows at that x."};
}

}  // namespace tellegen::circuits
