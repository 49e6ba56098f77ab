#pragma once
// Experiments for tests: a small YAML text on top of the shipped networks.

#include <string>

#include "tellegen/base/config.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::sim::test {

inline const std::string kSource = TELLEGEN_SOURCE_DIR;
inline const std::string kCosts = kSource + "/configs/costs";

/// An experiment on a shipped network ("mlp_mnist") with further YAML lines and overrides.
inline ExperimentConfig experiment(const std::string& network, const std::string& yaml,
                                   const Overrides& overrides = {}) {
  const std::string data = network.find("fashion") != std::string::npos ? "fashion_test" : "mnist_test";
  ExperimentConfig config;
  read_config_text("network: {onnx: '" + kSource + "/models/trained/" + network + ".onnx', data: '" + kSource +
                       "/models/data/" + data + ".h5'}\n" + yaml,
                   "test.yaml", config, overrides);
  config.name = network;
  return config;
}

inline const std::string kIdealChip = R"(
chip:
  drift_compensation: none
  device: {model: ideal}
  dac: {bits: ideal}
  adc: {bits: ideal}
)";

}  // namespace tellegen::sim::test
