#pragma once
// The PCM device of one law. Included by the law's source file, so that its loops are compiled once, and by tests.

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/pcm.h"

namespace tellegen::devices {

/// g_S holds standard normal draws on entry.
template <class Law>
struct PcmProgram {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, float scale_S, float* g_S) {
    const float per_scale = 1.0f / scale_S;
    for (std::size_t i = 0; i < count; ++i) {
      g_S[i] = target_S[i] + scale_S * Law::programming_sigma(target_S[i] * per_scale) * g_S[i];
    }
  }
};

/// mean_S holds standard normal draws on entry. The amplitude of the read noise, which needs the same logarithm, is
/// left in `amplitude`.
template <class Law>
struct PcmDrift {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, float scale_S, float log_time,
                                  float* mean_S, float* amplitude) {
    const float per_scale = 1.0f / scale_S;
    for (std::size_t i = 0; i < count; ++i) {
      const float share = programmed_S[i] * per_scale;
      const float ln_share = pcm_ln_share(share);
      const float nu = pcm_drift_exponent<Law>(share, ln_share, mean_S[i]);
      mean_S[i] = programmed_S[i] * exponential(-nu * log_time);
      amplitude[i] = Law::read_amplitude(share, ln_share);
    }
  }
};

/// The same at age zero.
template <class Law>
struct PcmFresh {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, float scale_S, float* mean_S,
                                  float* amplitude) {
    const float per_scale = 1.0f / scale_S;
    for (std::size_t i = 0; i < count; ++i) {
      const float share = programmed_S[i] * per_scale;
      mean_S[i] = programmed_S[i];
      amplitude[i] = Law::read_amplitude(share, pcm_ln_share(share));
    }
  }
};

struct PcmReadVariance {
  TELLEGEN_KERNEL static void run(const float* amplitude, const float* mean_S, std::size_t count, float log_time,
                                  float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float sigma_S = mean_S[i] * amplitude[i];
      variance_S2[i] = sigma_S * sigma_S * log_time;
    }
  }
};

template <class Law>
class PcmDevice final : public StatisticalDevice {
 public:
  explicit PcmDevice(const PcmParameters& p)
      : StatisticalDevice(p.range),
        scale_S_(static_cast<float>(p.range.g_max.si())),
        t0_s_(p.t0.si()),
        t_read_s_(p.read_time.si()) {}

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    streams.programming.normals(first, g_S);
    vectorised<PcmProgram<Law>>(target_S.data(), target_S.size(), scale_S_, g_S.data());
  }

  void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    const double log_time = drift_log_time(conditions.age.si(), t0_s_);
    if (log_time == 0) {
      vectorised<PcmFresh<Law>>(block.programmed_S.data(), mean_S.size(), scale_S_, mean_S.data(),
                                block.scratch.data());
      return;
    }
    streams.drift.normals(block.first, mean_S);
    vectorised<PcmDrift<Law>>(block.programmed_S.data(), mean_S.size(), scale_S_, static_cast<float>(log_time),
                              mean_S.data(), block.scratch.data());
  }

  bool reads_with_noise() const override { return true; }

  void variance_block(const Block& block, std::span<const float> mean_S, const Conditions& conditions,
                      std::span<float> variance_S2) const override {
    const double log_time = read_noise_log_time(conditions.age.si(), t0_s_, t_read_s_);
    vectorised<PcmReadVariance>(block.scratch.data(), mean_S.data(), mean_S.size(), static_cast<float>(log_time),
                                variance_S2.data());
  }

  float scale_S_;
  double t0_s_, t_read_s_;
};

}  // namespace tellegen::devices
