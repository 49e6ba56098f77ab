// The ledger is a ledger: totals are sums of rows, rows are counts times prices, counts follow from shapes.

#include <gtest/gtest.h>

#include "engine_fixture.h"
#include "tellegen/models/operation.h"

namespace tellegen::sim {
namespace {

const std::string kChip = R"(
chip: {device: {model: pcm_joshi, age: 1 hour}, tile: {rows: 64, columns: 64}}
evaluate: {samples: 64, chips: 2, calibration_samples: 64}
)";

void expect_near(const circuits::Band& a, const circuits::Band& b) {
  EXPECT_NEAR(a.low, b.low, 1e-12 * b.low);
  EXPECT_NEAR(a.typical, b.typical, 1e-12 * b.typical);
  EXPECT_NEAR(a.high, b.high, 1e-12 * b.high);
}

TEST(Ledger, TotalsAreSumsOfRows) {
  const RunResult result = Session(test::kCosts).run(test::experiment("lenet_mnist", kChip));
  circuits::Band energy, area, by_layer;
  double latency = 0;
  for (const EnergyRow& row : result.ledger.energy) {
    expect_near(row.energy_J, row.count * row.price.energy_J);
    EXPECT_FALSE(row.price.from.source.empty()) << row.component;
    energy += row.energy_J;
  }
  for (const AreaRow& row : result.ledger.area) area += row.instances * row.price.area_m2;
  for (const LatencyRow& row : result.ledger.latency) latency += row.latency_s;
  for (const mapping::LayerPlan& layer : result.plan.layers) by_layer += total_energy_J(result.ledger, layer.name);
  expect_near(total_energy_J(result.ledger), energy);
  expect_near(by_layer, energy);
  expect_near(total_area_m2(result.ledger), area);
  EXPECT_DOUBLE_EQ(total_latency_s(result.ledger), latency);
  EXPECT_GT(energy.low, 0);
  EXPECT_LT(energy.low, energy.typical);
  EXPECT_LT(energy.typical, energy.high);
}

TEST(Ledger, CountsFollowFromShapes) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kChip);
  const RunResult result = Session(test::kCosts).run(config);
  for (std::size_t l = 0; l < result.plan.layers.size(); ++l) {
    const mapping::LayerPlan& layer = result.plan.layers[l];
    const LayerEvents& e = result.events[l];
    std::int64_t rows = 0, lines = 0;
    for (const mapping::TileSlice& slice : layer.slices) {
      rows += slice.rows_used;
      lines += slice.output_end - slice.output_begin;  // pairs subtracted before the ADC: a line per output
    }
    EXPECT_EQ(e.images, 2 * 64);
    EXPECT_EQ(e.products, e.images * layer.positions);
    EXPECT_EQ(e.dac_drives, e.products * rows);
    EXPECT_EQ(e.conversions, e.products * lines);
    EXPECT_EQ(e.scalings, e.products * layer.outputs());
    EXPECT_EQ(e.shift_adds, e.products * lines) << "row blocks less one, and one for the digital bias";
  }
}

TEST(Ledger, TwiceTheImagesTwiceTheEvents) {
  Session session(test::kCosts);
  const RunResult one =
      session.run(test::experiment("lenet_mnist", kChip, {{"evaluate.samples", "64"}, {"evaluate.chips", "1"}}));
  const RunResult two =
      session.run(test::experiment("lenet_mnist", kChip, {{"evaluate.samples", "128"}, {"evaluate.chips", "1"}}));
  for (std::size_t l = 0; l < one.plan.layers.size(); ++l) {
    EXPECT_EQ(two.events[l].conversions, 2 * one.events[l].conversions);
    EXPECT_EQ(two.events[l].dac_drives, 2 * one.events[l].dac_drives);
    EXPECT_EQ(two.events[l].digital, [&] {
      auto doubled = one.events[l].digital;
      for (auto& [unit, count] : doubled) count *= 2;
      return doubled;
    }());
  }
}

/// The same batch counted twice is twice the joules, whatever the values were.
TEST(Ledger, TwiceTheBatchTwiceTheDynamicEnergy) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kChip);
  Session session(test::kCosts);
  const RunResult result = session.run(config);
  std::vector<LayerEvents> doubled = result.events;
  for (std::size_t l = 0; l < doubled.size(); ++l) {
    doubled[l] += result.events[l];
    doubled[l].images = result.events[l].images;  // as if the same images had been run again at no charge
  }
  const circuits::CostModel costs(config.costs, test::kCosts);
  const Ledger once = price(result.events, result.plan, config, costs);
  const Ledger twice = price(doubled, result.plan, config, costs);
  for (std::size_t r = 0; r < once.energy.size(); ++r) {
    const EnergyRow& row = once.energy[r];
    if (row.component == "leakage" || row.component.starts_with("buffer"))
      continue;  // time, and the size of the buffer, are not events
    expect_near(twice.energy[r].energy_J, 2 * row.energy_J);
  }
}

