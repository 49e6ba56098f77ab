#pragma once
// Why two equal transistors differ: Pelgrom, Duinmaijer and Welbers, IEEE JSSC 24:1433 (1989). All coefficients here
// are those of the difference of two transistors; one transistor alone scatters by 1/sqrt(2) of it.

#include <cstdint>
#include <span>

#include "tellegen/base/random.h"
#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::devices {

/// Standard deviations of the difference of two transistors.
struct Mismatch {
  double threshold_V = 0;  ///< sigma(dV_T) as seen at the gate at the given current
  double beta = 0;         ///< sigma(d beta / beta)
};

/// A_VT at the inversion coefficient ic. Thresholds of transistors in weak inversion scatter more than in strong
/// inversion, because the subthreshold offset matters only there: A^2 = strong^2 + (weak^2 - strong^2) G(ic)^3, our
/// interpolation, within 6.2 % of simulated sky130 transistors from ic = 6e-5 to 6.
double matching_coefficient_Vm(const MosfetCard& card, double ic);

/// Of two transistors of config's size that carry the inversion coefficient ic.
Mismatch pair_mismatch(const MosfetConfig& config, double ic);

/// Input offset of a differential pair: sigma^2 = sigma^2(dV_T) + (n kT/q / G)^2 sigma^2(d beta / beta).
double pair_offset_V(const Mismatch& mismatch, double slope, double thermal_V, double ic);
/// Relative error of a current mirror: sigma^2 = (G / (n kT/q))^2 sigma^2(dV_T) + sigma^2(d beta / beta).
double mirror_error(const Mismatch& mismatch, double slope, double thermal_V, double ic);

/// Threshold shifts and relative errors of beta of single transistors first .. first + size - 1 of an array,
/// independent; differences of any two scatter as `mismatch` says. `part` of the streams must differ: one for each
/// quantity.
void sample_mismatch(const Mismatch& mismatch, const Stream& threshold_stream, const Stream& beta_stream,
                     std::uint64_t first, std::span<float> threshold_V, std::span<float> beta_error);

}  // namespace tellegen::devices
