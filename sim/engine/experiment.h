#pragma once
// What a user asks for: one file names the network, the chip, the costs and how to evaluate.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tellegen/base/config.h"
#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/mapping/chip.h"

namespace tellegen::sim {

struct NetworkConfig {
  std::filesystem::path onnx;   ///< required
  std::filesystem::path data;   ///< test set, required
  std::string metric = "top1";
  void settings(Settings& v);
};

enum class Precision { single, double_ };  ///< of the products on the chip
std::span<const std::pair<Precision, const char*>> enum_names(Precision);

struct EvaluateConfig {
  int samples = 0;              ///< of the test set, from its start; 0: all
  int chips = 5;                ///< trials: independently programmed chips
  int batch = 64;
  std::uint64_t seed = 1;
  int calibration_samples = 256;  ///< from the end of the test set, labels unused
  int snr_samples = 64;           ///< samples whose layer outputs are compared with the float network
  Precision precision = Precision::single;
  void settings(Settings& v);
};

struct ExperimentConfig {
  std::string name;  ///< names the output folder; default: the file's stem
  NetworkConfig network;
  mapping::ChipConfig chip;
  circuits::CostConfig costs;
  EvaluateConfig evaluate;
  void settings(Settings& v);
};

/// Reads and completes an experiment: the name from the file's stem, paths made to point at existing files (as written, beside the
/// file, or below one of its parent folders). Throws ConfigError.
ExperimentConfig read_experiment(const std::filesystem::path& file, const Overrides& overrides = {});

/// `path` as written if it exists, else relative to `beside`'s folder or one of its parents; InputError naming all places tried.
std::filesystem::path find_input(const std::filesystem::path& path, const std::filesystem::path& beside);

/// 16 hexadecimal digits of the resolved configuration.
std::string config_hash(const std::string& resolved_yaml);

}  // namespace tellegen::sim
