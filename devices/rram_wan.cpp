#include "tellegen/devices/rram_wan.h"

#include <cmath>

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

/// g_S holds standard normal draws on entry.
struct Program {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, float scale_S, WanDeviation<float> first,
                                  float* g_S) {
    const float per_scale = 1.0f / scale_S;
    for (std::size_t i = 0; i < count; ++i) {
      g_S[i] = target_S[i] + scale_S * first.sigma(target_S[i] * per_scale) * g_S[i];
    }
  }
};

/// mean_S holds standard normal draws on entry.
struct Relax {
  TELLEGEN_KERNEL static void run(const float* programmed_S, const float* target_S, std::size_t count, float scale_S,
                                  WanDeviation<float> first, WanDeviation<float> now, float* mean_S) {
    const float per_scale = 1.0f / scale_S;
    for (std::size_t i = 0; i < count; ++i) {
      mean_S[i] = programmed_S[i] + scale_S * wan_relaxation(first, now, target_S[i] * per_scale) * mean_S[i];
    }
  }
};

class RramWanDevice final : public StatisticalDevice {
 public:
  explicit RramWanDevice(const RramWanParameters& p)
      : StatisticalDevice(p.range),
        scale_S_(static_cast<float>(p.range.g_max.si())),
        read_noise_(static_cast<float>(p.read_noise)) {}

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    streams.programming.normals(first, g_S);
    vectorised<Program>(target_S.data(), target_S.size(), scale_S_, first_, g_S.data());
  }

  bool ages_from_target() const override { return true; }

  void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    if (conditions.age.si() <= first_time_s) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
      return;
    }
    streams.relaxation.normals(block.first, mean_S);
    vectorised<Relax>(block.programmed_S.data(), block.target_S.data(), mean_S.size(), scale_S_, first_,
                      wan_deviation<float>(conditions.age.si()), mean_S.data());
  }

  bool reads_with_noise() const override { return read_noise_ > 0; }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), AffineSpread{0, read_noise_}, variance_S2.data());
  }

  static constexpr double first_time_s = 1.0;
  WanDeviation<float> first_ = wan_deviation<float>(first_time_s);
  float scale_S_;
  float read_noise_;
};

}  // namespace

template <class Real>
WanDeviation<Real> wan_deviation(double age_s) {
  constexpr double times_s[3] = {1.0, 86400.0, 172800.0};
  constexpr double in_uS[3][5] = {{0.348, 16.030, -43.853, 45.393, -16.815},
                                  {0.701, 22.086, -50.773, 47.095, -16.458},
                                  {0.782, 20.274, -43.507, 37.062, -11.934}};
  const double t_s = std::clamp(age_s, times_s[0], times_s[2]);
  const int earlier = t_s < times_s[1] ? 0 : 1;
  const double weight = std::log(t_s / times_s[earlier]) / std::log(times_s[earlier + 1] / times_s[earlier]);
  const auto coefficient = [&](int k) {
    return static_cast<Real>((in_uS[earlier][k] + weight * (in_uS[earlier + 1][k] - in_uS[earlier][k])) / 40.0);
  };
  return {coefficient(0), coefficient(1), coefficient(2), coefficient(3), coefficient(4)};
}
template WanDeviation<float> wan_deviation(double age_s);
template WanDeviation<double> wan_deviation(double age_s);

void RramWanParameters::settings(Settings& v) {
  range.settings(v);
  v("read_noise", read_noise, "standard deviation of one read as a share of the conductance (short term, about 1 %)",
    at_least(0));
}

std::unique_ptr<ConductanceDevice> RramWanParameters::make() const { return std::make_unique<RramWanDevice>(*this); }
std::unique_ptr<DeviceParameters> RramWanParameters::clone() const {
  return std::make_unique<RramWanParameters>(*this);
}

DeviceEntry rram_wan_entry() {
  return {"rram_wan",
          "RRAM of the NeuRRAM chip after write-verify: error at 1 s, relaxation up to 2 days, short-term read noise.",
          "Wan et al., Nature 608:504 (2022); fits as in aihwkit 4545f11b",
          "device: {model: rram_wan}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<RramWanParameters>(); },
          "g = target / g_max. Deviation from the target: sigma = g_max p(g), p a fourth-order polynomial "
          "known at 1 s, 1 day and 2 days, linear in ln(t) between; what is added after 1 s is independent. "
          "Read: sigma = read_noise G."};
}

}  // namespace tellegen::devices
