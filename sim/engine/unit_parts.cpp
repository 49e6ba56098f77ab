#include "tellegen/sim/engine/unit_parts.h"

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::sim {

Stream unit_stream(const UnitPlace& place, Purpose purpose, std::uint32_t part) {
  return {place.config.evaluate.seed, purpose, {place.chip, static_cast<std::uint32_t>(place.unit.node), part}};
}

circuits::Dac unit_dac(const ExperimentConfig& config, double largest, bool is_signed) {
  circuits::Dac dac;
  dac.config = config.chip.dac;
  dac.full_scale = largest > 0 ? largest : 1;
  dac.is_signed = is_signed;
  return dac;
}

void through_dacs(const circuits::Dac& dac, std::span<float> values) {
  std::vector<float> codes(values.begin(), values.end());
  circuits::to_codes<float>(dac, codes);
  circuits::slice_drive<float>(dac, codes, 0, values);
  const auto value = static_cast<float>(dac.slice_weight(0));
  for (float& one : values) one *= value;
}

circuits::Adc unit_adc(const UnitPlace& place, double full_scale, bool bipolar, std::uint32_t part,
                       std::int64_t lines) {
  return circuits::make_adc(place.config.chip.adc, full_scale, bipolar,
                            unit_stream(place, Purpose::mismatch, kUnitConverters + part), static_cast<int>(lines));
}

double unit_full_scale(const ExperimentConfig& config, bool bipolar, std::span<float> magnitudes) {
  circuits::AdcConfig adc = config.chip.adc;
  // Nobody knows the statistics of these outputs without samples of them.
  if (adc.range.method == circuits::RangeMethod::analytic) adc.range.method = circuits::RangeMethod::max;
  const double found = circuits::full_scale_of<float>(adc, bipolar, magnitudes);
  if (!std::isfinite(found)) {
    throw RefusedError({"The outputs of an analog unit are not finite.",
                        "Check chip.analog_units, and that what comes into it is finite."});
  }
  return found > 0 ? found : 1;
}

void through_adcs(const circuits::Adc& adc, const UnitPlace& place, std::uint32_t part, std::uint64_t first,
                  std::span<float> values, UnitEvents& events) {
  thread_local circuits::ArrayScratch<float> scratch;
  const Stream noise = unit_stream(place, Purpose::converter_noise, kUnitConverters + part);
  const circuits::ConversionCounts counts = circuits::convert<float>(adc, values, noise, first, scratch);
  events.conversions += counts.conversions;
  events.clipped += counts.clipped;
}

}  // namespace tellegen::sim
