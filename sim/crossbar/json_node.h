#pragma once
// Reading JSON, and YAML in the same layout, with messages that name the place.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::array {

/// A value of a file with its name. File and tree must outlive it. Everything throws InputError with file, name, what
/// was found and what is allowed.
class JsonNode {
 public:
  JsonNode(const std::filesystem::path& file, std::string name, const nlohmann::json& value)
      : file_(file), name_(std::move(name)), value_(value) {}

  /// False for null, too.
  bool has(const std::string& key) const { return value_.contains(key) && !value_[key].is_null(); }
  JsonNode at(const std::string& key) const;
  std::vector<JsonNode> elements() const;
  double number() const;
  double number(const std::string& key, double otherwise) const { return has(key) ? at(key).number() : otherwise; }
  std::string text() const;
  std::int64_t integer() const;
  /// A whole number from 1 to `most`.
  std::int64_t count(std::int64_t most) const;
  std::vector<double> numbers(std::int64_t count) const;
  /// A list of `rows` lists of `columns` numbers, one after the other.
  std::vector<double> matrix(std::int64_t rows, std::int64_t columns) const;
  template <class T, std::size_t n>
  T one_of(const std::array<std::pair<const char*, T>, n>& choices) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (value_.is_string() && value_.get<std::string>() == name) return value;
      names.push_back(fmt::format("\"{}\"", name));
    }
    wrong(fmt::format("one of {}", fmt::join(names, ", ")));
  }
  [[noreturn]] void wrong(const std::string& allowed) const;

 private:
  const std::filesystem::path& file_;
  std::string name_;
  const nlohmann::json& value_;
};

/// A list of "driven", "floating" and "grounded".
std::vector<circuits::RowState> row_states(const JsonNode& list);

/// True for names that end in .json, .yaml or .yml.
bool is_tree_file(const std::filesystem::path& file);

/// The file as a tree. Throws InputError with the place where it is not JSON, or not YAML.
nlohmann::json parsed_tree(const std::filesystem::path& file);

/// Throws InputError for a root that is not an object, and for a key that is neither known nor begins with one of
/// `passed_over`, and for "units" other than SI.
void check_keys(const std::filesystem::path& file, const nlohmann::json& root, std::span<const char* const> known,
                std::span<const char* const> passed_over);

}  // namespace tellegen::array
