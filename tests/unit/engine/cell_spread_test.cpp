// No isolated formulas: each statistical device, run as `device:` of a chip, spreads the cells of a network as its law
// says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ostream>
#include <string>
#include <vector>

#include "engine_fixture.h"
#include "tellegen/devices/measured_samples.h"
#include "tellegen/devices/memristor/memristor.h"

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

/// Sorted samples in uS of the shipped set at its first age, by target in uS.
const std::map<double, std::vector<double>>& shipped_samples() {
  static const auto samples = [] {
    std::map<double, std::vector<double>> sorted;
    for (const auto& sample : devices::read_samples(test::kSource + "/configs/devices/measured/oxide_rram.csv")) {
      if (sample.age_s == 1) sorted[sample.target_S * 1e6].push_back(sample.g_S * 1e6);
    }
    for (auto& [target, values] : sorted) std::sort(values.begin(), values.end());
    return sorted;
  }();
  return samples;
}

/// Standard deviation of the distribution whose quantiles are straight between the samples, sample k of n at rank
/// (k + 1/2) / n, and constant beyond; between two targets, quantiles are straight in the target.
double sampled_sigma_uS(double target_uS) {
  const auto& sets = shipped_samples();
  auto next = sets.lower_bound(target_uS - 1e-3);
  if (next == sets.begin()) ++next;
  if (next == sets.end()) --next;
  const auto& [high_uS, high] = *next;
  const auto& [low_uS, low] = *std::prev(next);
  const double share = (target_uS - low_uS) / (high_uS - low_uS);
  const std::size_t n = low.size();
  std::vector<double> q(n);
  for (std::size_t k = 0; k < n; ++k) q[k] = low[k] + share * (high[k] - low[k]);
  double mean = 0.5 * (q.front() + q.back()), square = 0.5 * (q.front() * q.front() + q.back() * q.back());
  for (std::size_t k = 0; k + 1 < n; ++k) {
    mean += 0.5 * (q[k] + q[k + 1]);
    square += (q[k] * q[k] + q[k] * q[k + 1] + q[k + 1] * q[k + 1]) / 3;
  }
  mean /= static_cast<double>(n);
  return std::sqrt(square / static_cast<double>(n) - mean * mean);
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
    {"measured", "{model: measured, file: '" TELLEGEN_SOURCE_DIR "/configs/devices/measured/oxide_rram.csv'}", false,
     sampled_sigma_uS},
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

TEST(EveryDevice, HasALaw) {
  for (const std::string& name : devices::device_names()) {
    const bool has_law =
        std::any_of(std::begin(kLaws), std::end(kLaws), [&](const Law& law) { return law.name == name; });
    EXPECT_TRUE(has_law || name == "ideal" || name == "write_verified") << name;
  }
}

/// Every dynamic memristor, and measured pulse curves, write the weights of a network pulse by pulse.
class EveryPulsedCell : public ::testing::TestWithParam<std::string> {};

TEST_P(EveryPulsedCell, ReachesItsTargetsWithinTheToleranceAndCountsWhatItTook) {
  const std::string cells = GetParam() == "curves" ? "cells: curves, curves: {file: '" + test::kSource +
                                                         "/configs/devices/measured/ltp_ltd.csv'}"
                                                   : "memristor: {model: " + GetParam() + "}";
  const ExperimentConfig config =
      test::experiment("lenet_mnist", "chip: {device: {model: write_verified, switching: {cell: 0.2, pulse: 0.1}, " +
                                          cells + "}}\nevaluate: {samples: 16, chips: 1, calibration_samples: 16}");
  const RunResult result = Session(test::kCosts).run(config);
  CellSpread all;
  for (const CellSpread& layer : result.spread) all += layer;
  std::int64_t counted = 0;
  double square_S2 = 0;
  for (const CellSpread::Level& level : all.level) {
    counted += level.cells;
    square_S2 += level.programmed_square_S2;
  }
  EXPECT_EQ(all.pulses.cells, static_cast<std::uint64_t>(counted));
  EXPECT_GT(all.pulses.pulses, all.pulses.cells / 2);
  // Each cell is read before its first pulse and after every pulse.
  EXPECT_GE(all.pulses.reads, all.pulses.pulses + all.pulses.cells);
  EXPECT_GT(all.pulses.energy_J, 0);
  EXPECT_GE(all.pulses.time_s, all.pulses.longest_cell_s);
  EXPECT_LT(static_cast<double>(all.pulses.unconverged), 1e-3 * static_cast<double>(all.pulses.cells));
  // Converged cells are within 1 % of the range; were errors spread evenly there, their root mean square would be 0.58 %.
  const auto device = config.chip.device.make();
  const double range_S = (device->g_max() - device->g_min()).si();
  const double rms = std::sqrt(square_S2 / static_cast<double>(counted)) / range_S;
  EXPECT_LT(rms, 0.01);
  EXPECT_GT(rms, 0.0005);
}

std::vector<std::string> pulsed_cells() {
  std::vector<std::string> names = devices::memristor_names();
  names.push_back("curves");
  return names;
}
INSTANTIATE_TEST_SUITE_P(Pulsed, EveryPulsedCell, ::testing::ValuesIn(pulsed_cells()),
                         [](const auto& tested) { return tested.param; });

TEST(PulsedCells, CellsThatCannotReachTheirTargetsAreCountedNotAnError) {
  const ExperimentConfig config =
      test::experiment("lenet_mnist",
                       "chip: {device: {model: write_verified, stuck_on: 0.01, program: {max_pulses: 3}}}\n"
                       "evaluate: {samples: 16, chips: 1, calibration_samples: 16}");
  const RunResult result = Session(test::kCosts).run(config);
  devices::PulseCount all;
  for (const CellSpread& layer : result.spread) all += layer.pulses;
  EXPECT_GT(all.unconverged, all.cells / 10);
  EXPECT_LT(all.unconverged, all.cells);
  EXPECT_LE(all.pulses, 3 * all.cells);
}

INSTANTIATE_TEST_SUITE_P(Statistical, EveryDevice, ::testing::ValuesIn(kLaws),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tellegen::sim
