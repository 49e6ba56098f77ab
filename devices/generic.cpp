#include "tellegen/devices/generic.h"

#include <array>

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/real_math.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

AffineSpread affine(const SpreadLaw& law) {
  return {static_cast<float>(law.absolute.si()), static_cast<float>(law.proportional)};
}

/// mean_S holds standard normal draws on entry.
struct Drift {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, float exponent, float spread,
                                  float ln_time, float* mean_S) {
    for (std::size_t i = 0; i < count; ++i)
      mean_S[i] = programmed_S[i] * exponential(-(exponent + spread * mean_S[i]) * ln_time);
  }
};

class GenericDevice final : public StatisticalDevice {
 public:
  explicit GenericDevice(const GenericParameters& p)
      : StatisticalDevice(p.range),
        programming_(affine(p.programming_noise)),
        read_(affine(p.read_noise)),
        drift_(p.drift) {}

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const ArrayAddress& address,
                     std::span<float> g_S) const override {
    if (programming_.none()) {
      std::copy(target_S.begin(), target_S.end(), g_S.begin());
      return;
    }
    address.stream(Purpose::programming).normals(first, g_S);
    vectorised<AddAffineError>(target_S.data(), target_S.size(), programming_, g_S.data());
  }

  void age_block(const Block& block, const Conditions& conditions, const ArrayAddress& address,
                 std::span<float> mean_S) const override {
    const double ln_time = std::log1p(conditions.age.si() / drift_.t0.si());
    if (ln_time == 0 || (drift_.exponent == 0 && drift_.spread == 0)) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
      return;
    }
    if (drift_.spread > 0) {
      address.stream(Purpose::drift).normals(block.first, mean_S);
    } else {
      std::fill(mean_S.begin(), mean_S.end(), 0.0f);
    }
    vectorised<Drift>(block.programmed_S.data(), mean_S.size(), static_cast<float>(drift_.exponent),
                      static_cast<float>(drift_.spread), static_cast<float>(ln_time), mean_S.data());
  }

  bool reads_with_noise() const override { return !read_.none(); }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), read_, variance_S2.data());
  }

  AffineSpread programming_, read_;
  PowerLawDrift drift_;
};

}  // namespace

void SpreadLaw::settings(Settings& v) {
  v("absolute", absolute, "part of the standard deviation that is the same for all conductances", at_least(0));
  v("proportional", proportional, "part of the standard deviation that grows with the conductance, as a share of it",
    at_least(0));
}

void PowerLawDrift::settings(Settings& v) {
  v("exponent", exponent, "mean of nu in G(t) = G ((t + t0) / t0)^-nu");
  v("spread", spread, "standard deviation of nu between cells", at_least(0));
  v("t0", t0, "time after programming at which G was verified", positive());
}

void GenericParameters::settings(Settings& v) {
  range.settings(v);
  v.section("programming_noise", programming_noise, "spread of the programmed conductance about its target");
  v.section("read_noise", read_noise, "spread of one read about the mean");
  v.section("drift", drift, "power-law drift with age");
}

std::unique_ptr<ConductanceDevice> GenericParameters::make() const { return std::make_unique<GenericDevice>(*this); }
std::unique_ptr<DeviceParameters> GenericParameters::clone() const {
  return std::make_unique<GenericParameters>(*this);
}

DeviceEntry generic_entry() {
  return {"generic",
          "Standard parts: programming error, read noise, power-law drift, finite levels, stuck cells, each off until "
          "it is set.",
          "definition", "device: {model: generic}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<GenericParameters>(); }};
}

}  // namespace tellegen::devices
