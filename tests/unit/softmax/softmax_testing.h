#pragma once
// Shared by the tests of softmax circuits.

#include <cmath>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tellegen/circuits/front_end/softmax_circuit.h"

namespace tellegen::circuits::test {

inline const nlohmann::json& vectors(const char* part) {
  static const nlohmann::json all = [] {
    std::ifstream file(TELLEGEN_SOURCE_DIR "/tests/data/front_end/memglu_softmax.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(part);
}

struct File {
  SoftmaxConfig softmax;
  void settings(Settings& v) { v.section("softmax", softmax, "the circuit"); }
};

inline std::unique_ptr<SoftmaxCircuit> made(const std::string& yaml, double temperature_K = 300) {
  File file;
  read_config_text("softmax: {" + yaml + "}", "test.yaml", file);
  return file.softmax.make(Temperature::si(temperature_K));
}

inline std::vector<double> exact_softmax(const std::vector<double>& z) {
  long double top = -HUGE_VALL, sum = 0;
  for (const double one : z) top = std::max(top, static_cast<long double>(one));
  for (const double one : z) sum += std::exp(static_cast<long double>(one) - top);
  std::vector<double> p;
  for (const double one : z) p.push_back(static_cast<double>(std::exp(static_cast<long double>(one) - top) / sum));
  return p;
}

}  // namespace tellegen::circuits::test
