#include "tellegen/sim/report/breakdown.h"

#include <fmt/format.h>

#include <map>

namespace tellegen::report {
namespace {

/// The sum of numbers that are in the list already.
Number sum_of(const Numbers& numbers, const std::string& id, const std::string& title, const std::string& unit,
              const std::vector<std::pair<std::string, std::string>>& parts) {
  Number sum;
  sum.id = id;
  sum.title = title;
  sum.unit = unit;
  sum.formula = "sum of its parts";
  sum.source = "its parts";
  for (const auto& [name, part_id] : parts) {
    const Number& part = numbers.at(part_id);
    sum.value += part.value;
    sum.low += part.low;
    sum.high += part.high;
    sum.inputs.push_back(numbers.refer(name, part_id));
  }
  return sum;
}

/// Adds the rows of one layer and component; returns the id that stands for them together.
std::string add_place(const Subject& subject, const ReportLayer& layer, const std::string& component,
                      std::vector<Number> rows, Numbers& numbers) {
  const std::string id = fmt::format("{}.{}.{}", subject.id, layer.id, component);
  const std::string title = fmt::format("{} of {} in {}", subject.title, component, layer.name);
  if (rows.size() == 1) {
    rows[0].id = id;
    rows[0].title = title;
    numbers.add(std::move(rows[0]));
    return id;
  }
  std::vector<std::pair<std::string, std::string>> parts;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].id = fmt::format("{}.{}", id, i + 1);
    rows[i].title = fmt::format("{}, part {}", title, i + 1);
    parts.emplace_back(fmt::format("part {}", i + 1), rows[i].id);
    numbers.add(std::move(rows[i]));
  }
  numbers.add(sum_of(numbers, id, title, subject.unit, parts));
  return id;
}

}  // namespace

void add_breakdown(const Subject& subject, std::vector<BreakdownRow> rows, Report& report) {
  Numbers& numbers = report.numbers;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> by_component;
  std::vector<std::pair<std::string, std::string>> layer_sums;
  for (const ReportLayer& layer : report.layers) {
    std::vector<std::pair<std::string, std::string>> parts;
    for (const std::string& component : report.components) {
      std::vector<Number> here;
      for (BreakdownRow& row : rows) {
        if (row.layer == layer.name && row.component == component) here.push_back(std::move(row.number));
      }
      if (here.empty()) continue;
      const std::string id = add_place(subject, layer, component, std::move(here), numbers);
      parts.emplace_back(component, id);
      by_component[component].emplace_back(layer.id, id);
    }
    const std::string id = subject.id + "." + layer.id;
    numbers.add(sum_of(numbers, id, subject.title + " of " + layer.name, subject.unit, parts));
    layer_sums.emplace_back(layer.id, id);
  }
  for (const std::string& component : report.components) {
    const auto places = by_component.find(component);
    if (places == by_component.end()) continue;
    numbers.add(sum_of(numbers, subject.id + ".all." + component,
                       fmt::format("{} of {}, all layers", subject.title, component), subject.unit, places->second));
  }
  Number total = sum_of(numbers, subject.id, subject.title, subject.unit, layer_sums);
  if (!subject.note.empty()) total.warnings.push_back(subject.note);
  numbers.add(std::move(total));
}

Number banded(const circuits::Band& band, const std::string& unit) {
  Number number;
  number.value = band.typical;
  number.low = band.low;
  number.high = band.high;
  number.unit = unit;
  return number;
}

std::string source_text(const circuits::Provenance& from) {
  std::string text = from.source;
  if (!from.evidence.empty()) text += fmt::format(" ({})", from.evidence);
  if (from.node_nm > 0) text += fmt::format(", {:g} nm", from.node_nm);
  if (!from.scaling.empty() && from.scaling.rfind("none", 0) != 0) text += ", scaled: " + from.scaling;
  if (!from.spread.empty()) text += ", spread: " + from.spread;
  return text;
}

}  // namespace tellegen::report
