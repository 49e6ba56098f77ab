#pragma once
// Vectors and designs that the tests of threshold gates share.

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "tellegen/circuits/front_end/threshold_gate.h"
#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::circuits::test {

/// One part of tests/data/physics/differential_pair.json.
inline const nlohmann::json& pair_vectors(const char* part) {
  static const nlohmann::json all = [] {
    std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/physics/differential_pair.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(part);
}

inline constexpr Temperature room = Temperature::si(300);
/// Currents so small that pairs are exponential to 1e-7.
inline GateSettings weak_settings() {
  GateSettings settings;
  settings.bias = Current::si(1e-12);
  return settings;
}
/// The best GELU of three branches with exact tails, difference form.
inline GateFunction gelu_gate() {
  GateFunction gate;
  gate.slopes = {0, 0.5, 1};
  gate.constants = {0, 0.00643, 0};
  gate.thresholds = {-0.615071, 0.615071};
  gate.sharpness = {2.242734, 2.242734};
  return gate;
}
inline GateFunction hard_tanh_gate() {
  GateFunction gate;
  gate.kernel = GateKernel::hard;
  gate.slopes = {0, 1, 0};
  gate.constants = {-1, 0, 1};
  gate.thresholds = {-1, 1};
  gate.sharpness = {1, 1};
  return gate;
}
inline std::vector<double> grid(double low, double high, int points) {
  std::vector<double> x;
  for (int k = 0; k < points; ++k) x.push_back(low + (high - low) * k / (points - 1));
  return x;
}
/// Largest |a(x) - b(x)| over a grid.
template <class A, class B>
double largest_difference(const std::vector<double>& xs, A&& a, B&& b) {
  double largest = 0;
  for (const double x : xs) largest = std::max(largest, std::abs(a(x) - b(x)));
  return largest;
}

#define EXPECT_RELATIVE(got, wanted, tolerance) EXPECT_NEAR(got, wanted, (tolerance)*std::abs(wanted))

}  // namespace tellegen::circuits::test
