#pragma once
// RRAM of the NeuRRAM chip (TaOx/HfO2, write-verify, then relaxation): Wan et al., Nature 608:504 (2022), measured
// distributions; fourth-order fits as in aihwkit (commit 4545f11b, MIT).

#include <cmath>

#include "tellegen/base/vector_units.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// Deviation from the target as a polynomial in g = G / g_max; in shares of g_max.
template <class Real>
struct WanDeviation {
  Real c0, c1, c2, c3, c4;
  TELLEGEN_KERNEL Real sigma(Real g) const { return c0 + g * (c1 + g * (c2 + g * (c3 + g * c4))); }
};

/// Measured 1 s, 1 day and 2 days after write-verify for a g_max of 40 uS; another g_max scales it in proportion.
/// Between these times the standard deviation is linear in the logarithm of the age. Nothing is known beyond them: an
/// age below 1 s counts as 1 s, an age above 2 days as 2 days.
template <class Real>
WanDeviation<Real> wan_deviation(double age_s);

/// What relaxation adds to the deviation that was there after 1 s, in shares of g_max: independent, so that variances
/// add up.
template <class Real>
TELLEGEN_KERNEL Real wan_relaxation(const WanDeviation<Real>& first, const WanDeviation<Real>& now, Real g) {
  const Real sigma_first = first.sigma(g), sigma_now = now.sigma(g);
  const Real added = sigma_now * sigma_now - sigma_first * sigma_first;
  return std::sqrt(added > Real(0) ? added : Real(0));
}

struct RramWanParameters final : DeviceParameters {
  CellRange range;
  double read_noise = 0.01;
  RramWanParameters() { range.g_max = Conductance::si(40e-6); }
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry rram_wan_entry();

}  // namespace tellegen::devices
