// Same seed, same bits, for any number of threads; another seed, other draws.

#include <gtest/gtest.h>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

const std::string kNoisy = R"(
chip:
  device: {model: pcm_joshi, age: 1 day}
  adc: {bits: 8, enob: 7}
evaluate: {samples: 300, chips: 3, calibration_samples: 64, batch: 32}
)";

void expect_equal(const RunResult& a, const RunResult& b) {
  ASSERT_EQ(a.chips.size(), b.chips.size());
  for (std::size_t c = 0; c < a.chips.size(); ++c) {
    EXPECT_EQ(a.chips[c].predictions, b.chips[c].predictions);
    for (std::size_t l = 0; l < a.chips[c].events.size(); ++l) {
      EXPECT_EQ(a.chips[c].events[l].clipped, b.chips[c].events[l].clipped);
      EXPECT_EQ(a.chips[c].events[l].cell_energy_J, b.chips[c].events[l].cell_energy_J);
      EXPECT_EQ(a.chips[c].events[l].drive_V2, b.chips[c].events[l].drive_V2);
      EXPECT_EQ(a.chips[c].signals[l].error, b.chips[c].signals[l].error);
    }
  }
}

TEST(Determinism, ThreadsDoNotShow) {
  const ExperimentConfig config = test::experiment("cnn_silu_mnist", kNoisy);
  expect_equal(Session(test::kCosts, 1).run(config), Session(test::kCosts, 2).run(config));
}

TEST(Determinism, CachesDoNotShow) {
  const ExperimentConfig config = test::experiment("lenet_mnist", kNoisy);
  const ExperimentConfig other =
      test::experiment("lenet_mnist", kNoisy, {{"chip.adc.bits", "6"}, {"chip.adc.enob", "5"}});
  Session session(test::kCosts);
  session.run(other);
  expect_equal(session.run(config), Session(test::kCosts).run(config));
}

TEST(Determinism, SeedsDiffer) {
  const RunResult a = Session(test::kCosts).run(test::experiment("lenet_mnist", kNoisy));
  const RunResult b = Session(test::kCosts).run(test::experiment("lenet_mnist", kNoisy, {{"evaluate.seed", "2"}}));
  for (std::size_t c = 0; c < a.chips.size(); ++c) {
    for (std::size_t l = 0; l < a.plan.layers.size(); ++l)
      EXPECT_NE(a.chips[c].signals[l].error, b.chips[c].signals[l].error);
  }
}

TEST(Determinism, ChipsDiffer) {
  const RunResult a = Session(test::kCosts).run(test::experiment("lenet_mnist", kNoisy));
  EXPECT_NE(a.chips[0].signals[0].error, a.chips[1].signals[0].error);
  EXPECT_NE(a.chips[1].signals[0].error, a.chips[2].signals[0].error);
}

/// Steps and frames draw noise of their own, whatever batches and threads they come in.
class DeterminismOfSequences : public ::testing::TestWithParam<const char*> {
 protected:
  static RunResult run(int batch, int threads) {
    const Overrides overrides = {{"evaluate.samples", "60"},       {"evaluate.chips", "2"},
                                 {"evaluate.snr_samples", "60"},   {"evaluate.calibration_samples", "60"},
                                 {"evaluate.precision", "double"}, {"evaluate.batch", std::to_string(batch)}};
    return Session(test::kCosts, threads).run(test::experiment(GetParam(), kNoisy, overrides));
  }
};

TEST_P(DeterminismOfSequences, ThreadsDoNotShow) { expect_equal(run(15, 1), run(15, 2)); }

TEST_P(DeterminismOfSequences, BatchesDoNotShow) {
  const RunResult whole = run(60, 2), parts = run(20, 2);
  for (std::size_t c = 0; c < whole.chips.size(); ++c) {
    const std::vector<models::Figure>&a = whole.chips[c].figures, &b = parts.chips[c].figures;
    for (std::size_t f = 0; f < a.size(); ++f) EXPECT_NEAR(a[f].value, b[f].value, 1e-6) << a[f].name;
    for (std::size_t l = 0; l < whole.plan.layers.size(); ++l) {
      const double error = whole.chips[c].signals[l].error;
      EXPECT_GT(error, 0);
      EXPECT_NEAR(parts.chips[c].signals[l].error, error, 1e-5 * error) << whole.plan.layers[l].name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, DeterminismOfSequences, ::testing::Values("lstm_mnist", "gru_mnist", "silero_vad_16k"),
                         [](const auto& tested) { return std::string(tested.param); });

}  // namespace
}  // namespace tellegen::sim
