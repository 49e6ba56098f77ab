#include "tellegen/sim/report/number_columns.h"

#include "tellegen/base/error.h"
#include "tellegen/sim/report/columns.h"

namespace tellegen::report {
namespace {

constexpr char kBetweenWarnings = '\n';

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : std::string(1, kBetweenWarnings)) + text;
  return all;
}

std::vector<std::string> split(const std::string& all) {
  std::vector<std::string> texts;
  std::string text;
  for (const char c : all + kBetweenWarnings) {
    if (c != kBetweenWarnings) {
      text += c;
    } else if (!text.empty()) {
      texts.push_back(std::move(text));
      text.clear();
    }
  }
  return texts;
}

}  // namespace

void write_numbers(Hdf5Writer& file, const Numbers& numbers) {
  const std::vector<Number>& all = numbers.all();
  ColumnWriter columns(file, "numbers");
  columns.text("id", column(all, [](const Number& n) { return n.id; }));
  columns.text("title", column(all, [](const Number& n) { return n.title; }));
  columns.real("value", column(all, [](const Number& n) { return n.value; }), "see unit");
  columns.real("low", column(all, [](const Number& n) { return n.low; }), "see unit");
  columns.real("high", column(all, [](const Number& n) { return n.high; }), "see unit");
  columns.text("unit", column(all, [](const Number& n) { return n.unit; }));
  columns.text("formula", column(all, [](const Number& n) { return n.formula; }));
  columns.text("source", column(all, [](const Number& n) { return n.source; }));
  columns.text("warnings", column(all, [](const Number& n) { return joined(n.warnings); }));

  std::vector<NumberInput> inputs;
  std::vector<std::int64_t> owners;
  for (std::size_t i = 0; i < all.size(); ++i) {
    inputs.insert(inputs.end(), all[i].inputs.begin(), all[i].inputs.end());
    owners.insert(owners.end(), all[i].inputs.size(), static_cast<std::int64_t>(i));
  }
  columns.whole("input_of", owners, "index of the number");
  columns.text("input_name", column(inputs, [](const NumberInput& input) { return input.name; }));
  columns.real("input_value", column(inputs, [](const NumberInput& input) { return input.value; }), "see input_unit");
  columns.text("input_unit", column(inputs, [](const NumberInput& input) { return input.unit; }));
  columns.text("input_id", column(inputs, [](const NumberInput& input) { return input.id; }));
}

Numbers read_numbers(const Hdf5Reader& file) {
  const auto text = [&file](const std::string& name) { return file.strings("numbers/" + name); };
  const auto real = [&file](const std::string& name) { return file.doubles("numbers/" + name); };
  const std::vector<std::string> ids = text("id"), titles = text("title"), units = text("unit"),
                                 formulas = text("formula"), sources = text("source"), warnings = text("warnings");
  const std::vector<double> values = real("value"), lows = real("low"), highs = real("high");
  std::vector<Number> list(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    list[i] = {ids[i],      titles.at(i),   values.at(i), lows.at(i),    highs.at(i),
               units.at(i), formulas.at(i), {},           sources.at(i), split(warnings.at(i))};
  }
  const std::vector<std::int64_t> owners = file.integers("numbers/input_of");
  const std::vector<std::string> names = text("input_name"), input_units = text("input_unit"),
                                 input_ids = text("input_id");
  const std::vector<double> input_values = real("input_value");
  for (std::size_t i = 0; i < owners.size(); ++i) {
    list.at(static_cast<std::size_t>(owners[i]))
        .inputs.push_back({names.at(i), input_values.at(i), input_units.at(i), input_ids.at(i)});
  }
  Numbers numbers;
  for (Number& number : list) numbers.add(std::move(number));
  return numbers;
}

}  // namespace tellegen::report
