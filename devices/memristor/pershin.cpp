#include "tellegen/devices/memristor/pershin.h"

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

struct PershinParameters final : MemristorParameters {
  double alpha = 0;
  double beta = 2e12;
  Voltage threshold = Voltage::si(1.6);
  Resistance r_on = Resistance::si(1e3);
  Resistance r_off = Resistance::si(10e3);
  Resistance r0 = Resistance::si(5e3);

  void settings(Settings& v) override {
    v("alpha", alpha, "slope of dR/dt below the threshold, in ohm/(V s)");
    v("beta", beta, "slope of dR/dt above the threshold, in ohm/(V s)");
    v.require(beta != 0, "beta", "must not be 0.");
    v("threshold", threshold, "voltage where the slope changes", positive());
    v("r_on", r_on, "smallest resistance", positive());
    v("r_off", r_off, "largest resistance", positive());
    v.require(r_on < r_off, "r_on", "must be below r_off.");
    v("r0", r0, "resistance at the start", positive());
    v.require(r_on <= r0 && r0 <= r_off, "r0", "must lie between r_on and r_off.");
  }
  std::unique_ptr<MemristorModel> make() const override {
    return std::make_unique<ModelOf<PershinKernel>>(
        PershinKernel{{r_on.si(), r_off.si(), r0.si(), "R", "ohm"}, alpha, beta, threshold.si()});
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<PershinParameters>(*this); }
};

}  // namespace

MemristorEntry pershin_entry() {
  return {
      "pershin",
      "Pershin and Di Ventra: a resistance that changes with one slope below a voltage threshold and another above.",
      "dR/dt = beta v + (alpha - beta) (|v + threshold| - |v - threshold|) / 2; i = v / R.",
      "Pershin & Di Ventra, arXiv:1204.2600 (2012); slopes and threshold of an example, resistances by definition",
      "memristor: {model: pershin}",
      {-2.0, 2.0, 0.5e-9, 0.1},
      []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<PershinParameters>(); }};
}

}  // namespace tellegen::devices
