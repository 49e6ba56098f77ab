#include "tellegen/devices/generic.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/generic_kernels.h"
#include "tellegen/devices/spread.h"
#include "tellegen/devices/temperature.h"

namespace tellegen::devices {
namespace {

/// A second kind of draw on the stream of a first: cells are fewer than this.
constexpr std::uint64_t second_draws = std::uint64_t{1} << 40;

AffineSpread affine(const SpreadLaw& law) {
  return {static_cast<float>(law.absolute.si()), static_cast<float>(law.proportional)};
}

/// Standard normal draws, or zeros where nothing is spread.
void draw_if(bool spread, const Stream& stream, std::uint64_t first, std::span<float> draws) {
  if (spread) {
    stream.normals(first, draws);
  } else {
    std::fill(draws.begin(), draws.end(), 0.0f);
  }
}

/// Decays `in_S` to `out_S`, two different blocks; draws only where there is a spread.
void decay(std::span<const float> in_S, double mean, double spread, const Stream& stream, std::uint64_t first,
           std::span<float> out_S) {
  draw_if(spread > 0, stream, first, out_S);
  vectorised<Decay>(in_S.data(), in_S.size(), static_cast<float>(mean), static_cast<float>(spread), out_S.data());
}

class GenericDevice final : public StatisticalDevice {
 public:
  explicit GenericDevice(const GenericParameters& p)
      : StatisticalDevice(p.range),
        programming_(affine(p.programming_noise.law)),
        form_(p.programming_noise.form),
        read_(affine(p.read_noise)),
        flicker_(p.flicker),
        telegraph_(p.telegraph),
        drift_(p.drift),
        retention_(p.retention),
        disturb_(p.read_disturb),
        thermal_(p.thermal) {
    for (const Conductance sigma : p.programming_noise.per_level) sigma_S_.push_back(static_cast<float>(sigma.si()));
    const Endurance::Window fresh{p.range.g_min.si(), p.range.g_max.si()};
    const Endurance::Window left = p.endurance.window(fresh);
    worn_ = left.low_S != fresh.low_S || left.high_S != fresh.high_S;
    window_factor_ = (left.high_S - left.low_S) / (fresh.high_S - fresh.low_S);
    window_offset_S_ = left.low_S - window_factor_ * fresh.low_S;
  }

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    std::array<float, block_cells> reached_S;
    if (worn_) {
      vectorised<Straight>(target_S.data(), target_S.size(), static_cast<float>(window_offset_S_),
                           static_cast<float>(window_factor_), reached_S.data());
      target_S = std::span(reached_S).first(target_S.size());
    }
    if (programming_.none() && sigma_S_.empty()) {
      std::copy(target_S.begin(), target_S.end(), g_S.begin());
      return;
    }
    if (form_ == Distribution::uniform) {
      streams.programming.uniforms(first, g_S);
      vectorised<Standardise>(g_S.data(), g_S.size());
    } else {
      streams.programming.normals(first, g_S);
    }
    scatter(target_S, g_S);
  }

  /// g_S holds standard draws on entry.
  void scatter(std::span<const float> target_S, std::span<float> g_S) const {
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

  void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    drift(block, conditions, streams, mean_S);
    relax(block, conditions, streams, mean_S);
    if (!disturb_.none()) {
      const double left = disturb_.remaining();
      vectorised<Straight>(mean_S.data(), mean_S.size(), static_cast<float>((1 - left) * disturb_.towards.si()),
                           static_cast<float>(left), mean_S.data());
    }
    heat(block, conditions, streams, mean_S);
    fill_traps(block, conditions, streams, mean_S);
  }

  void drift(const Block& block, const Conditions& conditions, const CellStreams& streams,
             std::span<float> mean_S) const {
    const double ln_time = std::log1p(conditions.age.si() / drift_.t0.si());
    if (ln_time == 0 || (drift_.exponent == 0 && drift_.spread == 0)) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
    } else {
      decay(block.programmed_S, drift_.exponent * ln_time, drift_.spread * ln_time, streams.drift, block.first, mean_S);
    }
  }

  void relax(const Block& block, const Conditions& conditions, const CellStreams& streams,
             std::span<float> mean_S) const {
    if (retention_.none() || conditions.age.si() == 0) return;
    std::array<float, block_cells> draws;
    draw_if(retention_.spread > 0, streams.relaxation, block.first, std::span(draws).first(mean_S.size()));
    vectorised<Approach>(draws.data(), mean_S.size(),
                         static_cast<float>(retention_.log_exponent(conditions.age.si(), conditions.temperature)),
                         static_cast<float>(retention_.shape * retention_.spread),
                         static_cast<float>(retention_.final.si()), mean_S.data());
  }

