#include "tellegen/sim/report/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

std::string exact_text(double value, const std::string& unit) {
  if (!std::isfinite(value)) return "-";
  return fmt::format("{}{}", value, unit == "1" || unit.empty() ? "" : " " + unit);
}

std::string indented(const std::string& lines) {
  std::string text;
  bool at_start = true;
  for (const char c : lines) {
    if (at_start) text += "           ";
    text += c;
    at_start = c == '\n';
  }
  return text;
}

/// Prices and counts belong to what they explain; other inputs are one command away.
bool shown_in_full(const std::string& id) { return id.rfind("price.", 0) == 0 || id.rfind("count.", 0) == 0; }

std::string describe(const Numbers& numbers, const Number& number) {
  std::string text = fmt::format("{}: {}\n", number.id, number.title);
  text += fmt::format("  value    {}   [{}]\n", spread_text(number), exact_text(number.value, number.unit));
  if (number.has_spread()) {
    text +=
        fmt::format("  spread   {} .. {}\n", exact_text(number.low, number.unit), exact_text(number.high, number.unit));
  }
  if (!number.formula.empty()) text += fmt::format("  formula  {}\n", number.formula);
  if (!number.inputs.empty()) {
    Table table(
        {{"input", Table::Align::left}, {"value"}, {"exact", Table::Align::left}, {"number", Table::Align::left}});
    for (const NumberInput& input : number.inputs) {
      table.row({input.name, value_text(input.value, input.unit), exact_text(input.value, input.unit), input.id});
    }
    text += indented(table.text());
  }
  if (!number.source.empty()) text += fmt::format("  source   {}\n", number.source);
  for (const std::string& warning : number.warnings) text += fmt::format("  note     {}\n", warning);
  for (const NumberInput& input : number.inputs) {
    if (shown_in_full(input.id)) text += "\n" + describe(numbers, numbers.at(input.id));
  }
  return text;
}

constexpr std::array kHeadlines = {"accuracy.chip", "accuracy.float", "energy",      "area",  "latency", "tops",
                                   "tops_per_watt", "tops_per_mm2",   "utilisation", "tiles", "macs"};

/// What is asked for most comes first, the rest in report order.
std::vector<const Number*> in_order(const Numbers& numbers) {
  std::vector<const Number*> order;
  for (const char* id : kHeadlines) {
    if (const Number* number = numbers.find(id)) order.push_back(number);
  }
  for (const Number& number : numbers.all()) {
    if (std::find(kHeadlines.begin(), kHeadlines.end(), number.id) == kHeadlines.end()) order.push_back(&number);
  }
  return order;
}

/// The first number that `id` is the beginning of, else the nearest; "" where nothing is near.
std::string proposal(const Numbers& numbers, const std::string& id) {
  for (const Number* number : in_order(numbers)) {
    if (number->id.rfind(id, 0) == 0) return number->id;
  }
  return nearest(id, numbers.ids());
}

}  // namespace

std::string explain(const Report& report, const std::string& id, const std::filesystem::path& file) {
  const Number* number = report.numbers.find(id);
  if (number == nullptr) {
    const std::string near = proposal(report.numbers, id);
    throw InputError({file.string()},
                     fmt::format("'{}' is not a number of this report{} 'tellegen explain {}' lists all of them.", id,
                                 near.empty() ? "." : "; did you mean '" + near + "'?", file.string()));
  }
  return describe(report.numbers, *number);
}

std::string list_numbers(const Report& report) {
  Table table({{"number", Table::Align::left}, {"value"}, {"what", Table::Align::left}});
  for (const Number* number : in_order(report.numbers))
    table.row({number->id, value_text(number->value, number->unit), number->title});
  return table.text();
}

}  // namespace tellegen::report
