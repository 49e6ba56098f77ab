#include "tellegen/sim/crossbar/charge_file.h"

#include <limits>

#include "tellegen/sim/crossbar/json_node.h"

namespace tellegen::array {
namespace {

constexpr std::array known_keys = {"rows",        "cols",      "C_matrix",  "C_row",     "C_column",
                                   "C_neighbour", "V_vectors", "row_state", "amplifier", "reset",
                                   "temperature", "name",      "units"};

}  // namespace

bool is_charge_file(const std::filesystem::path& file) {
  if (!is_tree_file(file)) return false;
  const nlohmann::json tree = parsed_tree(file);
  return tree.is_object() && tree.contains("C_matrix");
}

ChargeFile read_charge_file(const std::filesystem::path& file) {
  const nlohmann::json tree = parsed_tree(file);
  check_keys(file, tree, known_keys, {});
  const JsonNode root(file, "", tree);
  ChargeFile out;
  constexpr std::int64_t most = 1 << 14;
  const std::int64_t rows = out.array.rows = root.at("rows").count(most);
  const std::int64_t columns = out.array.columns = root.at("cols").count(most);
  out.array.cell_F = root.at("C_matrix").matrix(rows, columns);
  if (root.has("C_row")) out.array.row_F = root.at("C_row").numbers(rows);
  if (root.has("C_column")) out.array.column_F = root.at("C_column").numbers(columns);
  out.array.neighbour_F = root.number("C_neighbour", 0);
  if (root.has("row_state")) out.row_state = row_states(root.at("row_state"));
  if (root.has("amplifier")) {
    const JsonNode amplifier = root.at("amplifier");
    out.amplifier = circuits::ChargeAmplifier{amplifier.at("feedback").number(),
                                              amplifier.number("gain", std::numeric_limits<double>::infinity())};
  }
  if (root.has("reset")) {
    const JsonNode reset = root.at("reset");
    out.reset =
        circuits::ResetSwitch{reset.at("width").number(), reset.at("length").number(), reset.at("oxide").number(),
                              reset.at("gate").number(), reset.at("threshold").number()};
  }
  out.temperature_K = root.number("temperature", out.temperature_K);
  if (!(out.temperature_K > 0)) root.at("temperature").wrong("above 0");
  for (const JsonNode& vector : root.at("V_vectors").elements()) out.input_V.push_back(vector.numbers(rows));
  return out;
}

}  // namespace tellegen::array
