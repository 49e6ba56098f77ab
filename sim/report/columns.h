#pragma once
// Rows of mixed content as columns in HDF5, and back.

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/base/hdf5_file.h"

namespace tellegen::report {

/// Writes 1-D columns into one group, each with its unit.
class ColumnWriter {
 public:
  ColumnWriter(Hdf5Writer& file, std::string group) : file_(file), group_(std::move(group)) {}
  void text(const std::string& name, const std::vector<std::string>& values);
  void real(const std::string& name, const std::vector<double>& values, const std::string& unit);
  void whole(const std::string& name, const std::vector<std::int64_t>& values, const std::string& unit);

 private:
  Hdf5Writer& file_;
  std::string group_;
};

/// One value of every row: column(rows, [](const Row& row) { return row.value; }).
template <class Rows, class Get>
auto column(const Rows& rows, Get get) {
  std::vector<std::decay_t<decltype(get(*rows.begin()))>> values;
  values.reserve(rows.size());
  for (const auto& row : rows) values.push_back(get(row));
  return values;
}

}  // namespace tellegen::report
