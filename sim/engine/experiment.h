#pragma once
// What a user asks for: one file names the network, the chip, the costs and how to evaluate.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "tellegen/base/config.h"
#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/sim/engine/network_changes.h"

namespace tellegen::sim {

struct NetworkConfig {
  /// As written; exactly one of the three.
  std::optional<std::filesystem::path> onnx, hdf5, shapes;
  std::filesystem::path data;  ///< test set, as written; required, but with shapes there is none
  std::string metric = "top1";
  models::Routing polyglu = models::Routing::soft;
  InterventionConfig intervention;
  CompactConfig weights;
  std::optional<double> snr_db;  ///< of white noise on a test set of sound; absent: as recorded
  std::filesystem::path beside;  ///< the experiment file: relative paths are looked for from there too (not a setting)
  /// What was written of the three.
  const std::filesystem::path& written() const;
  std::filesystem::path network_file() const;
  std::filesystem::path data_file() const;
  void settings(Settings& v);
};

enum class Precision { single, double_ };  ///< of the products on the chip
std::span<const std::pair<Precision, const char*>> enum_names(Precision);

/// Where the energies that depend on values come from: the values that chips see while they infer; one histogram of
/// values per layer; their second moments (widths of pulses: first), row by row.
enum class EnergyMethod { trace, histogram, row_moments };
std::span<const std::pair<EnergyMethod, const char*>> enum_names(EnergyMethod);

/// Whose values such statistics are of: the float network's over the evaluated samples, or each chip's own over the
/// calibration samples.
enum class ValueSource { float_network, chip };
std::span<const std::pair<ValueSource, const char*>> enum_names(ValueSource);

struct EvaluateConfig {
  int samples = 0;  ///< of the test set, from its start; 0: all
  int chips = 5;    ///< trials: independently programmed chips
  int batch = 64;
  std::uint64_t seed = 1;
  int calibration_samples = 256;  ///< from the end of the test set, labels unused
  int snr_samples = 64;           ///< samples whose layer outputs are compared with the float network
  Precision precision = Precision::single;
  EnergyMethod energy = EnergyMethod::trace;
  ValueSource energy_values = ValueSource::float_network;  ///< where energy is not trace
  Temperature temperature = Temperature::si(300);  ///< of the circuits while they work; devices age at their own
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

/// Reads an experiment; the name defaults to the file's stem. Throws ConfigError.
ExperimentConfig read_experiment(const std::filesystem::path& file, const Overrides& overrides = {});

/// `path` as written if it exists, else below the folder of `beside` or one of the folders above that.
std::optional<std::filesystem::path> find_input(const std::filesystem::path& path, const std::filesystem::path& beside);

/// 16 hexadecimal digits of the resolved configuration.
std::string config_hash(const std::string& resolved_yaml);

}  // namespace tellegen::sim
