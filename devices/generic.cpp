#include "tellegen/devices/generic.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/real_math.h"
#include "tellegen/devices/spread.h"
#include "tellegen/devices/temperature.h"

namespace tellegen::devices {
namespace {

AffineSpread affine(const SpreadLaw& law) {
  return {static_cast<float>(law.absolute.si()), static_cast<float>(law.proportional)};
}

/// Uniform draws in (0, 1) to draws of mean 0 and variance 1.
struct Standardise {
  TELLEGEN_KERNEL static void run(float* draws, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) draws[i] = (draws[i] - 0.5f) * 3.46410162f;  // sqrt(12)
  }
};

/// g_S holds standard normal draws on entry. Mean and standard deviation stay those of the target: exp(s N - s^2 / 2)
/// has mean 1.
struct MultiplyLognormal {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, float s, float* g_S) {
    for (std::size_t i = 0; i < count; ++i) g_S[i] = target_S[i] * exponential(s * g_S[i] - 0.5f * s * s);
  }
};

/// Standard deviations at evenly spaced conductances from `low_S` on; at least two.
struct SpreadTable {
  const float* sigma_S;
  int last;  ///< index of the last one
  float low_S;
  float steps_per_S;
};

/// g_S holds standard draws on entry.
struct AddTableError {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, SpreadTable table, float* g_S) {
    for (std::size_t i = 0; i < count; ++i) {
      const float position =
          clamped((target_S[i] - table.low_S) * table.steps_per_S, 0.0f, static_cast<float>(table.last));
      const int whole = static_cast<int>(position);
      const int before = whole < table.last ? whole : table.last - 1;
      const float weight = position - static_cast<float>(before);
      const float sigma_S = table.sigma_S[before] + weight * (table.sigma_S[before + 1] - table.sigma_S[before]);
      g_S[i] = target_S[i] + sigma_S * g_S[i];
    }
  }
};

/// out = in exp(-(mean + spread draw)): drift, and change of temperature. `draws_to_out_S` holds standard normal draws
/// on entry.
struct Decay {
  TELLEGEN_KERNEL static void run(const float* in_S, std::size_t count, float mean, float spread,
                                  float* draws_to_out_S) {
    for (std::size_t i = 0; i < count; ++i) {
      draws_to_out_S[i] = in_S[i] * exponential(-(mean + spread * draws_to_out_S[i]));
    }
  }
};

/// Decays `in_S` to `out_S`, two different blocks; draws only where there is a spread.
void decay(std::span<const float> in_S, double mean, double spread, const Stream& stream, std::uint64_t first,
           std::span<float> out_S) {
  if (spread > 0) {
    stream.normals(first, out_S);
  } else {
    std::fill(out_S.begin(), out_S.end(), 0.0f);
  }
  vectorised<Decay>(in_S.data(), in_S.size(), static_cast<float>(mean), static_cast<float>(spread), out_S.data());
}

class GenericDevice final : public StatisticalDevice {
 public:
  explicit GenericDevice(const GenericParameters& p)
      : StatisticalDevice(p.range),
        programming_(affine(p.programming_noise.law)),
        form_(p.programming_noise.form),
        read_(affine(p.read_noise)),
        drift_(p.drift),
        thermal_(p.thermal) {
    for (const Conductance sigma : p.programming_noise.per_level) sigma_S_.push_back(static_cast<float>(sigma.si()));
  }

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const ArrayAddress& address,
                     std::span<float> g_S) const override {
    if (programming_.none() && sigma_S_.empty()) {
      std::copy(target_S.begin(), target_S.end(), g_S.begin());
      return;
    }
    const Stream stream = address.stream(Purpose::programming);
    if (form_ == Distribution::uniform) {
      stream.uniforms(first, g_S);
      vectorised<Standardise>(g_S.data(), g_S.size());
    } else {
      stream.normals(first, g_S);
    }
    if (form_ == Distribution::lognormal) {
      const double s = std::sqrt(std::log1p(std::pow(static_cast<double>(programming_.proportional), 2)));
      vectorised<MultiplyLognormal>(target_S.data(), target_S.size(), static_cast<float>(s), g_S.data());
    } else if (!sigma_S_.empty()) {
      vectorised<AddTableError>(target_S.data(), target_S.size(), table(), g_S.data());
    } else {
      vectorised<AddAffineError>(target_S.data(), target_S.size(), programming_, g_S.data());
    }
  }

  SpreadTable table() const {
    const int last = static_cast<int>(sigma_S_.size()) - 1;
    const double steps_per_S = last / (g_max().si() - g_min().si());
    return {sigma_S_.data(), last, static_cast<float>(g_min().si()), static_cast<float>(steps_per_S)};
  }

  void age_block(const Block& block, const Conditions& conditions, const ArrayAddress& address,
                 std::span<float> mean_S) const override {
    const double ln_time = std::log1p(conditions.age.si() / drift_.t0.si());
    if (ln_time == 0 || (drift_.exponent == 0 && drift_.spread == 0)) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
    } else {
      decay(block.programmed_S, drift_.exponent * ln_time, drift_.spread * ln_time, address.stream(Purpose::drift),
            block.first, mean_S);
    }
    const double exponent = arrhenius_exponent(thermal_.activation_energy, conditions.temperature, thermal_.reference);
    const double spread = std::abs(arrhenius_exponent(thermal_.spread, conditions.temperature, thermal_.reference));
    if (exponent == 0 && spread == 0) return;
    std::array<float, block_cells> cold_S;
    std::copy(mean_S.begin(), mean_S.end(), cold_S.begin());
    decay(std::span(cold_S).first(mean_S.size()), -exponent, spread, address.stream(Purpose::mismatch), block.first,
          mean_S);
  }

  bool reads_with_noise() const override { return !read_.none(); }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& /*conditions*/,
                      std::span<float> variance_S2) const override {
    vectorised<SquareAffineSpread>(mean_S.data(), mean_S.size(), read_, variance_S2.data());
  }

  AffineSpread programming_;
  std::vector<float> sigma_S_;
  Distribution form_;
  AffineSpread read_;
  PowerLawDrift drift_;
  ArrheniusLaw thermal_;
};

}  // namespace

std::unique_ptr<ConductanceDevice> GenericParameters::make() const { return std::make_unique<GenericDevice>(*this); }
std::unique_ptr<DeviceParameters> GenericParameters::clone() const {
  return std::make_unique<GenericParameters>(*this);
}

DeviceEntry generic_entry() {
  return {"generic",
          "Standard parts: programming error, read noise, drift, temperature, finite levels, stuck cells, each off "
          "until it is set.",
          "definition", "device: {model: generic}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<GenericParameters>(); }};
}

}  // namespace tellegen::devices
