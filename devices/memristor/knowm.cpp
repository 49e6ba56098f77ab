#include "tellegen/devices/memristor/knowm.h"

#include "tellegen/devices/memristor/model_of.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::devices {
namespace {

struct KnowmParameters final : MemristorParameters {
  Resistance r_on = Resistance::si(500);
  Resistance r_off = Resistance::si(1500);
  Voltage v_on = Voltage::si(0.27);
  Voltage v_off = Voltage::si(0.27);
  Time tau = Time::si(1e-4);
  Temperature temperature = Temperature::si(298.5);
  double x0 = 0.5;

  void settings(Settings& v) override {
    v("r_on", r_on, "resistance with all switches on", positive());
    v("r_off", r_off, "resistance with all switches off", positive());
    v.require(r_on < r_off, "r_on", "must be below r_off.");
    v("v_on", v_on, "voltage at which a switch turns on with half the full rate", at_least(0));
    v("v_off", v_off, "size of the negative voltage at which it turns off with half the full rate", at_least(0));
    v("tau", tau, "time constant of a switch", positive());
    v("temperature", temperature, "temperature of the device", positive());
    v("x0", x0, "share of switches that are on at the start", between(0, 1));
  }
  std::unique_ptr<MemristorModel> make() const override {
    constexpr double volts_per_K = boltzmann_J_per_K / elementary_charge_C;
    return std::make_unique<ModelOf<KnowmKernel>>(KnowmKernel{
        {0, 1, x0, "x", "1"}, r_on.si(), r_off.si(), v_on.si(), v_off.si(), volts_per_K * temperature.si(), tau.si()});
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<KnowmParameters>(*this); }
};

}  // namespace

MemristorEntry knowm_entry() {
  return {"knowm",
          "Mean metastable switch (Knowm): the mean of many two-state switches that hop with thermal rates.",
          "dx/dt = (s((v - v_on) / (kT/q)) (1 - x) - (1 - s((v + v_off) / (kT/q))) x) / tau, s(z) = 1 / (1 + e^-z); "
          "i = v (x / r_on + (1 - x) / r_off).",
          "Nugent & Molter, PLoS ONE 9:e85175 (2014); parameters as in knowm/memristor-models-4-all (commit b6a11f46)",
          "memristor: {model: knowm}",
          {0.27, -0.27, 10e-6, 0.1},
          []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<KnowmParameters>(); }};
}

}  // namespace tellegen::devices
