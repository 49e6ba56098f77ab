#include "tellegen/devices/pcm_hermes.h"

#include "tellegen/devices/pcm_device.h"

namespace tellegen::devices {

template <int devices>
std::unique_ptr<ConductanceDevice> PcmHermesParameters<devices>::make() const {
  return std::make_unique<PcmDevice<HermesLaw<devices>>>(*this);
}
template struct PcmHermesParameters<1>;
template struct PcmHermesParameters<2>;

namespace {
constexpr const char* source = "Le Gallo et al., Nat. Electron. 6:680 (2023); coefficients as in aihwkit 4545f11b";
}

DeviceEntry pcm_hermes_1_entry() {
  return {"pcm_hermes_1",
          "Phase-change memory of the HERMES chip, one device per cell.",
          source,
          "device: {model: pcm_hermes_1}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<PcmHermesParameters<1>>(); },
          "g = G / g_max. Programming: sigma is a cubic in g. Drift: G ((t + t0) / t0)^-nu, nu = |mu + "
          "sigma N|, mu and sigma of g in two pieces. Read: sigma = G(t) q sqrt(ln((t + t_read) / (2 "
          "t_read))), q of g as programmed, in two pieces."};
}

DeviceEntry pcm_hermes_2_entry() {
  return {"pcm_hermes_2",
          "Phase-change memory of the HERMES chip, two devices in parallel per cell.",
          source,
          "device: {model: pcm_hermes_2}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<PcmHermesParameters<2>>(); },
          "g = G / g_max. Programming: sigma is a cubic in g. Drift: G ((t + t0) / t0)^-nu, nu = |mu + "
          "sigma N|, mu and sigma of g in two pieces. Read: sigma = G(t) q sqrt(ln((t + t_read) / (2 "
          "t_read))), q of g as programmed, in two pieces."};
}

}  // namespace tellegen::devices
