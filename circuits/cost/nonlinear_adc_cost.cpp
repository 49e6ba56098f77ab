#include "tellegen/circuits/cost/nonlinear_adc_cost.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
namespace {

constexpr const char* kRegisterBit = "aladdin_register_bit";

Price counting_price(const NonlinearAdcUse& adc, const CostModel& costs, const AdcUse& linear, int columns) {
  const double steps = adc.steps, share = 1.0 / columns;
  const double stored = adc.directions ? steps : 0;
  AdcUse decision = linear;
  decision.kind = "sense_amplifier";
  decision.bits = 1;
  const Price bit = costs.entry(kRegisterBit, linear.node);
  Price price = combine({
      {"decisions", multiple(costs.adc_conversion(decision), steps, 1)},
      {"counts", multiple(costs.add(adc.bits, linear.node), steps * share, share)},
      {"directions", multiple(bit, stored * share, stored * share)},
      {"code_register", multiple(bit, adc.bits, adc.bits)},
  });
  price.latency_s = 1 / linear.rate.si();
  price.inputs.emplace_back("steps", steps);
  price.inputs.emplace_back("stored_bits", stored);
  price.inputs.emplace_back("columns", columns);
  price.from.warnings.push_back(
      "A counting non-linear ADC is priced by decisions, counts and stored directions: ramp and references are not "
      "in it.");
  return price;
}

}  // namespace

NonlinearAdcUse use_of(const NonlinearAdc& adc) {
  return {adc.design().method, adc.design().bits, adc.design().input_bits, static_cast<double>(adc.steps()),
          adc.counts_down()};
}

Price nonlinear_adc_price(const NonlinearAdcUse& adc, const CostModel& costs, const AdcUse& linear, int columns) {
  TELLEGEN_ASSERT(columns >= 1);
  if (adc.method == NonlinearMethod::count) return counting_price(adc, costs, linear, columns);
  AdcUse input = linear;
  input.bits = adc.input_bits;
  const std::int64_t stored_bits = (std::int64_t{1} << adc.input_bits) * adc.bits;
  Price table = costs.buffer(Access::read, (stored_bits + 7) / 8, linear.node);
  table.formula = fmt::format("{} * ({})", adc.bits, table.formula);
  table.energy_J = adc.bits * table.energy_J;
  return combine({{"linear_adc", costs.adc_conversion(input)}, {"table", multiple(table, 1, 1.0 / columns)}});
}

Price nonlinear_adc_price(const NonlinearAdc& adc, const CostModel& costs, const AdcUse& linear, int columns) {
  return nonlinear_adc_price(use_of(adc), costs, linear, columns);
}

}  // namespace tellegen::circuits
