// No isolated formulas: each statistical device, run as `device:` of a chip, spreads the cells of a network as its law
// says.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <ostream>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

struct Law {
  const char* name;
  const char* yaml;
  bool after_ageing;                       ///< the law is of the mean read, not of the programmed conductance
  std::function<double(double)> sigma_uS;  ///< of the target in uS, written down again here
};

double polynomial(std::initializer_list<double> low_to_high, double x) {
  double sum = 0, power = 1;
  for (const double c : low_to_high) {
    sum += c * power;
    power *= x;
  }
  return sum;
}

const Law kLaws[] = {
    {"generic", "{model: generic, g_max: 50 uS, programming_noise: {absolute: 0.5 uS, proportional: 0.03}}", false,
     [](double g) { return 0.5 + 0.03 * g; }},
    {"pcm_joshi", "{model: pcm_joshi, g_max: 25 uS}", false,
     [](double g) {
       return polynomial({0.26348, 1.9650, -1.1731}, g / 25);
     }},
    {"pcm_hermes_1", "{model: pcm_hermes_1}", false,
     [](double g) {
       return polynomial({0.15781817, 2.32443916, -2.16310839, 0.68841818}, g / 10.35);
     }},
    {"pcm_hermes_2", "{model: pcm_hermes_2}", false,
     [](double g) {
       return polynomial({0.16603222, 4.71806468, -8.48101252, 4.68961419}, g / 20.7);
     }},
    {"rram_wan", "{model: rram_wan, g_max: 25 uS, age: 1 day}", true,
     [](double g) {
       return 25.0 / 40 * polynomial({0.701, 22.086, -50.773, 47.095, -16.458}, g / 25);
     }},
    {"rram_cmo", "{model: rram_cmo, acceptance: 2 %}", false,
     [](double g) { return 0.0112185391 + 0.01129027418 * g; }},
    {"rram_milo", "{model: rram_milo}", false, [](double g) { return 4.782321 - 0.009107 * g; }},
    {"sonos", "{model: sonos}", false, [](double g) { return 19.88665e-2 * (1 - std::exp(-g / 176.3115e-2)); }},
};

void PrintTo(const Law& law, std::ostream* out) { *out << law.name; }

class EveryDevice : public ::testing::TestWithParam<Law> {};

TEST_P(EveryDevice, SpreadsCellsAsItsLawSays) {
  const ExperimentConfig config =
      test::experiment("mlp_mnist", std::string("chip: {device: ") + GetParam().yaml +
                                        "}\nevaluate: {samples: 16, chips: 3, calibration_samples: 16}");
  const RunResult result = Session(test::kCosts).run(config);
  CellSpread all;
  for (const CellSpread& layer : result.spread) all += layer;
  const double g_max = config.chip.device.make()->g_max().si();
  int tested = 0;
  for (const CellSpread::Level& level : all.level) {
    if (level.cells < 100) continue;
    const double n = static_cast<double>(level.cells);
    const double target_uS = level.target_S / n * 1e6;
    const double expected_uS = GetParam().sigma_uS(target_uS);
    if (target_uS < 4 * expected_uS) continue;  // clipping at zero narrows the lowest levels
    const double sum = GetParam().after_ageing ? level.read_S : level.programmed_S;
    const double squares = GetParam().after_ageing ? level.read_square_S2 : level.programmed_square_S2;
    const double got_uS = spread_deviation(level.cells, sum, squares) * 1e6;
    // Five standard errors of a standard deviation, and what the law bends within a level.
    const double half_level_uS = g_max * 1e6 / 32;
    const double bend =
        std::abs(GetParam().sigma_uS(target_uS + half_level_uS) - GetParam().sigma_uS(target_uS - half_level_uS)) /
        expected_uS;
    EXPECT_NEAR(got_uS / expected_uS, 1, 5 / std::sqrt(2 * n) + 0.1 * bend)
        << "at " << target_uS << " uS, " << level.cells << " cells";
    ++tested;
  }
  EXPECT_GE(tested, 4);
}

INSTANTIATE_TEST_SUITE_P(Statistical, EveryDevice, ::testing::ValuesIn(kLaws),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tellegen::sim
