#include "tellegen/sim/crossbar/array_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/table.h"
#include "tellegen/base/units.h"
#include "tellegen/sim/crossbar/result_files.h"

namespace tellegen::array {
namespace {

using nlohmann::json;

bool has_nodes(const ArraySolution& solution) {
  return !solution.vectors.empty() && !solution.vectors[0].nodes.row_node_V.empty();
}

/// [vectors][values] of one field, one after the other.
template <class Field>
std::vector<double> joined(const ArraySolution& solution, const Field& field) {
  std::vector<double> out;
  for (const ArrayResult& vector : solution.vectors) {
    const std::vector<double>& values = field(vector);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

std::filesystem::path write_json(const std::filesystem::path& file, const ArraySolution& solution) {
  json out;
  out["rows"] = solution.rows;
  out["cols"] = solution.columns;
  out["units"] = "siemens, volt, ampere, watt";
  out["log"] = solution.log;
  out["vectors"] = json::array();
  for (const ArrayResult& vector : solution.vectors) {
    json entry = {{"output", vector.output_A}, {"source_power", vector.source_W}};
    if (vector.dissipated_W) entry["dissipated_power"] = *vector.dissipated_W;
    if (vector.bound_A) entry["output_error_bound"] = *vector.bound_A;
    if (has_nodes(solution)) {
      entry["row_node_voltage"] = json_rows(vector.nodes.row_node_V, solution.columns);
      entry["column_node_voltage"] = json_rows(vector.nodes.column_node_V, solution.columns);
      entry["cell_current"] = json_rows(vector.nodes.cell_A, solution.columns);
    }
    out["vectors"].push_back(entry);
  }
  if (!solution.transfer_S.empty()) {
    out["T"] = json_rows(solution.transfer_S, solution.rows);
    out["Y"] = json_rows(solution.input_admittance_S, solution.rows);
  }
  write_text_file(file, out.dump(1) + "\n");
  return file;
}

std::filesystem::path write_hdf5(const std::filesystem::path& file, const ArraySolution& solution) {
  Hdf5Writer writer(file);
  const auto vectors = static_cast<std::uint64_t>(solution.vectors.size());
  const auto rows = static_cast<std::uint64_t>(solution.rows);
  const auto columns = static_cast<std::uint64_t>(solution.columns);
  const auto put = [&](const std::string& name, const std::vector<double>& data,
                       const std::vector<std::uint64_t>& shape, const char* unit) {
    writer.write(name, data, shape);
    writer.attribute(name, "unit", unit);
  };
  if (vectors > 0) {
    put("output", joined(solution, [](const ArrayResult& v) -> const std::vector<double>& { return v.output_A; }),
        {vectors, columns}, "A");
    std::vector<double> source_W, dissipated_W;
    for (const ArrayResult& vector : solution.vectors) {
      source_W.push_back(vector.source_W);
      if (vector.dissipated_W) dissipated_W.push_back(*vector.dissipated_W);
    }
    put("source_power", source_W, {vectors}, "W");
    if (dissipated_W.size() == vectors) put("dissipated_power", dissipated_W, {vectors}, "W");
  }
  if (has_nodes(solution)) {
    const std::vector<std::uint64_t> shape = {vectors, rows, columns};
    put("row_node_voltage",
        joined(solution, [](const ArrayResult& v) -> const std::vector<double>& { return v.nodes.row_node_V; }), shape,
        "V");
    put("column_node_voltage",
        joined(solution, [](const ArrayResult& v) -> const std::vector<double>& { return v.nodes.column_node_V; }),
        shape, "V");
    put("cell_current",
        joined(solution, [](const ArrayResult& v) -> const std::vector<double>& { return v.nodes.cell_A; }), shape,
        "A");
  }
  if (!solution.transfer_S.empty()) {
    put("T", solution.transfer_S, {columns, rows}, "S");
    put("Y", solution.input_admittance_S, {rows, rows}, "S");
  }
  writer.write("log", solution.log);
  writer.commit();
  return file;
}

std::vector<std::filesystem::path> write_csv(const std::filesystem::path& file, const ArraySolution& solution) {
  CsvFiles csv(file);
  if (!solution.vectors.empty()) {
    csv.put("",
            csv_lines(joined(solution, [](const ArrayResult& v) -> const std::vector<double>& { return v.output_A; }),
                      solution.columns));
    std::string energy = "vector,source_W,dissipated_W\n";
    for (std::size_t n = 0; n < solution.vectors.size(); ++n) {
      const ArrayResult& vector = solution.vectors[n];
      energy += fmt::format("{},{},{}\n", n, vector.source_W,
                            vector.dissipated_W ? fmt::format("{}", *vector.dissipated_W) : std::string());
    }
    csv.put("energy", energy);
  }
  if (has_nodes(solution)) {
    std::string nodes = "vector,row,column,row_node_V,column_node_V,cell_A\n";
    for (std::size_t n = 0; n < solution.vectors.size(); ++n) {
      const circuits::NodalSolution& v = solution.vectors[n].nodes;
      for (std::size_t k = 0; k < v.cell_A.size(); ++k) {
        const auto columns = static_cast<std::size_t>(solution.columns);
        nodes += fmt::format("{},{},{},{},{},{}\n", n, k / columns, k % columns, v.row_node_V[k], v.column_node_V[k],
                             v.cell_A[k]);
      }
    }
    csv.put("nodes", nodes);
  }
  if (!solution.transfer_S.empty()) csv.put("transfer", csv_lines(solution.transfer_S, solution.rows));
  return csv.written();
}

}  // namespace

void check_result_name(const std::filesystem::path& file) {
  const std::string kind = file.extension().string();
  if (kind == ".json" || kind == ".csv" || kind == ".h5" || kind == ".hdf5") return;
  throw InputError({file.string()},
                   fmt::format("the name ends in '{}'; results are written to .json, .csv, .h5 or .hdf5.", kind));
}

std::vector<std::filesystem::path> write_results(const std::filesystem::path& file, const ArraySolution& solution) {
  check_result_name(file);
  const std::string kind = file.extension().string();
  if (kind == ".csv") return write_csv(file, solution);
  return {kind == ".json" ? write_json(file, solution) : write_hdf5(file, solution)};
}

std::string results_text(const ArraySolution& solution) {
  std::string out;
  for (const std::string& line : solution.log) out += line + "\n";
  using Align = Table::Align;
  Table table({{"vector", Align::right},
               {"smallest output", Align::right},
               {"largest output", Align::right},
               {"source power", Align::right},
               {"dissipated / source - 1", Align::right},
               {"error bound", Align::right}});
  for (std::size_t n = 0; n < solution.vectors.size(); ++n) {
    const ArrayResult& vector = solution.vectors[n];
    const auto [lowest, highest] = std::minmax_element(vector.output_A.begin(), vector.output_A.end());
    const double largest_A = std::max(std::fabs(*lowest), std::fabs(*highest));
    table.row({fmt::format("{}", n), format(Current::si(*lowest), 6), format(Current::si(*highest), 6),
               format(Power::si(vector.source_W), 6),
               vector.dissipated_W && vector.source_W != 0
                   ? fmt::format("{:.1e}", *vector.dissipated_W / vector.source_W - 1)
                   : "-",
               vector.bound_A && largest_A > 0 ? fmt::format("{:.1e}", *vector.bound_A / largest_A) : "-"});
  }
  if (!solution.vectors.empty()) out += table.text();
  if (solution.expected_difference) {
    out += fmt::format("Largest difference from the outputs in the file: {:.1e} of the largest output.\n",
                       *solution.expected_difference);
  }
  return out;
}

}  // namespace tellegen::array
