#include "tellegen/devices/fecap/fecap_array.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

constexpr ArrayAddress address{7, {0, 3, 1}};

FecapConfig exact() {
  FecapConfig config;
  config.programming_error = 0;
  config.capacitance_spread = 0;
  return config;
}

std::vector<float> ramp(const FecapArray& array, std::size_t count) {
  std::vector<float> target_F(count);
  for (std::size_t k = 0; k < count; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(count - 1);
    target_F[k] = static_cast<float>(array.down().si() + share * (array.up().si() - array.down().si()));
  }
  return target_F;
}

std::vector<float> capacitances(const FecapArray& array, const ProgrammedCapacitors& cells,
                                const FecapConditions& conditions) {
  std::vector<float> c_F(cells.up_share.size());
  array.capacitances(cells, conditions, c_F);
  return c_F;
}

TEST(FecapArray, WithoutErrorStoresWhatWasAsked) {
  const FecapArray array(exact());
  const auto target_F = ramp(array, 1001);
  const auto cells = array.program(target_F, address);
  const auto c_F = capacitances(array, cells, {});
  for (std::size_t k = 0; k < c_F.size(); ++k) EXPECT_RELATIVE(c_F[k], target_F[k], 1e-6f);
  EXPECT_EQ(cells.clipped, 0u);
}

TEST(FecapArray, LevelsAreEvenlySpacedAndComplete) {
  FecapConfig config = exact();
  config.levels = 8;
  const FecapArray array(config);
  auto shares = array.program(ramp(array, 4001), address).up_share;
  std::sort(shares.begin(), shares.end());
  shares.erase(std::unique(shares.begin(), shares.end()), shares.end());
  ASSERT_EQ(shares.size(), 8u);
  for (int k = 0; k < 8; ++k) EXPECT_NEAR(shares[static_cast<std::size_t>(k)], k / 7.0, 1e-6);
}

TEST(FecapArray, SpreadsAreTheOnesAskedForAndStatesKeepTheirRange) {
  FecapConfig config;
  const FecapArray array(config);
  constexpr std::size_t count = 200000;
  const float middle_F = static_cast<float>((array.up().si() + array.down().si()) / 2);
  const auto cells = array.program(std::vector<float>(count, middle_F), address);
  double share = 0, share2 = 0, factor = 0, factor2 = 0;
  for (std::size_t k = 0; k < count; ++k) {
    share += cells.up_share[k] - 0.5;
    share2 += std::pow(cells.up_share[k] - 0.5, 2);
    factor += cells.cell_factor[k] - 1;
    factor2 += std::pow(cells.cell_factor[k] - 1, 2);
  }
  const double five = 5 / std::sqrt(static_cast<double>(count));
  EXPECT_NEAR(share / count / 0.02, 0, five);
  EXPECT_NEAR(share2 / count / (0.02 * 0.02), 1, five * std::sqrt(2));
  EXPECT_NEAR(factor / count / 0.05, 0, five);
  EXPECT_NEAR(factor2 / count / (0.05 * 0.05), 1, five * std::sqrt(2));
  // At the end of the range half of the draws are beyond it.
  const auto edge = array.program(std::vector<float>(count, static_cast<float>(array.up().si())), address);
  EXPECT_NEAR(static_cast<double>(edge.clipped) / count, 0.5, five);
  EXPECT_LE(*std::max_element(edge.up_share.begin(), edge.up_share.end()), 1.0f);
}

TEST(FecapArray, DrawsBelongToTheirAddressAndCell) {
  const FecapArray array{FecapConfig()};
  const auto target_F = ramp(array, 500);
  const auto one = array.program(target_F, address), same = array.program(target_F, address);
  EXPECT_EQ(one.up_share, same.up_share);
  EXPECT_NE(one.up_share, array.program(target_F, {8, {0, 3, 1}}).up_share);
  auto changed_F = target_F;
  changed_F[10] = target_F[400];
  const auto changed = array.program(changed_F, address);
  for (std::size_t k = 0; k < 500; ++k) EXPECT_EQ(one.up_share[k] == changed.up_share[k], k != 10) << k;
}

TEST(FecapArray, ReadsTurnDomainsTowardsTheReadField) {
  FecapConfig config = exact();
  config.read_amplitude = Voltage::si(0.5);  // 0.5 MV/cm on 10 nm
  const FecapArray array(config);
  EXPECT_RELATIVE(array.disturbed_share(1e12),
                  test::fecap_vectors("read_disturb").at("rows")[8].at("fraction").get<double>(), 1e-6);
  const auto cells = array.program(ramp(array, 11), address);
  const auto fresh = capacitances(array, cells, {}), worn = capacitances(array, cells, {.reads = 1e12});
  const double span_F = array.up().si() - array.down().si(), turned = array.disturbed_share(1e12);
  for (std::size_t k = 0; k < 11; ++k) {
    const double down_share = 1 - static_cast<double>(k) / 10;
    EXPECT_NEAR((worn[k] - fresh[k]) / span_F, turned * down_share, 1e-5);
  }
}

TEST(FecapArray, RetentionClosesTheWindowSymmetricallyAndFatigueShrinksIt) {
  FecapConfig config = exact();
  config.ageing.ageing.retention_time = Time::si(1e6);
  config.ageing.ageing.retention_exponent = 0.5;
  config.ageing.ageing.endurance = {{1, 1}, {1e10, 0.5}};
  const FecapArray array(config);
  const auto cells = array.program(ramp(array, 2), address);
  const double window_F = array.up().si() - array.down().si(), sum_F = array.up().si() + array.down().si();
  const auto aged = capacitances(array, cells, {.age = Time::si(1e6)});
  EXPECT_RELATIVE(static_cast<double>(aged[1] - aged[0]), window_F * std::exp(-1), 1e-4);
  EXPECT_RELATIVE(static_cast<double>(aged[1] + aged[0]), sum_F, 1e-6);
  const auto cycled = capacitances(array, cells, {.cycles = 1e10});
  EXPECT_RELATIVE(static_cast<double>(cycled[1] - cycled[0]), window_F / 2, 1e-4);
}

TEST(FecapArray, ImprintMovesTheStatesApart) {
  FecapConfig config = exact();
  config.ageing.ageing.imprint_per_decade = ElectricField::si(0.02e8);
  const FecapArray array(config);
  const auto cells = array.program(ramp(array, 2), address);
  const auto fresh = capacitances(array, cells, {}), aged = capacitances(array, cells, {.age = Time::si(1e5)});
  const auto expected = [&](PolarState state, double sign) {
    return small_signal_capacitance_F(config.film, config.area.si(), state, 0,
                                      config.imprint.si() + sign * 0.02e8 * std::log10(1 + 1e5));
  };
  EXPECT_RELATIVE(static_cast<double>(aged[0]), expected(PolarState::down, +1), 1e-6);
  EXPECT_RELATIVE(static_cast<double>(aged[1]), expected(PolarState::up, -1), 1e-6);
  EXPECT_NE(aged[0], fresh[0]);
}

TEST(FecapArray, ACapacitorWithoutWindowIsRefused) {
  FecapConfig config;
  config.imprint = ElectricField::si(0);
  try {
    const FecapArray array(config);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "The two states of this ferroelectric capacitor have the same capacitance; set fecap.imprint or "
                 "fecap.read_bias to something other than zero.");
  }
}

}  // namespace
}  // namespace tellegen::devices
