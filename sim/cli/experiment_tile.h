#pragma once
// `tellegen spice EXPERIMENT.yaml`: which tile of the chip is meant, and that tile as one's own array.

#include <cstdint>
#include <optional>
#include <string>

#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/crossbar/array_file.h"

namespace CLI {
class App;
}

namespace tellegen::cli {

/// Numbers count from 0.
struct TileOptions {
  std::optional<std::string> layer;                          ///< first one where not given
  std::optional<std::int64_t> tile, chip, sample, position;  ///< 0; the position with most drive where not given

  /// The first of the options that is given: "--layer"; empty where there is none.
  std::string first_given() const;
};
void add_tile_options(CLI::App& verb, TileOptions& options);

struct ExperimentTile {
  std::string name;   ///< of the experiment
  std::string title;  ///< "conv1 of lenet, tile 0 of 2, chip 0, sample 0, position 288 of 576"
  array::ArrayFile array;
};

/// Whether a file is an experiment: YAML that names a network. Throws ConfigError where it is no YAML.
bool is_experiment(const std::filesystem::path& file);

/// Throws ConfigError and InputError; names the option that is wrong.
ExperimentTile read_experiment_tile(const std::filesystem::path& file, const TileOptions& tile,
                                    const SharedOptions& shared);

}  // namespace tellegen::cli
