#include <gmock/gmock.h>

#include <cmath>

#include "hand_made.h"
#include "real_run.h"
#include "tellegen/sim/report/report.h"

namespace tellegen::report {
namespace {

using testing::ElementsAre;

/// value, low and high of `id` are the sums over its inputs, in their order.
void expect_sum_of_inputs(const Numbers& numbers, const std::string& id) {
  const Number& total = numbers.at(id);
  double value = 0, low = 0, high = 0;
  for (const NumberInput& input : total.inputs) {
    const Number& part = numbers.at(input.id);
    EXPECT_EQ(input.value, part.value) << id << " <- " << input.id;
    value += part.value;
    low += part.low;
    high += part.high;
  }
  EXPECT_EQ(total.value, value) << id;
  EXPECT_EQ(total.low, low) << id;
  EXPECT_EQ(total.high, high) << id;
}

TEST(Numbers, OfAHandMadeResult) {
  const Report report = make_report(hand_made_result());
  const Numbers& numbers = report.numbers;
  EXPECT_DOUBLE_EQ(numbers.at("energy.conv1.adc").value, 1e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy.conv1").value, 1.4e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy.gemm3").value, 4e-11);
  EXPECT_DOUBLE_EQ(numbers.at("energy.all.adc").value, 1.2e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy").value, 1.8e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy").low, 0.9e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy").high, 7.2e-10);
  EXPECT_DOUBLE_EQ(numbers.at("area").value, 6e-9);
  EXPECT_DOUBLE_EQ(numbers.at("latency").value, 4e-8);
  EXPECT_DOUBLE_EQ(numbers.at("snr.conv1").value, 20);
  EXPECT_DOUBLE_EQ(numbers.at("clipped.conv1").value, 0.01);
  EXPECT_DOUBLE_EQ(numbers.at("faults.gemm3").value, 0.03);
  EXPECT_DOUBLE_EQ(numbers.at("utilisation.conv1").value, 64.0 * (2 * 32) / (128 * 128));
  EXPECT_DOUBLE_EQ(numbers.at("tiles").value, 2);
  EXPECT_DOUBLE_EQ(numbers.at("accuracy.chip").value, 0.85);
  // Student t for one degree of freedom, 12.706; the mean's standard error is 0.05.
  EXPECT_DOUBLE_EQ(numbers.at("accuracy.chip").high, 1.0);
  EXPECT_NEAR(numbers.at("accuracy.chip").low, 0.85 - 12.706 * 0.05, 1e-4);
  EXPECT_DOUBLE_EQ(numbers.at("tops").value, 2 * 1000 / 4e-8 / 1e12);
  EXPECT_DOUBLE_EQ(numbers.at("tops_per_watt").value, 2 * 1000 / 1.8e-10 / 1e12);
  EXPECT_DOUBLE_EQ(numbers.at("tops_per_watt").low, 2 * 1000 / 7.2e-10 / 1e12);
  EXPECT_DOUBLE_EQ(numbers.at("tops_per_mm2").value, 0.05 / 6e-3);
}

TEST(Numbers, OfASingleChipHaveNoInterval) {
  sim::RunResult result = hand_made_result();
  result.chips.resize(1);
  const double accuracy[] = {0.8};
  result.accuracy = mean_interval(accuracy);
  const Number mean = make_report(result).numbers.at("accuracy.chip");
  EXPECT_EQ(mean.low, 0);
  EXPECT_EQ(mean.high, 1);
  EXPECT_THAT(mean.warnings, ElementsAre("One chip gives no confidence interval; set evaluate.chips to 2 or more."));
}

TEST(Numbers, SeveralRowsOfOnePlaceAreSummed) {
  sim::RunResult result = hand_made_result();
  result.ledger.energy.push_back(energy_row("/conv1/Conv", "adc", 10, 1e-12));
  const Numbers numbers = make_report(result).numbers;
  EXPECT_DOUBLE_EQ(numbers.at("energy.conv1.adc.1").value, 1e-10);
  EXPECT_DOUBLE_EQ(numbers.at("energy.conv1.adc.2").value, 1e-11);
  EXPECT_DOUBLE_EQ(numbers.at("energy.conv1.adc").value, 1.1e-10);
  expect_sum_of_inputs(numbers, "energy.conv1.adc");
}

TEST(Numbers, TotalsOfARealRunAreTheSumsOfTheirRows) {
  const sim::RunResult result = real_run();
  const Report report = make_report(result);
  const Numbers& numbers = report.numbers;
  for (const std::string quantity : {"energy", "area", "static_power"}) {
    expect_sum_of_inputs(numbers, quantity);
    double by_component = 0;
    for (const ReportLayer& layer : report.layers) expect_sum_of_inputs(numbers, quantity + "." + layer.id);
    for (const std::string& component : report.components) {
      const std::string id = quantity + ".all." + component;
      if (numbers.find(id) == nullptr) continue;
      expect_sum_of_inputs(numbers, id);
      by_component += numbers.at(id).value;
    }
    EXPECT_NEAR(by_component, numbers.at(quantity).value, 1e-14 * by_component) << quantity;
  }
  expect_sum_of_inputs(numbers, "latency");
  expect_sum_of_inputs(numbers, "tiles");
  const double energy_J = sim::total_energy_J(result.ledger).typical;
  EXPECT_NEAR(numbers.at("energy").value, energy_J, 1e-14 * energy_J);
  EXPECT_EQ(numbers.at("latency").value, sim::total_latency_s(result.ledger));
}

TEST(Numbers, EveryReferenceOfARealRunResolves) {
  const Report report = make_report(real_run());
  std::size_t references = 0;
  for (const Number& number : report.numbers.all()) {
    EXPECT_FALSE(number.formula.empty()) << number.id;
    EXPECT_FALSE(number.source.empty()) << number.id;
    EXPECT_LE(number.low, number.value) << number.id;
    EXPECT_GE(number.high, number.value) << number.id;
    for (const NumberInput& input : number.inputs) {
      if (input.id.empty()) continue;
      ++references;
      ASSERT_NE(report.numbers.find(input.id), nullptr) << number.id << " <- " << input.id;
    }
  }
  EXPECT_GT(references, 100U);
}

TEST(Numbers, EnergyOfEveryCountedComponentNamesItsRawCount) {
  const Report report = make_report(real_run());
  for (const ReportLayer& layer : report.layers) {
    for (const std::string& component : report.components) {
      const Number* number = report.numbers.find("energy." + layer.id + "." + component);
      if (number == nullptr || component == "leakage") continue;
      EXPECT_EQ(number->inputs.at(0).id.rfind("count." + layer.id + ".", 0), 0U) << number->id;
    }
  }
}

}  // namespace
}  // namespace tellegen::report
