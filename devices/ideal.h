#pragma once
// The ideal device: stores what it is told, for ever, and reads without noise.

#include "tellegen/devices/conductance_device.h"

namespace tellegen::devices {

struct IdealParameters final : DeviceParameters {
  Conductance g_min = Conductance::si(0);
  Conductance g_max = Conductance::si(100e-6);
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry ideal_entry();

}  // namespace tellegen::devices
