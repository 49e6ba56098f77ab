// What wires cost a network: set-up once, and inference against the same chip without wires. Processor time of one
// thread, so that other programs on the machine count little; the two chips take turns, and medians are compared.

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>
#include <cstdio>

#include "engine_fixture.h"
#include "tellegen/base/blas.h"

namespace tellegen::sim {
namespace {

double thread_time_s() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Times `work` in seconds.
template <class Work>
double timed_s(const Work& work) {
  const double start_s = thread_time_s();
  work();
  return thread_time_s() - start_s;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// A programmed and calibrated chip, and what that took.
struct Ready {
  explicit Ready(const Overrides& overrides)
      : config(read_experiment(test::kSource + "/configs/experiments/lenet_wires.yaml", overrides)),
        workload(load(config, 1)),
        plan(Session(test::kCosts, 1).plan_only(config).plan) {
    setup_s = timed_s([&] {
      chip = program<float>(workload, plan, config, 0);
      calibrate(chip, workload, plan, config);
    });
  }
  /// Time of 512 images, by the batches of the experiment.
  double inference_s() const {
    return timed_s([&] {
      for (std::int64_t first = 0; first < 512; first += config.evaluate.batch)
        infer(chip, workload, plan, config, first, config.evaluate.batch, false);
    });
  }

  ExperimentConfig config;
  Workload workload;
  mapping::Plan plan;
  ProgrammedChip<float> chip;
  double setup_s = 0;
};

TEST(WireSpeed, LeNetIsNearlyAsFastWithWiresAndReadNoiseAsWithout) {
  use_single_threaded_blas();
  const Overrides common{{"evaluate.samples", "512"}, {"evaluate.calibration_samples", "64"}};
  Overrides plain = common;
  plain.emplace_back("chip.crossbar.fidelity", "functional");
  const Ready with(common), without(plain);
  for (const ProgrammedLayer<float>& layer : with.chip.layers) {
    for (const ProgrammedTile<float>& tile : layer.tiles) {
      ASSERT_FALSE(tile.admittance_S.empty()) << "wires in every tile";
      ASSERT_FALSE(tile.array.variance_A2.empty()) << "read noise in every tile";
    }
  }
  constexpr int kRounds = 11;
  std::vector<double> wired_s, plain_s, ratios;
  with.inference_s(), without.inference_s();
  for (int round = 0; round < kRounds; ++round) {
    wired_s.push_back(with.inference_s());
    plain_s.push_back(without.inference_s());
    ratios.push_back(wired_s.back() / plain_s.back());
  }
  const double ratio = median(wired_s) / median(plain_s);
  std::printf(
      "set-up %.2f s with wires, %.2f s without; 512 images %.3f s with, %.3f s without: %.2f (of pairs %.2f)\n",
      with.setup_s, without.setup_s, median(wired_s), median(plain_s), ratio, median(ratios));
  EXPECT_LT(with.setup_s, 10);
  EXPECT_LT(median(ratios), 1.5);
}

}  // namespace
}  // namespace tellegen::sim
