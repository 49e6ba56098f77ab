#include "tellegen/devices/memristor/data_driven.h"

#include <array>

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

struct DataSideSettings {
  DataSide side;
  void settings(Settings& v) {
    v("a", side.a, "scale of the current", positive());
    v("b", side.b_per_V, "exponent of the current, in 1/V", positive());
    v("scale", side.scale, "scale A of the speed, in 1/(ohm s) (quadratic) or ohm/s (exponential)");
    v("t", side.t, "voltage scale of the speed: e^(|v| / t) in V (quadratic), e^(t |v|) in 1/V (exponential)");
    v.require(side.t != 0, "t", "must not be 0.");
    v("k", side.k_per_ohm, "exponent of the exponential law, in 1/ohm", positive());
    v("r0", side.r0_ohm, "boundary of the resistance without voltage, in ohm");
    v("r1", side.r1_ohm_per_V, "its slope, in ohm/V");
  }
};

struct DataDrivenParameters final : MemristorParameters {
  DataLaw law = DataLaw::quadratic;
  Resistance r_on = Resistance::si(1600);
  Resistance r_off = Resistance::si(3000);
  Resistance r_start = Resistance::si(2300);
  DataSideSettings positive_side{{0.32046175, 2.71689828, 600.10075, -0.0212028, 5.11e-4, 2699.2336, -672.930205}};
  DataSideSettings negative_side{{0.32046175, 2.71689828, -34.5988399, -0.05343997, 1.17e-3, 649.413746, -1474.32358}};

  void settings(Settings& v) override {
    v("law", law, "how the speed depends on voltage and distance");
    v("r_on", r_on, "smallest resistance", positive());
    v("r_off", r_off, "largest resistance", positive());
    v.require(r_on < r_off, "r_on", "must be below r_off.");
    v("r_start", r_start, "resistance at the start", positive());
    v.require(r_on <= r_start && r_start <= r_off, "r_start", "must lie between r_on and r_off.");
    v.section("positive", positive_side, "fit for positive voltages");
    v.section("negative", negative_side, "fit for negative voltages");
  }
  template <DataLaw chosen>
  std::unique_ptr<MemristorModel> with() const {
    return std::make_unique<ModelOf<DataDrivenKernel<chosen>>>(DataDrivenKernel<chosen>{
        {r_on.si(), r_off.si(), r_start.si(), "R", "ohm"}, positive_side.side, negative_side.side});
  }
  std::unique_ptr<MemristorModel> make() const override {
    return law == DataLaw::exponential ? with<DataLaw::exponential>() : with<DataLaw::quadratic>();
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<DataDrivenParameters>(*this); }
};

}  // namespace

std::span<const std::pair<DataLaw, const char*>> enum_names(DataLaw) {
  static constexpr std::array<std::pair<DataLaw, const char*>, 2> names{
      {{DataLaw::quadratic, "quadratic"}, {DataLaw::exponential, "exponential"}}};
  return names;
}

MemristorEntry data_driven_entry() {
  return {
      "data_driven",
      "Data-driven RRAM (Messaris): a resistance that goes towards a boundary set by the voltage, fitted per polarity.",
      "quadratic: dR/dt = s (r - R)^2, s = scale (e^(|v| / t) - 1); exponential: dR/dt = s (e^(k |r - R|) - 1), "
      "s = scale (e^(t |v|) - 1); r = r0 + r1 v; 0 where R would leave r; i = a / R sinh(b v).",
      "Messaris et al., ISCAS 2017; IEEE TCAD 37:3151 (2018); parameters of arXiv:2012.02267 as in MemTorch (commit "
      "305c3a74)",
      "memristor: {model: data_driven}",
      {1.2, -1.5, 1e-6, 0.1},
      []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<DataDrivenParameters>(); }};
}

}  // namespace tellegen::devices
