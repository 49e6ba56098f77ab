// Activations computed by the ADCs of the product before: what a run makes of them, and what they cost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../engine/engine_fixture.h"
#include "tellegen/circuits/cost/nonlinear_adc_cost.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/sim/engine/layer_path.h"

namespace tellegen::sim {
namespace {

/// Arrays that hold each layer whole, with one scale and the biases on rows; ideal cells and DACs.
const std::string kWholeLayers = R"(
chip:
  boundary: nonlinear_adc
  drift_compensation: none
  device: {model: ideal}
  tile: {rows: 1024, columns: 1024, bias: rows, scale: per_layer}
  dac: {bits: ideal}
  adc: {bits: 8, range: {method: max}}
evaluate: {samples: 64, chips: 1, calibration_samples: 64, snr_samples: 32}
)";

struct Prepared {
  ExperimentConfig config;
  Workload workload;
  mapping::Plan plan;
  ProgrammedChip<double> chip;
};

Prepared prepare(const std::string& network, const Overrides& overrides) {
  Prepared p;
  p.config = test::experiment(network, kWholeLayers, overrides);
  p.workload = load(p.config, 2);
  p.plan = std::get<mapping::Plan>(mapping::plan_greedy(p.workload.network, p.config.chip));
  std::vector<mapping::Edge> edges = p.workload.edges;
  mapping::place_boundaries(p.plan, p.workload.network, edges, p.config.chip, p.config.evaluate.temperature);
  p.chip = program<double>(p.workload, p.plan, p.config, 0);
  calibrate(p.chip, p.workload, p.plan, p.config);
  return p;
}

/// Largest difference of logits over the largest logit, on the calibration samples (within all ranges).
double logit_error(const std::string& network, const Overrides& overrides) {
  const Prepared p = prepare(network, overrides);
  const std::int64_t first = p.workload.data.size() - 32;
  const models::Tensor expected = models::execute(p.workload.network, p.workload.data.batch(first, 32));
  const models::Tensor got = infer_logits(p.chip, p.workload, p.plan, p.config, first, 32);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.data[i])));
    difference = std::max(difference, static_cast<double>(std::abs(expected.data[i] - got.data[i])));
  }
  return difference / largest;
}

TEST(NonlinearAdcRun, WithIdealConvertersIsTheNetwork) {
  for (const char* network : {"mlp_mnist", "cnn_silu_mnist"})
    EXPECT_LT(logit_error(network, {{"chip.adc.bits", "ideal"}}), 2e-5) << network;
}

/// Errors are those of rounding: they fall as the steps do.
TEST(NonlinearAdcRun, WithManyBitsIsTheNetworkToItsSteps) {
  for (const char* method : {"count", "table"}) {
    const auto error = [&](const char* bits) {
      return logit_error("cnn_silu_mnist", {{"chip.adc.bits", bits}, {"chip.nonlinear_adc.method", method}});
    };
    const double at_8 = error("8"), at_13 = error("13");
    EXPECT_LT(at_8, 0.1) << method;
    EXPECT_LT(at_13, 3e-3) << method;
    EXPECT_LT(at_13, at_8 / 12) << method;
  }
}

TEST(NonlinearAdcRun, DriftCompensationIsInTheConverters) {
  const Overrides drifted = {{"chip.device.model", "generic"},
                             {"chip.device.age", "1 day"},
                             {"chip.device.programming_noise.absolute", "0 uS"},
                             {"chip.device.drift.exponent", "0.05"},
                             {"chip.adc.bits", "ideal"}};
  Overrides compensated = drifted;
  compensated.emplace_back("chip.drift_compensation", "per_layer");
  EXPECT_GT(logit_error("mlp_mnist", drifted), 0.1);
  EXPECT_LT(logit_error("mlp_mnist", compensated), 0.02);
}

/// Values of a layer behind its converters lie within half a step of the activation, over the samples that set the range.
void expect_half_a_step(const std::string& network, std::size_t l) {
  const Prepared p = prepare(network, {});
  const mapping::LayerPlan& layer = p.plan.layers[l];
  const models::Node& node = p.workload.network.nodes[layer.node];
  const ProgrammedTile<double>& tile = p.chip.layers[l].tiles.front();
  const PathContext context = path_context(p.config, 0);
  const double x_per_A = value_per_ampere(tile, p.chip.layers[l], tile.layout.lines[0], p.chip.layers[l].drive_value(0),
                                          context.drive.v_read_V);
  const double high = x_per_A * tile.adc.quantiser.high;
  const auto [least, greatest] = layer.adc_function->range(-high, high);
  const double half_step = (greatest - least) / 255 / 2;
  models::Tensor input;
  models::Hooks hooks;
  hooks.product = [&](const models::Node& each, std::size_t index, const models::Tensor& x) {
    if (index == layer.node) input = x;
    const models::Tensor* inputs[] = {&x};
    return models::run_node(each, inputs);
  };
  models::execute(p.workload.network, p.workload.data.batch(p.workload.data.size() - 64, 64), hooks);
  LayerEvents events;
  const models::Tensor got =
      layer_forward(p.chip.layers[l], layer, mapping::product_operation(p.workload.network, layer.node, std::nullopt),
                    input, context, 0, events);
  const models::Tensor* inputs[] = {&input};
  const models::Tensor expected = models::run_node(node, inputs);
  ASSERT_EQ(got.data.size(), expected.data.size());
  // Ranges were found with blocks of the samples: what is beyond is clipped, and counted.
  std::int64_t beyond = 0;
  double largest = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    const double difference = std::abs(static_cast<double>(got.data[i] - expected.data[i]));
    beyond += difference > half_step + 1e-5 ? 1 : 0;
    largest = std::max(largest, difference);
  }
  EXPECT_LE(beyond, events.clipped);
  EXPECT_LT(events.clipped, events.conversions / 1000);
  EXPECT_GT(largest, 0.9 * half_step);
  EXPECT_EQ(events.scalings, 0);
  EXPECT_EQ(events.shift_adds, 0);
}

