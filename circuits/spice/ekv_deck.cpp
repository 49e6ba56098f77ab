#include "tellegen/circuits/spice/ekv_deck.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Lines of a netlist with transistors of one kind.
class EkvWriter {
 public:
  explicit EkvWriter(const devices::Mosfet& transistor) : transistor_(transistor) {}

  template <class... Arguments>
  void line(fmt::format_string<Arguments...> pattern, Arguments&&... arguments) {
    text_ += fmt::format(pattern, std::forward<Arguments>(arguments)...) + "\n";
  }

  /// A saturated transistor. Its own node holds y = ln q, where the current v - 2 e^y - y into it is zero; `voltage` is
  /// the expression of v in kT/q.
  void transistor(const std::string& name, const std::string& from, const std::string& to, const std::string& voltage,
                  double size) {
    line("by_{0} 0 y_{0} i={1}-2*exp(v(y_{0}))-v(y_{0})", name, voltage);
    line("bd_{0} {1} {2} i={3:.17g}*(exp(2*v(y_{0}))+exp(v(y_{0})))", name, from, to,
         size * transistor_.specific_current_A());
  }
  /// Bulk at ground: v = ((V_G - V_T) / n - V_S) / (kT/q).
  void grounded_bulk(const std::string& name, const std::string& drain, const std::string& gate,
                     const std::string& source, double shift_V, double size) {
    transistor(name, drain, source,
               fmt::format("((v({})-{:.17g})/{:.17g}-v({}))/{:.17g}", gate, transistor_.threshold_V() + shift_V,
                           transistor_.slope(), source, transistor_.thermal_voltage_V()),
               size);
  }
  /// Bulk at the source: v = (V_GS - V_T) / (n kT/q). p-channel: the source is above.
  void own_bulk(const std::string& name, const std::string& drain, const std::string& gate, const std::string& source,
                bool p_channel, double shift_V, double size) {
    const std::string high = p_channel ? source : gate, low = p_channel ? gate : source;
    transistor(name, p_channel ? source : drain, p_channel ? drain : source,
               fmt::format("(v({})-v({})-{:.17g})/{:.17g}", high, low, transistor_.threshold_V() + shift_V,
                           transistor_.slope() * transistor_.thermal_voltage_V()),
               size);
  }
  /// An output at a fixed voltage: the current that a circuit takes out of (sign +1) or puts into (-1) the node.
  void meter(const std::string& node, double at_V, double sign) {
    line("v_{0} {0} 0 {1:.17g}", node, at_V);
    outputs_.push_back({{fmt::format("i(v_{})", node)}, -sign});
  }
  Deck finish() {
    line(".options reltol=1e-12 abstol=1e-22 vntol=1e-15 gmin=1e-20 itl1=2000");
    for (const DeckOutput& output : outputs_) {
      for (const std::string& vector : output.vectors) line(".save {}", vector);
    }
    line(".op\n.end");
    return {text_, outputs_, false};
  }

 private:
  const devices::Mosfet& transistor_;
  std::string text_;
  std::vector<DeckOutput> outputs_;
};

}  // namespace

Deck source_coupled_deck(const devices::Mosfet& transistor, std::span<const double> gate_V,
                         std::span<const double> shift_V, std::span<const double> size, double tail_A,
                         double supply_V) {
  TELLEGEN_ASSERT(shift_V.size() == gate_V.size() && size.size() == gate_V.size());
  EkvWriter writer(transistor);
  writer.line("* {} transistors on one source node", gate_V.size());
  writer.line("i_tail s 0 {:.17g}", tail_A);
  for (std::size_t k = 0; k < gate_V.size(); ++k) {
    const std::string n = std::to_string(k);
    writer.line("v_g{0} g{0} 0 {1:.17g}", n, gate_V[k]);
    writer.grounded_bulk(n, "d" + n, "g" + n, "s", shift_V[k], size[k]);
    writer.meter("d" + n, supply_V, 1);
  }
  return writer.finish();
}

Deck translinear_deck(const devices::Mosfet& transistor, double dv_V, double bias_A, double supply_V,
                      const TranslinearTransistors& transistors) {
  EkvWriter writer(transistor);
  const double unit_V = transistor.slope() * transistor.thermal_voltage_V();
  std::size_t next = 0;  // transistors are added in the order of translinear_names()
  const auto shift = [&] { return unit_V * transistors[next].shift; };
  const auto n = [&](const std::string& drain, const std::string& gate, const std::string& source) {
    writer.own_bulk("m" + std::to_string(next), drain, gate, source, false, shift(), transistors[next].size);
    ++next;
  };
  const auto p = [&](const std::string& drain, const std::string& gate) {
    writer.own_bulk("m" + std::to_string(next), drain, gate, "vdd", true, shift(), transistors[next].size);
    ++next;
  };
  const auto pair = [&](const std::string& drain, const std::string& gate) {
    writer.grounded_bulk("m" + std::to_string(next), drain, gate, "s", shift(), transistors[next].size);
    ++next;
  };
  writer.line("* translinear gate");
  writer.line("v_dd vdd 0 {:.17g}", supply_V);
  writer.line("i_ref vdd ref {:.17g}", bias_A);
  writer.line("v_g1 g1 0 {:.17g}", 0.5 * supply_V + 0.5 * dv_V);
  writer.line("v_g2 g2 0 {:.17g}", 0.5 * supply_V - 0.5 * dv_V);
  n("ref", "ref", "0");
  n("s", "ref", "0");
  pair("c1", "g1");
  pair("c2", "g2");
  p("c1", "c1");
  p("a1", "c1");
  p("p2", "c1");
  p("c2", "c2");
  p("top", "c2");
  p("q2", "c2");
  // Geometric mean: diodes a1 and top carry the copies, followers stack the second on the first.
  n("a1", "a1", "0");
  writer.line("e_a1 f_a1 0 a1 0 1");
  n("top", "top", "f_a1");
  n("cm", "top", "x");
  n("x", "x", "0");
  p("cm", "cm");
  p("p1", "cm");
  p("q1", "cm");
  // Copies of the bias come from the reference by a mirror of exact unity, as the reference's current is given.
  const auto bias_copy = [&](const std::string& node) {
    const std::string name = "k" + node;
    writer.own_bulk("m" + std::to_string(next), name, "ref", "0", false, shift(), transistors[next].size);
    writer.line("v_{0} {0}x {0} 0", name);
    writer.line("v_h{0} {0}x 0 {1:.17g}", name, 0.5 * supply_V);
    writer.line("f_{0} vdd {1} v_{0} 1", name, node);
    ++next;
  };
  bias_copy("pb");
  bias_copy("qb");
  for (const std::string side : {"p", "q"}) {
    n(side + "1", side + "1", "0");
    writer.line("e_{0}1 f_{0}1 0 {0}1 0 1", side);
    n(side + "2", side + "2", "f_" + side + "1");
    n(side + "b", side + "b", "0");
    writer.line("e_{0}b f_{0}b 0 {0}b 0 1", side);
    n(side == "p" ? "plus" : "minus", side + "2", "f_" + side + "b");
  }
  // Minus flows through a meter into the diode of the subtraction.
  writer.line("v_minus minus 0 {:.17g}", 0.5 * supply_V);
  writer.line("f_minus vdd sub v_minus -1");
  n("sub", "sub", "0");
  n("subtracted", "sub", "0");
  TELLEGEN_ASSERT(next == translinear_transistors);
  writer.meter("plus", 0.5 * supply_V, 1);
  writer.meter("subtracted", 0.5 * supply_V, 1);
  return writer.finish();
}

}  // namespace tellegen::circuits
