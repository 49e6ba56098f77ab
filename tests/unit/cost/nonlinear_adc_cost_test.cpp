// Non-linear converters are priced by what they do: steps, counts, stored bits.

#include "tellegen/circuits/cost/nonlinear_adc_cost.h"

#include <gtest/gtest.h>

#include "cost_testing.h"

namespace tellegen::circuits {
namespace {

using namespace tellegen::units;

AdcUse at_45nm() {
  AdcUse use;
  use.node = 45 * nm;
  use.rate = 10 * MHz;
  return use;
}

CostModel horowitz() {
  CostConfig config;
  config.digital = "horowitz_2014";
  return model(config);
}

NonlinearAdc counting(ActivationFunction function) {
  return NonlinearAdc({function, NonlinearMethod::count, 8, 0, -8, 8});
}

TEST(NonlinearAdcCost, AMonotoneFunctionPaysItsDecisionsAndTheSharedCounter) {
  const CostModel costs = horowitz();
  const NonlinearAdc sigmoid = counting(ActivationFunction::sigmoid);
  AdcUse decision = at_45nm();
  decision.kind = "sense_amplifier";
  decision.bits = 1;
  const double decision_J = costs.adc_conversion(decision).energy_J.typical;
  const Price bit = costs.entry("aladdin_register_bit", 45 * nm);
  const Price price = nonlinear_adc_price(sigmoid, costs, at_45nm(), 64);
  EXPECT_NEAR(price.energy_J.typical, 255 * (decision_J + 0.03e-12 / 64) + 8 * bit.energy_J.typical, 1e-24);
  const double area_m2 = costs.adc_conversion(decision).area_m2.typical + costs.add(8, 45 * nm).area_m2.typical / 64 +
                         8 * bit.area_m2.typical;
  EXPECT_NEAR(price.area_m2.typical, area_m2, 1e-12 * area_m2);
}

// What turns stores a direction per step, and takes the steps of the codes it passes twice.
TEST(NonlinearAdcCost, AFunctionThatTurnsCostsMore) {
  const CostModel costs = horowitz();
  const Price sigmoid = nonlinear_adc_price(counting(ActivationFunction::sigmoid), costs, at_45nm(), 64);
  const NonlinearAdc adc = counting(ActivationFunction::tanh_sech);
  const Price turning = nonlinear_adc_price(adc, costs, at_45nm(), 64);
  EXPECT_GT(turning.energy_J.typical, sigmoid.energy_J.typical * static_cast<double>(adc.steps()) / 256);
  const double bit_m2 = costs.entry("aladdin_register_bit", 45 * nm).area_m2.typical;
  EXPECT_NEAR(turning.area_m2.typical - sigmoid.area_m2.typical, static_cast<double>(adc.steps()) / 64 * bit_m2, 1e-20);
}

TEST(NonlinearAdcCost, ATableIsTheLinearConverterAndOneRead) {
  const CostModel costs = horowitz();
  const NonlinearAdc table({ActivationFunction::silu, NonlinearMethod::table, 8, 8, -8, 8});
  const Price price = nonlinear_adc_price(table, costs, at_45nm(), 16);
  const double read_J = 8 * costs.buffer(Access::read, 256, 45 * nm).energy_J.typical;
  EXPECT_NEAR(price.energy_J.typical, costs.adc_conversion(at_45nm()).energy_J.typical + read_J, 1e-24);
  const double table_m2 = costs.buffer(Access::read, 256, 45 * nm).area_m2.typical;
  EXPECT_NEAR(price.area_m2.typical, costs.adc_conversion(at_45nm()).area_m2.typical + table_m2 / 16, 1e-20);
}

}  // namespace
}  // namespace tellegen::circuits
