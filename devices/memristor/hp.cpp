#include "tellegen/devices/memristor/hp.h"

#include <array>

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

using Mobility = decltype(Area() / (Voltage() * Time()));

struct HpParameters final : MemristorParameters {
  Resistance r_on = Resistance::si(100);
  Resistance r_off = Resistance::si(16e3);
  Length thickness = Length::si(10e-9);
  Mobility mobility = Mobility::si(1e-14);
  DriftWindow window = DriftWindow::none;
  double p = 1;
  double j = 1;
  Voltage threshold = Voltage::si(0);
  double x0 = 0.5;

  void settings(Settings& v) override {
    v("r_on", r_on, "resistance of the doped film (x = 1)", positive());
    v("r_off", r_off, "resistance of the undoped film (x = 0)", positive());
    v.require(r_on < r_off, "r_on", "must be below r_off.");
    v("thickness", thickness, "thickness D of the film", positive());
    v("mobility", mobility, "mobility of the dopants", positive());
    v("window", window, "what slows the drift near the edges of the film");
    v("p", p, "exponent of the window; large: flat in the middle", positive());
    v("j", j, "scale of the Prodromakis window", positive());
    v("threshold", threshold, "voltages up to this size move nothing", at_least(0));
    v("x0", x0, "share of doped film at the start", between(0, 1));
  }
  template <DriftWindow kind>
  std::unique_ptr<MemristorModel> with() const {
    const double drift_per_C = mobility.si() * r_on.si() / (thickness.si() * thickness.si());
    return std::make_unique<ModelOf<HpKernel<kind>>>(
        HpKernel<kind>{{0, 1, x0, "x", "1"}, r_on.si(), r_off.si(), drift_per_C, p, j, threshold.si()});
  }
  std::unique_ptr<MemristorModel> make() const override {
    switch (window) {
      case DriftWindow::joglekar:
        return with<DriftWindow::joglekar>();
      case DriftWindow::biolek:
        return with<DriftWindow::biolek>();
      case DriftWindow::prodromakis:
        return with<DriftWindow::prodromakis>();
      case DriftWindow::none:
        break;
    }
    return with<DriftWindow::none>();
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<HpParameters>(*this); }
};

}  // namespace

std::span<const std::pair<DriftWindow, const char*>> enum_names(DriftWindow) {
  static constexpr std::array<std::pair<DriftWindow, const char*>, 4> names{
      {{DriftWindow::none, "none"},
       {DriftWindow::joglekar, "joglekar"},
       {DriftWindow::biolek, "biolek"},
       {DriftWindow::prodromakis, "prodromakis"}}};
  return names;
}

MemristorEntry hp_entry() {
  return {"hp",
          "Linear ion drift (HP): a doped and an undoped film in series whose border moves with the charge.",
          "dx/dt = mobility r_on / thickness^2 * i * window(x); v = (r_on x + r_off (1 - x)) i. Windows: joglekar "
          "1 - (2x - 1)^(2p); biolek 1 - (x - s)^(2p), s = 0 for i > 0, else 1; prodromakis j (1 - ((x - 0.5)^2 + "
          "0.75)^p).",
          "Strukov et al., Nature 453:80 (2008); parameters as in MemTorch (commit 305c3a74)",
          "memristor: {model: hp}",
          {1.0, -1.0, 20e-3, 0.1},
          []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<HpParameters>(); }};
}

}  // namespace tellegen::devices
