#pragma once
// Ways for an activation to cross from one array to the next, at equal output error.
//
//   layers:
//     - {name: gate, function: silu, lanes: 256, reader: array, samples: {deviation: 2}}
//   errors: [0.01, 0.005]                      # RMS over full scale
//   options:
//     - {name: SAR and table, path: digital, adc: {columns_per_adc: 8}}
//     - {name: threshold gate, path: analog, front_end: {circuit: differential_pair}}

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/sim/compare/layer.h"
#include "tellegen/sim/compare/option.h"
#include "tellegen/sim/compare/path.h"
#include "tellegen/sim/compare/resize.h"

namespace tellegen::compare {

struct ComparisonConfig {
  std::vector<LayerConfig> layers;
  std::vector<double> errors{0.01};
  std::vector<OptionConfig> options;
  int samples = 200;  ///< pre-activations (softmax: rows) of each layer
  int circuits = 100;
  std::vector<Temperature> temperatures{Temperature::si(285), Temperature::si(300), Temperature::si(315)};
  Temperature priced_at = Temperature::si(300);
  Length node = Length::si(32e-9);
  int rows = 128;
  std::uint64_t seed = 1;
  circuits::CostConfig costs;
  std::filesystem::path beside;  ///< the file: relative paths are looked for from there too (not a setting)
  void settings(Settings& v);
};

/// One option in one layer at one error.
struct Row {
  std::string option, layer;
  PathKind path = PathKind::digital;
  bool lines = false;  ///< the digital unit is piecewise linear
  double asked_error = 0;
  Resized resized;
  PathCost cost;  ///< empty where refused
  bool has_cost() const { return resized.reached != Reached::refused; }
  bool comparable() const { return resized.reached == Reached::equal || resized.reached == Reached::better; }
};

/// One option in all layers, one after another, per inference.
struct NetworkTotal {
  std::string option;
  double asked_error = 0;
  bool comparable = true;  ///< every layer is
  circuits::Band energy_J, area_m2;
  double latency_s = 0;
};

/// Where option and rival cost the same.
struct BreakEven {
  std::string layer, option, rival;
  double asked_error = 0;
  /// "lanes per converter" (of area), "ADC energy" (factor on the price of a conversion), "error" (of energy or area).
  std::string of;
  std::string quantity;  ///< "area" | "energy"
  double value = 0;
  bool cheaper_below = false;  ///< the option costs less than the rival below `value`, else above it
};

struct Comparison {
  std::string name, resolved_yaml, hash, version;
  ComparisonConfig config;
  std::vector<Row> rows;             ///< [layer][error][option]
  std::vector<NetworkTotal> totals;  ///< [error][option]
  std::vector<BreakEven> break_even;
};

/// Whether `file` is such a comparison: it lists `layers`. Throws ConfigError where it is no YAML.
bool compares_activations(const std::filesystem::path& file);

/// Throws ConfigError and InputError. `cost_folder` holds the cost tables.
Comparison run_comparison(const std::filesystem::path& file, const Overrides& overrides,
                          const std::filesystem::path& cost_folder, int threads = 0, const Progress& progress = {});
/// The same of what is in memory already.
Comparison run_comparison(const std::string& name, const ComparisonConfig& config,
                          const std::filesystem::path& cost_folder, int threads = 0, const Progress& progress = {});

/// Of threshold gates and analog paths against the others, all layers and errors.
std::vector<BreakEven> find_break_even(const std::vector<Row>& rows);

}  // namespace tellegen::compare
