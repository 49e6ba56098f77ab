#pragma once
// SONOS charge-trap memory in 40 nm, subthreshold: Agrawal et al., IEDM 2022, figures 10 and 11, 128 thousand cells
// over 5 days; fits as in CrossSim (commit 0a2eb1ed, BSD-3). The fits are in cell currents; cells are read at 0.1 V, so
// 1 uS carries 100 nA.

#include <array>

#include "tellegen/devices/real_math.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// sigma(I) = saturation (1 - exp(-I / scale)); all in nA.
template <class Real>
struct SonosSpread {
  Real saturation_nA, scale_nA;
  TELLEGEN_KERNEL Real sigma_nA(Real i_nA) const {
    return saturation_nA * (Real(1) - exponential(i_nA * (Real(-1) / scale_nA)));
  }
};

inline constexpr double sonos_full_scale_nA = 1600;
inline constexpr double sonos_highest_nA = 1800;
/// Above this current the published polynomials run away (at 1600 nA the shift of day 1 would be twice that of day 5),
/// so the shift stays what it is here.
inline constexpr double sonos_last_sound_shift_nA = 1400;

/// Mean change of the current since programming: a polynomial in I / sonos_full_scale_nA, in nA.
template <class Real>
struct SonosDrift {
  std::array<Real, 11> coefficients_nA;
  TELLEGEN_KERNEL Real shift_nA(Real i_nA) const {
    const Real last = Real(sonos_last_sound_shift_nA);
    const Real x = (i_nA < last ? i_nA : last) * Real(1 / sonos_full_scale_nA);
    // In pairs, so that a processor works on several products at a time.
    const auto pair = [&](std::size_t k) { return coefficients_nA[k] + x * coefficients_nA[k + 1]; };
    const Real x2 = x * x, x4 = x2 * x2;
    const Real low = pair(0) + x2 * pair(2), middle = pair(4) + x2 * pair(6);
    const Real high = pair(8) + x2 * coefficients_nA[10];
    return low + x4 * (middle + x4 * high);
  }
};

/// Measured on each of the days 0 to 5 and linear between them; an age above 5 days counts as 5 days.
template <class Real>
SonosSpread<Real> sonos_spread(double age_s);
template <class Real>
SonosDrift<Real> sonos_drift(double age_s);
/// Spread of one read, the same at all ages.
template <class Real>
constexpr SonosSpread<Real> sonos_read_noise() {
  return {Real(12.58037), Real(215.36557)};
}

struct SonosParameters final : DeviceParameters {
  CellRange range;
  SonosParameters() { range.g_max = Conductance::si(16e-6); }
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry sonos_entry();

}  // namespace tellegen::devices
