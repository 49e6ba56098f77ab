// DACs that differ from row to row, in a run.

#include <gtest/gtest.h>

#include "../engine/engine_fixture.h"
#include "tellegen/sim/engine/row_drives.h"

namespace tellegen::sim {
namespace {

const std::string kChip = R"(
chip: {device: {model: ideal, g_max: 25 uS}, adc: {bits: ideal}, dac: {bits: 8}}
evaluate: {samples: 64, chips: 1, calibration_samples: 64, snr_samples: 32}
)";

RunResult run(const Overrides& overrides, int threads = 0, const std::string& network = "lenet_fashion") {
  return Session(test::kCosts, threads).run(test::experiment(network, kChip, overrides));
}

double error(const RunResult& result, std::size_t layer = 0, std::size_t chip = 0) {
  return result.chips[chip].signals[layer].error;
}

TEST(RowDacsRun, NoMismatchChangesNoBit) {
  const RunResult plain = run({});
  const RunResult zero = run({{"chip.dac.mismatch.element", "0"}, {"chip.dac.mismatch.gain", "0"}});
  for (std::size_t l = 0; l < plain.chips[0].signals.size(); ++l) EXPECT_EQ(error(plain, l), error(zero, l));
  EXPECT_EQ(plain.chips[0].predictions, zero.chips[0].predictions);
  EXPECT_EQ(plain.events[0].cell_energy_J, zero.events[0].cell_energy_J);
}

TEST(RowDacsRun, MismatchShowsInTheSignal) {
  const RunResult plain = run({});
  for (const char* kind : {"capacitive", "c2c", "r2r"}) {
    const RunResult off = run({{"chip.dac.kind", kind}, {"chip.dac.mismatch.element", "0.1"}});
    EXPECT_GT(error(off), 3 * error(plain)) << kind;
  }
  EXPECT_GT(error(run({{"chip.dac.mismatch.gain", "0.05"}})), 3 * error(plain));
  EXPECT_GT(error(run({{"chip.dac.mismatch.offset", "0.02"}})), 3 * error(plain));
  const Overrides pwm = {{"chip.dac.kind", "pwm"}};
  EXPECT_GT(error(run({{"chip.dac.kind", "pwm"}, {"chip.dac.mismatch.edge", "5 ns"}})), 3 * error(run(pwm)));
}

/// Gains g_i of rows leave an error of power sigma^2 sum (w x)^2: four times for twice the deviation.
TEST(RowDacsRun, ErrorPowerGrowsWithTheSquare) {
  const Overrides fine = {{"chip.dac.bits", "16"}, {"chip.tile.rows", "256"}};
  const auto with = [&](const char* gain) {
    Overrides overrides = fine;
    overrides.emplace_back("chip.dac.mismatch.gain", gain);
    return error(run(overrides));
  };
  EXPECT_NEAR(with("0.04") / with("0.02"), 4, 0.05);  // the same draws, twice as large
}

/// Layers of several row blocks: each block's DACs drive its own rows. A few values that stand between two codes still take
/// the other one. The first layer's inputs are codes: its error is rounding alone.
TEST(RowDacsRun, ATraceOfMismatchChangesNextToNothingOnSmallTiles) {
  const Overrides small = {{"chip.tile.rows", "32"}};
  Overrides trace = small;
  trace.emplace_back("chip.dac.mismatch.gain", "1e-6");
  const RunResult plain = run(small), off = run(trace);
  ASSERT_GT(plain.plan.layers[2].slices.back().row_begin, 0);
  for (std::size_t l = 1; l < plain.chips[0].signals.size(); ++l)
    EXPECT_NEAR(error(off, l) / error(plain, l), 1, 0.02) << plain.plan.layers[l].name;
}

TEST(RowDacsRun, EachChipHasItsOwnWhateverTheThreads) {
  const Overrides overrides = {{"chip.dac.mismatch.element", "0.05"},
                               {"chip.dac.mismatch.gain", "0.02"},
                               {"chip.dac.mismatch.offset", "0.01"},
                               {"evaluate.chips", "2"},
                               {"evaluate.batch", "16"}};
  const RunResult one = run(overrides, 1), three = run(overrides, 3);
  for (std::size_t chip = 0; chip < 2; ++chip) {
    EXPECT_EQ(one.chips[chip].predictions, three.chips[chip].predictions);
    for (std::size_t l = 0; l < one.chips[0].signals.size(); ++l) EXPECT_EQ(error(one, l, chip), error(three, l, chip));
  }
  EXPECT_NE(error(one, 0, 0), error(one, 0, 1));
}

TEST(RowDacsRun, GatesSeeTheirOwnDacs) {
  const Overrides gated = {{"chip.boundary", "tg_after_dac"}};
  const RunResult plain = run(gated, 0, "cnn_silu_mnist");
  Overrides off = gated;
  off.emplace_back("chip.dac.mismatch.gain", "0.2");
  EXPECT_GT(error(run(off, 0, "cnn_silu_mnist"), 1), error(plain, 1));
}

TEST(RowDacsRun, DrivesBelongToChipTileAndRow) {
  circuits::Dac dac;
  dac.config.mismatch.gain = 0.1;
  mapping::LayerPlan plan;
  mapping::TileSlice slice;
  slice.row_end = 4;
  const auto drive = [&](int tile, std::uint32_t chip, std::int64_t row) {
    slice.tile = tile;
    return sample_dacs(dac, plan, slice, 1, chip)->at(row, 1);
  };
  EXPECT_EQ(drive(0, 0, 2), drive(0, 0, 2));
  EXPECT_NE(drive(0, 0, 2), drive(0, 0, 3));
  EXPECT_NE(drive(0, 0, 2), drive(1, 0, 2));
  EXPECT_NE(drive(0, 0, 2), drive(0, 1, 2));
  plan.boundary = mapping::Boundary::analog;  // no DACs there
  EXPECT_FALSE(sample_dacs(dac, plan, slice, 1, 0).has_value());
}

}  // namespace
}  // namespace tellegen::sim
