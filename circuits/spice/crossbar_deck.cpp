#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <unordered_set>

#include "tellegen/circuits/crossbar/branch_list.h"
#include "tellegen/circuits/spice/deck.h"

namespace tellegen::circuits {
namespace {

using devices::CubicLaw;
using devices::MiloLaw;
using devices::OhmicLaw;
using devices::SinhLaw;

/// Current through a cell as an expression in the voltage `v`, with all digits.
struct Expression {
  double g_S;
  std::string v;

  std::string operator()(const OhmicLaw&) const { return fmt::format("{:.17g}*{}", g_S, v); }
  std::string operator()(const SinhLaw& law) const {
    return fmt::format("{:.17g}*sinh({}/{:.17g})", g_S * law.v0_V, v, law.v0_V);
  }
  std::string operator()(const CubicLaw& law) const {
    return fmt::format("{0:.17g}*{1}*(1+{1}*{1}/{2:.17g})", g_S, v, law.v0_V * law.v0_V);
  }
  std::string operator()(const MiloLaw&) const {
    return fmt::format("{0}*({1:.17g}+{0}*({2:.17g}+{0}*{3:.17g}))", v, g_S, MiloLaw::square_A_per_V2(g_S),
                       MiloLaw::cube_A_per_V3(g_S));
  }
};

class Writer {
 public:
  Writer(const Wires& wires, std::span<const double> cell_S, const devices::CellLaw& law)
      : wires_(wires),
        cell_S_(cell_S),
        law_(law),
        segments_(segments_of(wires)),
        grid_(segments_),
        branch_S_(branch_conductances(wires, cell_S)),
        isolated_(isolated_nodes(grid_, segments_, branch_S_, wires)) {}

  Deck write(std::span<const double> applied_V) {
    line("* crossbar, {} rows x {} columns", wires_.rows, wires_.columns);
    write_wires();
    for (std::int64_t i = 0; i < wires_.rows; ++i) {
      for (std::int64_t j = 0; j < wires_.columns; ++j) write_cell(i, j);
    }
    for (std::int64_t i = 0; i < wires_.rows; ++i) write_drivers(i, applied_V[static_cast<std::size_t>(i)]);
    for (std::int64_t j = 0; j < wires_.columns; ++j) write_sense_ends(j);
    line(".options reltol=1e-12 abstol=1e-20 vntol=1e-16 gmin=1e-20 itl1=1000");
    for (const DeckOutput& output : deck_.outputs) {
      for (const std::string& vector : output.vectors) line(".save {}", vector);
    }
    line(".op\n.end");
    return std::move(deck_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(deck_.text), format, std::forward<Arguments>(arguments)...);
    deck_.text += '\n';
  }

  std::string name(std::int64_t node) const {
    const std::int64_t rows = grid_.rows();
    const std::int64_t columns = grid_.columns();
    if (grid_.is_row(node)) {
      const std::int64_t j = node / rows - 1;
      return fmt::format("w{}_{}", grid_.line(node), j < 0 ? "l" : j == columns ? "r" : std::to_string(j));
    }
    const std::int64_t i = (node - grid_.column_position(-1, 0)) / columns - 1;
    return fmt::format("b{}_{}", i < 0 ? "t" : i == rows ? "b" : std::to_string(i), grid_.line(node));
  }

  bool left_out(std::int64_t node) const { return isolated_[static_cast<std::size_t>(node)]; }

  void resistor(const char* kind, std::int64_t a, std::int64_t b, double g_S) {
    if (left_out(a) || left_out(b)) return;
    used_.insert(a);
    used_.insert(b);
    line("R{}{} {} {} {:.17g}", kind, ++elements_, name(a), name(b), 1 / g_S);
  }

  void write_wires() {
    for (const Branch& branch : wire_branches(grid_, segments_)) resistor("w", branch.a, branch.b, branch.g_S);
  }

  void write_cell(std::int64_t i, std::int64_t j) {
    const auto at = static_cast<std::size_t>(i * wires_.columns + j);
    const std::int64_t a = grid_.row(i, j);
    const std::int64_t b = grid_.column(i, j);
    if (!(branch_S_[at] > 0)) return;
    if (std::holds_alternative<OhmicLaw>(law_) || std::isinf(cell_S_[at])) {
      resistor("g", a, b, branch_S_[at]);
      return;
    }
    if (left_out(a) || left_out(b)) return;
    used_.insert(a);
    used_.insert(b);
    std::string from = name(a);
    if (wires_.access_ohm > 0) {
      const std::string inner = fmt::format("a{}_{}", i, j);
      line("Ra{} {} {} {:.17g}", ++elements_, from, inner, wires_.access_ohm);
      from = inner;
    }
    const std::string drop = fmt::format("V({},{})", from, name(b));
    line("Bg{} {} {} I={}", ++elements_, from, name(b), std::visit(Expression{cell_S_[at], drop}, law_));
  }

  /// A source at each end that something hangs on.
  void write_drivers(std::int64_t i, double applied_V) {
    for (const std::int64_t j : {std::int64_t{-1}, wires_.columns}) {
      const std::int64_t node = grid_.row(i, j);
      if (used_.erase(node) > 0) line("V{0} {0} 0 DC {1:.17g}", name(node), applied_V);
    }
  }

  void write_sense_ends(std::int64_t j) {
    DeckOutput output;
    for (const std::int64_t i : {std::int64_t{-1}, wires_.rows}) {
      const std::int64_t node = grid_.column(i, j);
      if (used_.erase(node) == 0) continue;
      line("V{0} {0} 0 DC 0", name(node));
      output.vectors.push_back(fmt::format("i(v{})", name(node)));
    }
    deck_.outputs.push_back(std::move(output));
  }

  const Wires& wires_;
  std::span<const double> cell_S_;
  const devices::CellLaw& law_;
  Segments segments_;
  NodeGrid grid_;
  std::vector<double> branch_S_;
  std::vector<bool> isolated_;
  std::unordered_set<std::int64_t> used_;  ///< nodes with an element; terminals leave when they have their source
  std::int64_t elements_ = 0;
  Deck deck_;
};

}  // namespace

Deck crossbar_deck(const Wires& wires, std::span<const double> cell_S, const devices::CellLaw& law,
                   std::span<const double> input_V) {
  const std::vector<double> applied_V = applied_voltages(wires, input_V);
  return Writer(wires, cell_S, law).write(applied_V);
}

}  // namespace tellegen::circuits
