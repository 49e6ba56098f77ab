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
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<PcmJoshiParameters>(); }};
}

}  // namespace tellegen::devices
