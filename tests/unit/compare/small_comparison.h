#pragma once
// A comparison that runs in a second: one sigmoid layer, few circuits, one temperature.

#include <string>

#include "tellegen/sim/compare/comparison.h"

namespace tellegen::compare {

inline const std::string kCosts = std::string(TELLEGEN_SOURCE_DIR) + "/configs/costs";

inline ComparisonConfig small(const std::string& options, const std::string& top = "errors: [0.01]") {
  ComparisonConfig config;
  read_config_text(
      "layers: [{name: gate, function: sigmoid, lanes: 16}]\nsamples: 80\ncircuits: 20\ntemperatures: [300 K]\n" + top +
          "\noptions:\n" + options,
      "small.yaml", config);
  return config;
}

inline Comparison run(const ComparisonConfig& config, int threads = 1) {
  return run_comparison("small", config, kCosts, threads);
}

inline const ComponentCost& part(const Row& row, const std::string& name) {
  for (const ComponentCost& cost : row.cost.components) {
    if (cost.component == name) return cost;
  }
  throw std::logic_error("no " + name);
}

}  // namespace tellegen::compare
