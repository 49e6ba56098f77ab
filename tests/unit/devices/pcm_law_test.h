#pragma once
// What every PCM law is tested for.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tellegen/devices/pcm.h"
#include "vectors.h"

namespace tellegen::devices::test {

/// The four functions of a law in double against stored rows, to 1e-12.
template <class Law>
void expect_rows_of_law(const nlohmann::json& rows, double g_max_uS) {
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    const double g = row.at("g_rel");
    const double followed = std::max(g, pcm_smallest_share);
    const double ln_g = std::log(followed);
    EXPECT_NEAR(Law::programming_sigma(g) * g_max_uS, row.at("sigma_prog_uS"), 1e-12) << g;
    EXPECT_NEAR(Law::drift_mean(followed, ln_g), row.at("mu_nu"), 1e-12) << g;
    EXPECT_NEAR(Law::drift_spread(followed, ln_g), row.at("sigma_nu"), 1e-12) << g;
    EXPECT_NEAR(Law::read_amplitude(followed, ln_g), row.at("q_s"), 1e-12) << g;
  }
}

/// The float formulas against the double ones.
template <class Law>
void expect_float_follows_double() {
  for (const double g : share_grid()) {
    const float f = static_cast<float>(g);
    EXPECT_NEAR(Law::programming_sigma(f), Law::programming_sigma(g), 1e-7) << g;
    for (const double normal : {-4.0, -1.0, 0.0, 0.3, 4.0}) {
      EXPECT_NEAR(pcm_drift_exponent<Law>(f, static_cast<float>(normal)), pcm_drift_exponent<Law>(g, normal), 5e-7)
          << g;
    }
    const double variance = pcm_read_variance<Law>(g, 0.9 * g, 20.0);
    EXPECT_NEAR(pcm_read_variance<Law>(f, static_cast<float>(0.9 * g), 20.0f), variance, 4e-6 * variance) << g;
  }
}

}  // namespace tellegen::devices::test
