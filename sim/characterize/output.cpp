#include <fmt/format.h>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/output_file.h"
#include "tellegen/sim/characterize/characterization.h"

namespace tellegen::characterize {
namespace {

std::string csv_text(const DataTable& table) {
  std::string text;
  for (const Column& column : table.columns) {
    const std::string name = column.unit == "1" ? column.name : fmt::format("{} [{}]", column.name, column.unit);
    text += (text.empty() ? "" : ",") + csv_field(name);
  }
  text += "\n";
  for (std::size_t row = 0; row < table.columns.front().values.size(); ++row) {
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      text += fmt::format("{}{:.9g}", c == 0 ? "" : ",", table.columns[c].values[row]);
    }
    text += "\n";
  }
  return text;
}

void write_table(Hdf5Writer& file, const DataTable& table) {
  for (const Column& column : table.columns) {
    TELLEGEN_ASSERT(column.values.size() == table.columns.front().values.size());
    const std::string path = table.name + "/" + column.name;
    file.write(path, std::span<const double>(column.values), {column.values.size()});
    file.attribute(path, "unit", column.unit);
  }
}

}  // namespace

std::vector<std::string> write(const Characterization& result, const std::filesystem::path& folder) {
  std::vector<std::string> names{result.protocol + ".h5"};
  Hdf5Writer file(folder / names.front());
  file.attribute("", "device", result.device);
  file.attribute("", "protocol", result.protocol);
  file.attribute("", "source", result.source);
  file.attribute("", "config", result.settings);
  file.attribute("", "version", result.version);
  file.attribute("", "seed", static_cast<std::int64_t>(result.seed));
  for (const DataTable& table : result.tables) {
    write_table(file, table);
    names.push_back(result.protocol + "_" + table.name + ".csv");
    write_text_file(folder / names.back(), csv_text(table));
  }
  file.commit();
  return names;
}

}  // namespace tellegen::characterize
