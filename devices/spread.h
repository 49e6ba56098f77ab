#pragma once
// Normal errors whose standard deviation is a straight line in the conductance: sigma(G) = absolute + proportional * G.

#include <cstddef>

#include "tellegen/base/vector_units.h"

namespace tellegen::devices {

struct AffineSpread {
  float absolute_S = 0;
  float proportional = 0;
  bool none() const { return absolute_S == 0 && proportional == 0; }
};

/// g_S holds standard normal draws on entry, and conductances scattered about their targets on return.
struct AddAffineError {
  TELLEGEN_KERNEL static void run(const float* target_S, std::size_t count, AffineSpread spread, float* g_S) {
    for (std::size_t i = 0; i < count; ++i) {
      g_S[i] = target_S[i] + (spread.absolute_S + spread.proportional * target_S[i]) * g_S[i];
    }
  }
};

struct SquareAffineSpread {
  TELLEGEN_KERNEL static void run(const float* mean_S, std::size_t count, AffineSpread spread, float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float sigma_S = spread.absolute_S + spread.proportional * mean_S[i];
      variance_S2[i] = sigma_S * sigma_S;
    }
  }
};

}  // namespace tellegen::devices
