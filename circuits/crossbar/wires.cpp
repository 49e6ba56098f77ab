#include "tellegen/circuits/crossbar/wires.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

void check_resistance(double value_ohm, const char* name) {
  if (!(value_ohm >= 0) || std::isinf(value_ohm)) {
    throw InputError(
        fmt::format("{} is '{} ohm'; a finite resistance of 0 ohm or more is needed. Give an open wire as a "
                    "broken segment.",
                    name, value_ohm));
  }
}

/// Segments that exist are first .. last; the others would hang in the air.
void check_broken(const Wires& wires, const BrokenSegment& broken) {
  const bool row = broken.line == Line::row;
  const std::int64_t lines = row ? wires.rows : wires.columns;
  const char* name = row ? "row" : "column";
  if (broken.index < 0 || broken.index >= lines) {
    throw InputError(fmt::format("A broken segment is in {} '{}'; this array has {}s 0 to {}.", name, broken.index,
                                 name, lines - 1));
  }
  const bool at_start = row || wires.sensed_at_top(broken.index);
  const bool at_end = row ? wires.drive == Drive::both_sides : wires.sensed_at_bottom(broken.index);
  const std::int64_t first = at_start ? 0 : 1;
  const std::int64_t last = (row ? wires.columns : wires.rows) - (at_end ? 0 : 1);
  if (broken.segment < first || broken.segment > last) {
    throw InputError(fmt::format("The broken segment of {} {} is '{}'; this {} has segments {} to {}.", name,
                                 broken.index, broken.segment, name, first, last));
  }
}

/// Beyond this a conductance counts as a short without resistance: sums of a few would leave the range of a double.
constexpr double largest_S = 1e30;

double conductance(double resistance_ohm) { return resistance_ohm > 1 / largest_S ? 1 / resistance_ohm : infinity; }

}  // namespace

void check(const Wires& wires) {
  if (wires.rows < 1 || wires.columns < 1) {
    throw InputError(
        fmt::format("The array is '{} x {}'; at least one row and one column are needed.", wires.rows, wires.columns));
  }
  check_resistance(wires.row_segment_ohm, "The resistance of a row segment");
  check_resistance(wires.column_segment_ohm, "The resistance of a column segment");
  check_resistance(wires.driver_ohm, "The driver resistance");
  check_resistance(wires.sense_ohm, "The sense resistance");
  check_resistance(wires.access_ohm, "The access resistance");
  const auto states = static_cast<std::int64_t>(wires.row_state.size());
  if (states != 0 && states != wires.rows) {
    throw InputError(fmt::format("States are given for '{}' rows; one for each of the {} rows is needed, or none.",
                                 states, wires.rows));
  }
  for (const BrokenSegment& broken : wires.broken) check_broken(wires, broken);
}

Segments segments_of(const Wires& wires) {
  check(wires);
  const std::int64_t rows = wires.rows;
  const std::int64_t columns = wires.columns;
  Segments out;
  out.rows = rows;
  out.columns = columns;
  out.row_S.assign(static_cast<std::size_t>(rows * (columns + 1)), conductance(wires.row_segment_ohm));
  out.column_S.assign(static_cast<std::size_t>((rows + 1) * columns), conductance(wires.column_segment_ohm));
  const auto row = [&](std::int64_t i, std::int64_t s) -> double& {
    return out.row_S[static_cast<std::size_t>(i * (columns + 1) + s)];
  };
  const auto column = [&](std::int64_t s, std::int64_t j) -> double& {
    return out.column_S[static_cast<std::size_t>(s * columns + j)];
  };
  const double driver = conductance(wires.row_segment_ohm + wires.driver_ohm);
  const double sense = conductance(wires.column_segment_ohm + wires.sense_ohm);
  for (std::int64_t i = 0; i < rows; ++i) {
    const bool connected = wires.state(i) != RowState::floating;
    row(i, 0) = connected ? driver : 0;
    row(i, columns) = connected && wires.drive == Drive::both_sides ? driver : 0;
  }
  for (std::int64_t j = 0; j < columns; ++j) {
    column(0, j) = wires.sensed_at_top(j) ? sense : 0;
    column(rows, j) = wires.sensed_at_bottom(j) ? sense : 0;
  }
  for (const BrokenSegment& broken : wires.broken) {
    (broken.line == Line::row ? row(broken.index, broken.segment) : column(broken.segment, broken.index)) = 0;
  }
  return out;
}

std::vector<double> branch_conductances(const Wires& wires, std::span<const double> cell_S) {
  const auto cells = static_cast<std::size_t>(wires.rows * wires.columns);
  if (cell_S.size() != cells) {
    throw InputError(fmt::format("'{}' conductances are given; an array of {} x {} needs {}.", cell_S.size(),
                                 wires.rows, wires.columns, cells));
  }
  std::vector<double> out(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    const auto cell = static_cast<std::int64_t>(k);
    out[k] = branch_conductance(wires, cell / wires.columns, cell % wires.columns, cell_S[k]);
  }
  return out;
}

double branch_conductance(const Wires& wires, std::int64_t row, std::int64_t column, double cell_S) {
  if (!(cell_S >= 0)) {
    throw InputError(
        fmt::format("The cell in row {}, column {} has the conductance '{} S'; 0 S (open) or more is needed.", row,
                    column, cell_S));
  }
  const double branch_S = wires.access_ohm == 0 || cell_S == 0 ? cell_S : 1 / (1 / cell_S + wires.access_ohm);
  if (branch_S > largest_S) {
    throw InputError(
        fmt::format("The cell in row {}, column {} has the conductance '{} S': a short without resistance, which can "
                    "close a loop of zero resistance between a driver and 0 V. Give the short or its access "
                    "transistor a resistance.",
                    row, column, cell_S));
  }
  return branch_S;
}

std::vector<double> applied_voltages(const Wires& wires, std::span<const double> input_V) {
  if (static_cast<std::int64_t>(input_V.size()) != wires.rows) {
    throw InputError(fmt::format("'{}' input voltages are given; an array of {} rows needs {}.", input_V.size(),
                                 wires.rows, wires.rows));
  }
  std::vector<double> out(input_V.begin(), input_V.end());
  for (std::int64_t i = 0; i < wires.rows; ++i) {
    double& value_V = out[static_cast<std::size_t>(i)];
    if (!std::isfinite(value_V)) {
      throw InputError(fmt::format("The input voltage of row {} is '{} V'; a finite number is needed.", i, value_V));
    }
    if (wires.state(i) != RowState::driven) value_V = 0;
  }
  return out;
}

}  // namespace tellegen::circuits
