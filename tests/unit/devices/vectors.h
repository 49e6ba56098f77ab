#pragma once
// The stored vectors of conductance statistics, and grids to compare float formulas with double ones.

#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

namespace tellegen::devices::test {

/// One part of tests/data/physics/conductance_statistics.json.
inline nlohmann::json conductance_vectors(const char* part) {
  std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/physics/conductance_statistics.json");
  return nlohmann::json::parse(file).at(part);
}

/// Floats: 0, then shares of g_max from far below the smallest that a law follows to a little above 1.
inline std::vector<double> share_grid() {
  std::vector<double> grid{0.0};
  for (float g = 1e-9f; g < 1.3f; g *= 1.05f) grid.push_back(static_cast<double>(g));
  return grid;
}

}  // namespace tellegen::devices::test
