// Errors of converters reach the chip: they show in the signals of a run, each chip has its own, calibration takes them off.

#include <gtest/gtest.h>

#include "../engine/engine_fixture.h"

namespace tellegen::sim {
namespace {

const std::string kChip = R"(
chip: {device: {model: ideal, g_max: 25 uS}, adc: {bits: 8, columns_per_adc: 8}}
evaluate: {samples: 64, chips: 1, calibration_samples: 64, snr_samples: 32}
)";

RunResult run(const Overrides& overrides, int threads = 0) {
  return Session(test::kCosts, threads).run(test::experiment("lenet_fashion", kChip, overrides));
}

double least_snr_dB(const RunResult& result, std::size_t chip = 0) {
  double least = 1e9;
  for (const LayerSignal& signal : result.chips[chip].signals) least = std::min(least, signal.snr_dB());
  return least;
}

TEST(ConverterRun, OffsetsLowerTheSignalAndCalibrationRestoresIt) {
  const double clean = least_snr_dB(run({}));
  const double off = least_snr_dB(run({{"chip.adc.errors.offset", "5"}}));
  const double calibrated = least_snr_dB(run({{"chip.adc.errors.offset", "5"}, {"chip.adc.calibration", "offset"}}));
  EXPECT_LT(off, clean - 5);
  EXPECT_NEAR(calibrated, clean, 1);
}

TEST(ConverterRun, EveryKindTakesErrors) {
  const double clean = least_snr_dB(run({}));
  for (const char* kind : {"sar", "flash", "ramp", "pipeline", "cyclic", "cco", "time_based"}) {
    const RunResult result =
        run({{"chip.adc.kind", kind}, {"chip.adc.errors.noise", "3"}, {"chip.adc.errors.mismatch", "0.1"}});
    EXPECT_LT(least_snr_dB(result), clean - 0.5) << kind;
    EXPECT_GT(least_snr_dB(result), 0) << kind;
  }
}

TEST(ConverterRun, EachChipHasItsOwnConvertersWhateverTheThreads) {
  const Overrides overrides = {
      {"chip.adc.errors.offset", "5"}, {"chip.adc.errors.noise", "1"}, {"evaluate.chips", "2"}};
  const RunResult one = run(overrides, 1), three = run(overrides, 3);
  EXPECT_NE(least_snr_dB(one, 0), least_snr_dB(one, 1));
  for (std::size_t chip = 0; chip < 2; ++chip) {
    EXPECT_EQ(one.chips[chip].predictions, three.chips[chip].predictions);
    EXPECT_EQ(least_snr_dB(one, chip), least_snr_dB(three, chip));
  }
}

TEST(ConverterRun, LeastSquaresRangesBeatTheLargestSample) {
  const Overrides few_bits = {{"chip.adc.bits", "5"}};
  const auto with = [&](const char* method) {
    Overrides overrides = few_bits;
    overrides.emplace_back("chip.adc.range.method", method);
    return run(overrides).chips[0].signals[0].snr_dB();
  };
  EXPECT_GT(with("mse"), with("max"));
}

TEST(ConverterRun, ABentDacLowersTheSignal) {
  EXPECT_LT(least_snr_dB(run({{"chip.dac.nonlinearity.second", "0.2"}})), least_snr_dB(run({})) - 1);
}

}  // namespace
}  // namespace tellegen::sim
