#include "tellegen/devices/sonos.h"

#include <algorithm>
#include <cmath>

#include "tellegen/devices/array_kernel.h"

namespace tellegen::devices {
namespace {

constexpr double read_voltage_V = 0.1;
constexpr float nA_per_S = static_cast<float>(read_voltage_V * 1e9);
constexpr float S_per_nA = static_cast<float>(1e-9 / read_voltage_V);

constexpr double saturation_nA[6] = {19.88665, 25.59102, 28.72753, 31.04318, 33.76214, 34.57909};
constexpr double scale_nA[6] = {176.3115, 186.85544, 193.56834, 198.90332, 204.77023, 207.34309};
/// Shift of the mean in nA on each day: coefficient k belongs to (current in nA)^k.
constexpr double shift_by_day[6][11] = {{},
                                        {6.83650e-01, 6.51250e-03, -4.03163e-04, 3.37944e-06, -1.87435e-08, 5.88902e-11,
                                         -1.07685e-13, 1.17751e-16, -7.60016e-20, 2.67255e-23, -3.94954e-27},
                                        {6.60925e-01, 8.60627e-03, -1.72936e-04, 7.44096e-07, -5.94866e-09, 2.36734e-11,
                                         -4.83740e-14, 5.56072e-17, -3.65397e-20, 1.28405e-23, -1.87450e-27},
                                        {1.15821e00, 1.96116e-02, -4.70807e-04, 3.67510e-06, -2.08786e-08, 6.59752e-11,
                                         -1.19499e-13, 1.28435e-16, -8.11574e-20, 2.78802e-23, -4.02057e-27},
                                        {8.72216e-01, 1.70926e-02, -2.23370e-04, 1.57526e-06, -1.32779e-08, 5.08256e-11,
                                         -1.01251e-13, 1.14633e-16, -7.46124e-20, 2.60559e-23, -3.78724e-27},
                                        {1.15294e00, 1.03149e-02, -6.05199e-05, 1.76086e-08, -6.46690e-09, 3.39044e-11,
                                         -7.53872e-14, 8.98185e-17, -6.00346e-20, 2.12615e-23, -3.11099e-27}};

/// Two neighbouring days and the share of the later one.
struct Between {
  int earlier;
  double weight;
  double operator()(double early, double late) const { return early + weight * (late - early); }
};

Between between_days(double age_s) {
  const double days = std::clamp(age_s / 86400.0, 0.0, 5.0);
  const int earlier = std::min(4, static_cast<int>(days));
  return {earlier, days - earlier};
}

/// g_S holds standard normal draws on entry.
struct Program {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, SonosSpread<float> spread, float* g_S) {
    for (std::size_t i = 0; i < count; ++i)
      g_S[i] = target_S[i] + S_per_nA * spread.sigma_nA(target_S[i] * nA_per_S) * g_S[i];
  }
};

/// In a loop of its own: a long chain of operations less between the start and the end of a cell in the loop below, so
/// that a processor works on more cells at a time.
struct Shift {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, SonosDrift<float> drift, float* shift_nA) {
    for (std::size_t i = 0; i < count; ++i) shift_nA[i] = drift.shift_nA(target_S[i] * nA_per_S);
  }
};

/// mean_S holds standard normal draws on entry. The spread that comes on top of that of programming is independent of
/// it, so that variances add up; it belongs to the current after drift.
struct Age {
  TELLEGEN_KERNEL static void run(const float* programmed_S, const float* target_S, const float* shift_nA,
                                  std::size_t count, SonosSpread<float> first, SonosSpread<float> now, float* mean_S) {
    for (std::size_t i = 0; i < count; ++i) {
      const float target_nA = target_S[i] * nA_per_S;
      const float drifted_nA = target_nA + shift_nA[i];
      const float sigma_first_nA = first.sigma_nA(target_nA);
      const float sigma_now_nA = now.sigma_nA(drifted_nA < 0.0f ? 0.0f : drifted_nA);
      const float added_nA2 = sigma_now_nA * sigma_now_nA - sigma_first_nA * sigma_first_nA;
      const float added_nA = std::sqrt(added_nA2 > 0.0f ? added_nA2 : 0.0f);
      mean_S[i] = programmed_S[i] + S_per_nA * (shift_nA[i] + added_nA * mean_S[i]);
    }
  }
};

