#include "tellegen/sim/engine/tile_probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/tile_cells.h"

namespace tellegen::sim {
namespace {

void require_below(std::int64_t number, std::int64_t count, const char* what, const std::string& of) {
  if (number >= 0 && number < count) return;
  throw InputError(
      fmt::format("{} = '{}' is out of range; allowed: 0 to {}, as {} has {}.", what, number, count - 1, of, count));
}

/// What the float network puts into a layer; states of all steps, one after the other.
models::Tensor input_of(const models::Network& network, const mapping::LayerPlan& layer, const models::Tensor& sample) {
  models::Tensor found;
  models::Hooks hooks;
  hooks.product = [&](const models::Node& node, std::size_t index, const models::Tensor& input) {
    if (index == layer.node) found = input;
    const models::Tensor* inputs[] = {&input};
    return models::run_node(node, inputs);
  };
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    if (index == layer.node && matrix == layer.matrix) {
      found.shape = {(found.shape.empty() ? 0 : found.shape[0]) + states.shape[0], states.shape[1]};
      found.data.insert(found.data.end(), states.data.begin(), states.data.end());
    }
    const models::Tensor* inputs[] = {&states};
    return mapping::product_operation(network, index, matrix).run(inputs);
  };
  models::execute(network, sample, hooks);
  return found;
}

/// Drives of the rows of one tile.
class TileDrives {
 public:
  TileDrives(const LayerWeights& weights, const mapping::LayerPlan& plan, const mapping::TileSlice& slice,
             const models::MatrixOperation& operation, const models::Tensor& input,
             const std::optional<circuits::RowDacs>& dacs)
      : config_(weights.dac.config),
        plan_(plan),
        slice_(slice),
        dacs_(dacs),
        layer_(layer_with(weights)),
        input_(layer_, plan, operation, input) {}

  /// The product whose drives add up to most.
  std::int64_t strongest() {
    std::int64_t best = 0;
    double most = -1;
    for (std::int64_t p = 0; p < input_.products(); ++p) {
      double sum = 0;
      for (int s = 0; s < input_.slices(); ++s) {
        for (const double u : drives(s, p)) sum += std::fabs(u);
      }
      if (sum > most) best = p;
      most = std::max(most, sum);
    }
    return best;
  }

  /// Per input slice [rows].
  std::vector<std::vector<double>> voltages(std::int64_t position) {
    std::vector<std::vector<double>> vectors;
    for (int s = 0; s < input_.slices(); ++s) {
      std::vector<double>& row_V = vectors.emplace_back();
      for (const double u : drives(s, position)) {
        row_V.push_back(config_.v_read.si() * (config_.by_width() && u != 0 ? std::copysign(1.0, u) : u));
      }
    }
    return vectors;
  }

 private:
  static ProgrammedLayer<double> layer_with(const LayerWeights& weights) {
    ProgrammedLayer<double> layer;
    layer.dac = weights.dac;
    layer.gate = weights.gate;
    return layer;
  }
  /// Threshold gates as the mathematics that they stand for.
  void gate_drives() {
    std::vector<float> values;
    for (const double u : scratch_.drive) values.push_back(static_cast<float>(layer_.dac.slice_weight(0) * u));
    gate_exactly(layer_.gate, plan_, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      scratch_.drive[i] = std::clamp(static_cast<double>(values[i]) / layer_.gate.full_scale, -1.0, 1.0);
  }
  std::span<const double> drives(int input_slice, std::int64_t position) {
    input_.gather(input_slice, position, 1, scratch_);
    if (dacs_) drive_rows(*dacs_, plan_, slice_, 1, scratch_.drive.data(), scratch_.drive);
    if (layer_.gate) gate_drives();
    return std::span<const double>(scratch_.drive)
        .subspan(static_cast<std::size_t>(slice_.row_begin), static_cast<std::size_t>(slice_.rows()));
  }

  circuits::DacConfig config_;
  const mapping::LayerPlan& plan_;
  mapping::TileSlice slice_;
  std::optional<circuits::RowDacs> dacs_;  ///< of the tile's rows, where they differ
  ProgrammedLayer<double> layer_;
  LayerInput<double> input_;
  PathScratch<double> scratch_;
};

}  // namespace

TileProbe probe_tile(const ExperimentConfig& config, const mapping::Plan& plan, const ProbeRequest& request,
                     int threads) {
  const mapping::LayerPlan& layer = plan.layers.at(request.layer);
  require_below(static_cast<std::int64_t>(request.tile), static_cast<std::int64_t>(layer.slices.size()), "--tile",
                "the layer");
  require_below(request.position.value_or(0), layer.positions, "--position", "the layer");
  ExperimentConfig one = config;
  one.evaluate.samples = 1;  // the float accuracy is not asked for
  const Workload workload = load(one, threads);
  require_below(request.sample, workload.data.size(), "--sample", "the test set");

  TileProbe probe;
  probe.slice = layer.slices[request.tile];
  const LayerWeights weights = layer_weights(workload, layer, config);
  const TileCells cells = program_cells(weights, layer, probe.slice, *config.chip.device.make(), config, request.chip);
  probe.cell_S.assign(cells.read.mean_S.begin(), cells.read.mean_S.end());
  probe.wires.rows = cells.rows;
  probe.wires.columns = cells.layout.physical_columns;
  if (config.chip.crossbar.fidelity == mapping::Fidelity::circuit)
    probe.wires = config.chip.crossbar.wires.wires(cells.rows, cells.layout.physical_columns);
  if (config.chip.crossbar.fidelity != mapping::Fidelity::ideal) probe.law = config.chip.device.iv.make();
  const models::Tensor input = input_of(workload.network, layer, workload.data.batch(request.sample, 1));
  TileDrives drives(
      weights, layer, probe.slice, mapping::product_operation(workload.network, layer.node, layer.matrix), input,
      sample_dacs(weights.dac, layer, probe.slice, config.evaluate.seed, static_cast<std::uint32_t>(request.chip)));
  probe.position = request.position ? *request.position : drives.strongest();
  probe.input_V = drives.voltages(probe.position);
  return probe;
}

}  // namespace tellegen::sim
