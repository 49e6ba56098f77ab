#pragma once
// The loops of the device from standard parts. Included by generic.cpp only.

#include <cstddef>

#include "tellegen/base/vector_units.h"
#include "tellegen/devices/real_math.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {

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

/// g_S = final + (g_S - final) exp(-exp(log_exponent + spread draw)): a cell on its way to where it ends.
struct Approach {
  TELLEGEN_KERNEL static void run(const float* draws, std::size_t count, float log_exponent, float spread,
                                  float final_S, float* g_S) {
    for (std::size_t i = 0; i < count; ++i) {
      const float left = exponential(-exponential(log_exponent + spread * draws[i]));
      g_S[i] = final_S + (g_S[i] - final_S) * left;
    }
  }
};

/// out = offset + factor in.
struct Straight {
  TELLEGEN_KERNEL static void run(const float* in_S, std::size_t count, float offset_S, float factor, float* out_S) {
    for (std::size_t i = 0; i < count; ++i) out_S[i] = offset_S + factor * in_S[i];
  }
};

/// What a filled trap takes away from a cell that was programmed to g_S.
struct TrapStep {
  float amplitude, growth, g_max_S;
  TELLEGEN_KERNEL float of(float g_S) const {
    const float share = clamped(g_S * (1.0f / g_max_S), 1e-7f, 1.0f);
    const float part = amplitude * exponential(-growth * ln(share));
    return g_S * (part > 1.0f ? 1.0f : part);
  }
};

/// The mean over filled and empty traps.
struct TakeAverageStep {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, TrapStep step, float filled,
                                  float* mean_S) {
    for (std::size_t i = 0; i < count; ++i) mean_S[i] -= filled * step.of(programmed_S[i]);
  }
};

/// A trap is filled where its uniform draw is below `filled`.
struct TakeStep {
  TELLEGEN_KERNEL static void run(const float* programmed_S, const float* uniform, std::size_t count, TrapStep step,
                                  float filled, float* mean_S) {
    for (std::size_t i = 0; i < count; ++i) {
      const float taken_S = step.of(programmed_S[i]);
      mean_S[i] -= uniform[i] < filled ? taken_S : 0.0f;
    }
  }
};

/// White noise and 1/f noise, which follow the mean.
struct MeanVariance {
  TELLEGEN_KERNEL static void run(const float* mean_S, std::size_t count, AffineSpread white, float flicker,
                                  float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float sigma_S = white.absolute_S + white.proportional * mean_S[i];
      variance_S2[i] = sigma_S * sigma_S + flicker * mean_S[i] * mean_S[i];
    }
  }
};

struct AddTrapVariance {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, TrapStep step, float share_variance,
                                  float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float step_S = step.of(programmed_S[i]);
      variance_S2[i] += share_variance * step_S * step_S;
    }
  }
};

}  // namespace tellegen::devices
