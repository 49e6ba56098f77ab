#include "tellegen/circuits/spice/pair_deck.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/pair_law.h"

namespace tellegen::circuits {
namespace {

class Writer {
 public:
  Writer(const devices::Mosfet& transistor, EkvForm form, const char* title) : transistor_(transistor), form_(form) {
    line("* {}", title);
  }

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(deck_.text), pattern, std::forward<Arguments>(arguments)...);
    deck_.text += '\n';
  }

  /// A pair called `name` whose common source is node s_name; its drain currents are i(v1_name) and i(v2_name), taken
  /// from node drain_1 and from the supply. source_V is where the simulator starts to look for the common source: from
  /// 0 V the exponentials run away.
  void pair(const std::string& name, double gate_V, double reference_V, const std::string& drain_1, double source_V) {
    line(".nodeset v(s_{})={:.17g}", name, source_V);
    start_V_ = source_V;
    line("V1_{0} {1} d1_{0} 0", name, drain_1);
    line("V2_{0} vdd d2_{0} 0", name);
    transistor("1_" + name, "d1_" + name, "s_" + name, gate_V);
    transistor("2_" + name, "d2_" + name, "s_" + name, reference_V);
  }
  void tail(const std::string& name, double tail_A) { line("I_{0} s_{0} 0 {1:.17g}", name, tail_A); }
  void supply(double supply_V) { line("Vdd vdd 0 {:.17g}", supply_V); }
  void output(const std::string& vector) { deck_.outputs.push_back({{vector}, 1}); }

  Deck finish() {
    line(".options reltol=1e-9 abstol=1e-19 vntol=1e-13 gmin=1e-22 itl1=500");
    for (const DeckOutput& output : deck_.outputs) line(".save {}", output.vectors.front());
    line(".op\n.end");
    return std::move(deck_);
  }

 private:
  void transistor(const std::string& name, const std::string& drain, const std::string& source, double gate_V) {
    const std::string v =
        fmt::format("({:.17g}-v({}))/{:.17g}", (gate_V - transistor_.threshold_V()) / transistor_.slope(), source,
                    transistor_.thermal_voltage_V());
    const double specific_A = transistor_.specific_current_A();
    if (form_ == EkvForm::interpolation) {
      line("Bd{0} {1} {2} I={3:.17g}*ln(1+exp(({4})/2))^2", name, drain, source, specific_A, v);
      return;
    }
    // The node stands at ln q where no current flows into it; v itself in weak inversion, about ln(v / 2) in strong.
    const double start =
        ((gate_V - transistor_.threshold_V()) / transistor_.slope() - start_V_) / transistor_.thermal_voltage_V();
    line(".nodeset v(y{})={:.17g}", name, start < 1 ? start - 1 : std::log(start / 2));
    // Beyond any charge that occurs (ln q = 6) the exponential goes on as a straight line, so that no iteration overflows.
    const std::string q = fmt::format("(v(y{0})<6 ? exp(v(y{0})) : {1:.17g}*(v(y{0})-5))", name, std::exp(6.0));
    line("By{0} 0 y{0} I={1}-2*{2}-v(y{0})", name, v, q);
    line("Bd{0} {1} {2} I={3:.17g}*({4}^2+{4})", name, drain, source, specific_A, q);
  }

  const devices::Mosfet& transistor_;
  EkvForm form_;
  double start_V_ = 0;
  Deck deck_;
};

/// A start near the answer is not the answer: two digits.
double to_centivolts(double v_V) { return std::nearbyint(v_V * 100) / 100; }

/// The pair that stands on top of pair k, or -1.
int pair_above(const ThresholdDesign& design, std::size_t k) {
  for (std::size_t above = 0; above < design.pairs.size(); ++above) {
    if (design.pairs[above].net.stacked_on == static_cast<int>(k)) return static_cast<int>(above);
  }
  return -1;
}

/// All pairs of the gate at x, and their currents summed to y at node o_index.
void write_gate(Writer& out, const ThresholdDesign& design, std::size_t index, double x) {
  const double signal = std::clamp(x, design.limits.x_low, design.limits.x_high);
  const double at_gate = std::clamp(x, design.limits.gate_low, design.limits.gate_high);
  const std::vector<double> source_V = design.source_voltages(design.states(x));
  std::string y = fmt::format("{:.17g}", design.base(x));
  for (std::size_t k = 0; k < design.pairs.size(); ++k) {
    const DesignedPair& pair = design.pairs[k];
    const std::string name = fmt::format("{}_{}", index, k);
    const double volts = design.settings.attenuation * pair.volts_per_x;
    const int above = pair_above(design, k);
    out.pair(name, pair.common_mode_V + volts * at_gate, pair.common_mode_V + volts * pair.theta,
             above < 0 ? "vdd" : fmt::format("s_{}_{}", index, above), to_centivolts(source_V[k]));
    if (pair.net.stacked_on < 0) out.tail(name, design.current_per_y_A * pair.net.tail.current(signal));
    if (pair.net.weight == 0) continue;
    const double per_A = pair.net.weight / design.current_per_y_A;
    y += pair.net.pedestal != 0 ? fmt::format("+({1:.17g})*(i(V1_{0})-i(V2_{0}))", name, per_A / 2)
                                : fmt::format("+({1:.17g})*i(V1_{0})", name, per_A);
  }
  out.line("Bo{0} o_{0} 0 V={1}", index, y);
  out.output(fmt::format("v(o_{})", index));
}

}  // namespace

Deck pair_deck(const devices::Mosfet& transistor, double reference_V, std::span<const double> dv_V,
               std::span<const double> tail_A, EkvForm form) {
  if (dv_V.size() != tail_A.size()) {
    throw InputError(
        fmt::format("'{}' voltages and '{}' tail currents are given; they come in pairs.", dv_V.size(), tail_A.size()));
  }
  Writer out(transistor, form, "differential pairs");
  out.supply(reference_V);
  for (std::size_t k = 0; k < dv_V.size(); ++k) {
    const std::string name = std::to_string(k);
    const double ic = tail_A[k] / (2 * transistor.specific_current_A());
    const double source_V = (reference_V - transistor.threshold_V()) / transistor.slope() -
                            transistor.thermal_voltage_V() *
                                source_depth(dv_V[k] / (transistor.slope() * transistor.thermal_voltage_V()), ic);
    out.pair(name, reference_V + dv_V[k], reference_V, "vdd", to_centivolts(source_V));
    out.tail(name, tail_A[k]);
    out.line("Bo{0} o_{0} 0 V=i(V1_{0})/{1:.17g}", name, tail_A[k]);
    out.output(fmt::format("v(o_{})", name));
  }
  return out.finish();
}

Deck threshold_gate_deck(const ThresholdDesign& design, std::span<const double> x) {
  TELLEGEN_ASSERT(!design.settings.compares);
  const devices::Mosfet transistor(design.settings.transistor, Temperature::si(design.temperature_K));
  Writer out(transistor, EkvForm::charge, "threshold gates");
  out.supply(design.supply_V);
  for (std::size_t index = 0; index < x.size(); ++index) write_gate(out, design, index, x[index]);
  return out.finish();
}

}  // namespace tellegen::circuits
