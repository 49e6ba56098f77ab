#include "tellegen/devices/ideal.h"

#include "tellegen/devices/cell_range.h"

namespace tellegen::devices {
namespace {

class IdealDevice final : public ConductanceDevice {
 public:
  IdealDevice(Conductance g_min, Conductance g_max) : g_min_(g_min), g_max_(g_max) {}
  Conductance g_min() const override { return g_min_; }
  Conductance g_max() const override { return g_max_; }
  int levels() const override { return 0; }
  ProgrammedCells program(std::span<const float> target_S, const ArrayAddress& /*address*/) const override {
    ProgrammedCells programmed;
    programmed.g_S.assign(target_S.begin(), target_S.end());
    return programmed;
  }
  ReadStatistics read(const ProgrammedCells& cells, const Conditions& /*conditions*/,
                      const ArrayAddress& /*address*/) const override {
    return {cells.g_S, {}};
  }

 private:
  Conductance g_min_, g_max_;
};

}  // namespace

void IdealParameters::settings(Settings& v) {
  v("g_min", g_min, "smallest conductance that a cell is programmed to",
    between(Conductance::si(0), highest_conductance));
  v("g_max", g_max, "largest conductance that a cell is programmed to",
    between(lowest_full_scale, highest_conductance));
  require_range(v, g_min, g_max);
}

std::unique_ptr<ConductanceDevice> IdealParameters::make() const { return std::make_unique<IdealDevice>(g_min, g_max); }
std::unique_ptr<DeviceParameters> IdealParameters::clone() const { return std::make_unique<IdealParameters>(*this); }

DeviceEntry ideal_entry() {
  return {"ideal",
          "Stores any conductance exactly, does not age, reads without noise.",
          "definition",
          "device: {model: ideal}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<IdealParameters>(); },
          "G = target at all times; var(G) = 0."};
}

}  // namespace tellegen::devices
