#include "tellegen/devices/memristor/vteam.h"

#include <array>
#include <cmath>

#include "tellegen/devices/memristor/model_of.h"

namespace tellegen::devices {
namespace {

enum class Conduction { linear, exponential };
std::span<const std::pair<Conduction, const char*>> enum_names(Conduction) {
  static constexpr std::array<std::pair<Conduction, const char*>, 2> names{
      {{Conduction::linear, "linear"}, {Conduction::exponential, "exponential"}}};
  return names;
}

bool is_small_whole(double exponent) { return exponent >= 1 && exponent <= 7 && exponent == std::floor(exponent); }
elementary::BinaryDigits binary_digits(double exponent) {
  const int n = is_small_whole(exponent) ? static_cast<int>(exponent) : 0;
  return {static_cast<double>(n & 1), static_cast<double>(n >> 1 & 1), static_cast<double>(n >> 2 & 1)};
}

struct VteamParameters final : MemristorParameters {
  Resistance r_on = Resistance::si(50);
  Resistance r_off = Resistance::si(1000);
  Length w_on = Length::si(0);
  Length w_off = Length::si(3e-9);
  double k_on = -10;
  double k_off = 5e-4;
  double a_on = 3;
  double a_off = 1;
  Voltage v_on = Voltage::si(-0.2);
  Voltage v_off = Voltage::si(0.02);
  Conduction conduction = Conduction::linear;
  Length w0 = Length::si(1.5e-9);

  void settings(Settings& v) override {
    v("r_on", r_on, "resistance at w_on", positive());
    v("r_off", r_off, "resistance at w_off", positive());
    v.require(r_on < r_off, "r_on", "must be below r_off.");
    v("w_on", w_on, "state variable where the device is on");
    v("w_off", w_off, "state variable where it is off");
    v.require(w_on < w_off, "w_on", "must be below w_off.");
    v("k_on", k_on, "speed below v_on, in m/s", at_most(0));
    v("k_off", k_off, "speed above v_off, in m/s", at_least(0));
    v("a_on", a_on, "exponent below v_on", positive());
    v("a_off", a_off, "exponent above v_off", positive());
    v("v_on", v_on, "threshold of switching on, negative");
    v.require(v_on.si() < 0, "v_on", "must be negative.");
    v("v_off", v_off, "threshold of switching off", positive());
    v("conduction", conduction, "how the resistance goes from r_on to r_off with w");
    v("w0", w0, "state variable at the start");
    v.require(w_on <= w0 && w0 <= w_off, "w0", "must lie between w_on and w_off.");
  }
  template <bool exponential, bool whole>
  std::unique_ptr<MemristorModel> with() const {
    using Kernel = VteamKernel<exponential, whole>;
    Kernel kernel{};
    kernel.range = {w_on.si(), w_off.si(), w0.si(), "w", "m"};
    kernel.on_ohm = r_on.si();
    kernel.off_ohm = r_off.si();
    kernel.ln_ratio = std::log(r_off / r_on);
    kernel.k_on_m_per_s = k_on;
    kernel.k_off_m_per_s = k_off;
    kernel.a_on = a_on;
    kernel.a_off = a_off;
    kernel.digits_on = binary_digits(a_on);
    kernel.digits_off = binary_digits(a_off);
    kernel.v_on_V = v_on.si();
    kernel.v_off_V = v_off.si();
    return std::make_unique<ModelOf<Kernel>>(kernel);
  }
  std::unique_ptr<MemristorModel> make() const override {
    const bool whole = is_small_whole(a_on) && is_small_whole(a_off);
    if (conduction == Conduction::exponential) return whole ? with<true, true>() : with<true, false>();
    return whole ? with<false, true>() : with<false, false>();
  }
  std::unique_ptr<MemristorParameters> clone() const override { return std::make_unique<VteamParameters>(*this); }
};

}  // namespace

MemristorEntry vteam_entry() {
  return {"vteam",
          "VTEAM: the state moves beyond two voltage thresholds with power laws, linear or exponential resistance.",
          "dw/dt = k_off (v / v_off - 1)^a_off for v > v_off, k_on (v / v_on - 1)^a_on for v < v_on, else 0; "
          "s = (w - w_on) / (w_off - w_on); linear v = (r_on + (r_off - r_on) s) i; exponential v = r_on "
          "(r_off / r_on)^s i.",
          "Kvatinsky et al., IEEE TCAS-II 62:786 (2015); parameters as in MemTorch (commit 305c3a74)",
          "memristor: {model: vteam}",
          {-0.21, 0.07, 100e-9, 0.01},
          []() -> std::unique_ptr<MemristorParameters> { return std::make_unique<VteamParameters>(); }};
}

}  // namespace tellegen::devices
