#include "tellegen/circuits/cost/nonlinear_adc_cost.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

constexpr const char* kRegisterBit = "aladdin_register_bit";

Price scaled(Price price, double actions, double instances) {
  price.energy_J = actions * price.energy_J;
  price.area_m2 = instances * price.area_m2;
  price.static_W = instances * price.static_W;
  return price;
}

Price counting_price(const NonlinearAdc& adc, const CostModel& costs, const AdcUse& linear, int columns) {
  const double steps = static_cast<double>(adc.steps()), share = 1.0 / columns;
  const double stored = static_cast<double>(adc.stored_bits());
  AdcUse decision = linear;
  decision.kind = "sense_amplifier";
  decision.bits = 1;
  const Price bit = costs.entry(kRegisterBit, linear.node);
  Price price = combine({
      {"decisions", scaled(costs.adc_conversion(decision), steps, 1)},
      {"counts", scaled(costs.add(adc.design().bits, linear.node), steps * share, share)},
      {"directions", scaled(bit, stored * share, stored * share)},
      {"code_register", scaled(bit, adc.design().bits, adc.design().bits)},
  });
  price.latency_s = 1 / linear.rate.si();
  price.inputs.emplace_back("steps", steps);
  price.inputs.emplace_back("stored_bits", stored);
  price.inputs.emplace_back("columns", columns);
  price.from.warnings.push_back(
      "A counting non-linear ADC is priced by decisions, counts and stored directions: ramp and references are not in "
      "it.");
  return price;
}

}  // namespace

Price nonlinear_adc_price(const NonlinearAdc& adc, const CostModel& costs, const AdcUse& linear, int columns) {
  TELLEGEN_ASSERT(columns >= 1);
  if (adc.design().method == NonlinearMethod::count) return counting_price(adc, costs, linear, columns);
  AdcUse input = linear;
  input.bits = adc.design().input_bits;
  Price table = costs.buffer(Access::read, (adc.stored_bits() + 7) / 8, linear.node);
  table.formula = fmt::format("{} * ({})", adc.design().bits, table.formula);
  table.energy_J = adc.design().bits * table.energy_J;
  return combine({{"linear_adc", costs.adc_conversion(input)}, {"table", scaled(table, 1, 1.0 / columns)}});
}

}  // namespace tellegen::circuits
