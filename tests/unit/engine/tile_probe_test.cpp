// A tile taken out of an experiment is the tile that a run multiplies with.

#include "tellegen/sim/engine/tile_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/layer_path.h"

namespace tellegen::sim {
namespace {

const std::string kChip = R"(
chip:
  tile: {rows: 64, columns: 64}
  device: {model: pcm_joshi, age: 1 day}
  crossbar: {fidelity: circuit, row_wire: 2 ohm, column_wire: 3 ohm, read_noise: exact}
evaluate: {chips: 2, calibration_samples: 16, precision: double}
)";

std::string message_of(const ExperimentConfig& config, const mapping::Plan& plan, const ProbeRequest& request) {
  try {
    probe_tile(config, plan, request, 1);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(TileProbe, ItsNodalEquationsGiveTheCurrentsOfTheRun) {
  for (const char* streaming : {"full", "bit_serial"}) {
    const ExperimentConfig config =
        test::experiment("lenet_mnist", kChip, {{"chip.dac.streaming", streaming}, {"chip.dac.bits", "4"}});
    const mapping::Plan plan = Session(test::kCosts).plan_only(config).plan;
    const ProbeRequest request{.layer = 1, .tile = 1, .chip = 1, .sample = 3, .position = 40};
    const TileProbe probe = probe_tile(config, plan, request, 1);

    ExperimentConfig one = config;
    one.evaluate.samples = 1;
    const Workload workload = load(one, 1);
    const auto chip = program<double>(workload, plan, config, request.chip);
    const ProgrammedTile<double>& tile = chip.layers[request.layer].tiles[request.tile];
    ASSERT_EQ(probe.cell_S.size(), static_cast<std::size_t>(probe.wires.rows * probe.wires.columns));
    ASSERT_EQ(probe.input_V.size(), static_cast<std::size_t>(chip.layers[request.layer].dac.slices()));
    const circuits::NodalReference nodal(probe.wires, probe.cell_S);
    double driven_V = 0;
    for (const std::vector<double>& input_V : probe.input_V) {
      const std::vector<double> output_A = nodal.solve(input_V).output_A;
      for (std::size_t j = 0; j < tile.layout.lines.size(); ++j) {
        double line_A = 0, sum_A = 0;
        for (std::size_t i = 0; i < input_V.size(); ++i) {
          const double current_A = tile.array.current_A[i * tile.layout.lines.size() + j];
          line_A += current_A * input_V[i] / config.chip.dac.v_read.si();
          sum_A += std::fabs(current_A);
        }
        const mapping::Line& line = tile.layout.lines[j];
        EXPECT_NEAR(line_A,
                    output_A[static_cast<std::size_t>(line.plus)] - output_A[static_cast<std::size_t>(line.minus)],
                    1e-12 * sum_A);
      }
      for (const double v_V : input_V) driven_V += std::fabs(v_V);
    }
    EXPECT_GT(driven_V, 0);
  }
}

TEST(TileProbe, WidthsAreShownWhileAllPulsesLast) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kChip, {{"chip.dac.kind", "pwm"}});
  const mapping::Plan plan = Session(test::kCosts).plan_only(config).plan;
  const TileProbe probe = probe_tile(config, plan, {.layer = 2}, 1);
  int driven = 0;
  for (const double v_V : probe.input_V.at(0)) {
    EXPECT_TRUE(v_V == 0 || std::fabs(v_V) == 0.2) << v_V;
    driven += v_V != 0 ? 1 : 0;
  }
  EXPECT_GT(driven, 0);
}

/// Rows take what the gates of the network give, over its largest value: not what goes into the gates.
TEST(TileProbe, RowsBehindThresholdGatesAreDrivenByThem) {
  const ExperimentConfig config =
      test::experiment("cnn_silu_mnist", kChip,
                       {{"chip.boundary", "tg_after_dac"}, {"chip.dac.bits", "ideal"}, {"chip.tile.bias", "digital"}});
  const mapping::Plan plan = Session(test::kCosts).plan_only(config).plan;
  std::size_t l = 0;
  while (l < plan.layers.size() && plan.layers[l].front_end == nullptr) ++l;
  ASSERT_LT(l, plan.layers.size());
  const std::size_t node = plan.layers[l].node;
  constexpr std::int64_t kPosition = 5;
  const TileProbe probe = probe_tile(config, plan, {.layer = l, .sample = 3, .position = kPosition}, 1);

  ExperimentConfig one = config;
  one.evaluate.samples = 1;
  const Workload workload = load(one, 1);
  models::Tensor gated;
  models::Hooks hooks;
  hooks.product = [&](const models::Node& each, std::size_t index, const models::Tensor& input) {
    const models::Tensor* inputs[] = {&input};
    if (index == node) gated = each.gate->activation->run(inputs);
    return models::run_node(each, inputs);
  };
  models::execute(workload.network, workload.data.batch(3, 1), hooks);
  const models::MatrixOperation& operation = mapping::product_operation(workload.network, node, std::nullopt);
  std::vector<float> patch(static_cast<std::size_t>(operation.groups() * operation.rows_per_group()));
  operation.patches(gated, kPosition, 1, patch.data());
  const double v_read_V = config.chip.dac.v_read.si();
  ASSERT_EQ(probe.input_V.size(), 1U);
  int driven = 0, below = 0;
  for (std::size_t i = 0; i < probe.input_V[0].size(); ++i) {
    const double y = static_cast<double>(patch[static_cast<std::size_t>(probe.slice.row_begin) + i]);
    EXPECT_NEAR(probe.input_V[0][i], v_read_V * std::clamp(y / workload.gated[node].max_abs, -1.0, 1.0), 1e-6);
    driven += y != 0 ? 1 : 0;
    below += y < 0 ? 1 : 0;
  }
  EXPECT_GT(driven, 10);
  EXPECT_GT(below, 0);
}

TEST(TileProbe, SaysWhatNumbersThereAre) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kChip);
  const mapping::Plan plan = Session(test::kCosts).plan_only(config).plan;
  EXPECT_EQ(message_of(config, plan, {.tile = 7}),
            "--tile = '7' is out of range; allowed: 0 to 0, as the layer has 1.");
  EXPECT_EQ(message_of(config, plan, {.position = -1}),
            "--position = '-1' is out of range; allowed: 0 to 783, as the layer has 784.");
  EXPECT_EQ(message_of(config, plan, {.sample = 10000}),
            "--sample = '10000' is out of range; allowed: 0 to 9999, as the test set has 10000.");
}

}  // namespace
}  // namespace tellegen::sim
