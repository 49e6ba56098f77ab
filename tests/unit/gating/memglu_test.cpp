// The closed-tail gate against stored vectors and closed forms.

#include "tellegen/models/gating/memglu.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

using testing_support::message_of;

constexpr Activation kSilu{ActivationKind::swish, 1}, kGate{ActivationKind::tanh_sech};

TEST(Memglu, PeakOfHalfC0AtArsinhOne) {
  const auto& stored = test::vectors("memglu.json");
  EXPECT_NEAR(kMemgluPeak, test::number(stored["g_star"]), 2e-16);
  EXPECT_NEAR(kMemgluPeak, std::asinh(1.0), 2e-16);
  EXPECT_NEAR(value(kSilu, kMemgluPeak), test::number(stored["silu_at_g_star"]), 3e-16);
  EXPECT_NEAR(derivative(kSilu, kMemgluPeak), test::number(stored["dsilu_at_g_star"]), 3e-16);
  EXPECT_NEAR(memglu_gate(kMemgluPeak), test::number(stored["gate_at_g_star"]), 2e-16);
  for (const double c0 : {0.5, 1.0, 1.5867662092}) {
    EXPECT_NEAR(memglu_gate(kMemgluPeak, c0), c0 / 2, 2e-16);
    EXPECT_NEAR(memglu_gate_slope(kMemgluPeak, c0), 0, 5e-16);
    EXPECT_EQ(memglu_gate_slope(0, c0), c0);
    for (double g = -6; g <= 6; g += 0.01) EXPECT_LE(std::abs(memglu_gate(g, c0)), c0 / 2 * (1 + 4e-16));
  }
}

TEST(Memglu, OddWithExponentialTails) {
  for (double g = 0; g <= 8; g += 0.125) EXPECT_EQ(memglu_gate(-g), -memglu_gate(g));
  EXPECT_NEAR(memglu_gate(15) / (2 * std::exp(-15.0)), 1, 1e-12);
}

TEST(Memglu, TranslinearPairIsTheGate) {
  for (double g = -20; g <= 20; g += 0.03125) EXPECT_NEAR(translinear_gate(g), memglu_gate(g), 3e-16) << g;
}

TEST(Memglu, MemristorBranchesAreTheGate) {
  const auto& stored = test::vectors("memristor_branch.json");
  const auto xi = test::numbers(stored["xi"]), separation = test::numbers(stored["separation"]);
  for (std::size_t i = 0; i < xi.size(); ++i) EXPECT_NEAR(branch_separation(xi[i]), separation[i], 1e-15);
  for (double g = -10; g <= 10; g += 0.0625) EXPECT_NEAR(branch_separation(std::tanh(g)), memglu_gate(g), 1e-9) << g;
  for (double g = -3; g <= 3; g += 0.0625) EXPECT_NEAR(branch_separation(std::tanh(g)), memglu_gate(g), 1e-14) << g;
  const auto& example = stored["example"];
  for (const auto& point : example["points"]) {
    const double up = test::number(point["i_up"]), down = test::number(point["i_down"]);
    EXPECT_NEAR((down - up) / 2 / test::number(example["scale"]), branch_separation(test::number(point["xi"])), 1e-15);
  }
}

TEST(Memglu, C0MatchesTheRmsOfSilu) {
  const auto& stored = test::vectors("memglu.json")["c0_table"];
  ASSERT_GE(stored.size(), 10U);
  for (const auto& row : stored) {
    const double deviation = test::number(row["sigma"]);
    const auto near = [&](double got, const char* key) {
      const double want = test::number(row[key]);
      EXPECT_NEAR(got, want, 1e-14 * std::max(1.0, want)) << key << " at " << deviation;
    };
    near(normal_rms(kSilu, deviation), "rms_silu");
    near(normal_rms(kGate, deviation), "rms_tanhsech");
    near(matched_c0(deviation), "c0");
  }
  EXPECT_NEAR(matched_c0(0.01), 0.5 + 23.0 / 16 * 1e-4, 1e-7);
}

