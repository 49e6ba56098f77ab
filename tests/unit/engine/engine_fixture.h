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
  const auto holds = [&](const char* part) { return network.find(part) != std::string::npos; };
  const bool lines = holds("tess"), text = holds("lm_"), sound = holds("silero");
  const std::string data = lines              ? "ocr_lines"
                           : text             ? "sotu_test"
                           : sound            ? "vad_speech"
                           : holds("fashion") ? "fashion_test"
                                              : "mnist_test";
  const std::string metric = lines ? "character_error_rate" : text ? "nll" : sound ? "auc" : "top1";
  ExperimentConfig config;
  read_config_text("network: {onnx: '" + kSource + "/models/trained/" + network + ".onnx', data: '" + kSource +
                       "/models/data/" + data + ".h5', metric: " + metric + "}\n" + yaml,
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
