#include "tellegen/devices/memristor/chang.h"

#include <cmath>

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {

double ChangKernel::voltage(double x, double i_A) const {
  // The current rises with the voltage: bisection down to neighbouring doubles.
  double low = -200, high = 200;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) return middle;
    (current(x, middle) < i_A ? low : high) = middle;
  }
}

namespace {

struct ChangParameters final : MemristorParameters {
  Current alpha = Current::si(0.5e-6);
  double beta = 0.5;
  Current gamma = Current::si(4e-6);
  double delta = 2;
  double lambda = 4.5;
  double eta1 = 0.004;
  double eta2 = 4;
  Time tau = Time::si(10);
  bool diffusion = false;
  double x0 = 0.3;

  void settings(Settings& v) override {
    v("alpha", alpha, "scale of the Schottky current", positive());
    v("beta", beta, "exponent of the Schottky current, in 1/V", positive());
    v("gamma", gamma, "scale of the tunnelling current", positive());
    v("delta", delta, "exponent of the tunnelling current, in 1/V", positive());
    v("lambda", lambda, "multiplier of the rate of the state", positive());
    v("eta1", eta1, "scale of the drift, in 1/s", positive());
    v("eta2", eta2, "exponent of the drift, in 1/V", positive());
    v("tau", tau, "time constant of the diffusion", positive());
    v("diffusion", diffusion, "whether the state decays without voltage");
    v("x0", x0, "state at the start", between(0, 1));
  }
  std::unique_ptr<MemristorModel> make() const override {
    return std::make_unique<ModelOf<ChangKernel>>(ChangKernel{{0, 1, x0, "x", "1"},
                                                              alpha.si(),
                                                              beta,
                                                              gamma.si(),
                                                              delta,
                                                              lambda * eta1,
                                                              eta2,
                                                              diffusion ? lambda / tau.si() : 0.0});
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<ChangParameters>(*this); }
};

}  // namespace

MemristorEntry chang_entry() {
  return {
      "chang",
      "University of Michigan WOx device (Chang): sinh drift, optional diffusion, Schottky beside tunnelling current.",
      "dx/dt = lambda (eta1 sinh(eta2 v) - x / tau), the last term only with diffusion; "
      "i = (1 - x) alpha (1 - e^(-beta v)) + x gamma sinh(delta v).",
      "Chang et al., Appl. Phys. A 102:857 (2011); parameters as in knowm/memristor-models-4-all (commit b6a11f46)",
      "memristor: {model: chang}",
      {1.0, -1.0, 50e-3, 0.1},
      []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<ChangParameters>(); }};
}

}  // namespace tellegen::devices
