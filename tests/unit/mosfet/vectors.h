#pragma once
// The stored vectors of transistors.

#include <fstream>
#include <nlohmann/json.hpp>

namespace tellegen::devices::test {

/// One part of tests/data/physics/mosfet_ekv.json.
inline const nlohmann::json& mosfet_vectors(const char* part) {
  static const nlohmann::json all = [] {
    std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/physics/mosfet_ekv.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(part);
}

/// Expects |got - wanted| within `tolerance` of |wanted|.
#define EXPECT_RELATIVE(got, wanted, tolerance) EXPECT_NEAR(got, wanted, (tolerance)*std::abs(wanted))

}  // namespace tellegen::devices::test
