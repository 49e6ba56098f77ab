#include "tellegen/devices/memristor/yakopcic.h"

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

struct YakopcicParameters final : MemristorParameters {
  Current a1 = Current::si(0.17);
  Current a2 = Current::si(0.17);
  double b = 0.05;
  Voltage v_p = Voltage::si(0.16);
  Voltage v_n = Voltage::si(0.15);
  double a_p = 4000;
  double a_n = 4000;
  double x_p = 0.3;
  double x_n = 0.5;
  double alpha_p = 1;
  double alpha_n = 5;
  int eta = 1;
  double x0 = 0.11;

  void settings(Settings& v) override {
    v("a1", a1, "amplitude of the current for positive voltages", positive());
    v("a2", a2, "amplitude of the current for negative voltages", positive());
    v("b", b, "curvature of the current, in 1/V", positive());
    v("v_p", v_p, "threshold for positive voltages", at_least(0));
    v("v_n", v_n, "size of the threshold for negative voltages", at_least(0));
    v("a_p", a_p, "speed above v_p, in 1/s", at_least(0));
    v("a_n", a_n, "speed below -v_n, in 1/s", at_least(0));
    v("x_p", x_p, "state where rising begins to be damped", between(0, 0.999));
    v("x_n", x_n, "1 - state where falling begins to be damped", between(0, 0.999));
    v("alpha_p", alpha_p, "damping of rising", at_least(0));
    v("alpha_n", alpha_n, "damping of falling", at_least(0));
    v("eta", eta, "1: positive voltages raise the state; -1: they lower it", between(-1, 1));
    v.require(eta != 0, "eta", "must be 1 or -1.");
    v("x0", x0, "state at the start", between(0, 1));
  }
  std::unique_ptr<MemristorModel> make() const override {
    return std::make_unique<ModelOf<YakopcicKernel>>(YakopcicKernel{{0, 1, x0, "x", "1"},
                                                                    a1.si(),
                                                                    a2.si(),
                                                                    b,
                                                                    v_p.si(),
                                                                    v_n.si(),
                                                                    std::exp(v_p.si()),
                                                                    std::exp(v_n.si()),
                                                                    a_p,
                                                                    a_n,
                                                                    x_p,
                                                                    x_n,
                                                                    alpha_p,
                                                                    alpha_n,
                                                                    static_cast<double>(eta)});
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<YakopcicParameters>(*this); }
};

}  // namespace

MemristorEntry yakopcic_entry() {
  return {
      "yakopcic",
      "Yakopcic: exponential kinetics beyond two thresholds, damped towards the ends, sinh conduction.",
      "dx/dt = eta g(v) f(x, v); g = a_p (e^v - e^v_p) for v > v_p, -a_n (e^-v - e^v_n) for v < -v_n, else 0; rising "
      "f = e^(-alpha_p (x - x_p)) ((x_p - x) / (1 - x_p) + 1) for x >= x_p, falling f = e^(alpha_n (x + x_n - 1)) "
      "x / (1 - x_n) for x <= 1 - x_n, else 1; i = a1 x sinh(b v), a2 for v < 0.",
      "Yakopcic et al., IEEE EDL 32:1436 (2011), IEEE TCAD 32:1201 (2013); parameters of the Oblea device (sine) as "
      "in the Xyce and LTspice cards of knowm/memristor-models-4-all (commit b6a11f46)",
      "memristor: {model: yakopcic}",
      {0.3, -0.3, 50e-6, 0.1},
      []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<YakopcicParameters>(); }};
}

}  // namespace tellegen::devices
