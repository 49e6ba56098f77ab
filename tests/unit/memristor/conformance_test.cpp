// What every entry of the memristor catalogue promises.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/devices/memristor/adaptive.h"
#include "tellegen/devices/memristor/branches.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/programming/programming.h"

namespace tellegen::devices {
namespace {

struct File {
  MemristorConfig memristor;
  void settings(Settings& v) { v.section("memristor", memristor, "the device"); }
};

class EveryMemristor : public testing::TestWithParam<std::string> {
 protected:
  const MemristorEntry& entry() const { return find_memristor(GetParam()); }
  std::shared_ptr<const MemristorModel> model() const { return entry().defaults()->make(); }
  std::vector<double> states(int n) const {
    const StateRange range = model()->state();
    std::vector<double> x;
    for (int i = 0; i <= n; ++i) x.push_back(range.low + range.width() * i / n);
    return x;
  }
};

TEST_P(EveryMemristor, NamesItselfItsEquationsAndItsSource) {
  EXPECT_EQ(entry().name, GetParam());
  EXPECT_GT(entry().summary.size(), 20u);
  EXPECT_EQ(entry().summary.back(), '.');
  EXPECT_NE(entry().equations.find("/dt = "), std::string::npos);
  EXPECT_GT(entry().source.size(), 20u);
  const StateRange range = model()->state();
  EXPECT_LT(range.low, range.high);
  EXPECT_LE(range.low, range.initial);
  EXPECT_GE(range.high, range.initial);
  EXPECT_STRNE(range.unit, "");
}

TEST_P(EveryMemristor, SmallestYamlLoadsAndItsResolutionLoadsAgain) {
  File file, again;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  EXPECT_EQ(file.memristor.model, GetParam());
  const std::string resolved = write_config(file);
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  const auto a = file.memristor.make(), b = again.memristor.make(), c = entry().defaults()->make();
  for (const double x : states(7)) {
    EXPECT_EQ(a->rate_per_s(x, entry().pulses.raise_V), b->rate_per_s(x, entry().pulses.raise_V));
    EXPECT_EQ(a->current_A(x, 0.3), b->current_A(x, 0.3));
    EXPECT_EQ(a->current_A(x, 0.3), c->current_A(x, 0.3));
  }
}

TEST_P(EveryMemristor, EverySettingIsExplained) {
  const auto manual = config_manual<File>();
  const auto mine = std::count_if(manual.begin(), manual.end(), [&](const ManualRow& row) {
    return row.when.empty() || row.when.find(GetParam()) != std::string::npos;
  });
  EXPECT_GT(mine, 2);
  for (const ManualRow& row : manual) EXPECT_GT(row.help.size(), 7u) << row.path;
}

TEST_P(EveryMemristor, IsPassive) {
  for (const double x : states(50)) {
    for (double v = -3; v <= 3; v += 0.05) EXPECT_GE(model()->current_A(x, v) * v, 0) << x << ' ' << v;
    EXPECT_EQ(model()->current_A(x, 0), 0) << x;
  }
}

TEST_P(EveryMemristor, CurrentRisesWithVoltage) {
  const auto m = model();
  for (const double x : states(20)) {
    for (double v = -2; v < 2; v += 0.1) EXPECT_LE(m->current_A(x, v), m->current_A(x, v + 0.1)) << x << ' ' << v;
  }
}

/// A pulse of the stated sign never lowers the conductance, and from the middle it raises it. The ends are left out:
/// where switches hop with thermal rates, no voltage holds all of them.
TEST_P(EveryMemristor, PulsesMoveTheConductanceAsStated) {
  const auto m = model();
  const PulsePair& p = entry().pulses;
  EXPECT_EQ(p.raise_V > 0 ? 1 : -1, m->raising_sign());
  EXPECT_LT(p.raise_V * p.lower_V, 0);
  const StateRange range = m->state();
  const auto after = [&](double x, double v_V) {
    double state[1] = {x};
    const double v[1] = {v_V}, width[1] = {p.width_s};
    m->advance({.amplitude_V = v, .duration_s = width}, state, {});
    return conductance_S(*m, state[0], p.read_V);
  };
  for (double share = 0.05; share < 0.96; share += 0.05) {
    const double x = range.low + share * range.width(), before = conductance_S(*m, x, p.read_V);
    EXPECT_GE(after(x, p.raise_V), before * (1 - 1e-12)) << x;
    EXPECT_LE(after(x, p.lower_V), before * (1 + 1e-12)) << x;
  }
  const double middle = range.low + 0.5 * range.width(), before = conductance_S(*m, middle, p.read_V);
  EXPECT_GT(after(middle, p.raise_V), before);
  EXPECT_LT(after(middle, p.lower_V), before);
}

TEST_P(EveryMemristor, KeepsItsRangeUnderAnyDrive) {
  const auto m = model();
  const StateRange range = m->state();
  const PulsePair& p = entry().pulses;
  std::vector<double> x = states(40);
  const double strong = 3 * std::max(std::abs(p.raise_V), std::abs(p.lower_V));
  for (const double sign : {1.0, -1.0, 1.0}) {
    for (const double duration_s : {p.width_s, 300 * p.width_s}) {
      const std::vector<double> v(x.size(), sign * strong), t(x.size(), duration_s);
      std::vector<double> shape;
      for (int i = 0; i <= 80; ++i) shape.push_back(std::sin(0.05 * i));
      std::vector<double> energy_J(x.size(), 0.0);
      m->advance({v, t, {}, 0, {}, {}}, x, energy_J);
      for (const double state : x) EXPECT_TRUE(state >= range.low && state <= range.high) << state;
      m->advance({v, t, shape, 40, {}, {}}, x, energy_J);
      for (const double state : x) EXPECT_TRUE(state >= range.low && state <= range.high) << state;
      for (const double e : energy_J) EXPECT_GE(e, 0);
    }
  }
}

TEST_P(EveryMemristor, AdaptiveAndFixedStepsAgree) {
  const auto m = model();
  const PulsePair& p = entry().pulses;
  const double x0 = m->state().initial, duration_s = 4 * p.width_s;
  const double amplitude_V = std::max(std::abs(p.raise_V), std::abs(p.lower_V));
  const double w = 2 * std::numbers::pi / duration_s;
  const double t_s[2] = {0, duration_s};
  const auto path =
      integrate_adaptively(*m, {DriveKind::voltage, [&](double t) { return amplitude_V * std::sin(w * t); }}, x0, t_s);
  constexpr int steps = 20000;
  std::vector<double> shape;
  for (int i = 0; i <= 2 * steps; ++i) shape.push_back(std::sin(std::numbers::pi * i / steps));
  double x[1] = {x0};
  const double v[1] = {amplitude_V}, t[1] = {duration_s};
  m->advance({v, t, shape, steps, {}, {}}, x, {});
  EXPECT_NEAR(x[0], path.x[1], 1e-6 * m->state().width());
}

TEST_P(EveryMemristor, SeparatesItsBranchesUnderCurrentToo) {
  const auto m = model();
  const PulsePair& p = entry().pulses;
  const StateRange range = m->state();
  const double v = 0.5 * std::min(std::abs(p.raise_V), std::abs(p.lower_V));
  const auto found = separate_branches(*m, {.kind = DriveKind::current,
                                            .amplitude = m->current_A(range.initial, v),
                                            .frequency_Hz = 1 / (40 * p.width_s),
                                            .x_at_trough = range.initial});
  for (std::size_t i = 0; i < found.xi.size(); ++i) {
    EXPECT_TRUE(std::isfinite(found.separation[i])) << i;
    EXPECT_LT(std::abs(found.separation[i]), 4 * v) << i;
  }
  EXPECT_GE(found.x_min, range.low);
  EXPECT_LE(found.x_max, range.high);
  // Without drive both branches are at rest.
  EXPECT_NEAR(found.separation[found.separation.size() / 2], 0, 1e-12 * v);
}

/// Every dynamic model drives write-verify: from the middle to targets on both sides, all within 1 %.
TEST_P(EveryMemristor, DrivesWriteVerify) {
  const auto m = model();
  const StateRange range = m->state();
  const double read_V = entry().pulses.read_V;
  std::vector<double> target_S;
  for (int i = 0; i <= 60; ++i) {
    target_S.push_back(conductance_S(*m, range.low + (0.3 + 0.4 * i / 60) * range.width(), read_V));
  }
  const Stream stream(3, Purpose::test, {});
  const auto program = [&] {
    const std::vector<double> start(target_S.size(), range.low + 0.5 * range.width());
    MemristorCells cells(m, read_V, start, {.cell = 0.2, .pulse = 0.05}, stream);
    return write_verify(cells, target_S, around(entry().pulses), stream);
  };
  const ProgramResult result = program();
  EXPECT_EQ(result.unconverged, 0u);
  double energy_J = 0, time_s = 0;
  for (std::size_t i = 0; i < target_S.size(); ++i) {
    EXPECT_LE(std::abs(result.g_S[i] - target_S[i]), 0.01 * target_S[i] * (1 + 1e-12)) << i;
    EXPECT_EQ(result.reads[i], result.pulses[i] + 1);
    energy_J += result.energy_J[i];
    time_s += result.time_s[i];
  }
  EXPECT_GT(energy_J, 0);
  EXPECT_DOUBLE_EQ(result.total_energy_J, energy_J);
  EXPECT_DOUBLE_EQ(result.total_time_s, time_s);
  EXPECT_EQ(program().g_S, result.g_S) << "same stream, same result";
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryMemristor, testing::ValuesIn(memristor_names()),
                         [](const auto& param) { return param.param; });

TEST(MemristorCatalogue, UnknownNamesGetAProposal) {
  try {
    find_memristor("vteem");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "'vteem' is not a known memristor; did you mean 'vteam'? Known memristors: hp, flux_controlled, vteam, "
        "yakopcic, stanford_pku, knowm, chang, pershin, data_driven.");
  }
}

}  // namespace
}  // namespace tellegen::devices
