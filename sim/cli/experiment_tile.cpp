#include "tellegen/sim/cli/experiment_tile.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "tellegen/base/config_tree.h"
#include "tellegen/sim/cli/places.h"
#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/engine/tile_probe.h"
#include "tellegen/sim/report/layer_names.h"

namespace tellegen::cli {
namespace {

std::vector<std::string> names_of(const mapping::Plan& plan) {
  std::vector<std::string> names;
  for (const mapping::LayerPlan& layer : plan.layers) names.push_back(layer.name);
  return report::layer_ids(names);
}

std::size_t layer_index(const std::string& wanted, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), wanted);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  const std::string near = nearest(wanted, names);
  throw InputError(fmt::format("--layer '{}' is not a layer with weights{} Allowed: {}.", wanted,
                               near.empty() ? "." : "; did you mean '" + near + "'?", fmt::join(names, ", ")));
}

}  // namespace

std::string TileOptions::first_given() const {
  if (layer) return "--layer";
  if (tile) return "--tile";
  if (chip) return "--chip";
  if (sample) return "--sample";
  return position ? "--position" : "";
}

void add_tile_options(CLI::App& verb, TileOptions& options) {
  const auto number = [&verb](const char* name, std::optional<std::int64_t>& value, const char* help) {
    verb.add_option(name, value, help)->type_name("NUMBER");
  };
  verb.add_option("--layer", options.layer, "Of an experiment: the layer, as 'tellegen map' calls it; the first one.")
      ->type_name("NAME");
  number("--tile", options.tile, "Of an experiment: which tile of the layer, from 0.");
  number("--chip", options.chip, "Of an experiment: which of the programmed chips, from 0.");
  number("--sample", options.sample, "Of an experiment: which sample of the test set, from 0.");
  number("--position", options.position,
         "Of an experiment: which product of the sample in this layer, from 0; the one that drives the tile most.");
}

bool is_experiment(const std::filesystem::path& file) {
  if (file.extension() != ".yaml" && file.extension() != ".yml") return false;
  detail::ConfigNode root = detail::parse_yaml_file(file);
  return root.find("network") != nullptr;
}

ExperimentTile read_experiment_tile(const std::filesystem::path& file, const TileOptions& tile,
                                    const SharedOptions& shared) {
  const sim::ExperimentConfig config = sim::read_experiment(file, shared.overrides());
  sim::Session session(configs_folder() / "costs", shared.threads);
  const mapping::Plan plan = session.plan_only(config).plan;
  const std::vector<std::string> names = names_of(plan);
  sim::ProbeRequest request;
  request.layer = tile.layer ? layer_index(*tile.layer, names) : 0;
  const mapping::LayerPlan& layer = plan.layers[request.layer];
  request.tile = static_cast<std::size_t>(tile.tile.value_or(0));
  request.sample = tile.sample.value_or(0);
  request.position = tile.position;
  const std::int64_t chip = tile.chip.value_or(0);
  if (chip < 0 || chip >= config.evaluate.chips) {
    throw InputError(fmt::format("--chip = '{}' is out of range; allowed: 0 to {}, as evaluate.chips is {}.", chip,
                                 config.evaluate.chips - 1, config.evaluate.chips));
  }
  request.chip = static_cast<int>(chip);
  sim::TileProbe probe = sim::probe_tile(config, plan, request, session.threads());
  ExperimentTile out;
  out.name = config.name;
  out.title =
      fmt::format("{} of {}, tile {} of {}, chip {}, sample {}, position {} of {}", names[request.layer], config.name,
                  request.tile, layer.slices.size(), request.chip, request.sample, probe.position, layer.positions);
  out.array.wires = std::move(probe.wires);
  out.array.cell_S = std::move(probe.cell_S);
  out.array.law = probe.law;
  out.array.input_V = std::move(probe.input_V);
  return out;
}

}  // namespace tellegen::cli
