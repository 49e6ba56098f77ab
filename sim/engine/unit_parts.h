#pragma once
// What gate units and softmax units have in common: their converters, and where their draws come from.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/adc_range.h"
#include "tellegen/sim/engine/analog_units.h"

namespace tellegen::sim {

/// Parts of a unit's place that circuits and converters draw from, one for each group or head behind these.
inline constexpr std::uint32_t kUnitCircuits = 100'000;
inline constexpr std::uint32_t kUnitConverters = 200'000;

Stream unit_stream(const UnitPlace& place, Purpose purpose, std::uint32_t part);

/// For magnitudes up to `largest`; 1 where all values are 0.
circuits::Dac unit_dac(const ExperimentConfig& config, double largest, bool is_signed);
/// In place: values become what the DACs make of them.
void through_dacs(const circuits::Dac& dac, std::span<float> values);

/// Of the outputs of group or head `part`, `lines` converters.
circuits::Adc unit_adc(const UnitPlace& place, double full_scale, bool bipolar, std::uint32_t part, std::int64_t lines);
/// By the method of chip.adc.range, the largest where that is analytic; reorders the magnitudes. 1 where all are 0.
double unit_full_scale(const ExperimentConfig& config, bool bipolar, std::span<float> magnitudes);
/// In place; value i is number first + i of its converters' noise.
void through_adcs(const circuits::Adc& adc, const UnitPlace& place, std::uint32_t part, std::uint64_t first,
                  std::span<float> values, UnitEvents& events);

}  // namespace tellegen::sim
