#include "tellegen/devices/memristor/flux_controlled.h"

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

struct FluxParameters final : MemristorParameters {
  double w0 = 1e-4;
  double w1 = 2e-4;
  double w2 = 0;
  double w3 = 0;
  double flux_max = 0.4;
  double flux0 = 0;

  FluxKernel kernel() const { return {{-flux_max, flux_max, flux0, "flux", "V s"}, w0, w1, w2, w3}; }
  /// Looks at 201 fluxes: a memductance below zero between two of them is no use of a smooth cubic.
  bool is_passive() const {
    for (int i = -100; i <= 100; ++i) {
      if (kernel().memductance(flux_max * i / 100) < 0) return false;
    }
    return true;
  }
  void settings(Settings& v) override {
    v("w0", w0, "memductance at zero flux, in S", positive());
    v("w1", w1, "its slope, in S/(V s)");
    v("w2", w2, "its quadratic coefficient, in S/(V s)^2");
    v("w3", w3, "its cubic coefficient, in S/(V s)^3");
    v("flux_max", flux_max, "largest size of the flux, in V s", positive());
    v("flux0", flux0, "flux at the start, in V s");
    v.require(elementary::magnitude(flux0) <= flux_max, "flux0", "must lie between -flux_max and flux_max.");
    v.require(is_passive(), "flux_max",
              "lets the memductance w0 + w1 flux + w2 flux^2 + w3 flux^3 fall below zero, which would be a source of "
              "energy; make it smaller.");
  }
  std::unique_ptr<MemristorModel> make() const override { return std::make_unique<ModelOf<FluxKernel>>(kernel()); }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<FluxParameters>(*this); }
};

}  // namespace

MemristorEntry flux_controlled_entry() {
  return {"flux_controlled",
          "Ideal memristor: the conductance is a polynomial of the flux (time integral of the voltage).",
          "dflux/dt = v; i = (w0 + w1 flux + w2 flux^2 + w3 flux^3) v.",
          "Chua, IEEE Trans. Circuit Theory 18:507 (1971); default coefficients by definition",
          "memristor: {model: flux_controlled}",
          {1.0, -1.0, 20e-3, 0.1},
          []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<FluxParameters>(); }};
}

}  // namespace tellegen::devices
