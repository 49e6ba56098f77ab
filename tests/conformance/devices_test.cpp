// What every entry of the device catalogue promises.

#include "tellegen/devices/conductance_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tellegen/base/config.h"

namespace tellegen::devices {
namespace {

constexpr ArrayAddress address{2026, {1, 4, 2}};
constexpr double ages_s[] = {0, 1e-6, 1, 60, 3600, 86400, 30 * 86400.0, 3.2e8};

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

struct File {
  DeviceConfig device;
  void settings(Settings& v) { v.section("device", device, "the cells"); }
};

class EveryDevice : public testing::TestWithParam<std::string> {
 protected:
  // Files that a configuration names are looked for from the working directory up.
  void SetUp() override { std::filesystem::current_path(TELLEGEN_SOURCE_DIR); }
  const DeviceEntry& entry() const { return find_device(GetParam()); }
  std::unique_ptr<ConductanceDevice> device() const { return entry().defaults()->make(); }
  /// g_min to g_max and back, so that every level is met; more than two blocks.
  std::vector<float> targets() const {
    const auto d = device();
    const double low_S = d->g_min().si(), high_S = d->g_max().si();
    std::vector<float> target_S(10001);
    for (std::size_t i = 0; i < target_S.size(); ++i) {
      target_S[i] = static_cast<float>(low_S + (high_S - low_S) * (1 - std::abs(static_cast<double>(i) / 5000 - 1)));
    }
    return target_S;
  }
};

TEST_P(EveryDevice, NamesItselfAndItsSource) {
  EXPECT_EQ(entry().name, GetParam());
  EXPECT_GT(entry().summary.size(), 20u);
  EXPECT_EQ(entry().summary.back(), '.');
  EXPECT_FALSE(entry().source.empty());
  EXPECT_GT(entry().equations.size(), 20u);
  const auto same = [&](const DeviceEntry& other) { return other.name == entry().name; };
  EXPECT_EQ(std::count_if(device_catalog().begin(), device_catalog().end(), same), 1);
}

TEST_P(EveryDevice, SmallestYamlLoadsAsItsDefaults) {
  File file;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  EXPECT_EQ(file.device.model, GetParam());
  const auto loaded = file.device.make(), made = device();
  EXPECT_EQ(loaded->g_min(), made->g_min());
  EXPECT_EQ(loaded->g_max(), made->g_max());
  EXPECT_EQ(loaded->program(targets(), address).g_S, made->program(targets(), address).g_S);
}

TEST_P(EveryDevice, ResolvedConfigurationLoadsAgain) {
  File file, again;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  const std::string resolved = write_config(file);
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
}

TEST_P(EveryDevice, ConfigurationFileLoadsAndNamesItsSourceOnTop) {
  const std::filesystem::path path =
      std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/devices" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first_line;
  ASSERT_TRUE(std::getline(text, first_line)) << path;
  EXPECT_TRUE(first_line.starts_with("# ") && first_line.size() > 20) << first_line;
  File file;
  read_config(path, file);
  EXPECT_EQ(file.device.model, GetParam());
  EXPECT_EQ(file.device.make()->program({}, address).g_S.size(), 0u);
}

TEST_P(EveryDevice, SettingsHaveHelpAndUnits) {
  File file;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  std::size_t quantities = 0;
  for (const ManualRow& row : config_manual(file)) {
    EXPECT_GT(row.help.size(), 8u) << row.path;
    EXPECT_FALSE(row.kind.empty()) << row.path;
    if (!row.kind.starts_with("quantity")) continue;
    ++quantities;
    EXPECT_NE(row.kind.find('('), std::string::npos) << row.path << " " << row.kind;
    EXPECT_NE(row.default_value.find(' '), std::string::npos) << row.path << " = " << row.default_value;
  }
  EXPECT_GE(quantities, 4u);  // g_min, g_max, age, temperature
}

TEST_P(EveryDevice, CloneMakesTheSameDevice) {
  const auto parameters = entry().defaults();
  EXPECT_EQ(parameters->clone()->make()->program(targets(), address).g_S,
            parameters->make()->program(targets(), address).g_S);
}

TEST_P(EveryDevice, RangeIsARange) {
  EXPECT_GE(device()->g_min().si(), 0.0);
  EXPECT_GT(device()->g_max(), device()->g_min());
  EXPECT_NE(device()->levels(), 1);
}

// Errors are unbounded normal draws: no physical device exceeds twice its range by them, and no draw of ours does among
// 10001.
TEST_P(EveryDevice, ProgrammedAndAgedConductancesAreFiniteNotNegativeAndBelowTwiceTheRange) {
  const auto d = device();
  const auto programmed = d->program(targets(), address);
  ASSERT_EQ(programmed.g_S.size(), targets().size());
  const double bound_S = 2 * d->g_max().si();
  const auto kept = [&](float g_S) { return std::isfinite(g_S) && g_S >= 0 && g_S < bound_S; };
  EXPECT_TRUE(std::all_of(programmed.g_S.begin(), programmed.g_S.end(), kept));
  for (const double age_s : ages_s) {
    const auto statistics = d->read(programmed, after(age_s), address);
    ASSERT_EQ(statistics.mean_S.size(), targets().size());
    EXPECT_TRUE(std::all_of(statistics.mean_S.begin(), statistics.mean_S.end(), kept)) << age_s;
  }
}

TEST_P(EveryDevice, VariancesAreFiniteAndNotNegative) {
  const auto d = device();
  const auto programmed = d->program(targets(), address);
  for (const double age_s : ages_s) {
    const auto statistics = d->read(programmed, after(age_s), address);
    EXPECT_TRUE(statistics.variance_S2.empty() || statistics.variance_S2.size() == targets().size());
    for (const float variance_S2 : statistics.variance_S2)
      ASSERT_TRUE(std::isfinite(variance_S2) && variance_S2 >= 0) << age_s;
  }
}

TEST_P(EveryDevice, AtAgeZeroTheMeanIsWhatWasProgrammed) {
  const auto d = device();
  const auto programmed = d->program(targets(), address);
  EXPECT_EQ(d->read(programmed, after(0), address).mean_S, programmed.g_S);
}

TEST_P(EveryDevice, SameAddressSameBits) {
  const auto d = device();
  const auto one = d->program(targets(), address), two = d->program(targets(), address);
  EXPECT_EQ(one.g_S, two.g_S);
  EXPECT_EQ(one.clipped, two.clipped);
  const auto read_one = d->read(one, after(3600), address), read_two = device()->read(two, after(3600), address);
  EXPECT_EQ(read_one.mean_S, read_two.mean_S);
  EXPECT_EQ(read_one.variance_S2, read_two.variance_S2);
}

TEST_P(EveryDevice, ReusedMemoryGivesTheSameBits) {
  const auto d = device();
  // Left over from a larger array of a device with faults and noise.
  ProgrammedCells cells{std::vector<float>(20000, 1.0f), std::vector<Fault>(20000, Fault::stuck_on),
                        std::vector<float>(20000, 2.0f), 7};
  ReadStatistics statistics{std::vector<float>(20000, 3.0f), std::vector<float>(20000, 4.0f)};
  d->program_into(targets(), address, cells);
  d->read_into(cells, after(3600), address, statistics);
  const auto fresh = d->program(targets(), address);
  const auto fresh_statistics = d->read(fresh, after(3600), address);
  EXPECT_EQ(cells.g_S, fresh.g_S);
  EXPECT_EQ(cells.faults, fresh.faults);
  EXPECT_EQ(cells.target_S, fresh.target_S);
  EXPECT_EQ(cells.clipped, fresh.clipped);
  EXPECT_EQ(statistics.mean_S, fresh_statistics.mean_S);
  EXPECT_EQ(statistics.variance_S2, fresh_statistics.variance_S2);
}

TEST_P(EveryDevice, ACellDoesNotDependOnItsNeighbours) {
  const auto d = device();
  auto changed_S = targets();
  for (std::size_t i = 0; i < changed_S.size(); i += 2) changed_S[i] = static_cast<float>(d->g_max().si());
  const auto one = d->program(targets(), address), two = d->program(changed_S, address);
  const auto read_one = d->read(one, after(3600), address), read_two = d->read(two, after(3600), address);
  for (std::size_t i = 1; i < changed_S.size(); i += 2) {
    ASSERT_EQ(one.g_S[i], two.g_S[i]) << i;
    ASSERT_EQ(read_one.mean_S[i], read_two.mean_S[i]) << i;
  }
}

TEST_P(EveryDevice, ErrorsOfNeighboursAreUncorrelated) {
  const auto d = device();
  constexpr std::size_t cells = 100000;
  const std::vector<float> target_S(cells, static_cast<float>(0.5 * (d->g_min().si() + d->g_max().si())));
  const auto programmed = d->program(target_S, address);
  const auto mean_S = d->read(programmed, after(86400), address).mean_S;
  double average = 0, variance = 0, covariance = 0;
  for (const float g_S : mean_S) average += g_S / static_cast<double>(cells);
  for (std::size_t i = 0; i + 1 < cells; ++i) {
    variance += (mean_S[i] - average) * (mean_S[i] - average);
    covariance += (mean_S[i] - average) * (mean_S[i + 1] - average);
  }
  if (variance < 1e-12 * cells * average * average) return;  // a device without spread has nothing to correlate
  EXPECT_LT(std::abs(covariance / variance), 5.33 / std::sqrt(static_cast<double>(cells)));
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryDevice, testing::ValuesIn(device_names()),
                         [](const auto& test) { return test.param; });

TEST(DeviceFiles, EachOneLoads) {
  std::size_t files = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/devices")) {
    if (file.path().extension() != ".yaml") continue;
    ++files;
    File config;
    EXPECT_NO_THROW(read_config(file.path(), config)) << file.path();
  }
  EXPECT_GE(files, device_names().size());
}

}  // namespace
}  // namespace tellegen::devices
