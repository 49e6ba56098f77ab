#include "tellegen/sim/characterize/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::characterize {
namespace {

namespace fs = std::filesystem;

const std::vector<double>& column(const Characterization& result, const std::string& table, const std::string& name) {
  for (const DataTable& t : result.tables) {
    if (t.name != table) continue;
    for (const Column& c : t.columns) {
      if (c.name == name) return c.values;
    }
  }
  throw std::logic_error("no column " + table + "/" + name);
}

std::string complaint(const std::string& name, const std::string& protocol, const Request& request = {}) {
  try {
    characterize(find(name), protocol, request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> all_runs() {
  std::vector<std::pair<std::string, std::string>> runs;
  for (const Device& device : devices()) {
    for (const std::string& protocol : device.protocols) runs.emplace_back(device.name, protocol);
  }
  return runs;
}

class EveryProtocol : public testing::TestWithParam<std::pair<std::string, std::string>> {
 protected:
  void SetUp() override { fs::current_path(TELLEGEN_SOURCE_DIR); }
};

TEST_P(EveryProtocol, FillsTablesWithUnitsFindingsAndAFigure) {
  const auto [name, protocol] = GetParam();
  const Characterization result = characterize(find(name), protocol, {});
  EXPECT_EQ(result.device, name);
  EXPECT_EQ(result.protocol, protocol);
  EXPECT_FALSE(result.source.empty());
  EXPECT_NE(result.settings.find(':'), std::string::npos);
  ASSERT_FALSE(result.tables.empty());
  for (const DataTable& table : result.tables) {
    ASSERT_FALSE(table.columns.empty());
    for (const Column& c : table.columns) {
      EXPECT_FALSE(c.unit.empty()) << c.name;
      ASSERT_EQ(c.values.size(), table.columns.front().values.size());
      EXPECT_GT(c.values.size(), 1u);
      for (const double value : c.values) ASSERT_TRUE(std::isfinite(value)) << table.name << "/" << c.name;
    }
  }
  ASSERT_FALSE(result.findings.empty());
  for (const std::string& finding : result.findings) EXPECT_EQ(finding.back(), '.') << finding;
  ASSERT_FALSE(result.figure.panels.empty());
  for (const plot::Panel& panel : result.figure.panels) {
    EXPECT_FALSE(panel.x.label.empty() || panel.y.label.empty());
    EXPECT_FALSE(panel.series.empty());
  }
}

TEST_P(EveryProtocol, SameSeedSameNumbers) {
  const auto [name, protocol] = GetParam();
  const Characterization one = characterize(find(name), protocol, {}), two = characterize(find(name), protocol, {});
  for (std::size_t t = 0; t < one.tables.size(); ++t) {
    for (std::size_t c = 0; c < one.tables[t].columns.size(); ++c) {
      EXPECT_EQ(one.tables[t].columns[c].values, two.tables[t].columns[c].values);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, EveryProtocol, testing::ValuesIn(all_runs()), [](const auto& test) {
  std::string name = test.param.first + "_" + test.param.second;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST(Devices, HaveNamesOfTheirOwnEquationsAndSettings) {
  std::set<std::string> names;
  for (const Device& device : devices()) {
    EXPECT_TRUE(names.insert(device.name).second) << device.name;
    EXPECT_EQ(&find(device.name), &device);
    EXPECT_GT(device.equations.size(), 20u) << device.name;
    std::set<std::string> paths;
    for (const ManualRow& row : settings_of(device)) {
      EXPECT_TRUE(paths.insert(row.path).second) << device.name << " has two of " << row.path;
      EXPECT_EQ(row.when, "") << device.name << " " << row.path;
    }
    EXPECT_GE(paths.size(), 3u) << device.name;
  }
}

TEST(Devices, ProposesTheNearestNameAndTheProtocolsThatFit) {
  try {
    find("vteem");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "'vteem' is not a known device; did you mean 'vteam'? 'tellegen device list' shows all of them.");
  }
  EXPECT_EQ(complaint("pcm_joshi", "retentoin"),
            "--protocol = 'retentoin' is not a protocol of the conductance device 'pcm_joshi'; allowed: pulses, "
            "retention, read; "
            "did you mean 'retention'?");
  EXPECT_EQ(complaint("hp", "pe-loop"),
            "--protocol = 'pe-loop' is not a protocol of the memristor 'hp'; allowed: iv, branches, pulses.");
}

TEST(Settings, AreReadAsInAFile) {
  EXPECT_EQ(complaint("pcm_joshi", "read", {.settings = {{"g_mix", "20 uS"}}}),
            "--set device.g_mix: device.g_mix is not a known setting; did you mean 'g_min'?");
  const auto result = characterize(find("pcm_joshi"), "read", {.settings = {{"g_max", "20 uS"}}});
  EXPECT_NEAR(column(result, "levels", "target").back(), 20e-6, 1e-18);
}

TEST(Retention, MeanFollowsThePowerLaw) {
  const auto result = characterize(find("generic"), "retention",
                                   {.settings = {{"drift.exponent", "0.05"}, {"drift.t0", "1 s"}, {"g_min", "10 uS"}}});
  const auto& target_S = column(result, "levels", "target");
  const auto& age_s = column(result, "levels", "age");
  const auto& mean_S = column(result, "levels", "mean");
  for (std::size_t i = 0; i < mean_S.size(); ++i) {
    EXPECT_NEAR(mean_S[i], target_S[i] * std::pow(1 + age_s[i], -0.05), 1e-6 * target_S[i]);
  }
}

TEST(Read, SpreadsAreThoseOfTheDevice) {
  const auto result = characterize(
      find("generic"), "read",
      {.settings = {{"g_min", "20 uS"}, {"programming_noise.absolute", "1 uS"}, {"read_noise.absolute", "2 uS"}}});
  const double error = 4.5 / std::sqrt(2.0 * 4000);
  for (const double sigma_S : column(result, "levels", "programmed_sigma")) EXPECT_NEAR(sigma_S, 1e-6, error * 1e-6);
  for (const double sigma_S : column(result, "levels", "read_sigma")) EXPECT_NEAR(sigma_S, 2e-6, 1e-11);
  for (const double sigma_S : column(result, "levels", "total_sigma")) {
    EXPECT_NEAR(sigma_S, std::sqrt(5.0) * 1e-6, error * std::sqrt(5.0) * 1e-6);
  }
}

TEST(Read, HistogramsIntegrateToOne) {
  const auto result = characterize(find("pcm_joshi"), "read", {});
  const auto& target_S = column(result, "histogram", "target");
  const auto& g_S = column(result, "histogram", "conductance");
  const auto& density = column(result, "histogram", "density");
  for (const double level_S : column(result, "levels", "target")) {
    double sum = 0, width_S = 0;
    for (std::size_t i = 0; i + 1 < g_S.size(); ++i) {
      if (target_S[i] != level_S) continue;
      if (target_S[i + 1] == level_S) width_S = g_S[i + 1] - g_S[i];
      sum += density[i];
    }
    EXPECT_NEAR(sum * width_S, 1, 1e-6) << level_S;
  }
}

TEST(MemristorIv, IsPinchedAndPassive) {
  const auto result = characterize(find("hp"), "iv", {});
  const auto& v_V = column(result, "loop", "voltage");
  const auto& i_A = column(result, "loop", "current");
  for (std::size_t k = 0; k < v_V.size(); ++k) EXPECT_GE(v_V[k] * i_A[k], 0);
}

TEST(MemristorIv, TakesAmplitudeAndFrequency) {
  const auto result = characterize(find("hp"), "iv", {.amplitude = Voltage::si(0.5), .frequency = Frequency::si(4)});
  EXPECT_EQ(result.findings.front(), "Driven by a sinusoid of 500 mV at 4 Hz.");
  const auto& v_V = column(result, "loop", "voltage");
  EXPECT_NEAR(*std::max_element(v_V.begin(), v_V.end()), 0.5, 1e-9);
  EXPECT_NEAR(column(result, "loop", "time").back(), 0.5, 1e-12);
}

TEST(MemristorBranches, OfTheIdealMemristorAreTheGate) {
  const auto result = characterize(find("flux_controlled"), "branches", {});
  const auto& normalised = column(result, "branches", "normalised");
  const auto& xi = column(result, "branches", "xi");
  for (std::size_t k = 0; k < xi.size(); ++k)
    EXPECT_NEAR(normalised[k], xi[k] * std::sqrt((1 - xi[k]) * (1 + xi[k])), 1e-6);
}

TEST(MemristorPulses, RaiseAndLowerTheConductance) {
  for (const Device& device : devices()) {
    if (device.kind != Kind::memristor) continue;
    const auto& g_S = column(characterize(device, "pulses", {}), "train", "conductance");
    EXPECT_GT(g_S[20], g_S[0]) << device.name;
    EXPECT_LT(g_S[40], g_S[20]) << device.name;
  }
}

TEST(PolarizationLoop, CrossesZeroFieldAtTheRemanentPolarizationWhenSaturated) {
  const auto result = characterize(find("hzo_10nm"), "pe-loop", {.amplitude = Voltage::si(20)});
  const auto& field = column(result, "loops", "field");
  const auto& polarization = column(result, "loops", "polarization");
  // The outermost loop comes first: down from the top, so zero field is met at +P_r.
  const std::size_t zero =
      static_cast<std::size_t>(std::min_element(field.begin(), field.begin() + 201,
                                                [](double a, double b) { return std::abs(a) < std::abs(b); }) -
                               field.begin());
  EXPECT_NEAR(field[zero], 0, 1);
  EXPECT_NEAR(polarization[zero], 0.18, 1e-4);
}

TEST(TransistorIv, CurrentRisesWithTheGate) {
  const auto result = characterize(find("bulk_28nm"), "iv", {});
  const auto& i_A = column(result, "transfer", "current");
  for (std::size_t k = 1; k < 161; ++k) EXPECT_GT(i_A[k], i_A[k - 1]);
}

TEST(Written, Hdf5AndCsvHoldTheSameNumbers) {
  std::string name = (fs::temp_directory_path() / "tellegen-characterize-XXXXXX").string();
  const fs::path folder = mkdtemp(name.data());
  const auto result = characterize(find("hp"), "pulses", {});
  EXPECT_EQ(write(result, folder), (std::vector<std::string>{"pulses.h5", "pulses_train.csv"}));
  const Hdf5Reader reader(folder / "pulses.h5");
  EXPECT_EQ(reader.doubles("train/conductance"), column(result, "train", "conductance"));
  EXPECT_EQ(reader.text_attribute("train/conductance", "unit"), "S");
  EXPECT_EQ(reader.text_attribute("", "device"), "hp");
  EXPECT_EQ(reader.text_attribute("", "config"), result.settings);
  std::ifstream csv(folder / "pulses_train.csv");
  std::string line;
  std::getline(csv, line);
  EXPECT_EQ(line, "pulse,voltage [V],conductance [S],energy [J]");
  std::size_t rows = 0;
  while (std::getline(csv, line)) ++rows;
  EXPECT_EQ(rows, column(result, "train", "pulse").size());
  fs::remove_all(folder);
}

}  // namespace
}  // namespace tellegen::characterize
