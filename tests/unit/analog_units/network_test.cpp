// Circuits between converters inside whole networks: outputs, counts, prices, determinism.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "tellegen/mapping/analog_units.h"
#include "tellegen/models/executor.h"

namespace tellegen::sim {
namespace {

const std::string kGate = "chip.analog_units.gate.circuit", kSoftmax = "chip.analog_units.softmax.circuit",
                  kFidelity = "chip.analog_units.fidelity";

const Overrides kSmall{{"evaluate.samples", "4"},
                       {"evaluate.chips", "1"},
                       {"evaluate.batch", "2"},
                       {"evaluate.snr_samples", "0"},
                       {"evaluate.calibration_samples", "4"}};

Overrides operator+(Overrides a, const Overrides& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Largest difference of logits from the float network over the largest logit, on a chip that is ideal but for its units.
double logit_error(const std::string& network, const Overrides& overrides) {
  const ExperimentConfig config = test::experiment(network, test::kIdealChip, kSmall + overrides);
  mapping::Plan plan = Session(test::kCosts).plan_only(config).plan;
  const Workload workload = load(config, 2);
  std::vector<mapping::Edge> edges = workload.edges;
  std::vector<double> largest_input;
  for (const InputRange& range : workload.inputs) largest_input.push_back(range.max_abs);
  plan.analog_units.clear();
  mapping::place_analog_units(plan, workload.network, edges, config.chip, config.evaluate.temperature, largest_input);
  auto chip = program<float>(workload, plan, config, 0);
  calibrate(chip, workload, plan, config);
  const models::Tensor expected = models::execute(workload.network, workload.data.batch(0, 4));
  const models::Tensor got = infer_logits(chip, workload, plan, config, 0, 4);
  double largest = 0, difference = 0;
  for (std::size_t i = 0; i < got.data.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.data[i])));
    difference = std::max(difference, static_cast<double>(std::abs(expected.data[i] - got.data[i])));
  }
  return difference / largest;
}

TEST(AnalogUnitsInANetwork, IdealOnesComputeTheNetwork) {
  const Overrides ideal{{kFidelity, "ideal"}};
  EXPECT_LT(logit_error("lm_memglu", ideal + Overrides{{kGate, "memglu_pairs"}, {kSoftmax, "softmax_array"}}), 1e-4);
  EXPECT_LT(logit_error("lm_polyglu_alpha_frozen", ideal + Overrides{{kGate, "differential_pair"}}), 1e-4);
  EXPECT_LT(logit_error("vit_mnist", ideal + Overrides{{kSoftmax, "softmax_tree"}}), 1e-4);
}

/// Weak inversion is exact: what is left are tables and what leaks. Errors of 0.0014 and less at the default currents grow
/// no larger on their way to the logits.
TEST(AnalogUnitsInANetwork, CircuitsInWeakInversionComputeTheNetwork) {
  const Overrides nominal{{kFidelity, "nominal"}};
  EXPECT_LT(logit_error("lm_memglu", nominal + Overrides{{kGate, "memglu_memristor"},
                                                         {"chip.analog_units.gate.bias", "10 pA"},
                                                         {"chip.analog_units.gate.input_range", "16"}}),
            3e-3);
  EXPECT_LT(logit_error("vit_mnist", nominal + Overrides{{kSoftmax, "softmax_array"},
                                                         {"chip.analog_units.softmax.bias", "10 pA"},
                                                         {"chip.analog_units.softmax.leakage", "0 A"},
                                                         {"chip.analog_units.softmax.input_range", "16"}}),
            3e-3);
}

TEST(AnalogUnitsInANetwork, MismatchShowsAndTrimmingTakesItAway) {
  const Overrides pairs{{kGate, "memglu_pairs"}};
  const double plain = logit_error("lm_memglu", pairs),
               trimmed = logit_error("lm_memglu", pairs + Overrides{{"chip.analog_units.gate.trim.bits", "8"}});
  EXPECT_GT(plain, 3 * trimmed);
  EXPECT_GT(trimmed, 1e-3) << "noise stays";
}

TEST(AnalogUnitsInANetwork, SharpnessGoesWithTemperature) {
  const auto error = [](const std::string& kelvin, const std::string& scaling) {
    return logit_error("lm_memglu", {{kFidelity, "nominal"},
                                     {kGate, "memglu_translinear"},
                                     {"chip.analog_units.gate.bias", "1 nA"},
                                     {"chip.analog_units.gate.scaling", scaling},
                                     {"evaluate.temperature", kelvin}});
  };
  const double designed = error("300 K", "fixed"), hot = error("398 K", "fixed");
  EXPECT_GT(hot, 5 * designed);
  EXPECT_LT(error("398 K", "ptat"), hot / 3);
}

