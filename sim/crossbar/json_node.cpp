#include "tellegen/sim/crossbar/json_node.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

#include "tellegen/base/config_tree.h"
#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_readers.h"

namespace tellegen::array {

using nlohmann::json;

JsonNode JsonNode::at(const std::string& key) const {
  if (!value_.is_object()) wrong("an object");
  const std::string name = name_.empty() ? key : name_ + "." + key;
  if (!has(key)) throw InputError({file_.string()}, fmt::format("'{}' is missing.", name));
  return {file_, name, value_[key]};
}

std::vector<JsonNode> JsonNode::elements() const {
  if (!value_.is_array()) wrong("a list");
  std::vector<JsonNode> out;
  for (std::size_t k = 0; k < value_.size(); ++k) out.emplace_back(file_, fmt::format("{}[{}]", name_, k), value_[k]);
  return out;
}

double JsonNode::number() const {
  if (!value_.is_number()) wrong("a number");
  return value_.get<double>();
}

std::string JsonNode::text() const {
  if (!value_.is_string()) wrong("a text");
  return value_.get<std::string>();
}

std::int64_t JsonNode::integer() const {
  if (!value_.is_number_integer() || (value_.is_number_unsigned() && value_.get<std::uint64_t>() > INT64_MAX)) {
    wrong("a whole number");
  }
  return value_.get<std::int64_t>();
}

std::int64_t JsonNode::count(std::int64_t most) const {
  const std::int64_t value = integer();
  if (value < 1 || value > most) wrong(fmt::format("1 to {}", most));
  return value;
}

std::vector<double> JsonNode::numbers(std::int64_t count) const {
  const std::vector<JsonNode> all = elements();
  if (static_cast<std::int64_t>(all.size()) != count) {
    throw InputError({file_.string()}, fmt::format("'{}' has '{}' numbers; {} are needed.", name_, all.size(), count));
  }
  std::vector<double> out;
  for (const JsonNode& element : all) out.push_back(element.number());
  return out;
}

std::vector<double> JsonNode::matrix(std::int64_t rows, std::int64_t columns) const {
  const std::vector<JsonNode> lines = elements();
  if (static_cast<std::int64_t>(lines.size()) != rows) {
    throw InputError({file_.string()}, fmt::format("'{}' has '{}' rows; {} are needed.", name_, lines.size(), rows));
  }
  std::vector<double> out;
  for (const JsonNode& line : lines) {
    const std::vector<double> values = line.numbers(columns);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

void JsonNode::wrong(const std::string& allowed) const {
  std::string got = value_.dump();
  constexpr std::size_t shown = 40;
  if (got.size() > shown) got = got.substr(0, shown) + "...";
  throw InputError({file_.string()}, fmt::format("'{}' is '{}'; it must be {}.", name_, got, allowed));
}

std::vector<circuits::RowState> row_states(const JsonNode& list) {
  using circuits::RowState;
  std::vector<RowState> out;
  for (const JsonNode& state : list.elements()) {
    out.push_back(
        state.one_of(std::array{std::pair{"driven", RowState::driven}, std::pair{"floating", RowState::floating},
                                std::pair{"grounded", RowState::grounded}}));
  }
  return out;
}

namespace {

/// What JSON would make of a plain text: a number, a truth value, else the text itself.
json scalar(const std::string& text) {
  if (json::accept(text)) {
    json value = json::parse(text);
    if (value.is_number() || value.is_boolean()) return value;
  }
  double number = 0;  // ".5", which JSON has not
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size() && std::isfinite(number)) return number;
  return text;
}

json tree_of(const detail::ConfigNode& node) {
  using Kind = detail::ConfigNode::Kind;
  json out;
  switch (node.kind) {
    case Kind::null:
      break;
    case Kind::scalar:
      out = scalar(node.text);
      break;
    case Kind::list:
      out = json::array();
      for (const detail::ConfigNode& item : node.items) out.push_back(tree_of(item));
      break;
    case Kind::mapping:
      out = json::object();
      for (const detail::ConfigEntry& entry : node.entries) out[entry.name] = tree_of(entry.value);
      break;
  }
  return out;
}

}  // namespace

bool is_tree_file(const std::filesystem::path& file) {
  const std::string kind = file.extension().string();
  return kind == ".json" || kind == ".yaml" || kind == ".yml";
}

json parsed_tree(const std::filesystem::path& file) {
  const std::string text = file_text(file);
  if (file.extension() != ".json") return tree_of(detail::parse_yaml(text, file.string()));
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t end = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
    const std::size_t last_break = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = end - (last_break == std::string::npos ? 0 : last_break + 1) + 1;
    throw InputError({file.string(), static_cast<int>(line), static_cast<int>(column)},
                     "this is not JSON. Check commas, brackets and quotation marks here and just before.");
  } catch (const json::out_of_range&) {
    throw InputError({file.string()}, "a number is larger than 1.8e308, the largest there is. Correct it.");
  }
}

namespace {

/// All numbers are in SI units; a file that says otherwise would be misread.
void check_units(const std::filesystem::path& file, const json& root) {
  const auto units = root.find("units");
  if (units == root.end()) return;
  static const std::vector<std::string> si{"ohm", "siemens", "volt", "ampere", "watt", "farad", "coulomb", "joule"};
  std::istringstream words(units->is_string() ? units->get<std::string>() : units->dump());
  for (std::string word; std::getline(words >> std::ws, word, ',');) {
    if (std::find(si.begin(), si.end(), word) != si.end()) continue;
    throw InputError({file.string()}, fmt::format("'units' has '{}'; allowed: {}. Convert the numbers to these.", word,
                                                  fmt::join(si, ", ")));
  }
}

}  // namespace

void check_keys(const std::filesystem::path& file, const json& root, std::span<const char* const> known,
                std::span<const char* const> passed_over) {
  if (!root.is_object()) throw InputError({file.string()}, "an object {\"rows\": ...} is needed.");
  for (const auto& [key, value] : root.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto begins = [&name = key](const char* start) { return name.starts_with(start); };
    if (std::any_of(passed_over.begin(), passed_over.end(), begins)) continue;
    const std::string near = nearest(key, std::vector<std::string>(known.begin(), known.end()));
    throw InputError({file.string()}, fmt::format("'{}' is not a known key{}", key,
                                                  near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
  }
  check_units(file, root);
}

}  // namespace tellegen::array
