// Every circuit under every protocol.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/sim/characterize/circuits/catalogue.h"
#include "tellegen/sim/characterize/circuits/measure.h"
#include "tellegen/sim/characterize/circuits/netlist.h"

namespace tellegen::characterize {
namespace {

const std::vector<double>& column(const Characterization& result, const std::string& table, const std::string& name) {
  for (const DataTable& t : result.tables) {
    if (t.name != table) continue;
    for (const Column& c : t.columns) {
      if (c.name == name) return c.values;
    }
  }
  throw std::logic_error("no column " + table + "/" + name);
}

std::string complaint(const std::string& name, const std::string& protocol, const CircuitRequest& request = {}) {
  try {
    characterize(find_circuit(name), protocol, request);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::vector<std::pair<std::string, std::string>> all_runs() {
  std::vector<std::pair<std::string, std::string>> runs;
  for (const Circuit& circuit : circuits()) {
    for (const std::string& protocol : circuit_protocols()) runs.emplace_back(circuit.name, protocol);
  }
  return runs;
}

class EveryProtocol : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(EveryProtocol, FillsTablesWithUnitsFindingsAndAFigure) {
  const auto [name, protocol] = GetParam();
  const Characterization result = characterize(find_circuit(name), protocol, {});
  EXPECT_EQ(result.device, name);
  EXPECT_EQ(result.protocol, protocol);
  EXPECT_FALSE(result.source.empty());
  EXPECT_NE(result.settings.find("circuit: " + name), std::string::npos);
  ASSERT_FALSE(result.tables.empty());
  EXPECT_EQ(result.tables.front().name, protocol);
  for (const DataTable& table : result.tables) {
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

INSTANTIATE_TEST_SUITE_P(Circuits, EveryProtocol, testing::ValuesIn(all_runs()),
                         [](const auto& parameter) { return parameter.param.first + "_" + parameter.param.second; });

TEST(Circuits, AreListedOnceWithSettings) {
  std::set<std::string> names;
  for (const Circuit& circuit : circuits()) {
    EXPECT_TRUE(names.insert(circuit.name).second) << circuit.name;
    EXPECT_EQ(circuit.summary.back(), '.');
    EXPECT_GT(circuit.equations.size(), 40u);
    const auto rows = settings_of(circuit);
    EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [](const ManualRow& row) { return row.path.ends_with(".bias"); }))
        << circuit.name;
    std::set<std::string> paths;
    for (const ManualRow& row : rows) {
      EXPECT_FALSE(row.path.ends_with(".circuit")) << circuit.name;
      EXPECT_TRUE(paths.insert(row.path).second) << circuit.name << " " << row.path;
    }
  }
  EXPECT_GE(names.size(), 12u);
}

TEST(Circuits, SameSeedSameScatterOtherSeedAnother) {
  CircuitRequest first, second;
  second.seed = 2;
  const Circuit& circuit = find_circuit("memglu_translinear");
  const auto deviation = [&](const CircuitRequest& request) {
    return column(characterize(circuit, "mismatch", request), "mismatch", "deviation");
  };
  EXPECT_EQ(deviation(first), deviation(first));
  EXPECT_NE(deviation(first), deviation(second));
}

TEST(Circuits, ScatterIsThatOfItsSamples) {
  std::vector<float> samples;
  for (int k = 1000; k >= 0; --k) samples.push_back(static_cast<float>(k));
  const Scatter scatter = scatter_of(samples);
  EXPECT_NEAR(scatter.mean, 500, 1e-9);
  EXPECT_NEAR(scatter.deviation, std::sqrt(1001 * 1002 / 12.0), 1e-9);
  EXPECT_EQ(scatter.low, 25);
  EXPECT_EQ(scatter.high, 975);
}

TEST(Circuits, CrossingsScatterByOffsetAndGain) {
  const Circuit& circuit = find_circuit("current_conveyor");
  const auto crossing = tellegen::circuits::find_crossing(circuit.name).defaults()->make(Temperature::si(300));
  const auto& errors = crossing->errors();
  const double scale = crossing->full_scale(), offset = errors.offset_deviation / scale;
  const auto result = characterize(circuit, "mismatch", {});
  const auto &mean = column(result, "mismatch", "mean"), &deviation = column(result, "mismatch", "deviation");
  ASSERT_EQ(mean.size(), 41u);
  // Four standard errors of 10000 circuits.
  EXPECT_NEAR(deviation[20] / offset, 1, 0.028);
  EXPECT_NEAR(deviation[40] / std::hypot(offset, errors.gain_deviation), 1, 0.028);
  EXPECT_NEAR(mean[40] - mean[20], errors.gain_error, 4 * errors.gain_deviation / 100);
  EXPECT_NEAR(column(result, "mismatch", "high")[20] - mean[20], 1.96 * offset, 0.1 * offset);
}

TEST(Circuits, CurvesOverBiasPassThroughTheDesign) {
  // The fifth of 17 bias currents from 0.1 nA to 1 uA is 1 nA.
  CircuitRequest at;
  at.settings = {{"bias", "1 nA"}};
  const Circuit& circuit = find_circuit("memglu_translinear");
  const auto front_end =
      read_single<tellegen::circuits::FrontEndConfig>("front_end", circuit.smallest_yaml, at.settings)
          .config.make(tellegen::circuits::tanh_sech_gate(1), Temperature::si(300));
  const auto energy = characterize(circuit, "energy", {}), noise = characterize(circuit, "noise", at);
  EXPECT_NEAR(column(energy, "energy", "bias")[4], 1e-9, 1e-15);
  const auto& cost = front_end->cost();
  EXPECT_NEAR(column(energy, "energy", "energy")[4] / cost.energy_J.typical, 1, 1e-9);
  EXPECT_NEAR(column(energy, "energy", "energy_high")[4] / cost.energy_J.high, 1, 1e-9);
  EXPECT_NEAR(column(energy, "energy", "bandwidth")[4] / cost.bandwidth_Hz, 1, 1e-9);
  const plot::Series& drawn = energy.figure.panels[0].series[1];
  EXPECT_EQ(drawn.x, column(energy, "energy", "bias"));
  EXPECT_EQ(drawn.y, column(energy, "energy", "energy"));
  EXPECT_NEAR(column(noise, "noise_over_bias", "total")[4] / front_end->noise().total_x(), 1, 1e-9);
  const auto& x = column(noise, "noise", "x");
  EXPECT_NEAR(column(noise, "noise", "deviation")[100], front_end->output_noise(x[100]), 1e-15);
}

TEST(Circuits, ErrorOfTheTranslinearGateRisesWithItsBias) {
  const auto result = characterize(find_circuit("memglu_translinear"), "error", {});
  const auto& error = column(result, "error", "largest_error");
  EXPECT_TRUE(std::is_sorted(error.begin(), error.end()));
  EXPECT_LT(error.front(), 1e-3);
  EXPECT_GT(error.back(), 0.02);
}

TEST(Circuits, SoftmaxIsComparedWithDigitalUnits) {
  CircuitRequest request;
  request.costs = std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/costs";
  const auto result = characterize(find_circuit("softmax_array"), "energy", request);
  const auto& ours = column(result, "energy", "energy");
  const auto& digital = column(result, "energy", "digital_chen_2020");
  EXPECT_EQ(ours.size(), digital.size());
  EXPECT_NEAR(digital[1] / digital[0], 2, 1e-12);
}

TEST(Circuits, SettingsAndTemperatureAreHeeded) {
  CircuitRequest request;
  request.settings = {{"form", "telescoping"}};
  const auto& error = column(characterize(find_circuit("memglu_pairs"), "transfer", request), "transfer", "error");
  const auto largest =
      std::max_element(error.begin(), error.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  EXPECT_GT(std::abs(*largest), 0.015);
  request.settings = {{"bias", "1e-15 A"}};
  request.temperature = Temperature::si(233.15);
  const auto transfer = characterize(find_circuit("memglu_translinear"), "transfer", request);
  const auto& x = column(transfer, "transfer", "x");
  const auto& y = column(transfer, "transfer", "circuit");
  const std::size_t middle = x.size() / 2;
  EXPECT_NEAR((y[middle + 1] - y[middle - 1]) / (x[middle + 1] - x[middle - 1]), 300 / 233.15, 0.02);
}

TEST(Circuits, MistakesAreExplained) {
  EXPECT_EQ(
      complaint("memglu_pairs", "transfers"),
      "--protocol = 'transfers' is not a protocol of circuits; allowed: transfer, error, mismatch, noise, energy, "
      "temperature; did you mean 'transfer'?");
  CircuitRequest request;
  request.settings = {{"bais", "1 nA"}};
  EXPECT_NE(complaint("softmax_array", "transfer", request).find("did you mean"), std::string::npos);
  try {
    find_circuit("softmax_aray");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "'softmax_aray' is not a known circuit; did you mean 'softmax_array'? 'tellegen circuit list' shows all "
        "of them.");
  }
}

TEST(Netlists, ExistForTwoCircuits) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tellegen_netlist";
  bool compared = true;
  for (const char* name : {"softmax_array", "memglu_translinear"}) {
    const Netlist netlist = netlist_of(find_circuit(name), {{"bias", "50 nA"}}, Temperature::si(330), folder);
    EXPECT_DOUBLE_EQ(netlist.bias_A, 50e-9);
    EXPECT_EQ(netlist.outputs.size(), netlist.ours_A.size());
    EXPECT_NE(netlist.deck.text.find(".op"), std::string::npos);
    compared = compared && netlist.ngspice_A.has_value();
    if (netlist.ngspice_A) {
      EXPECT_LE(*netlist.largest_difference(), 1e-9) << name;
    }
  }
  if (!compared) GTEST_SKIP() << "ngspice is not installed.";
}

TEST(Netlists, OthersHaveNone) {
  const auto folder = std::filesystem::path(testing::TempDir()) / "tellegen_netlist";
  try {
    netlist_of(find_circuit("transimpedance"), {}, Temperature::si(300), folder);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "'transimpedance' has no netlist; allowed: softmax_array, memglu_translinear.");
  }
}

}  // namespace
}  // namespace tellegen::characterize
