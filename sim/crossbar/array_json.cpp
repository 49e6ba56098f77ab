// Arrays as JSON. Numbers are SI units.
//
//   rows, cols                       size
//   G_matrix                         [[...]] conductances, or
//   G {gen, seed, lo, hi}            drawn by splitmix64, row by row: lo + (hi - lo) u
//   faults {gen, seed, p_open, p_off, p_on, g_open, g_off, g_on}   drawn likewise, after G
//   V_vectors, or V {...} and nvec   input vectors, given or drawn
//   r_row, r_col, r_source, r_sense, r_access   resistances, 0 where left out
//   drive left | both; sense end | both | alternate; row_state [driven | floating | grounded]
//   broken [{line: row | column, index, segment}]
//   device linear | sinh (a: I = G sinh(a v)/a) | cubic (v0: I = G v (1 + (v/v0)^2)) | milo
//   I_exact                          outputs to compare with
//
// name, units, check, reference and further I_..., nodes_... are passed over.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_readers.h"

namespace tellegen::array {
namespace {

using nlohmann::json;

constexpr std::array known_keys = {"rows",     "cols",  "G_matrix", "G",         "faults",   "V_vectors",
                                   "V",        "nvec",  "r_row",    "r_col",     "r_source", "r_sense",
                                   "r_access", "drive", "sense",    "row_state", "broken",   "device",
                                   "a",        "v0",    "name",     "units",     "check",    "reference"};

/// splitmix64 (Steele, Lea and Flood, OOPSLA 2014), the upper 53 bits as a number from 0 to 1.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}
  double next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    z ^= z >> 31;
    return static_cast<double>(z >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_;
};

/// A value of the file with its name, for messages.
class Node {
 public:
  Node(const std::filesystem::path& file, std::string name, const json& value)
      : file_(file), name_(std::move(name)), value_(value) {}

  bool has(const std::string& key) const { return value_.contains(key) && !value_[key].is_null(); }
  Node at(const std::string& key) const {
    if (!value_.is_object()) wrong("an object");
    const std::string name = name_.empty() ? key : name_ + "." + key;
    if (!has(key)) throw InputError({file_.string()}, fmt::format("'{}' is missing.", name));
    return {file_, name, value_[key]};
  }
  std::vector<Node> elements() const {
    if (!value_.is_array()) wrong("a list");
    std::vector<Node> out;
    for (std::size_t k = 0; k < value_.size(); ++k) out.emplace_back(file_, fmt::format("{}[{}]", name_, k), value_[k]);
    return out;
  }
  double number() const {
    if (!value_.is_number()) wrong("a number");
    return value_.get<double>();
  }
  double number(const std::string& key, double otherwise) const { return has(key) ? at(key).number() : otherwise; }
  std::int64_t integer() const {
    if (!value_.is_number_integer() || (value_.is_number_unsigned() && value_.get<std::uint64_t>() > INT64_MAX)) {
      wrong("a whole number");
    }
    return value_.get<std::int64_t>();
  }
  std::vector<double> numbers(std::int64_t count) const {
    const std::vector<Node> all = elements();
    if (static_cast<std::int64_t>(all.size()) != count) {
      throw InputError({file_.string()},
                       fmt::format("'{}' has '{}' numbers; {} are needed.", name_, all.size(), count));
    }
    std::vector<double> out;
    for (const Node& element : all) out.push_back(element.number());
    return out;
  }
  template <class T, std::size_t n>
  T one_of(const std::array<std::pair<const char*, T>, n>& choices) const {
    std::vector<std::string> names;
    for (const auto& [name, value] : choices) {
      if (value_.is_string() && value_.get<std::string>() == name) return value;
      names.push_back(fmt::format("\"{}\"", name));
    }
    wrong(fmt::format("one of {}", fmt::join(names, ", ")));
  }
  [[noreturn]] void wrong(const std::string& allowed) const {
    std::string got = value_.dump();
    constexpr std::size_t shown = 40;
    if (got.size() > shown) got = got.substr(0, shown) + "...";
    throw InputError({file_.string()}, fmt::format("'{}' is '{}'; it must be {}.", name_, got, allowed));
  }

