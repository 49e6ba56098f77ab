#pragma once
// What results of arrays of conductances and of capacitors have in common as files. For array_results.cpp and
// charge_results.cpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/output_file.h"

namespace tellegen::array {

/// Rows of `columns` values as lists.
inline nlohmann::json json_rows(const std::vector<double>& values, std::int64_t columns) {
  nlohmann::json out = nlohmann::json::array();
  for (auto at = values.begin(); at != values.end(); at += columns)
    out.push_back(std::vector<double>(at, at + columns));
  return out;
}

/// Rows of `columns` values as lines.
inline std::string csv_lines(const std::vector<double>& values, std::int64_t columns) {
  std::string out;
  for (auto at = values.begin(); at != values.end(); at += columns) {
    out += fmt::format("{}\n", fmt::join(at, at + columns, ","));
  }
  return out;
}

/// NAME.csv, and NAME.KIND.csv beside it.
class CsvFiles {
 public:
  explicit CsvFiles(std::filesystem::path file) : file_(std::move(file)) {}
  /// `kind` empty: NAME.csv itself. Throws InputError where the file cannot be written.
  void put(const std::string& kind, const std::string& text) {
    std::filesystem::path name = file_;
    if (!kind.empty()) name.replace_extension(fmt::format(".{}.csv", kind));
    write_text_file(name, text);
    written_.push_back(name);
  }
  const std::vector<std::filesystem::path>& written() const { return written_; }

 private:
  std::filesystem::path file_;
  std::vector<std::filesystem::path> written_;
};

}  // namespace tellegen::array