TEST(Memglu, SharesOfTheTailForNormalInputs) {
  for (const auto& row : test::vectors("memglu.json")["c0_table"]) {
    const double deviation = test::number(row["sigma"]);
    const auto near = [&](double got, const char* key) {  // stored with 12 digits
      const double want = test::number(row[key]);
      EXPECT_NEAR(got, want, 1e-11 * want + 1e-25) << key << " at " << deviation;
    };
    if (deviation < 0.1) continue;  // stored as 0
    near(normal_tail(kSilu, deviation, TailRegion::positive).occupancy, "occ_g_gt_gstar");
    near(normal_tail(kGate, deviation, TailRegion::two_sided).occupancy, "occ_absg_gt_gstar");
    near(normal_tail(kSilu, deviation, TailRegion::positive).energy, "energy_share_silu_pos");
    near(normal_tail(kGate, deviation, TailRegion::two_sided).energy, "energy_share_tanhsech_abs");
  }
}

/// The one-sided reading of the occupancies that the paper reports for its 30M models.
TEST(Memglu, PublishedOccupanciesAreOneSided) {
  EXPECT_NEAR(normal_tail(kGate, 0.5019, TailRegion::positive).occupancy, 0.03954, 2e-5);
  EXPECT_NEAR(normal_tail(kGate, 0.5019, TailRegion::positive).energy, 0.0820, 5e-5);
  EXPECT_NEAR(normal_tail(kSilu, 0.5359, TailRegion::positive).energy, 0.4365, 5e-5);
}

TEST(Memglu, Interventions) {
  const auto& stored = test::vectors("memglu.json")["interventions"];
  const auto x = test::numbers(stored["x"]);
  for (const auto& [intervention, key] :
       {std::pair{TailIntervention::cap, "cap"}, std::pair{TailIntervention::decay, "decay"},
        std::pair{TailIntervention::remove, "remove"}}) {
    const auto y = test::numbers(stored[key]);
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_NEAR(silu_with(intervention, x[i]), y[i], 1e-14) << key << " at " << x[i];
  }
  for (double g = -6; g <= 6; g += 0.25) EXPECT_EQ(silu_with(TailIntervention::none, g), value(kSilu, g));
}

TEST(Memglu, RecordedInputs) {
  const std::vector<float> gates{-2, -0.5, 0.25, 1, 3}, up{1, 2, -1, 0.5, -2};
  const auto square = [&](std::size_t i, bool product) {
    const double y = value(kSilu, static_cast<double>(gates[i])) * (product ? static_cast<double>(up[i]) : 1.0);
    return y * y;
  };
  for (const bool product : {false, true}) {
    double whole = 0;
    for (std::size_t i = 0; i < gates.size(); ++i) whole += square(i, product);
    const std::span<const float> factors = product ? std::span<const float>(up) : std::span<const float>();
    const TailShare positive = recorded_tail(kSilu, gates, factors, TailRegion::positive);
    EXPECT_DOUBLE_EQ(positive.occupancy, 2.0 / 5);
    EXPECT_DOUBLE_EQ(positive.energy, (square(3, product) + square(4, product)) / whole);
    const TailShare both = recorded_tail(kSilu, gates, factors, TailRegion::two_sided);
    EXPECT_DOUBLE_EQ(both.occupancy, 3.0 / 5);
    EXPECT_DOUBLE_EQ(both.energy, (square(0, product) + square(3, product) + square(4, product)) / whole);
  }
}

TEST(Memglu, WhatIsWrongIsSaid) {
  EXPECT_EQ(message_of<InputError>([] { matched_c0(0); }),
            "The standard deviation of gate inputs is '0'; it must be positive and finite.");
  EXPECT_EQ(message_of<InputError>([] { recorded_tail(kSilu, {}, {}, TailRegion::positive); }),
            "There are '0' recorded gate inputs; give at least one.");
  const std::vector<float> gates{1, 2}, up{1};
  EXPECT_EQ(message_of<InputError>([&] { recorded_tail(kSilu, gates, up, TailRegion::positive); }),
            "There are '2' gate inputs and '1' values to multiply with; give one per input, or none.");
}

}  // namespace
}  // namespace tellegen::models::gating
