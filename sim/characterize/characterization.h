#pragma once
// A device under a measurement protocol: tables of numbers, what stands out in words, and a figure.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/report/plot/figure.h"

namespace tellegen::characterize {

struct Column {
  std::string name;
  std::string unit;  ///< SI; "1" where there is none
  std::vector<double> values;
};

/// Columns of equal length.
struct DataTable {
  std::string name;
  std::vector<Column> columns;
};

struct Characterization {
  std::string device, protocol, source;
  std::string settings;  ///< resolved, as YAML
  std::string version;   ///< of the program
  std::uint64_t seed = 0;
  std::vector<DataTable> tables;
  std::vector<std::string> findings;  ///< full sentences
  plot::Figure figure;
};

/// Writes PROTOCOL.h5 and one CSV file per table into `folder`, replacing older ones. Returns their names. Throws
/// InputError where that is not possible.
std::vector<std::string> write(const Characterization& result, const std::filesystem::path& folder);

}  // namespace tellegen::characterize