struct ReadVariance {
  TELLEGEN_KERNEL static void run(const float* mean_S, std::size_t count, SonosSpread<float> noise,
                                  float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float sigma_S = S_per_nA * noise.sigma_nA(mean_S[i] * nA_per_S);
      variance_S2[i] = sigma_S * sigma_S;
    }
  }
};

class SonosDevice final : public StatisticalDevice {
 public:
  using StatisticalDevice::StatisticalDevice;

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    streams.programming.normals(first, g_S);
    vectorised<Program>(target_S.data(), target_S.size(), first_, g_S.data());
  }

  bool ages_from_target() const override { return true; }

  void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    const double age_s = conditions.age.si();
    if (age_s == 0) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
      return;
    }
    streams.relaxation.normals(block.first, mean_S);
    vectorised<Shift>(block.target_S.data(), mean_S.size(), sonos_drift<float>(age_s), block.scratch.data());
    vectorised<Age>(block.programmed_S.data(), block.target_S.data(), block.scratch.data(), mean_S.size(), first_,
                    sonos_spread<float>(age_s), mean_S.data());
  }

  bool reads_with_noise() const override { return true; }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<ReadVariance>(mean_S.data(), mean_S.size(), sonos_read_noise<float>(), variance_S2.data());
  }

  SonosSpread<float> first_ = sonos_spread<float>(0);
};

}  // namespace

template <class Real>
SonosSpread<Real> sonos_spread(double age_s) {
  const Between between = between_days(age_s);
  const int day = between.earlier;
  return {static_cast<Real>(between(saturation_nA[day], saturation_nA[day + 1])),
          static_cast<Real>(between(scale_nA[day], scale_nA[day + 1]))};
}
template SonosSpread<float> sonos_spread(double age_s);
template SonosSpread<double> sonos_spread(double age_s);

template <class Real>
SonosDrift<Real> sonos_drift(double age_s) {
  const Between between = between_days(age_s);
  SonosDrift<Real> drift;
  double power = 1;
  for (std::size_t k = 0; k < drift.coefficients_nA.size(); ++k) {
    drift.coefficients_nA[k] =
        static_cast<Real>(between(shift_by_day[between.earlier][k], shift_by_day[between.earlier + 1][k]) * power);
    power *= sonos_full_scale_nA;
  }
  return drift;
}
template SonosDrift<float> sonos_drift(double age_s);
template SonosDrift<double> sonos_drift(double age_s);

void SonosParameters::settings(Settings& v) {
  range.settings(v);
  require_measured(v, range, Conductance::si(0), Conductance::si(sonos_highest_nA * 1e-9 / read_voltage_V));
}

std::unique_ptr<ConductanceDevice> SonosParameters::make() const { return std::make_unique<SonosDevice>(range); }
std::unique_ptr<DeviceParameters> SonosParameters::clone() const { return std::make_unique<SonosParameters>(*this); }

DeviceEntry sonos_entry() {
  return {"sonos",
          "SONOS charge-trap cells below threshold: programming error, drift and widening over 5 days, read noise.",
          "Agrawal et al., IEDM 21.7 (2022), figures 10 and 11; fits as in CrossSim 0a2eb1ed",
          "device: {model: sonos}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<SonosParameters>(); },
          "I = G 0.1 V. Deviation from the target: sigma = A (1 - exp(-I / B)) with A and B of days 0 to 5, "
          "mean shift a polynomial of tenth order in I / 1600 nA. Read: the same form with A = 12.6 nA, B = "
          "215 nA."};
}

}  // namespace tellegen::devices
