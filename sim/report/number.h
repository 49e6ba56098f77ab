#pragma once
// Every number of a report knows where it comes from. Tables, JSON, CSV and `tellegen explain` are views over one flat
// list of these.

#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace tellegen::report {

/// One input of a formula: a value of its own, or another number of the same list.
struct NumberInput {
  std::string name;
  double value = 0;
  std::string unit;
  std::string id;  ///< of another number; "" where the value stands for itself
};

/// A figure of a report with its pedigree. Values are SI; `unit` is "J", "m2", "s", "W", "dB", "fraction", "1" (a
/// count), "TOPS", ...
struct Number {
  std::string id;                       ///< "energy.conv1.adc"
  std::string title;                    ///< what it is, in words
  double value = 0, low = 0, high = 0;  ///< low = high = value where there is no spread
  std::string unit;
  std::string formula;  ///< in terms of the inputs' names
  std::vector<NumberInput> inputs;
  std::string source;
  std::vector<std::string> warnings;
  bool has_spread() const { return low < value || value < high; }
  bool is_finite() const { return std::isfinite(value) && std::isfinite(low) && std::isfinite(high); }
};

/// The flat list, in report order, with look-up by id.
class Numbers {
 public:
  /// Throws std::logic_error where the id is taken.
  void add(Number number);
  const Number* find(const std::string& id) const;
  /// Throws std::logic_error where there is none: for ids that the program itself makes.
  const Number& at(const std::string& id) const;
  /// An input that refers to number `id`.
  NumberInput refer(const std::string& name, const std::string& id) const;
  const std::vector<Number>& all() const { return numbers_; }
  std::vector<std::string> ids() const;

 private:
  std::vector<Number> numbers_;
  std::map<std::string, std::size_t> index_;
};

}  // namespace tellegen::report
