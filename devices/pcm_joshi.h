#pragma once
// Mushroom PCM of IBM, 90 nm, one million devices: Joshi et al., Nat. Commun. 11:2473 (2020), and Nandakumar et al.,
// ICECS 2019; coefficients as in the PCM-like noise model of IBM's aihwkit (commit 4545f11b, MIT).

#include "tellegen/devices/pcm.h"

namespace tellegen::devices {

/// Published functions of g = G / g_max for g_max = 25 uS; another g_max scales the programming error with it.
struct JoshiLaw {
  static constexpr PcmTimes times{20.0, 250e-9};

  /// Standard deviation of the programmed conductance as a share of g_max.
  template <class Real>
  TELLEGEN_KERNEL static Real programming_sigma(Real g) {
    return (Real(0.26348) + g * (Real(1.9650) - Real(1.1731) * g)) * Real(1.0 / 25.0);
  }
  template <class Real>
  TELLEGEN_KERNEL static Real drift_mean(Real /*g*/, Real ln_g) {
    return clamped(Real(-0.0155) * ln_g + Real(0.0244), Real(0.049), Real(0.1));
  }
  template <class Real>
  TELLEGEN_KERNEL static Real drift_spread(Real /*g*/, Real ln_g) {
    return clamped(Real(-0.0125) * ln_g - Real(0.0059), Real(0.008), Real(0.045));
  }
  /// q_s = 0.0088 / g^0.65, at most 0.2: amplitude of the 1/f read noise as a share of the conductance.
  template <class Real>
  TELLEGEN_KERNEL static Real read_amplitude(Real /*g*/, Real ln_g) {
    const Real q = Real(0.0088) * exponential(Real(-0.65) * ln_g);
    return q > Real(0.2) ? Real(0.2) : q;
  }
};

struct PcmJoshiParameters final : PcmParameters {
  PcmJoshiParameters() : PcmParameters(Conductance::si(25e-6), JoshiLaw::times) {}
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry pcm_joshi_entry();

}  // namespace tellegen::devices
