// Open loop and write-verify: counts, noise, cells that never get there, speed.

#include "tellegen/devices/programming/programming.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {
namespace {

const Stream stream(11, Purpose::test, {});

ProgramSettings exact_settings() {
  ProgramSettings s;
  s.raise = s.raise_max = s.lower = s.lower_max = Voltage::si(1);
  s.width = Time::si(0.02);
  s.read_time = Time::si(1e-3);
  s.relative_tolerance = 0;
  s.tolerance = Conductance::si(1e-7);
  return s;
}

/// i = (1e-4 + 2e-4 flux) v: each pulse of 1 V for 20 ms adds exactly 4 uS.
std::shared_ptr<const MemristorModel> ideal() { return make_memristor("flux_controlled"); }

TEST(WriteVerify, CountsPulsesReadsTimeAndEnergy) {
  MemristorCells cells(ideal(), 0.1, {0, 0, 0}, {}, stream);
  // 5 pulses up, 3 pulses down, none.
  const std::vector<double> target_S{120e-6, 88e-6, 100e-6};
  const ProgramResult result = write_verify(cells, target_S, exact_settings(), stream);
  EXPECT_EQ(result.unconverged, 0u);
  EXPECT_EQ(result.pulses, (std::vector<std::uint32_t>{5, 3, 0}));
  EXPECT_EQ(result.reads, (std::vector<std::uint32_t>{6, 4, 1}));
  EXPECT_NEAR(result.time_s[0], 5 * 0.02 + 6 * 1e-3, 1e-12);
  EXPECT_NEAR(result.longest_time_s, result.time_s[0], 1e-15);
  // Pulses: the flux goes from 0 to 0.1 V s under 1 V; W dt = W dflux. Reads: 0.1 V at 100, 104, ... 120 uS for 1 ms.
  const double pulses_J = 1e-4 * 0.1 + 1e-4 * 0.1 * 0.1;
  const double reads_J = 0.01 * 1e-3 * (100 + 104 + 108 + 112 + 116 + 120) * 1e-6;
  EXPECT_NEAR(result.energy_J[0], pulses_J + reads_J, 1e-15);
  EXPECT_NEAR(result.energy_J[2], 0.01 * 1e-3 * 100e-6, 1e-18);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(result.g_S[i], target_S[i], 1e-12);
}

TEST(WriteVerify, NarrowsPulsesAroundTheTarget) {
  MemristorCells cells(ideal(), 0.1, {0}, {}, stream);
  // 1.5 uS away, pulses of 4 uS: each time the target is passed the pulses halve.
  const std::vector<double> target_S{101.5e-6};
  auto settings = exact_settings();
  const ProgramResult narrowing = write_verify(cells, target_S, settings, stream);
  EXPECT_EQ(narrowing.unconverged, 0u);
  settings.shrink = 1;
  MemristorCells others(ideal(), 0.1, {0}, {}, stream);
  const ProgramResult fixed = write_verify(others, target_S, settings, stream);
  EXPECT_EQ(fixed.unconverged, 1u) << "pulses of 4 uS cannot end within 0.1 uS";
  EXPECT_EQ(fixed.pulses[0], 200u);
}

TEST(WriteVerify, RunsGrowUpToTheirLimit) {
  auto settings = exact_settings();
  settings.growth = 0.5;
  settings.raise_max = Voltage::si(2);
  MemristorCells cells(ideal(), 0.1, {0}, {}, stream);
  // 1 V, 1.5 V, 2 V, 2 V: 4 + 6 + 8 + 8 uS.
  const std::vector<double> target_S{126e-6};
  const ProgramResult result = write_verify(cells, target_S, settings, stream);
  EXPECT_EQ(result.pulses[0], 4u);
  EXPECT_NEAR(result.g_S[0], 126e-6, 1e-12);
}

TEST(WriteVerify, ReportsCellsThatNeverConverge) {
  MemristorCells cells(ideal(), 0.1, std::vector<double>(4, 0.0), {}, stream);
  // Beyond the range of the device (20 to 180 uS) on both sides, and two within.
  const std::vector<double> target_S{300e-6, 104e-6, 1e-6, 96e-6};
  auto settings = exact_settings();
  settings.max_pulses = 30;
  const ProgramResult result = write_verify(cells, target_S, settings, stream);
  EXPECT_EQ(result.unconverged, 2u);
  EXPECT_EQ(result.outcome[0], CellOutcome::not_converged);
  EXPECT_EQ(result.outcome[1], CellOutcome::converged);
  EXPECT_EQ(result.outcome[2], CellOutcome::not_converged);
  EXPECT_EQ(result.pulses[0], 30u);
  EXPECT_NEAR(result.g_S[0], 180e-6, 1e-12) << "as near as the cell gets";
  EXPECT_NEAR(result.g_S[2], 20e-6, 1e-12);
}

TEST(WriteVerify, NoPulsesAllowedMeansReadingOnly) {
  MemristorCells cells(ideal(), 0.1, {0, 0}, {}, stream);
  auto settings = exact_settings();
  settings.max_pulses = 0;
  const ProgramResult result = write_verify(cells, std::vector<double>{100e-6, 110e-6}, settings, stream);
  EXPECT_EQ(result.unconverged, 1u);
  EXPECT_EQ(result.pulses, (std::vector<std::uint32_t>{0, 0}));
  EXPECT_EQ(result.reads, (std::vector<std::uint32_t>{1, 1}));
}

TEST(WriteVerify, NoCellsIsNoWork) {
  MemristorCells cells(ideal(), 0.1, {}, {}, stream);
  const ProgramResult result = write_verify(cells, {}, exact_settings(), stream);
  EXPECT_EQ(result.unconverged, 0u);
  EXPECT_EQ(result.total_time_s, 0);
}

/// With read noise of a size s and a window of +-t, a cell that sits on its target is accepted in the share of reads in
/// which |s N| <= t, so it takes 1 / share reads on average.
TEST(WriteVerify, ReadNoiseDelaysAcceptance) {
  auto settings = exact_settings();
  settings.read_noise = Conductance::si(1e-6);
  settings.tolerance = Conductance::si(0.5e-6);
  settings.raise = settings.raise_max = settings.lower = settings.lower_max = Voltage::si(1e-6);  // moves nothing
  settings.max_pulses = 1000;
  const std::size_t n = 4000;
  MemristorCells cells(ideal(), 0.1, std::vector<double>(n, 0.0), {}, stream);
  const ProgramResult result = write_verify(cells, std::vector<double>(n, 100e-6), settings, stream);
  const double reads = std::accumulate(result.reads.begin(), result.reads.end(), 0.0) / static_cast<double>(n);
  const double share = std::erf(0.5 / std::sqrt(2.0));
  // Geometric: standard deviation sqrt(1 - share) / share; three standard errors.
  EXPECT_NEAR(reads, 1 / share, 3 * std::sqrt(1 - share) / share / std::sqrt(static_cast<double>(n)));
}

TEST(WriteVerify, CellsAreIndependentOfTheirNeighbours) {
  const auto model = make_memristor("stanford_pku, noise: 0.02");
  const PulsePair pulses = find_memristor("stanford_pku").pulses;
  std::vector<double> target_S;
  for (int i = 0; i < 40; ++i) target_S.push_back(conductance_S(*model, 0.7e-9 + 0.01e-9 * i, 0.1));
  auto settings = around(pulses);
  settings.read_noise = Conductance::si(1e-6);
  const auto run = [&](std::vector<double> targets) {
    MemristorCells cells(std::shared_ptr<const MemristorModel>(make_memristor("stanford_pku, noise: 0.02")), 0.1,
                         std::vector<double>(targets.size(), 0.9e-9), {0.2, 0.1}, stream);
    return write_verify(cells, targets, settings, stream);
  };
  const ProgramResult together = run(target_S);
  auto others = target_S;
  for (std::size_t i = 1; i < others.size(); ++i) others[i] = target_S[others.size() - i];
  const ProgramResult changed = run(others);
  EXPECT_EQ(together.g_S[0], changed.g_S[0]);
  EXPECT_EQ(together.pulses[0], changed.pulses[0]);
  EXPECT_NE(together.g_S[1], changed.g_S[1]);
}

TEST(OpenLoop, GivesTheNominalNumberOfPulses) {
  MemristorCells cells(ideal(), 0.1, std::vector<double>(4, 0.0), {}, stream);
  const std::vector<double> target_S{120e-6, 87e-6, 100e-6, 101e-6};
  auto settings = exact_settings();
  const ProgramResult result = program_open_loop(cells, target_S, settings);
  EXPECT_EQ(result.pulses, (std::vector<std::uint32_t>{5, 3, 0, 0}));
  EXPECT_EQ(result.reads, (std::vector<std::uint32_t>{0, 0, 0, 0}));
  EXPECT_NEAR(result.g_S[1], 88e-6, 1e-12);
  EXPECT_EQ(result.outcome[0], CellOutcome::converged);
  EXPECT_EQ(result.outcome[1], CellOutcome::not_converged);
  EXPECT_EQ(result.unconverged, 2u);
}

/// Cells that differ: what is open-loop error becomes pulses in write-verify.
TEST(OpenLoop, IsLessExactThanWriteVerify) {
  const std::size_t n = 500;
  std::vector<double> target_S(n);
  for (std::size_t i = 0; i < n; ++i) target_S[i] = 60e-6 + 80e-6 * static_cast<double>(i) / static_cast<double>(n - 1);
  const PulseSpread spread{.cell = 0.2, .pulse = 0.05};
  const auto rms = [&](const ProgramResult& r) {
    double sum = 0;
    for (std::size_t i = 0; i < n; ++i) sum += (r.g_S[i] - target_S[i]) * (r.g_S[i] - target_S[i]);
    return std::sqrt(sum / static_cast<double>(n));
  };
  MemristorCells blind(ideal(), 0.1, std::vector<double>(n, 0.0), spread, stream);
  MemristorCells seeing(ideal(), 0.1, std::vector<double>(n, 0.0), spread, stream);
  auto settings = exact_settings();
  settings.tolerance = Conductance::si(0.5e-6);
  const ProgramResult open = program_open_loop(blind, target_S, settings);
  const ProgramResult closed = write_verify(seeing, target_S, settings, stream);
  EXPECT_EQ(closed.unconverged, 0u);
  EXPECT_LT(rms(closed), 0.5e-6);
  // Lognormal speeds with s = 0.2 miss by 0.21 of the way; the way is 23 uS (rms of 0 to 40 uS): 4.8 uS.
  EXPECT_GT(rms(open), 4e-6);
  EXPECT_LT(rms(open), 6e-6);
}

TEST(WriteVerify, IsFastEnoughForAnArray) {
  const std::size_t n = 150 * 150;
  const auto& entry = find_memristor("vteam");
  std::shared_ptr<const MemristorModel> model = entry.defaults()->make();
  const StateRange range = model->state();
  std::vector<double> target_S(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double share = 0.05 + 0.9 * static_cast<double>(i * 7919 % n) / static_cast<double>(n);
    target_S[i] = conductance_S(*model, range.low + share * range.width(), entry.pulses.read_V);
  }
  MemristorCells cells(model, entry.pulses.read_V, std::vector<double>(n, range.low + 0.5 * range.width()),
                       {.cell = 0.2, .pulse = 0.05}, stream);
  const auto start = std::chrono::steady_clock::now();
  const ProgramResult result = write_verify(cells, target_S, around(entry.pulses), stream);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_EQ(result.unconverged, 0u);
  RecordProperty("milliseconds", static_cast<int>(1e3 * seconds));
  EXPECT_LT(seconds, 1.0);
}

}  // namespace
}  // namespace tellegen::devices
