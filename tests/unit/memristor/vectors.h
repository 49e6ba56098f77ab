#pragma once
// Stored vectors, and how numbers are compared with them.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace tellegen::devices::test {

inline nlohmann::json vectors(const std::string& name) {
  std::ifstream file(std::string(TELLEGEN_SOURCE_DIR) + "/tests/data/physics/" + name);
  return nlohmann::json::parse(file);
}

/// |got - want| <= tolerance * max(|want|, scale).
inline void expect_close(double got, double want, double tolerance, double scale, const std::string& what) {
  EXPECT_LE(std::abs(got - want), tolerance * std::max(std::abs(want), scale))
      << what << ": got " << got << ", want " << want;
}

}  // namespace tellegen::devices::test
