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
//   access_transistor {card, width, length, gate, temperature}   1T1R; size from the card, 300 K where left out
//   I_exact                          outputs to compare with
//
// name, units, check, reference and further I_..., nodes_... are passed over.

#include <fmt/format.h>

#include <array>

#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_readers.h"
#include "tellegen/sim/crossbar/json_node.h"

namespace tellegen::array {
namespace {

constexpr std::array known_keys = {"rows",      "cols",    "G_matrix", "G",         "faults",
                                   "V_vectors", "V",       "nvec",     "r_row",     "r_col",
                                   "r_source",  "r_sense", "r_access", "drive",     "sense",
                                   "row_state", "broken",  "device",   "a",         "v0",
                                   "name",      "units",   "check",    "reference", "access_transistor"};

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

/// What {gen, seed, lo, hi} draws.
std::vector<double> drawn(const JsonNode& rule, std::int64_t count) {
  rule.at("gen").one_of(std::array{std::pair{"splitmix64", 0}});
  SplitMix random(static_cast<std::uint64_t>(rule.at("seed").integer()));
  const double low = rule.at("lo").number();
  const double high = rule.at("hi").number();
  std::vector<double> out(static_cast<std::size_t>(count));
  for (double& value : out) value = low + (high - low) * random.next();
  return out;
}

void apply_faults(const JsonNode& rule, std::vector<double>& cell_S) {
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

void read_wires(const JsonNode& root, circuits::Wires& wires) {
  wires.row_segment_ohm = root.number("r_row", 0);
  wires.column_segment_ohm = root.number("r_col", 0);
  wires.driver_ohm = root.number("r_source", 0);
  wires.sense_ohm = root.number("r_sense", 0);
  wires.access_ohm = root.number("r_access", 0);
  using circuits::Drive;
  using circuits::Line;
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
  if (root.has("row_state")) wires.row_state = row_states(root.at("row_state"));
  if (root.has("broken")) {
    for (const JsonNode& broken : root.at("broken").elements()) {
      const Line line =
          broken.at("line").one_of(std::array{std::pair{"row", Line::row}, std::pair{"column", Line::column}});
      wires.broken.push_back({line, broken.at("index").integer(), broken.at("segment").integer()});
    }
  }
}

devices::CellLaw read_law(const JsonNode& root) {
  if (!root.has("device")) return devices::OhmicLaw{};
  using devices::CellLawKind;
  const auto positive = [&](const char* key) {
    const JsonNode node = root.at(key);
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

AccessTransistor read_transistor(const JsonNode& node) {
  AccessTransistor out;
  out.mosfet = devices::MosfetConfig(devices::find_mosfet(node.at("card").text()));
  const auto size = [&](const char* key, Length& value) {
    if (!node.has(key)) return;
    value = Length::si(node.at(key).number());
    if (!(value.si() > 0)) node.at(key).wrong("above 0");
  };
  size("width", out.mosfet.width);
  size("length", out.mosfet.length);
  out.gate_V = node.at("gate").number();
  out.temperature_K = node.number("temperature", out.temperature_K);
  if (!(out.temperature_K > 0)) node.at("temperature").wrong("above 0");
  return out;
}

}  // namespace

ArrayFile read_json(const std::filesystem::path& file) {
  const nlohmann::json tree = parsed_tree(file);
  constexpr std::array passed_over = {"I_", "nodes_"};
  check_keys(file, tree, known_keys, passed_over);
  const JsonNode root(file, "", tree);
  ArrayFile out;
  constexpr std::int64_t most = 1 << 14;
  const std::int64_t rows = out.wires.rows = root.at("rows").count(most);
  const std::int64_t columns = out.wires.columns = root.at("cols").count(most);
  if (root.has("G_matrix")) {
    out.cell_S = root.at("G_matrix").matrix(rows, columns);
  } else {
    out.cell_S = drawn(root.at("G"), rows * columns);
    if (root.has("faults")) apply_faults(root.at("faults"), out.cell_S);
  }
  if (root.has("V_vectors")) {
    for (const JsonNode& vector : root.at("V_vectors").elements()) out.input_V.push_back(vector.numbers(rows));
  } else if (root.has("V")) {
    const std::int64_t count = root.has("nvec") ? root.at("nvec").count(most) : 1;
    const std::vector<double> all_V = drawn(root.at("V"), count * rows);
    for (auto at = all_V.begin(); at != all_V.end(); at += rows) out.input_V.emplace_back(at, at + rows);
  }
  read_wires(root, out.wires);
  out.law = read_law(root);
  if (root.has("access_transistor")) out.transistor = read_transistor(root.at("access_transistor"));
  if (root.has("I_exact")) {
    for (const JsonNode& vector : root.at("I_exact").elements()) out.expected_A.push_back(vector.numbers(columns));
  }
  return out;
}

}  // namespace tellegen::array