 private:
  const std::filesystem::path& file_;
  std::string name_;
  const json& value_;
};

/// What {gen, seed, lo, hi} draws.
std::vector<double> drawn(const Node& rule, std::int64_t count) {
  rule.at("gen").one_of(std::array{std::pair{"splitmix64", 0}});
  SplitMix random(static_cast<std::uint64_t>(rule.at("seed").integer()));
  const double low = rule.at("lo").number();
  const double high = rule.at("hi").number();
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& value : out) value = low + (high - low) * random.next();
  return out;
}

void apply_faults(const Node& rule, std::vector<double>& cell_S) {
  rule.at("gen").one_of(std::array{std::pair{"splitmix64", 0}});
  SplitMix random(static_cast<std::uint64_t>(rule.at("seed").integer()));
  const double open = rule.at("p_open").number();
  const double off = open + rule.at("p_off").number();
  const double on = off + rule.at("p_on").number();
  if (!(open >= 0 && off >= open && on >= off && on <= 1)) {
    rule.wrong("a rule whose p_open, p_off and p_on are not negative and add up to 1 at most");
  }
  for (double& g_S : cell_S) {
    const double u = random.next();
    if (u < open) {
      g_S = rule.at("g_open").number();
    } else if (u < off) {
      g_S = rule.at("g_off").number();
    } else if (u < on) {
      g_S = rule.at("g_on").number();
    }
  }
}

void read_wires(const Node& root, circuits::Wires& wires) {
  wires.row_segment_ohm = root.number("r_row", 0);
  wires.column_segment_ohm = root.number("r_col", 0);
  wires.driver_ohm = root.number("r_source", 0);
  wires.sense_ohm = root.number("r_sense", 0);
  wires.access_ohm = root.number("r_access", 0);
  using circuits::Drive;
  using circuits::Line;
  using circuits::RowState;
  using circuits::Sense;
  if (root.has("drive")) {
    wires.drive =
        root.at("drive").one_of(std::array{std::pair{"left", Drive::one_side}, std::pair{"both", Drive::both_sides}});
  }
  if (root.has("sense")) {
    wires.sense =
        root.at("sense").one_of(std::array{std::pair{"end", Sense::one_end}, std::pair{"both", Sense::both_ends},
                                           std::pair{"alternate", Sense::alternate}});
  }
  if (root.has("row_state")) {
    for (const Node& state : root.at("row_state").elements()) {
      wires.row_state.push_back(
          state.one_of(std::array{std::pair{"driven", RowState::driven}, std::pair{"floating", RowState::floating},
                                  std::pair{"grounded", RowState::grounded}}));
    }
  }
  if (root.has("broken")) {
    for (const Node& broken : root.at("broken").elements()) {
      const Line line =
          broken.at("line").one_of(std::array{std::pair{"row", Line::row}, std::pair{"column", Line::column}});
      wires.broken.push_back({line, broken.at("index").integer(), broken.at("segment").integer()});
    }
  }
}

devices::CellLaw read_law(const Node& root) {
  if (!root.has("device")) return devices::OhmicLaw{};
  using devices::CellLawKind;
  const auto positive = [&](const char* key) {
    const Node node = root.at(key);
    if (!(node.number() > 0)) node.wrong("above 0");
    return node.number();
  };
  switch (root.at("device").one_of(
      std::array{std::pair{"linear", CellLawKind::ohmic}, std::pair{"sinh", CellLawKind::sinh},
                 std::pair{"cubic", CellLawKind::cubic}, std::pair{"milo", CellLawKind::milo}})) {
    case CellLawKind::sinh:
      return devices::SinhLaw{1 / positive("a")};
    case CellLawKind::cubic:
      return devices::CubicLaw{positive("v0")};
    case CellLawKind::milo:
      return devices::MiloLaw{};
    case CellLawKind::ohmic:
      break;
  }
  return devices::OhmicLaw{};
}

json parsed(const std::filesystem::path& file) {
  const std::string text = file_text(file);
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    const std::size_t end = std::min(error.byte > 0 ? error.byte - 1 : 0, text.size());
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n') + 1;
    const std::size_t last_break = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = end - (last_break == std::string::npos ? 0 : last_break + 1) + 1;
    throw InputError({file.string(), static_cast<int>(line), static_cast<int>(column)},
                     "this is not JSON. Check commas, brackets and quotation marks here and just before.");
  }
}

void check_keys(const std::filesystem::path& file, const json& root) {
  if (!root.is_object()) throw InputError({file.string()}, "an object {\"rows\": ...} is needed.");
  for (const auto& [key, value] : root.items()) {
    if (std::find(known_keys.begin(), known_keys.end(), key) != known_keys.end()) continue;
    if (key.starts_with("I_") || key.starts_with("nodes_")) continue;
    const std::string near = nearest(key, std::vector<std::string>(known_keys.begin(), known_keys.end()));
    throw InputError({file.string()}, fmt::format("'{}' is not a known key{}", key,
                                                  near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
  }
}

}  // namespace

ArrayFile read_json(const std::filesystem::path& file) {
  const json tree = parsed(file);
  check_keys(file, tree);
  const Node root(file, "", tree);
  ArrayFile out;
  const std::int64_t rows = root.at("rows").integer();
  const std::int64_t columns = root.at("cols").integer();
  constexpr std::int64_t most = 1 << 14;
  if (rows < 1 || rows > most) root.at("rows").wrong(fmt::format("1 to {}", most));
  if (columns < 1 || columns > most) root.at("cols").wrong(fmt::format("1 to {}", most));
  out.wires.rows = rows;
  out.wires.columns = columns;
  if (root.has("G_matrix")) {
    const std::vector<Node> lines = root.at("G_matrix").elements();
    if (static_cast<std::int64_t>(lines.size()) != rows) {
      throw InputError({file.string()}, fmt::format("'G_matrix' has '{}' rows; {} are needed.", lines.size(), rows));
    }
    for (const Node& line : lines) {
      const std::vector<double> values = line.numbers(columns);
      out.cell_S.insert(out.cell_S.end(), values.begin(), values.end());
    }
  } else {
    out.cell_S = drawn(root.at("G"), rows * columns);
    if (root.has("faults")) apply_faults(root.at("faults"), out.cell_S);
  }
  if (root.has("V_vectors")) {
    for (const Node& vector : root.at("V_vectors").elements()) out.input_V.push_back(vector.numbers(rows));
  } else if (root.has("V")) {
    const std::int64_t count = root.has("nvec") ? root.at("nvec").integer() : 1;
    if (count < 1 || count > most) root.at("nvec").wrong(fmt::format("1 to {}", most));
    const std::vector<double> all_V = drawn(root.at("V"), count * rows);
    for (auto at = all_V.begin(); at != all_V.end(); at += rows) out.input_V.emplace_back(at, at + rows);
  }
  read_wires(root, out.wires);
  out.law = read_law(root);
  if (root.has("I_exact")) {
    for (const Node& vector : root.at("I_exact").elements()) out.expected_A.push_back(vector.numbers(columns));
  }
  return out;
}

}  // namespace tellegen::array
