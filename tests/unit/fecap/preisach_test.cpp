#include "tellegen/devices/fecap/preisach.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "vectors.h"

namespace tellegen::devices {
namespace {

const SaturatedLoop loop = SaturatedLoop::from_remanent(0.18, 0.22, 1.2e8);

TEST(Preisach, SequenceOfTurningPointsEqualsTheVectors) {
  const auto vectors = test::fecap_vectors("preisach_turning_point");
  const SaturatedLoop of_vectors = SaturatedLoop::from_remanent(vectors.at("Pr"), vectors.at("Ps"), vectors.at("Ec"));
  EXPECT_RELATIVE(of_vectors.delta_V_per_m, vectors.at("delta").get<double>(), 1e-13);
  EXPECT_NEAR(of_vectors.polarization(0, Branch::ascending), -0.18, 1e-15);
  const auto& rows = vectors.at("rows");
  PreisachHysteresis capacitor(of_vectors, rows[0].at("E_V_per_m"), Branch::ascending);
  for (const auto& row : rows) {
    EXPECT_NEAR(capacitor.apply(row.at("E_V_per_m")), row.at("P_C_per_m2").get<double>(), 1e-13);
    EXPECT_EQ(capacitor.depth(), row.at("stack_depth").get<std::size_t>());
  }
}

TEST(Preisach, RemanentPolarizationAndCoerciveFieldAreThoseAskedFor) {
  EXPECT_NEAR(loop.polarization(0, Branch::descending), 0.18, 1e-15);
  EXPECT_EQ(loop.polarization(1.2e8, Branch::ascending), 0);
  EXPECT_EQ(loop.polarization(-1.2e8, Branch::descending), 0);
  constexpr double h = 1e2;
  const double rate =
      (loop.polarization(0.3e8 + h, Branch::ascending) - loop.polarization(0.3e8 - h, Branch::ascending)) / (2 * h);
  EXPECT_RELATIVE(loop.slope(0.3e8, Branch::ascending), rate, 1e-7);
}

TEST(Preisach, AMinorLoopClosesAndIsForgotten) {
  PreisachHysteresis capacitor(loop, -5e8, Branch::ascending);
  const double before = capacitor.apply(1.4e8);
  PreisachHysteresis undisturbed = capacitor;
  for (int round = 0; round < 3; ++round) {
    capacitor.apply(-0.4e8);
    EXPECT_NEAR(capacitor.apply(1.4e8), before, 1e-15);
    EXPECT_EQ(capacitor.depth(), 0u);
  }
  EXPECT_NEAR(capacitor.apply(2e8), undisturbed.apply(2e8), 1e-15);
}

TEST(Preisach, NestedLoopsAreWipedOutByALargerOne) {
  PreisachHysteresis nested(loop, -5e8, Branch::ascending), plain = nested;
  for (const double field : {2e8, -1e8, 1e8, -0.5e8, 0.5e8, -0.2e8}) nested.apply(field);
  EXPECT_EQ(nested.depth(), 5u);
  for (const double field : {2e8, -1e8}) plain.apply(field);
  // Back down through -1e8: all that was inside is gone.
  EXPECT_NEAR(nested.apply(-1.5e8), plain.apply(-1.5e8), 1e-15);
  EXPECT_EQ(nested.depth(), 1u);
}

TEST(Preisach, IsRateIndependent) {
  PreisachHysteresis coarse(loop, -5e8, Branch::ascending), fine = coarse;
  double from = -5e8;
  for (const double to : {1.1e8, -0.7e8, 0.9e8, -3e8, 0.2e8}) {
    for (int k = 1; k <= 50; ++k) fine.apply(from + (to - from) * k / 50);
    EXPECT_NEAR(fine.polarization_C_per_m2(), coarse.apply(to), 1e-15);
    from = to;
  }
}

TEST(Preisach, StaysWithinSaturationAndLosesEnergy) {
  PreisachHysteresis capacitor(loop, -9e9, Branch::ascending);
  std::uint32_t state = 1;
  double field = -9e9, polarization = capacitor.polarization_C_per_m2();
  for (int k = 0; k < 20000; ++k) {
    state = state * 1664525u + 1013904223u;
    const double next = (static_cast<double>(state) / 4294967296.0 - 0.5) * (k % 7 == 0 ? 2e10 : 4e8);
    const double moved = capacitor.apply(next);
    ASSERT_LE(std::abs(moved), 0.22);
    // Polarization follows the field's direction.
    ASSERT_GE((moved - polarization) * (next > field ? 1 : -1), -1e-15);
    field = next;
    polarization = moved;
  }
}

TEST(Preisach, ClosedCyclesDissipate) {
  PreisachHysteresis capacitor(loop, -4e8, Branch::ascending);
  double energy = 0, p = capacitor.polarization_C_per_m2();
  constexpr int steps = 4000;
  for (int k = 1; k <= steps; ++k) {
    const double field = -4e8 * std::cos(2 * 3.141592653589793 * k / steps);
    const double next = capacitor.apply(field);
    energy += field * (next - p);
    p = next;
  }
  // A loop as wide as 2 E_c and as high as 2 P_s.
  EXPECT_RELATIVE(energy, 4 * 1.2e8 * 0.22, 0.02);
}

TEST(Preisach, ArraysMoveEachCapacitorByItsOwnField) {
  std::vector<PreisachHysteresis> capacitors(3, PreisachHysteresis(loop, -5e8, Branch::ascending));
  std::vector<double> polarization(3);
  const std::vector<double> up{1e8, 2e8, 3e8}, down{-1e8, 0, 1e8};
  apply_fields(capacitors, up, polarization);
  apply_fields(capacitors, down, polarization);
  for (std::size_t k = 0; k < 3; ++k) {
    PreisachHysteresis single(loop, -5e8, Branch::ascending);
    single.apply(up[k]);
    EXPECT_EQ(single.apply(down[k]), polarization[k]);
  }
}

}  // namespace
}  // namespace tellegen::devices