TEST(Ledger, ZeroImagesCostNothing) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kChip);
  const RunResult planned = Session(test::kCosts).plan_only(config);
  const std::vector<LayerEvents> none(planned.plan.layers.size());
  const Ledger ledger = price(none, planned.plan, config, circuits::CostModel(config.costs, test::kCosts));
  EXPECT_EQ(total_energy_J(ledger), circuits::Band{});
  EXPECT_EQ(total_energy_J(ledger, "", "cells"), circuits::Band{});
  EXPECT_GT(total_area_m2(ledger).typical, 0);
}

/// Joules of the first layer of an ideal chip for three images, and V^2 G t summed cell by cell; `energy` of a drive u in [0, 1].
void expect_cell_energy(const std::string& dac, double full_drive_s, double (*energy)(double u)) {
  const ExperimentConfig config = test::experiment(
      "mlp_mnist",
      "chip: {device: {model: ideal, g_min: 1 uS, g_max: 20 uS}, dac: {bits: 8, v_read: 0.3 V, " + dac +
          "}, tile: {rows: 200, columns: 600}}\nevaluate: {samples: 3, chips: 1, calibration_samples: 16, batch: 3}");
  const Workload workload = load(config, 1);
  const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, config.chip));
  auto chip = program<double>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  const BatchResult result = infer(chip, workload, plan, config, 0, 3, false);

  const auto& first =
      dynamic_cast<const models::MatrixOperation&>(*workload.network.nodes[plan.layers[0].node].operation);
  const models::Tensor images = workload.data.batch(0, 3);
  double joules = 0;
  for (std::int64_t image = 0; image < 3; ++image) {
    for (std::int64_t n = 0; n < plan.layers[0].outputs(); ++n) {
      const double scale = chip.layers[0].scales[static_cast<std::size_t>(n)];
      for (std::int64_t i = 0; i < 784; ++i) {
        const double x = static_cast<double>(images.data[static_cast<std::size_t>(image * 784 + i)]);
        const double u = std::nearbyint(x / chip.layers[0].dac.full_scale * 255) / 255;
        const double weight = static_cast<double>(first.weights()[static_cast<std::size_t>(n * 784 + i)]);
        const double pair_S = 2 * 1e-6 + std::abs(weight) / scale * 19e-6;
        joules += 0.09 * energy(u) * pair_S * full_drive_s;
      }
    }
  }
  EXPECT_NEAR(result.events[0].cell_energy_J, joules, 1e-6 * joules);
}

TEST(Ledger, CellEnergyOfHeightsIsSumOfGV2t) {
  expect_cell_energy("kind: capacitive, pulse: 20 ns", 20e-9, [](double u) { return u * u; });
}

TEST(Ledger, CellEnergyOfWidthsIsLinearInTheWidth) {
  expect_cell_energy("kind: pwm, pwm_step: 2 ns", 255 * 2e-9, [](double u) { return u; });
}

TEST(Ledger, LatencyIsPositionsTimesTheSlowerOfDriveAndConversion) {
  const ExperimentConfig config = test::experiment(
      "lenet_mnist",
      "chip: {tile: {rows: 128, columns: 128}, dac: {bits: 8, streaming: bit_serial, pulse: 5 ns}, "
      "adc: {bits: 8, columns_per_adc: 16, rate: 1 GHz}}\nevaluate: {samples: 8, chips: 1, calibration_samples: 8}");
  const RunResult result = Session(test::kCosts).run(config);
  EXPECT_DOUBLE_EQ(result.ledger.latency[0].latency_s,
                   784.0 * 8 * 16e-9);  // conv1: 28 x 28 positions, 8 slices, 16 conversions
}

TEST(Ledger, PulseWidthsTakeTheirTime) {
  const ExperimentConfig config = test::experiment(
      "lenet_mnist",
      "chip: {dac: {bits: 6, kind: pwm, pwm_step: 2 ns}, adc: {bits: 8, columns_per_adc: 8, rate: 1 GHz}}\n"
      "evaluate: {samples: 8, chips: 1, calibration_samples: 8}");
  const RunResult result = Session(test::kCosts).run(config);
  EXPECT_DOUBLE_EQ(result.ledger.latency[0].latency_s, 784.0 * 63 * 2e-9);
}

/// A converter that cannot keep the rate it is asked for takes the time it needs.
TEST(Ledger, SlowConvertersTakeTheirTime) {
  const auto latency = [](const char* law) {
    const ExperimentConfig config = test::experiment(
        "lenet_mnist", "chip: {adc: {bits: 8, rate: 1 GHz}}\nevaluate: {samples: 8, chips: 1, calibration_samples: 8}",
        {{"costs.adc", law}});
    return Session(test::kCosts).run(config).ledger.latency[0].conversion_s;
  };
  EXPECT_DOUBLE_EQ(latency("andrulis_2024"), 1e-9);
  EXPECT_DOUBLE_EQ(latency("neurosim_sar"), 9e-9);
}

}  // namespace
}  // namespace tellegen::sim
