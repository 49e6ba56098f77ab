#pragma once
// What the tests of prices share: folders, vectors, and comparison at the digits a reference was printed with.

#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <cmath>
#include <filesystem>
#include <string>

#include "tellegen/circuits/cost/cost_model.h"

namespace tellegen::circuits {

inline const std::filesystem::path kTables = TELLEGEN_SOURCE_DIR "/configs/costs";
inline YAML::Node vectors(const std::string& name) {
  return YAML::LoadFile(TELLEGEN_SOURCE_DIR "/tests/data/costs/" + name);
}

/// Half a unit in the last of `digits` significant digits of `expected`, and rounding of the two numbers themselves.
inline void expect_digits(double actual, double expected, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(expected))) + 1 - digits);
  EXPECT_NEAR(actual, expected, 0.5 * unit + 1e-14 * std::abs(expected));
}

inline double input(const Price& price, const std::string& name) {
  for (const auto& [key, value] : price.inputs) {
    if (key == name) return value;
  }
  ADD_FAILURE() << "no input " << name;
  return std::nan("");
}

inline CostModel model(CostConfig config = {}) { return CostModel(config, kTables); }

}  // namespace tellegen::circuits
