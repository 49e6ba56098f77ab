// Energies from statistics of values against energies that are counted while a chip infers.

#include "tellegen/sim/engine/expected_energy.h"

#include <gtest/gtest.h>

#include <cmath>

#include "pixel_set.h"
#include "prepared_chip.h"

namespace tellegen::sim {
namespace {

using test::Prepared;
using test::seen_by_chip;

const std::string kEvaluate = "\nevaluate: {samples: 64, chips: 1, calibration_samples: 64}";
/// Devices that spread, but are read without noise.
const std::string kQuiet =
    "device: {model: generic, g_min: 1 uS, g_max: 25 uS, programming_noise: {proportional: 0.1}}";

class PlannedCounts : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(PlannedCounts, AreThoseThatAreCountedWhileAChipInfers) {
  Prepared<float> prepared(GetParam().first, GetParam().second + kEvaluate);
  const std::vector<LayerEvents> traced = prepared.traced().events;
  const std::vector<LayerEvents> planned = prepared.expected(EnergyMethod::row_moments);
  ASSERT_EQ(planned.size(), traced.size());
  for (std::size_t l = 0; l < traced.size(); ++l) {
    SCOPED_TRACE(prepared.plan.layers[l].name);
    EXPECT_EQ(planned[l].images, traced[l].images);
    EXPECT_EQ(planned[l].products, traced[l].products);
    EXPECT_EQ(planned[l].dac_drives, traced[l].dac_drives);
    EXPECT_EQ(planned[l].gates, traced[l].gates);
    EXPECT_EQ(planned[l].amplified, traced[l].amplified);
    EXPECT_EQ(planned[l].conversions, traced[l].conversions);
    EXPECT_EQ(planned[l].shift_adds, traced[l].shift_adds);
    EXPECT_EQ(planned[l].scalings, traced[l].scalings);
    EXPECT_EQ(planned[l].buffer_read_bits, traced[l].buffer_read_bits);
    EXPECT_EQ(planned[l].buffer_write_bits, traced[l].buffer_write_bits);
    EXPECT_EQ(planned[l].digital, traced[l].digital);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, PlannedCounts,
    ::testing::Values(
        std::pair{"lenet_mnist", "chip: {tile: {rows: 64, columns: 64}}"},
        std::pair{"lenet_fashion",
                  "chip: {tile: {encoding: unit_column, slices: 2, cell_levels: 16, bias: rows}, dac: {streaming: "
                  "bit_serial}}"},
        std::pair{"lenet_fashion", "chip: {tile: {encoding: offset}, dac: {bits: ideal}}"},
        std::pair{"lstm_mnist", "chip: {tile: {subtract: digital}}"}, std::pair{"vit_mnist", "chip: {}"},
        std::pair{"cnn_silu_mnist", "chip: {boundary: tg_after_dac, tile: {bias: rows}}"},
        std::pair{"mlp_mnist", "chip: {boundary: analog, tile: {rows: 1024, columns: 256, bias: rows}}"}));

/// The moments of what a chip saw give the energy that was counted on it, to rounding.
class RowMoments : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RowMoments, OfWhatTheChipSawGiveTheTracedEnergy) {
  Prepared<double> prepared(GetParam().first, "chip: {" + kQuiet + GetParam().second + "}" + kEvaluate,
                            {{"evaluate.precision", "double"}, {"evaluate.energy", "row_moments"}});
  const std::vector<LayerEvents> traced = prepared.traced().events;
  std::vector<LayerEvents> expected = traced;
  expect_energy(prepared.chip, seen_by_chip(prepared), prepared.plan, prepared.config, expected);
  for (std::size_t l = 0; l < traced.size(); ++l) {
    SCOPED_TRACE(prepared.plan.layers[l].name);
    EXPECT_GT(traced[l].cell_energy_J, 0);
    EXPECT_NEAR(expected[l].cell_energy_J, traced[l].cell_energy_J, 1e-9 * traced[l].cell_energy_J);
    EXPECT_NEAR(expected[l].drive_V2, traced[l].drive_V2, 1e-9 * traced[l].drive_V2);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Zoo, RowMoments,
    ::testing::Values(std::pair{"lenet_fashion", ""}, std::pair{"lenet_fashion", ", dac: {kind: pwm, bits: 6}"},
                      std::pair{"resnet8_fashion", ", dac: {streaming: bit_serial, bits_per_slice: 2}"},
                      std::pair{"mbnet_fashion", ", tile: {bias: rows}"}, std::pair{"lstm_mnist", ""},
                      std::pair{"vit_mnist", ", tile: {encoding: offset}, dac: {bits: ideal}"}));

/// One histogram per layer against what was counted for the same values: it knows what each row is meant to conduct, not
/// what programming made of it.
class OneHistogram : public ::testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(OneHistogram, ComesWithinThreePercentOnAverageAndSevenAtWorst) {
  Prepared<float> prepared(GetParam().first, GetParam().second + kEvaluate, {{"evaluate.energy", "histogram"}});
  const std::vector<LayerEvents> traced = prepared.traced().events;
  std::vector<LayerEvents> expected = traced;
  expect_energy(prepared.chip, seen_by_chip(prepared), prepared.plan, prepared.config, expected);
  double cells = 0, worst = 0;
  for (std::size_t l = 0; l < traced.size(); ++l) {
    SCOPED_TRACE(prepared.plan.layers[l].name);
    const double off = std::abs(expected[l].cell_energy_J / traced[l].cell_energy_J - 1);
    cells += off / static_cast<double>(traced.size());
    worst = std::max(worst, off);
    EXPECT_NEAR(expected[l].drive_V2, traced[l].drive_V2, 1e-5 * traced[l].drive_V2) << "lines are all alike";
  }
  RecordProperty("mean_percent", std::to_string(100 * cells));
  RecordProperty("worst_percent", std::to_string(100 * worst));
  EXPECT_LT(cells, 0.03);
  EXPECT_LT(worst, 0.07);
}

const char* const kPcm = "chip: {device: {model: pcm_joshi, g_max: 25 uS, age: 1 day}}";
/// Steps of a state are numbered otherwise where values are gathered: no read noise, so that they are the same.
const char* const kQuietPairs =
    "chip: {device: {model: generic, g_min: 1 uS, g_max: 25 uS, programming_noise: {proportional: 0.1}}}";
const char* const kSerial =
    "chip: {tile: {encoding: offset, scale: per_layer, cell_levels: 4, slices: 8}, device: {model: generic, g_min: 50 "
    "uS, g_max: 750 uS, levels: 4}, dac: {kind: one_bit, bits: 16, streaming: bit_serial}, adc: {columns_per_adc: "
    "128}}";

INSTANTIATE_TEST_SUITE_P(Zoo, OneHistogram,
                         ::testing::Values(std::pair{"lenet_fashion", kPcm}, std::pair{"resnet8_fashion", kPcm},
                                           std::pair{"mbnet_fashion", kPcm}, std::pair{"vit_mnist", kPcm},
                                           std::pair{"lstm_mnist", kQuietPairs}, std::pair{"lenet_fashion", kSerial},
                                           std::pair{"cnn_silu_mnist",
                                                     "chip: {dac: {bits: ideal}, tile: {bias: rows}}"}));

/// A chip a day old sees other values than the float network; its own are right but for read noise.
TEST(ValuesOfTheChip, AreRightWhereThoseOfTheNetworkAreNot) {
  Prepared<float> prepared("lenet_fashion", kPcm,
                           {{"evaluate.samples", "512"}, {"evaluate.calibration_samples", "512"}});
  const std::vector<LayerEvents> traced = infer(prepared.chip, prepared.workload, prepared.plan, prepared.config,
                                                prepared.workload.data.size() - 512, 512, false)
                                              .events;
  const std::vector<LayerEvents> by_network = prepared.expected(EnergyMethod::row_moments);
  const ValueStatistics own = chip_values(prepared.chip, prepared.workload, prepared.plan, prepared.config);
  EXPECT_EQ(own.samples, 512);
  std::vector<LayerEvents> by_chip = by_network;
  expect_energy(prepared.chip, own, prepared.plan, prepared.config, by_chip);
  double off_by_network = 0, off_by_chip = 0;
  for (std::size_t l = 0; l < traced.size(); ++l) {
    off_by_network += std::abs(by_network[l].cell_energy_J / traced[l].cell_energy_J - 1) / 5;
    off_by_chip += std::abs(by_chip[l].cell_energy_J / traced[l].cell_energy_J - 1) / 5;
  }
  EXPECT_GT(off_by_network, 0.1);
  EXPECT_LT(off_by_chip, 0.002);
}

/// Two grey images.
TestData alike_pixels() {
  models::Dataset grey;
  grey.sample_shape = {1, 28, 28};
  grey.pixels.assign(2 * 28 * 28, 150);
  grey.labels = {0, 1};
  return test::pixels(grey);
}

/// With every pixel alike all rows of the first layer are driven alike, but for their padding: one histogram is enough.
class AlikePixels : public ::testing::TestWithParam<const char*> {};

TEST_P(AlikePixels, OneHistogramAndThePaddingOfEachRowAreExact) {
  Prepared<double> prepared("lenet_mnist", "chip: {" + kQuiet + ", " + GetParam() + "}" + kEvaluate,
                            {{"evaluate.precision", "double"}, {"evaluate.samples", "2"}});
  prepared.workload.data = alike_pixels();
  const LayerEvents traced = prepared.traced().events[0];
  const LayerEvents expected = prepared.expected(EnergyMethod::histogram)[0];
  EXPECT_GT(prepared.plan.layers[0].positions, 1);
  EXPECT_NEAR(expected.cell_energy_J, traced.cell_energy_J, 1e-9 * traced.cell_energy_J);
  EXPECT_NEAR(expected.drive_V2, traced.drive_V2, 1e-9 * traced.drive_V2);
}

INSTANTIATE_TEST_SUITE_P(Drives, AlikePixels,
                         ::testing::Values("dac: {bits: 8}", "dac: {bits: 6, kind: pwm}, tile: {bias: rows}",
                                           "dac: {bits: 8, streaming: bit_serial, nonlinearity: {second: 0.1}}",
                                           "tile: {encoding: unit_column, rows: 16}"));

/// The same for cells that do not follow Ohm's law: their energy is a function of the drive, and a histogram has it.
TEST(OneHistogramOfDrives, IsEnoughForCellsBeyondOhmsLaw) {
  for (const char* const law : {"sinh", "cubic", "milo"}) {
    SCOPED_TRACE(law);
    Prepared<double> prepared("lenet_mnist",
                              std::string("chip: {device: {model: generic, g_min: 20 uS, g_max: 100 uS, iv: {law: ") +
                                  law + "}}}" + kEvaluate,
                              {{"evaluate.precision", "double"}, {"evaluate.samples", "2"}});
    prepared.workload.data = alike_pixels();
    ASSERT_TRUE(prepared.chip.layers[0].tiles[0].law);
    const LayerEvents traced = prepared.traced().events[0];
    EXPECT_NEAR(prepared.expected(EnergyMethod::histogram)[0].cell_energy_J, traced.cell_energy_J,
                1e-6 * traced.cell_energy_J);
  }
}

/// Where the chip is the network, the float network's values are those of the chip, gates included.
TEST(RowMomentsOfTheFloatNetwork, AreThoseOfAPerfectChip) {
  const Overrides gates{{"chip.boundary", "tg_after_dac"},
                        {"chip.front_end.transistor.width", "10 mm"},
                        {"chip.front_end.transistor.length", "10 mm"},
                        {"chip.front_end.tail.width", "10 mm"},
                        {"chip.front_end.tail.length", "10 mm"},
                        {"chip.front_end.mirror.width", "10 mm"},
                        {"chip.front_end.mirror.length", "10 mm"},
                        {"chip.front_end.bias", "10 pA"},
                        {"chip.front_end.scale_mismatch", "0"},
                        {"chip.front_end.reference.hold", "1 uF"},
                        {"chip.front_end.noise.bandwidth", "1e-6 Hz"},
                        {"chip.front_end.noise.lowest", "1e-7 Hz"}};
  for (const auto& [network, overrides] :
       {std::pair<const char*, Overrides>{"lenet_mnist", {}}, std::pair<const char*, Overrides>{"lstm_mnist", {}},
        std::pair<const char*, Overrides>{"cnn_silu_mnist", gates}}) {
    SCOPED_TRACE(network);
    Prepared<float> prepared(network, test::kIdealChip + kEvaluate, overrides);
    const std::vector<LayerEvents> traced = prepared.traced().events;
    const std::vector<LayerEvents> expected = prepared.expected(EnergyMethod::row_moments);
    for (std::size_t l = 0; l < traced.size(); ++l) {
      EXPECT_NEAR(expected[l].cell_energy_J / traced[l].cell_energy_J, 1, 2e-3) << prepared.plan.layers[l].name;
      EXPECT_NEAR(expected[l].drive_V2 / traced[l].drive_V2, 1, 2e-3) << prepared.plan.layers[l].name;
    }
  }
}

/// Power of one tile with wires, read by read: v^2 u' Y u, over all products of two grey images [W].
double power_with_wires_W(const Prepared<double>& on, const ProgrammedTile<double>& tile) {
  const mapping::LayerPlan& layer = on.plan.layers[0];
  const LayerInput<double> input(on.chip.layers[0], layer,
                                 mapping::product_operation(on.workload.network, layer.node, layer.matrix),
                                 on.workload.data.batch(0, 2));
  PathScratch<double> scratch;
  input.gather(0, 0, input.products(), scratch);
  const std::int64_t rows = tile.array.rows;
  double power_W = 0;
  for (std::int64_t r = 0; r < input.products(); ++r) {
    const double* u = scratch.drive.data() + r * layer.rows() + tile.slice.row_begin;
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t k = 0; k < rows; ++k)
        power_W += u[i] * tile.admittance_S[static_cast<std::size_t>(i * rows + k)] * u[k];
    }
  }
  return on.config.chip.dac.v_read.si() * on.config.chip.dac.v_read.si() * power_W;
}

/// Wires make rows share current: all reads tell by how much, some of them nearly.
TEST(RowMomentsWithWires, TakeTheirShareFromReads) {
  Prepared<double> prepared("lenet_mnist",
                            "chip: {" + kQuiet +
                                ", tile: {rows: 16, columns: 64}, crossbar: {fidelity: circuit, row_wire: 500 ohm, "
                                "column_wire: 500 ohm}}" +
                                kEvaluate,
                            {{"evaluate.precision", "double"}, {"evaluate.samples", "2"}});
  prepared.workload.data = alike_pixels();
  prepared.config.evaluate.energy = EnergyMethod::row_moments;
  double joules = 0;
  for (const ProgrammedTile<double>& tile : prepared.chip.layers[0].tiles)
    joules += prepared.config.chip.dac.full_drive().si() * power_with_wires_W(prepared, tile);
  std::vector<LayerEvents> all_reads = prepared.traced().events;
  expect_energy(prepared.chip, seen_by_chip(prepared, 1 << 20), prepared.plan, prepared.config, all_reads);
  EXPECT_NEAR(all_reads[0].cell_energy_J, joules, 1e-9 * joules);
  EXPECT_NEAR(prepared.expected(EnergyMethod::row_moments)[0].cell_energy_J, joules, 0.03 * joules);
  for (ProgrammedTile<double>& tile : prepared.chip.layers[0].tiles) tile.admittance_S.clear();
  const double without = prepared.expected(EnergyMethod::row_moments)[0].cell_energy_J;
  EXPECT_GT(std::abs(without / joules - 1), 1e-3) << "wires must show: a million times the tolerance";
}

std::string refusal(const std::string& chip, const char* method) {
  try {
    Prepared<float> prepared("lenet_mnist", "chip: {" + chip + "}" + kEvaluate, {{"evaluate.energy", method}});
    check_energy_method(prepared.config, prepared.chip);
  } catch (const RefusedError& error) {
    return error.what();
  }
  return "";
}

TEST(EnergyMethods, AreRefusedWhereTheyCannotKnow) {
  const std::string sinh = "device: {model: generic, iv: {law: sinh}}";
  EXPECT_EQ(refusal(sinh, "histogram"), "");
  EXPECT_EQ(refusal(sinh, "row_moments"),
            "The power of cells that do not follow Ohm's law is not in second moments of their drives. Set "
            "evaluate.energy: histogram.");
  EXPECT_EQ(refusal(sinh + ", tile: {rows: 16, columns: 16}, crossbar: {fidelity: circuit}", "histogram"),
            "With wires, the power of cells that do not follow Ohm's law depends on all rows at once: no statistics of "
            "single values give it. Use 'tellegen run' with evaluate.energy: trace, or set chip.device.iv.law: ohmic.");
  EXPECT_EQ(refusal("device: {model: generic, iv: {law: milo}, read_noise: {proportional: 0.01}}", "histogram"),
            "The read noise of these cells has no closed form: their power is not in statistics of values. Use "
            "'tellegen run' with evaluate.energy: trace, or set chip.device.iv.law: ohmic.");
}

std::string refusal_of_counts(const std::string& network, const std::string& chip) {
  try {
    Session(test::kCosts)
        .expect(test::experiment(
            network, "chip: {" + chip + "}\nevaluate: {samples: 2, chips: 1, calibration_samples: 2, batch: 2}",
            {{"evaluate.energy", "row_moments"}}));
  } catch (const RefusedError& error) {
    return error.what();
  }
  return "";
}

TEST(EnergyMethods, WhatIsNotCountedFromThePlanIsRefused) {
  EXPECT_EQ(
      refusal_of_counts("lenet_mnist",
                        "boundary: nonlinear_adc, tile: {rows: 1024, columns: 1024, bias: rows, scale: per_layer}"),
      "The ADCs behind layer '/0/Conv' compute an activation: how many steps they take follows from their "
      "calibration, not from the plan. Use 'tellegen run', or a chip.boundary other than nonlinear_adc.");
  EXPECT_EQ(refusal_of_counts("lm_memglu", "analog_units: {gate: {circuit: memglu_pairs}}"),
            "Circuits between converters compute some activations: what they and digital units then do is not counted "
            "from the plan. Use 'tellegen run', or leave chip.analog_units out.");
}

/// A run changes cells and row lines alone, and the plan with prices is the same ledger without inference.
TEST(EnergyMethods, ChangeCellsAndLinesAlone) {
  const std::string yaml =
      "chip: {device: {model: pcm_joshi, age: 1 hour}}\nevaluate: {samples: 48, batch: 16, chips: "
      "2, calibration_samples: 32}";
  Session session(test::kCosts, 2);
  const RunResult traced = session.run(test::experiment("lenet_mnist", yaml));
  for (const char* const method : {"histogram", "row_moments"}) {
    const ExperimentConfig config = test::experiment("lenet_mnist", yaml, {{"evaluate.energy", method}});
    const RunResult run = session.run(config);
    const RunResult planned = Session(test::kCosts, 1).expect(config);
    EXPECT_EQ(run.chips[0].predictions, traced.chips[0].predictions);
    ASSERT_EQ(run.ledger.energy.size(), traced.ledger.energy.size());
    ASSERT_EQ(run.ledger.energy.size(), planned.ledger.energy.size());
    for (std::size_t r = 0; r < run.ledger.energy.size(); ++r) {
      const EnergyRow &of_run = run.ledger.energy[r], &of_trace = traced.ledger.energy[r];
      SCOPED_TRACE(of_run.layer + " " + of_run.component);
      EXPECT_EQ(planned.ledger.energy[r].energy_J, of_run.energy_J);
      const bool values = of_run.component == "cells" || of_run.component == "row_line";
      EXPECT_EQ(of_run.energy_J == of_trace.energy_J, !values);
    }
    EXPECT_EQ(run.log.back(), planned.log.back());
    EXPECT_TRUE(run.log.back().starts_with("Energies of cells and row lines come from ")) << run.log.back();
  }
  EXPECT_TRUE(traced.log.empty());
}

}  // namespace
}  // namespace tellegen::sim
