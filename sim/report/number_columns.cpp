#include "tellegen/sim/report/number_columns.h"

#include <fmt/format.h>

#include <functional>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/base/safe_text.h"
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

[[noreturn]] void damaged(const std::filesystem::path& path, const std::string& reason) {
  throw InputError({path.string()}, "the file is damaged: " + printable(reason) + ". Run the experiment again.");
}

/// Columns of one table: all as long as the first.
class FittingColumns {
 public:
  FittingColumns(const Hdf5Reader& file, const std::filesystem::path& path, const std::string& first)
      : path_(path), first_(first), rows_(length(file.shape(first))) {}
  template <class T>
  std::vector<T> checked(const std::string& name, std::vector<T> values) const {
    if (values.size() != rows_) {
      damaged(path_, fmt::format("'{}' has {} rows, '{}' has {}", name, values.size(), first_, rows_));
    }
    return values;
  }

 private:
  static std::size_t length(const std::vector<std::uint64_t>& shape) {
    return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
  }
  std::filesystem::path path_;
  std::string first_;
  std::size_t rows_;
};

void read_inputs(const Hdf5Reader& file, const std::filesystem::path& path, std::vector<Number>& list) {
  const FittingColumns inputs(file, path, "numbers/input_of");
  const std::vector<std::int64_t> owners = file.integers("numbers/input_of");
  const std::vector<std::string> names = inputs.checked("numbers/input_name", file.strings("numbers/input_name")),
                                 units = inputs.checked("numbers/input_unit", file.strings("numbers/input_unit")),
                                 ids = inputs.checked("numbers/input_id", file.strings("numbers/input_id"));
  const std::vector<double> values = inputs.checked("numbers/input_value", file.doubles("numbers/input_value"));
  for (std::size_t i = 0; i < owners.size(); ++i) {
    if (owners[i] < 0 || static_cast<std::size_t>(owners[i]) >= list.size()) {
      damaged(path, fmt::format("'numbers/input_of' holds {}, and there are {} numbers", owners[i], list.size()));
    }
    list[static_cast<std::size_t>(owners[i])].inputs.push_back({names[i], values[i], units[i], ids[i]});
  }
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

Numbers read_numbers(const Hdf5Reader& file, const std::filesystem::path& path) {
  const FittingColumns numbers(file, path, "numbers/id");
  const auto text = [&](const char* name) { return numbers.checked(name, file.strings(name)); };
  const auto real = [&](const char* name) { return numbers.checked(name, file.doubles(name)); };
  const std::vector<std::string> ids = text("numbers/id"), titles = text("numbers/title"), units = text("numbers/unit"),
                                 formulas = text("numbers/formula"), sources = text("numbers/source"),
                                 warnings = text("numbers/warnings");
  const std::vector<double> values = real("numbers/value"), lows = real("numbers/low"), highs = real("numbers/high");
  std::vector<Number> list(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    list[i] = {ids[i],   titles[i],   values[i], lows[i],    highs[i],
               units[i], formulas[i], {},        sources[i], split(warnings[i])};
  }
  read_inputs(file, path, list);
  Numbers result;
  for (Number& number : list) {
    if (result.find(number.id) != nullptr) damaged(path, "number '" + number.id + "' is there twice");
    for (const NumberInput& input : number.inputs) {
      if (!input.id.empty() && result.find(input.id) == nullptr)
        damaged(path, "input '" + input.id + "' of '" + number.id + "' is not a number before it");
    }
    result.add(std::move(number));
  }
  return result;
}

}  // namespace tellegen::report
