#include "tellegen/sim/report/explain.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

std::string exact_text(double value, const std::string& unit) {
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

}  // namespace

std::string explain(const Report& report, const std::string& id, const std::filesystem::path& file) {
  const Number* number = report.numbers.find(id);
  if (number == nullptr) {
    const std::string near = nearest(id, report.numbers.ids());
    throw InputError({file.string()},
                     fmt::format("'{}' is not a number of this report{} 'tellegen explain {}' lists all of them.", id,
                                 near.empty() ? "." : "; did you mean '" + near + "'?", file.string()));
  }
  return describe(report.numbers, *number);
}

std::string list_numbers(const Report& report) {
  Table table({{"number", Table::Align::left}, {"value"}, {"what", Table::Align::left}});
  for (const Number& number : report.numbers.all())
    table.row({number.id, value_text(number.value, number.unit), number.title});
  return table.text();
}

}  // namespace tellegen::report