  void heat(const Block& block, const Conditions& conditions, const CellStreams& streams,
            std::span<float> mean_S) const {
    const double exponent = arrhenius_exponent(thermal_.activation_energy, conditions.temperature, thermal_.reference);
    const double spread = std::abs(arrhenius_exponent(thermal_.spread, conditions.temperature, thermal_.reference));
    if (exponent == 0 && spread == 0) return;
    std::array<float, block_cells> cold_S;
    std::copy(mean_S.begin(), mean_S.end(), cold_S.begin());
    decay(std::span(cold_S).first(mean_S.size()), -exponent, spread, streams.mismatch, block.first, mean_S);
  }

  TrapStep trap_step() const {
    return {static_cast<float>(telegraph_.amplitude), static_cast<float>(telegraph_.growth),
            static_cast<float>(g_max().si())};
  }

  void fill_traps(const Block& block, const Conditions& conditions, const CellStreams& streams,
                  std::span<float> mean_S) const {
    const float filled = static_cast<float>(telegraph_.trap().fills_within(conditions.age.si()));
    if (telegraph_.none() || filled == 0) return;
    if (telegraph_.reads == TelegraphReads::independent) {
      vectorised<TakeAverageStep>(block.programmed_S.data(), mean_S.size(), trap_step(), filled, mean_S.data());
      return;
    }
    std::array<float, block_cells> uniform;
    streams.relaxation.uniforms(second_draws + block.first, std::span(uniform).first(mean_S.size()));
    vectorised<TakeStep>(block.programmed_S.data(), uniform.data(), mean_S.size(), trap_step(), filled, mean_S.data());
  }

  bool traps_are_noise() const { return !telegraph_.none() && telegraph_.reads == TelegraphReads::independent; }
  bool reads_with_noise() const override { return !read_.none() || flicker_.q > 0 || traps_are_noise(); }

  void variance_block(const Block& block, std::span<const float> mean_S, const Conditions& conditions,
                      std::span<float> variance_S2) const override {
    const double age_s = conditions.age.si();
    vectorised<MeanVariance>(mean_S.data(), mean_S.size(), read_, static_cast<float>(flicker_.relative_variance(age_s)),
                             variance_S2.data());
    if (!traps_are_noise()) return;
    const double filled = telegraph_.trap().fills_within(age_s);
    vectorised<AddTrapVariance>(block.programmed_S.data(), mean_S.size(), trap_step(),
                                static_cast<float>(filled * (1 - filled)), variance_S2.data());
  }

  AffineSpread programming_;
  std::vector<float> sigma_S_;
  Distribution form_;
  AffineSpread read_;
  FlickerNoise flicker_;
  TelegraphNoise telegraph_;
  PowerLawDrift drift_;
  Retention retention_;
  ReadDisturb disturb_;
  ArrheniusLaw thermal_;
  bool worn_ = false;
  double window_factor_ = 1, window_offset_S_ = 0;
};

}  // namespace

std::unique_ptr<ConductanceDevice> GenericParameters::make() const { return std::make_unique<GenericDevice>(*this); }
std::unique_ptr<DeviceParameters> GenericParameters::clone() const {
  return std::make_unique<GenericParameters>(*this);
}

DeviceEntry generic_entry() {
  return {
      "generic",
      "Standard parts: programming error, white, 1/f and telegraph read noise, drift, retention, wear, temperature, "
      "finite levels, stuck cells, each off until it is set.",
      "definition; defaults of retention, read disturb, endurance and of the cubic iv are assumed, their usual span is "
      "with each setting",
      "device: {model: generic}",
      []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<GenericParameters>(); },
      "Programming: G ~ target + (absolute + proportional target) N, or a table, or lognormal, within "
      "the range that endurance leaves. Ageing, in this order: G (1 + t / t0)^-nu (drift), final + (G - "
      "final) exp(-(t / tau(T))^b) (retention), a share of the distance per read (read_disturb), G "
      "exp(-E / k (1 / T - 1 / T0)) (thermal). A read: sigma = absolute + proportional G, plus G^2 q "
      "ln(f_high / f_low) (flicker), plus the two states of a trap (telegraph)."};
}

}  // namespace tellegen::devices