TEST(AnalogUnitsInANetwork, ThreadsAndBatchesDoNotShow) {
  const Overrides both =
      kSmall + Overrides{{kGate, "memglu_pairs"}, {kSoftmax, "softmax_array"}, {"evaluate.chips", "2"}};
  const auto nll = [&](int threads, const std::string& batch) {
    Overrides overrides = both;
    for (auto& [name, value] : overrides) {
      if (name == "evaluate.batch") value = batch;
    }
    const RunResult result = Session(test::kCosts, threads)
                                 .run(test::experiment("lm_memglu", "chip: {device: {model: generic}}", overrides));
    return std::vector<double>{result.chips[0].accuracy, result.chips[1].accuracy};
  };
  const std::vector<double> one = nll(1, "2");
  EXPECT_NE(one[0], one[1]);
  EXPECT_EQ(one, nll(2, "2"));
  EXPECT_EQ(one, nll(2, "4"));
}

TEST(AnalogUnitsInANetwork, TakeThePlaceOfDigitalUnitsInTheLedger) {
  const RunResult digital = Session(test::kCosts).run(test::experiment("lm_memglu", "", kSmall)),
                  analog = Session(test::kCosts)
                               .run(test::experiment(
                                   "lm_memglu", "",
                                   kSmall + Overrides{{kGate, "memglu_translinear"}, {kSoftmax, "softmax_array"}}));
  EXPECT_GT(total_energy_J(digital.ledger, "", "activation_softmax").typical, 0);
  EXPECT_EQ(total_energy_J(analog.ledger, "", "activation_softmax").typical, 0);
  EXPECT_GT(total_energy_J(digital.ledger, "", "activation_tanh").typical, 0);
  EXPECT_EQ(total_energy_J(analog.ledger, "", "activation_tanh").typical, 0);
  for (const char* component : {"unit_tanh_sech", "unit_softmax", "unit_dac", "unit_adc", "unit_sample_hold"}) {
    EXPECT_EQ(total_energy_J(digital.ledger, "", component).typical, 0) << component;
    EXPECT_GT(total_energy_J(analog.ledger, "", component).low, 0) << component;
    EXPECT_GT(total_area_m2(analog.ledger, "", component).low, 0) << component;
  }
  // Three gates of 128 x 256 values, three times four heads of half a square of scores.
  double drives = 0, evaluations = 0, rows = 0;
  for (const EnergyRow& row : analog.ledger.energy) {
    if (row.component == "unit_dac") drives += row.count;
    if (row.component == "unit_tanh_sech") evaluations += row.count;
    if (row.component == "unit_softmax") rows += row.count;
  }
  EXPECT_EQ(evaluations, 3 * 128 * 256);
  EXPECT_EQ(rows, 3 * 4 * 128);
  EXPECT_EQ(drives, 3 * (128 * 256 + 4 * 128 * 129 / 2));
}

TEST(AnalogUnitsInANetwork, TakeTheTimeTheySettleIn) {
  const RunResult run =
      Session(test::kCosts).run(test::experiment("lm_memglu", "", kSmall + Overrides{{kGate, "memglu_translinear"}}));
  double units_s = 0;
  for (const LatencyRow& row : run.ledger.latency) units_s += row.units_s;
  const mapping::AnalogUnit& unit = run.plan.analog_units[0];
  const double each_s = unit.groups[0].circuit->cost().evaluation_s + run.config.chip.dac.full_drive().si();
  EXPECT_NEAR(units_s, 3 * 128 * each_s, 1e-9 * units_s);
}

/// Eight outputs share an ADC of 10 MHz, which is slower than their DACs.
TEST(AnalogUnitsInANetwork, WaitForTheConvertersThatTheyShare) {
  const RunResult run = Session(test::kCosts)
                            .run(test::experiment("lm_memglu", "",
                                                  kSmall + Overrides{{kGate, "memglu_translinear"},
                                                                     {kFidelity, "ideal"},
                                                                     {"chip.adc.columns_per_adc", "8"},
                                                                     {"chip.adc.rate", "10 MHz"}}));
  double units_s = 0;
  for (const LatencyRow& row : run.ledger.latency) units_s += row.units_s;
  EXPECT_NEAR(units_s, 3 * 128 * 8 * 100e-9, 1e-9 * units_s);
}

}  // namespace
}  // namespace tellegen::sim
