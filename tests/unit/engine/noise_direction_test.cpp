// Worse hardware, worse answers: each knob moves the result the way it must.

#include <gtest/gtest.h>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

const std::string kPcm = R"(
chip:
  tile: {rows: 128, columns: 128}
  device: {model: pcm_joshi, age: 1 day}
  dac: {bits: 8}
  adc: {bits: 8}
evaluate: {samples: 1000, chips: 4, calibration_samples: 128}
)";

/// Signal to noise of the last layer's output, averaged over chips; and accuracy.
struct Quality {
  double snr_dB = 0, accuracy = 0;
};
Quality quality(Session& session, const Overrides& overrides) {
  const RunResult result = session.run(test::experiment("lenet_fashion", kPcm, overrides));
  Quality q;
  for (const ChipResult& chip : result.chips)
    q.snr_dB += chip.signals.back().snr_dB() / static_cast<double>(result.chips.size());
  q.accuracy = result.accuracy.mean;
  return q;
}

/// The shipped default experiment itself, on fewer images and chips.
TEST(DefaultExperiment, FewerBitsOlderDevicesAndMoreNoiseAreWorse) {
  Session session(test::kCosts);
  const auto run = [&](Overrides overrides) {
    overrides.insert(overrides.end(), {{"evaluate.samples", "600"}, {"evaluate.chips", "4"}});
    const RunResult result =
        session.run(read_experiment(test::kSource + "/configs/experiments/fashion_resnet8.yaml", overrides));
    Quality q;
    for (const ChipResult& chip : result.chips)
      q.snr_dB += chip.signals.back().snr_dB() / static_cast<double>(result.chips.size());
    q.accuracy = result.accuracy.mean;
    return q;
  };
  const Quality as_shipped = run({});
  EXPECT_GT(as_shipped.accuracy, 0.8);
  const Quality fewer_bits = run({{"chip.adc.bits", "4"}});
  EXPECT_LT(fewer_bits.snr_dB, as_shipped.snr_dB - 1);
  EXPECT_LT(fewer_bits.accuracy, as_shipped.accuracy);
  const Quality older = run({{"chip.device.age", "10 year"}});
  EXPECT_LT(older.snr_dB, as_shipped.snr_dB - 1);
  EXPECT_LT(older.accuracy, as_shipped.accuracy);
  const Quality noisier = run({{"chip.adc.enob", "3"}});
  EXPECT_LT(noisier.snr_dB, as_shipped.snr_dB - 1);
  EXPECT_LT(noisier.accuracy, as_shipped.accuracy);
}

TEST(Direction, FewerAdcBitsAreWorse) {
  Session session(test::kCosts);
  const Quality eight = quality(session, {});
  const Quality five = quality(session, {{"chip.adc.bits", "5"}});
  const Quality three = quality(session, {{"chip.adc.bits", "3"}});
  EXPECT_GT(eight.snr_dB, five.snr_dB + 1);
  EXPECT_GT(five.snr_dB, three.snr_dB + 3);
  EXPECT_GT(eight.accuracy, three.accuracy);
}

TEST(Direction, FewerDacBitsAreWorse) {
  Session session(test::kCosts);
  const Quality eight = quality(session, {{"chip.device.model", "ideal"}});
  const Quality three = quality(session, {{"chip.device.model", "ideal"}, {"chip.dac.bits", "3"}});
  const Quality two = quality(session, {{"chip.device.model", "ideal"}, {"chip.dac.bits", "2"}});
  EXPECT_GT(eight.snr_dB, three.snr_dB + 3);
  EXPECT_GT(three.snr_dB, two.snr_dB + 1);
  EXPECT_GT(eight.accuracy, two.accuracy);
}

TEST(Direction, OlderDevicesAreWorse) {
  Session session(test::kCosts);
  const Quality fresh = quality(session, {{"chip.device.age", "0 s"}});
  const Quality day = quality(session, {});
  const Quality decade = quality(session, {{"chip.device.age", "3650 day"}});
  EXPECT_GT(fresh.snr_dB, day.snr_dB);
  EXPECT_GT(day.snr_dB, decade.snr_dB + 0.5);
  EXPECT_GT(fresh.accuracy, decade.accuracy);
}

TEST(Direction, MoreProgrammingNoiseIsWorse) {
  Session session(test::kCosts);
  double last_snr = 1e9, last_accuracy = 1;
  for (const char* sigma : {"0.25 uS", "1.25 uS", "5 uS"}) {
    const Quality q = quality(session, {{"chip.device.model", "generic"},
                                        {"chip.device.g_max", "25 uS"},
                                        {"chip.device.programming_noise.absolute", sigma}});
    EXPECT_LT(q.snr_dB, last_snr - 3) << sigma;
    EXPECT_LT(q.accuracy, last_accuracy) << sigma;
    last_snr = q.snr_dB;
    last_accuracy = q.accuracy;
  }
}

TEST(Direction, MoreReadNoiseIsWorse) {
  Session session(test::kCosts);
  double last = 1e9;
  for (const char* sigma : {"0.1 uS", "0.5 uS", "2.5 uS"}) {
    const Quality q = quality(
        session,
        {{"chip.device.model", "generic"}, {"chip.device.g_max", "25 uS"}, {"chip.device.read_noise.absolute", sigma}});
    EXPECT_LT(q.snr_dB, last - 3) << sigma;
    last = q.snr_dB;
  }
}

/// A common factor on all conductances is nothing to a chip whose ADC ranges follow. A power of two, so to the last
/// bit.
TEST(Direction, CommonConductanceFactorChangesNothing) {
  Session session(test::kCosts);
  const Overrides small{{"chip.device.model", "generic"},
                        {"chip.device.g_min", "1 uS"},
                        {"chip.device.g_max", "25 uS"},
                        {"chip.device.programming_noise.absolute", "1 uS"},
                        {"chip.device.read_noise.absolute", "0.5 uS"}};
  const Overrides large{{"chip.device.model", "generic"},
                        {"chip.device.g_min", "4 uS"},
                        {"chip.device.g_max", "100 uS"},
                        {"chip.device.programming_noise.absolute", "4 uS"},
                        {"chip.device.read_noise.absolute", "2 uS"}};
  const RunResult a = session.run(test::experiment("lenet_fashion", kPcm, small));
  const RunResult b = session.run(test::experiment("lenet_fashion", kPcm, large));
  for (std::size_t c = 0; c < a.chips.size(); ++c) EXPECT_EQ(a.chips[c].predictions, b.chips[c].predictions);
}

TEST(Direction, CompensationHelpsOldPcm) {
  Session session(test::kCosts);
  const Quality with = quality(session, {{"chip.device.age", "365 day"}});
  const Quality without = quality(session, {{"chip.device.age", "365 day"}, {"chip.drift_compensation", "none"}});
  EXPECT_GT(with.snr_dB, without.snr_dB + 3);
}

}  // namespace
}  // namespace tellegen::sim
