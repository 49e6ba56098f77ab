#include "tellegen/sim/crossbar/charge_results.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/table.h"
#include "tellegen/base/units.h"
#include "tellegen/sim/crossbar/array_results.h"
#include "tellegen/sim/crossbar/result_files.h"

namespace tellegen::array {
namespace {

using nlohmann::json;

template <class Field>
std::vector<double> joined(const ChargeSolution& solution, const Field& field) {
  std::vector<double> out;
  for (const ChargeResult& vector : solution.vectors) {
    const std::vector<double> values = field(vector);
    out.insert(out.end(), values.begin(), values.end());
  }
  return out;
}

std::vector<double> outputs(const ChargeSolution& solution) {
  return joined(solution, [](const ChargeResult& v) { return v.output_V; });
}

void write_json(const std::filesystem::path& file, const ChargeSolution& solution) {
  json out = {{"rows", solution.rows},
              {"cols", solution.columns},
              {"units", "volt, coulomb, joule, farad"},
              {"log", solution.log},
              {"column_capacitance", solution.total_F},
              {"offset", solution.offset_V},
              {"noise", solution.noise_V},
              {"largest_difference", solution.largest_difference},
              {"vectors", json::array()}};
  for (const ChargeResult& vector : solution.vectors) {
    out["vectors"].push_back({{"output", vector.output_V},
                              {"row_charge", vector.row_C},
                              {"source_energy", vector.source_J},
                              {"dissipated_energy", vector.dissipated_J}});
  }
  if (!solution.transfer.empty()) out["T"] = json_rows(solution.transfer, solution.rows);
  write_text_file(file, out.dump(1) + "\n");
}

void write_hdf5(const std::filesystem::path& file, const ChargeSolution& solution) {
  Hdf5Writer writer(file);
  const auto vectors = static_cast<std::uint64_t>(solution.vectors.size());
  const auto rows = static_cast<std::uint64_t>(solution.rows);
  const auto columns = static_cast<std::uint64_t>(solution.columns);
  const auto put = [&](const std::string& name, const std::vector<double>& data,
                       const std::vector<std::uint64_t>& shape, const char* unit) {
    writer.write(name, data, shape);
    writer.attribute(name, "unit", unit);
  };
  put("output", outputs(solution), {vectors, columns}, "V");
  put("row_charge", joined(solution, [](const ChargeResult& v) { return v.row_C; }), {vectors, rows}, "C");
  put("source_energy", joined(solution, [](const ChargeResult& v) { return std::vector{v.source_J}; }), {vectors}, "J");
  put("dissipated_energy", joined(solution, [](const ChargeResult& v) { return std::vector{v.dissipated_J}; }),
      {vectors}, "J");
  put("column_capacitance", solution.total_F, {columns}, "F");
  put("offset", solution.offset_V, {columns}, "V");
  put("noise", solution.noise_V, {columns}, "V");
  if (!solution.transfer.empty()) put("T", solution.transfer, {columns, rows}, "1");
  writer.write("log", solution.log);
  writer.commit();
}

std::vector<std::filesystem::path> write_csv(const std::filesystem::path& file, const ChargeSolution& solution) {
  CsvFiles csv(file);
  csv.put("", csv_lines(outputs(solution), solution.columns));
  std::string columns = "column,capacitance_F,offset_V,noise_V\n";
  for (std::size_t j = 0; j < solution.total_F.size(); ++j) {
    columns += fmt::format("{},{},{},{}\n", j, solution.total_F[j], solution.offset_V[j], solution.noise_V[j]);
  }
  csv.put("columns", columns);
  std::string energy = "vector,source_J,dissipated_J\n";
  for (std::size_t n = 0; n < solution.vectors.size(); ++n) {
    energy += fmt::format("{},{},{}\n", n, solution.vectors[n].source_J, solution.vectors[n].dissipated_J);
  }
  csv.put("energy", energy);
  if (!solution.transfer.empty()) csv.put("transfer", csv_lines(solution.transfer, solution.rows));
  return csv.written();
}

}  // namespace

std::vector<std::filesystem::path> write_results(const std::filesystem::path& file, const ChargeSolution& solution) {
  check_result_name(file);
  const std::string kind = file.extension().string();
  if (kind == ".csv") return write_csv(file, solution);
  if (kind == ".json") {
    write_json(file, solution);
  } else {
    write_hdf5(file, solution);
  }
  return {file};
}

std::string results_text(const ChargeSolution& solution) {
  std::string out;
  for (const std::string& line : solution.log) out += line + "\n";
  Table table({{"vector"}, {"smallest output"}, {"largest output"}, {"source energy"}, {"dissipated"}});
  for (std::size_t n = 0; n < solution.vectors.size(); ++n) {
    const ChargeResult& vector = solution.vectors[n];
    const auto [lowest, highest] = std::minmax_element(vector.output_V.begin(), vector.output_V.end());
    table.row({fmt::format("{}", n), format(Voltage::si(*lowest), 6), format(Voltage::si(*highest), 6),
               format(Energy::si(vector.source_J), 6), format(Energy::si(vector.dissipated_J), 6)});
  }
  return out + table.text() +
         fmt::format("Largest difference between matrix and phases: {:.1e} of the largest output.\n",
                     solution.largest_difference);
}

}  // namespace tellegen::array
