#pragma once
// Full scale of a converter from samples of what it will convert. Pure functions.

#include <span>
#include <vector>

#include "tellegen/circuits/converter/adc.h"

namespace tellegen::circuits {

/// The |value| below which `percent` of the values lie (nearest rank); reorders them. 0 without values.
template <class T>
double magnitude_percentile(std::span<T> magnitudes, double percent);

/// Full scale of least mean squared error of quantising the magnitudes (clipping and rounding together), found to 0.1 %.
/// At most 2^14 evenly spaced samples are looked at. Infinite where a magnitude is not finite; 0 where all are 0.
template <class T>
double mse_full_scale(const AdcConfig& config, bool bipolar, std::span<const T> magnitudes);

/// Full scale of |line currents| by the configured method max, percentile or mse; reorders the magnitudes.
template <class T>
double full_scale_of(const AdcConfig& config, bool bipolar, std::span<T> magnitudes);

}  // namespace tellegen::circuits
