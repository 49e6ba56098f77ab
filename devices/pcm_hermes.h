#pragma once
// PCM of the HERMES chip of IBM, one or two devices in parallel per cell: Le Gallo et al., Nat. Electron. 6:680 (2023);
// coefficients as in the HERMES noise model of IBM's aihwkit (commit 4545f11b, MIT).

#include "tellegen/devices/pcm.h"

namespace tellegen::devices {

/// Published functions of g = G / g_max; a g_max other than the published one scales the programming error with it.
template <int devices>
struct HermesLaw {
  static_assert(devices == 1 || devices == 2);
  static constexpr bool one = devices == 1;
  static constexpr double g_max_uS = one ? 10.35 : 20.7;
  static constexpr PcmTimes times{one ? 200.0 : 300.0, 512e-9};

  /// Standard deviation of the programmed conductance as a share of g_max.
  template <class Real>
  TELLEGEN_KERNEL static Real programming_sigma(Real g) {
    const Real c0 = Real(one ? 0.15781817 : 0.16603222), c1 = Real(one ? 2.32443916 : 4.71806468);
    const Real c2 = Real(one ? -2.16310839 : -8.48101252), c3 = Real(one ? 0.68841818 : 4.68961419);
    return (c0 + g * (c1 + g * (c2 + g * c3))) * Real(1.0 / g_max_uS);
  }
  template <class Real>
  TELLEGEN_KERNEL static Real drift_mean(Real g, Real ln_g) {
    const Real low = clamped(Real(-0.0387) * ln_g - Real(0.0182), Real(0.0720), Real(0.13));
    const Real high = Real(0.0736) + g * (Real(-0.0126) + g * Real(-0.0436));
    return g < Real(0.0945) ? low : high;
  }
  template <class Real>
  TELLEGEN_KERNEL static Real drift_spread(Real g, Real ln_g) {
    const Real low = one ? clamped(Real(-0.0120) * ln_g - Real(0.0023), Real(0.0124), Real(0.04))
                         : clamped(Real(-0.0117) * ln_g - Real(0.0057), Real(0.0091), Real(0.04));
    const Real high = one ? Real(0.0104) + g * (Real(0.0116) + g * Real(-0.0165))
                          : Real(0.0073) + g * (Real(0.0093) + g * Real(-0.0118));
    return g < Real(one ? 0.3039 : 0.3055) ? low : high;
  }
  /// Amplitude of the 1/f read noise as a share of the conductance.
  template <class Real>
  TELLEGEN_KERNEL static Real read_amplitude(Real g, Real ln_g) {
    const Real low = one ? clamped(Real(-0.0078) * ln_g + Real(0.0038), Real(0.0179), Real(0.04))
                         : clamped(Real(-0.0117) * ln_g - Real(0.0069), Real(0.015), Real(0.04));
    const Real high = one ? Real(0.0088) + g * (Real(0.0768) + g * (Real(-0.1352) + g * Real(0.0664)))
                          : Real(0.0123) + g * (Real(0.0211) + g * (Real(-0.0280) + g * Real(0.0069)));
    return g < Real(one ? 0.1591 : 0.16) ? low : high;
  }
};

template <int devices>
struct PcmHermesParameters final : PcmParameters {
  PcmHermesParameters()
      : PcmParameters(Conductance::si(HermesLaw<devices>::g_max_uS * 1e-6), HermesLaw<devices>::times) {}
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override { return std::make_unique<PcmHermesParameters>(*this); }
};

DeviceEntry pcm_hermes_1_entry();
DeviceEntry pcm_hermes_2_entry();

}  // namespace tellegen::devices