TEST(NonlinearAdcRun, EightBitsErrByHalfAStepThroughALayer) {
  expect_half_a_step("mlp_mnist", 0);
  expect_half_a_step("cnn_silu_mnist", 0);
}

TEST(NonlinearAdcRun, ReplacesConverterScalingAndActivationInTheLedger) {
  const ExperimentConfig config =
      test::experiment("mlp_mnist", kWholeLayers, {{"chip.dac.bits", "8"}, {"chip.adc.columns_per_adc", "16"}});
  const RunResult result = Session(test::kCosts).run(config);
  const circuits::CostModel costs(config.costs, test::kCosts);
  const std::string first = result.plan.layers[0].name, last = result.plan.layers[2].name;
  const auto row = [&](const std::string& layer, const std::string& component) -> const EnergyRow* {
    const auto found = std::ranges::find_if(
        result.ledger.energy, [&](const EnergyRow& r) { return r.layer == layer && r.component == component; });
    return found == result.ledger.energy.end() ? nullptr : &*found;
  };
  ASSERT_NE(row(first, "nonlinear_adc"), nullptr);
  EXPECT_EQ(row(first, "adc"), nullptr);
  EXPECT_EQ(row(first, "activation_relu"), nullptr);
  EXPECT_EQ(row(first, "scaling")->count, 0);
  EXPECT_NE(row(last, "adc"), nullptr);
  EXPECT_EQ(row(last, "nonlinear_adc"), nullptr);
  EXPECT_EQ(result.events[0].ramp_steps, result.events[0].conversions * 255);

  // 255 steps of 1 ns, a comparator for each of the lines of the tile.
  circuits::NonlinearAdcUse use;
  circuits::AdcUse linear;
  linear.kind = config.chip.adc.kind;
  linear.bits = 8;
  linear.node = config.chip.node;
  linear.rate = Frequency::si(1e9 / 255);
  linear.rows = 1024;
  const circuits::Price price = circuits::nonlinear_adc_price(use, costs, linear, 16);
  EXPECT_NEAR(row(first, "nonlinear_adc")->energy_J.typical, 256 * price.energy_J.typical,
              1e-12 * price.energy_J.typical * 256);
  EXPECT_NEAR(total_area_m2(result.ledger, first, "nonlinear_adc").typical, 512 * price.area_m2.typical,
              1e-12 * 512 * price.area_m2.typical);
  EXPECT_EQ(total_area_m2(result.ledger, first, "scaling").typical, 0);
  EXPECT_NEAR(result.ledger.latency[0].latency_s, 255e-9, 1e-15);
  EXPECT_EQ(result.ledger.latency[0].lines_per_adc, 1);
}

TEST(NonlinearAdcRun, ErrorsOfConvertersShowAndCalibrationTakesThemOff) {
  const auto snr = [](const Overrides& overrides) {
    return Session(test::kCosts)
        .run(test::experiment("mlp_mnist", kWholeLayers, overrides))
        .chips[0]
        .signals[0]
        .snr_dB();
  };
  const double clean = snr({});
  EXPECT_LT(snr({{"chip.adc.errors.offset", "5"}}), clean - 5);
  EXPECT_NEAR(snr({{"chip.adc.errors.offset", "5"}, {"chip.adc.calibration", "offset"}}), clean, 1);
  EXPECT_LT(snr({{"chip.adc.errors.mismatch", "0.3"}}), clean - 2);
  EXPECT_LT(snr({{"chip.adc.errors.noise", "2"}}), clean - 5);
  EXPECT_LT(snr({{"chip.adc.enob", "5"}}), clean - 5);
}

TEST(NonlinearAdcRun, ThreadsDoNotShow) {
  const ExperimentConfig config = test::experiment("mlp_mnist", kWholeLayers,
                                                   {{"evaluate.chips", "2"},
                                                    {"chip.adc.errors.offset", "3"},
                                                    {"chip.adc.errors.noise", "1"},
                                                    {"evaluate.batch", "16"}});
  const RunResult one = Session(test::kCosts, 1).run(config), two = Session(test::kCosts, 2).run(config);
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_EQ(one.chips[c].predictions, two.chips[c].predictions);
    for (std::size_t l = 0; l < 3; ++l) EXPECT_EQ(one.chips[c].signals[l].error, two.chips[c].signals[l].error);
  }
  EXPECT_NE(one.chips[0].signals[0].error, one.chips[1].signals[0].error);
}

/// Where a tile is too small for a layer the session must not use the network of the larger one.
TEST(NonlinearAdcRun, ASweepOfTilesJoinsWhatEachAllows) {
  Session session(test::kCosts);
  const auto taken = [&](const char* rows) {
    std::size_t count = 0;
    for (const mapping::Edge& edge :
         session.run(test::experiment("mlp_mnist", kWholeLayers, {{"chip.tile.rows", rows}})).edges)
      count += edge.taken == mapping::Boundary::nonlinear_adc ? 1 : 0;
    return count;
  };
  EXPECT_EQ(taken("1024"), 2U);
  EXPECT_EQ(taken("512"), 1U);
  EXPECT_EQ(taken("1024"), 2U);
}

}  // namespace
}  // namespace tellegen::sim
