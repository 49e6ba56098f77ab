#include "tellegen/devices/rram_milo.h"

#include <algorithm>

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

constexpr Conductance lowest = Conductance::si(50e-6), highest = Conductance::si(225e-6);

class RramMiloDevice final : public StatisticalDevice {
 public:
  using StatisticalDevice::StatisticalDevice;

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    const double at_zero_uS = milo_sigma_uS(0);
    const AffineSpread spread{static_cast<float>(at_zero_uS * 1e-6), static_cast<float>(milo_sigma_uS(1) - at_zero_uS)};
    streams.programming.normals(first, g_S);
    vectorised<AddAffineError>(target_S.data(), target_S.size(), spread, g_S.data());
  }
  void age_block(const Block& block, const Conditions& /*conditions*/, const CellStreams& /*streams*/,
                 std::span<float> mean_S) const override {
    std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
  }
  bool reads_with_noise() const override { return false; }
  void variance_block(const Block& /*block*/, std::span<const float> /*mean_S*/, const Conditions& /*conditions*/,
                      std::span<float> /*variance_S2*/) const override {}
};

}  // namespace

RramMiloParameters::RramMiloParameters() {
  range.g_min = lowest;
  range.g_max = highest;
}

void RramMiloParameters::settings(Settings& v) {
  range.settings(v);
  require_measured(v, range, lowest, highest);
}

std::unique_ptr<ConductanceDevice> RramMiloParameters::make() const { return std::make_unique<RramMiloDevice>(range); }
std::unique_ptr<DeviceParameters> RramMiloParameters::clone() const {
  return std::make_unique<RramMiloParameters>(*this);
}

DeviceEntry rram_milo_entry() {
  return {
      "rram_milo",
      "HfO2 RRAM with an on/off ratio of 4.5: programming error of the IGVVA-100 algorithm, no drift, no read noise.",
      "Milo et al., IRPS (2021), figure 4; fit as in CrossSim 0a2eb1ed",
      "device: {model: rram_milo}",
      []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<RramMiloParameters>(); },
      "Programming: sigma = 4.782 uS - 0.009107 G; nothing after that."};
}

}  // namespace tellegen::devices
