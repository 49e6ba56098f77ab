#pragma once
// HfO2 RRAM programmed by the IGVVA-100 algorithm: Milo et al., IRPS 2021, figure 4; linear fit as in CrossSim (commit
// 0a2eb1ed, BSD-3).

#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// Standard deviation of the programmed conductance, 50 to 225 uS; all in uS.
inline double milo_sigma_uS(double g_uS) { return 4.782321 - 0.009107 * g_uS; }

/// Programming error only: the publication gives neither drift nor read noise.
struct RramMiloParameters final : DeviceParameters {
  CellRange range;
  RramMiloParameters();
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry rram_milo_entry();

}  // namespace tellegen::devices
