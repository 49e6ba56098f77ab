#include "tellegen/devices/memristor/stanford_pku.h"

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

using Field = decltype(Voltage() / Length());

struct StanfordParameters final : MemristorParameters {
  Length g0 = Length::si(0.25e-9);
  Voltage v0 = Voltage::si(0.25);
  Current i0 = Current::si(1e-3);
  Temperature temperature = Temperature::si(298);
  double r_th = 2.1e3;
  double gamma0 = 16;
  double beta = 0.8;
  Length t_ox = Length::si(12e-9);
  Field f_min = Field::si(1.4e9);
  double vel0 = 10;
  Energy e_a = Energy::si(0.6 * 1.602176634e-19);
  Length a0 = Length::si(0.25e-9);
  Length gap_min = Length::si(0.2e-9);
  Length gap_max = Length::si(1.7e-9);
  Length gap = Length::si(1e-9);
  double noise = 0;
  Time noise_step = Time::si(1e-9);
  Temperature noise_temperature = Temperature::si(450);
  Temperature noise_width = Temperature::si(500);

  void settings(Settings& v) override {
    v("g0", g0, "decay length of the current with the gap", positive());
    v("v0", v0, "scale of the voltage in the current", positive());
    v("i0", i0, "scale of the current", positive());
    v("temperature", temperature, "temperature without current", positive());
    v("r_th", r_th, "thermal resistance, in K/W; 0: no heating", at_least(0));
    v("gamma0", gamma0, "field enhancement without a gap", positive());
    v("beta", beta, "loss of field enhancement with the cube of the gap in nm", at_least(0));
    v("t_ox", t_ox, "thickness of the oxide", positive());
    v("f_min", f_min, "least enhanced field that moves the gap", at_least(0));
    v("vel0", vel0, "speed of the gap, in m/s", positive());
    v("e_a", e_a, "activation energy", positive());
    v("a0", a0, "distance of atoms", positive());
    v("gap_min", gap_min, "smallest gap", positive());
    v("gap_max", gap_max, "largest gap", positive());
    v.require(gap_min < gap_max, "gap_min", "must be below gap_max.");
    v("gap", gap, "gap at the start", positive());
    v.require(gap_min <= gap && gap <= gap_max, "gap", "must lie between gap_min and gap_max.");
    v("noise", noise, "random part of the speed far above noise_temperature, in m/s", at_least(0));
    v("noise_step", noise_step, "how long one random speed is held", positive());
    v("noise_temperature", noise_temperature, "temperature at which half of the noise acts", positive());
    v("noise_width", noise_width, "width of that transition", positive());
  }
  std::unique_ptr<MemristorModel> make() const override {
    return std::make_unique<ModelOf<StanfordKernel>>(StanfordKernel{{gap_min.si(), gap_max.si(), gap.si(), "gap", "m"},
                                                                    g0.si(),
                                                                    v0.si(),
                                                                    i0.si(),
                                                                    temperature.si(),
                                                                    r_th,
                                                                    gamma0,
                                                                    beta,
                                                                    t_ox.si(),
                                                                    f_min.si(),
                                                                    vel0,
                                                                    e_a.si() / 1.602176634e-19,
                                                                    a0.si(),
                                                                    noise,
                                                                    noise_step.si(),
                                                                    noise_temperature.si(),
                                                                    noise_width.si()});
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<StanfordParameters>(*this); }
};

}  // namespace

MemristorEntry stanford_pku_entry() {
  return {
      "stanford_pku",
      "Stanford-PKU RRAM: a tunnelling gap moved by field and heat, with the device heating itself; optional noise.",
      "dgap/dt = -vel0 exp(-e_a / kT) sinh(gamma a0 / t_ox v / (kT/q)), gamma = gamma0 - beta (gap / 1 nm)^3, 0 where "
      "gamma |v| / t_ox < f_min; T = temperature + r_th |v i|; i = i0 exp(-gap / g0) sinh(v / v0).",
      "Jiang et al., IEEE TED 63:1884 (2016); parameters as in MemTorch (commit 305c3a74), limits of the gap by "
      "definition",
      "memristor: {model: stanford_pku}",
      {1.2, -1.2, 50e-9, 0.1},
      []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<StanfordParameters>(); }};
}

}  // namespace tellegen::devices
