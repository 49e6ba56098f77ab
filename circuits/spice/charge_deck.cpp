#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/spice/deck.h"

namespace tellegen::circuits {
namespace {

/// At this rate a cell of 1 fF admits 1 mS, and the resistances that give floating lines an operating point carry a
/// millionth of a millionth of its current, in quadrature: they change voltages by less than 1e-20.
constexpr double rate_per_s = 1e12;
constexpr double bleed_ohm = 1e15;

class Writer {
 public:
  Writer(const ChargeArray& array, std::span<const RowState> row_state) : array_(array), row_state_(row_state) {}

  Deck write(std::span<const double> row_V, const std::optional<ChargeAmplifier>& amplifier) {
    line("* crossbar of capacitors, {} rows x {} columns", array_.rows, array_.columns);
    for (std::int64_t i = 0; i < array_.rows; ++i) write_row(i, row_V[static_cast<std::size_t>(i)]);
    for (std::int64_t i = 0; i < array_.rows; ++i) {
      for (std::int64_t j = 0; j < array_.columns; ++j) {
        capacitor(fmt::format("r{}", i), fmt::format("c{}", j), array_.cell(i, j));
      }
    }
    for (std::int64_t j = 0; j < array_.columns; ++j) write_column(j, amplifier);
    line(".options reltol=1e-12 abstol=1e-20 vntol=1e-16 gmin=1e-20");
    for (const DeckOutput& output : deck_.outputs) line(".save {}", output.vectors.front());
    const double frequency_Hz = rate_per_s / (2 * std::numbers::pi);
    line(".ac lin 1 {0:.17g} {0:.17g}\n.end", frequency_Hz);
    return std::move(deck_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(deck_.text), format, std::forward<Arguments>(arguments)...);
    deck_.text += '\n';
  }

  void capacitor(const std::string& a, const std::string& b, double c_F) {
    if (c_F > 0) line("C{} {} {} {:.17g}", ++elements_, a, b, c_F);
  }

  void write_row(std::int64_t i, double row_V) {
    const RowState state = row_state_.empty() ? RowState::driven : row_state_[static_cast<std::size_t>(i)];
    if (state == RowState::floating) {
      line("Rr{0} r{0} 0 {1:.17g}", i, bleed_ohm);
    } else {
      line("Vr{0} r{0} 0 DC 0 AC {1:.17g}", i, state == RowState::driven ? row_V : 0.0);
    }
    capacitor(fmt::format("r{}", i), "0", array_.row_to_ground(i));
  }

  void write_column(std::int64_t j, const std::optional<ChargeAmplifier>& amplifier) {
    const std::string column = fmt::format("c{}", j);
    capacitor(column, "0", array_.column_to_ground(j));
    if (j + 1 < array_.columns) capacitor(column, fmt::format("c{}", j + 1), array_.neighbour_F);
    if (amplifier && std::isinf(amplifier->gain)) {
      // The charge that a column at 0 V gives away, as the current at rate_per_s.
      line("Vc{0} c{0} 0 DC 0 AC 0", j);
      deck_.imaginary = true;
      deck_.outputs.push_back({{fmt::format("i(vc{})", j)}, -1 / (rate_per_s * amplifier->feedback_F)});
      return;
    }
    line("Rc{0} c{0} 0 {1:.17g}", j, bleed_ohm);
    if (!amplifier) {
      deck_.outputs.push_back({{fmt::format("v(c{})", j)}, 1});
      return;
    }
    line("Eo{0} o{0} 0 c{0} 0 {1:.17g}", j, -amplifier->gain);
    capacitor(fmt::format("o{}", j), column, amplifier->feedback_F);
    deck_.outputs.push_back({{fmt::format("v(o{})", j)}, 1});
  }

  const ChargeArray& array_;
  std::span<const RowState> row_state_;
  std::int64_t elements_ = 0;
  Deck deck_;
};

}  // namespace

Deck charge_deck(const ChargeArray& array, std::span<const RowState> row_state, std::span<const double> row_V,
                 const std::optional<ChargeAmplifier>& amplifier) {
  check(array);
  check_row_states(array, row_state);
  if (static_cast<std::int64_t>(row_V.size()) != array.rows) {
    throw InputError(fmt::format("'{}' row voltages are given; {} are needed.", row_V.size(), array.rows));
  }
  return Writer(array, row_state).write(row_V, amplifier);
}

}  // namespace tellegen::circuits
