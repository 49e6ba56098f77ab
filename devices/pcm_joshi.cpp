#include "tellegen/devices/pcm_joshi.h"

#include "tellegen/devices/pcm_device.h"

namespace tellegen::devices {

std::unique_ptr<ConductanceDevice> PcmJoshiParameters::make() const {
  return std::make_unique<PcmDevice<JoshiLaw>>(*this);
}
std::unique_ptr<DeviceParameters> PcmJoshiParameters::clone() const {
  return std::make_unique<PcmJoshiParameters>(*this);
}

DeviceEntry pcm_joshi_entry() {
  return {"pcm_joshi",
          "Phase-change memory: programming error, drift with spread, and accumulating 1/f noise, fitted to a million "
          "devices.",
          "Joshi et al., Nat. Commun. 11:2473 (2020), and Nandakumar et al., ICECS 2019; coefficients as in aihwkit "
          "4545f11b",
          "device: {model: pcm_joshi}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<PcmJoshiParameters>(); },
          "g = G / g_max. Programming: sigma = g_max (0.26348 + 1.9650 g - 1.1731 g^2) / 25. Drift: G ((t + "
          "t0) / t0)^-nu, nu = |mu + sigma N|, mu = -0.0155 ln g + 0.0244 within 0.049 .. 0.1, sigma = "
          "-0.0125 ln g - 0.0059 within 0.008 .. 0.045. Read: sigma = G(t) q sqrt(ln((t + t_read) / (2 "
          "t_read))), q = 0.0088 / g^0.65, at most 0.2, g as programmed."};
}

}  // namespace tellegen::devices
