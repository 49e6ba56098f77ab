#include <cmath>

#include "tellegen/sim/compare/comparison.h"

namespace tellegen::compare {
namespace {

bool with_gate(const Row& row) { return row.path == PathKind::tg_after_dac || row.path == PathKind::analog; }
bool is_adc(const ComponentCost& part) { return part.component.find("adc") != std::string::npos; }

/// value(x) = fixed + slope x of one option.
struct Line {
  double fixed = 0, slope = 0;
};

/// Area per lane over x = 1 / lanes per converter.
Line area_over_sharing(const PathCost& cost) {
  Line line;
  for (const ComponentCost& part : cost.components)
    part.sharable ? line.slope += part.area_m2.typical* part.shared_by : line.fixed += part.area_m2.typical;
  return line;
}
/// Energy over the factor x on every conversion.
Line energy_over_adc(const PathCost& cost) {
  Line line;
  for (const ComponentCost& part : cost.components)
    is_adc(part) ? line.slope += part.energy_J.typical : line.fixed += part.energy_J.typical;
  return line;
}

BreakEven between(const Row& option, const Row& rival) {
  BreakEven found;
  found.layer = option.layer;
  found.option = option.option;
  found.rival = rival.option;
  found.asked_error = option.asked_error;
  return found;
}

/// Where two lines cross at x > 0.
void add_crossing(const Line& a, const Line& b, bool inverse, BreakEven found, std::vector<BreakEven>& out) {
  const double x = (b.fixed - a.fixed) / (a.slope - b.slope);
  if (!std::isfinite(x) || x <= 0) return;
  if (inverse && x > 1) return;  // no lane has more than one converter
  found.value = inverse ? 1 / x : x;
  found.cheaper_below = (a.slope > b.slope) != inverse;
  out.push_back(std::move(found));
}

void compare_pair(const Row& option, const Row& rival, std::vector<BreakEven>& out) {
  BreakEven found = between(option, rival);
  found.of = "lanes per converter";
  found.quantity = "area";
  add_crossing(area_over_sharing(option.cost), area_over_sharing(rival.cost), true, found, out);
  found.of = "ADC energy";
  found.quantity = "energy";
  add_crossing(energy_over_adc(option.cost), energy_over_adc(rival.cost), false, found, out);
}

double typical(const Row& row, bool area) { return area ? row.cost.area_m2.typical : row.cost.energy_J.typical; }

/// Between two errors, on logarithmic scales.
void compare_errors(const Row& option, const Row& rival, const Row& next_option, const Row& next_rival,
                    std::vector<BreakEven>& out) {
  for (const bool area : {false, true}) {
    const double here = std::log(typical(option, area) / typical(rival, area));
    const double there = std::log(typical(next_option, area) / typical(next_rival, area));
    if (here * there >= 0) continue;
    const double from = std::log(option.asked_error), to = std::log(next_option.asked_error);
    BreakEven found = between(option, rival);
    found.of = "error";
    found.quantity = area ? "area" : "energy";
    found.value = std::exp(from + (to - from) * here / (here - there));
    found.cheaper_below = (here < 0) == (from < to);
    out.push_back(std::move(found));
  }
}

const Row* at_next_error(const std::vector<Row>& rows, const Row& row) {
  const Row* best = nullptr;
  for (const Row& other : rows) {
    if (other.option != row.option || other.layer != row.layer || other.asked_error >= row.asked_error) continue;
    if (best == nullptr || other.asked_error > best->asked_error) best = &other;
  }
  return best;
}

}  // namespace

std::vector<BreakEven> find_break_even(const std::vector<Row>& rows) {
  std::vector<BreakEven> out;
  for (const Row& option : rows) {
    if (!with_gate(option) || !option.comparable()) continue;
    for (const Row& rival : rows) {
      if (with_gate(rival) || !rival.comparable() || rival.layer != option.layer ||
          rival.asked_error != option.asked_error)
        continue;
      compare_pair(option, rival, out);
      const Row* next_option = at_next_error(rows, option);
      const Row* next_rival = at_next_error(rows, rival);
      if (next_option != nullptr && next_rival != nullptr && next_option->comparable() && next_rival->comparable())
        compare_errors(option, rival, *next_option, *next_rival, out);
    }
  }
  return out;
}

}  // namespace tellegen::compare
