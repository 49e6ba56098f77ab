#include "tellegen/devices/generic.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <cmath>
#include <limits>
#include <vector>

#include "sample_statistics.h"
#include "tellegen/devices/temperature.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using namespace units;
using test::moments;
using test::z_limit;

constexpr ArrayAddress address{11, {0, 5, 1}};

Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

/// Two-sided exact p value of `hits` among `cells` at `rate`.
double binomial_p(std::size_t hits, std::size_t cells, double rate) {
  const boost::math::binomial distribution(static_cast<double>(cells), rate);
  const double k = static_cast<double>(hits);
  const double at_most = cdf(distribution, k);
  const double at_least = hits == 0 ? 1.0 : cdf(complement(distribution, k - 1));
  return std::min(1.0, 2 * std::min(at_most, at_least));
}

TEST(GenericDevice, IsIdealUntilSomethingIsSet) {
  const auto device = GenericParameters().make();
  const std::vector<float> target_S{0, 1e-6f, 33e-6f, 100e-6f};
  const auto programmed = device->program(target_S, address);
  EXPECT_EQ(programmed.g_S, target_S);
  EXPECT_TRUE(programmed.faults.empty());
  const auto statistics = device->read(programmed, after(1e9), address);
  EXPECT_EQ(statistics.mean_S, target_S);
  EXPECT_TRUE(statistics.variance_S2.empty());
}

TEST(GenericDevice, SpreadWithinOneLevelIsTheOneAskedFor) {
  GenericParameters p;
  p.range.g_min = 10 * uS;
  p.range.levels = 4;
  p.programming_noise.law = {1 * uS, 0.04};
  const auto device = p.make();
  for (const double level_S : {10e-6, 40e-6, 70e-6, 100e-6}) {
    const auto m = moments(device->program(std::vector<float>(200000, static_cast<float>(level_S)), address).g_S);
    const double sigma_S = 1e-6 + 0.04 * level_S;
    EXPECT_LT(std::abs(test::mean_z(m, level_S, sigma_S)), z_limit) << level_S;
    EXPECT_LT(std::abs(test::variance_z(m, sigma_S)), z_limit) << level_S;
  }
}

TEST(GenericDevice, CellsVaryOneByOne) {
  GenericParameters p;
  p.programming_noise.law = {1 * uS, 0};
  const auto device = p.make();
  constexpr std::size_t cells = 1000, chips = 1000;
  std::vector<double> array_means, neighbours;
  for (std::uint32_t chip = 0; chip < chips; ++chip) {
    const auto g_S = device->program(std::vector<float>(cells, 50e-6f), {11, {chip, 5, 1}}).g_S;
    array_means.push_back(moments(g_S).mean);
    for (std::size_t i = 0; i + 1 < cells; i += 2) neighbours.push_back((g_S[i] - 50e-6) * (g_S[i + 1] - 50e-6));
  }
  // A draw that all cells of an array share would show in the spread of the array means; one that neighbours share, in
  // their product.
  EXPECT_LT(std::abs(test::variance_z(moments(array_means), 1e-6 / std::sqrt(static_cast<double>(cells)))), z_limit);
  EXPECT_LT(std::abs(test::mean_z(moments(neighbours), 0.0, 1e-12)), z_limit);
}

TEST(GenericDevice, SameAddressSameCellsAndAnyOtherAddressOtherCells) {
  GenericParameters p;
  p.range.stuck_off = 0.1;
  p.programming_noise.law = {1 * uS, 0};
  p.drift = {0.05, 0.01, 1 * s};
  const auto device = p.make();
  const std::vector<float> target_S(5000, 50e-6f);
  const auto programmed = device->program(target_S, address);
  EXPECT_EQ(device->program(target_S, address).g_S, programmed.g_S);
  EXPECT_EQ(device->program(target_S, address).faults, programmed.faults);
  const auto mean_S = device->read(programmed, after(1e3), address).mean_S;
  EXPECT_EQ(device->read(programmed, after(1e3), address).mean_S, mean_S);
  for (const ArrayAddress& other : {ArrayAddress{12, {0, 5, 1}}, ArrayAddress{11, {1, 5, 1}},
                                    ArrayAddress{11, {0, 6, 1}}, ArrayAddress{11, {0, 5, 2}}}) {
    const auto elsewhere = device->program(target_S, other);
    EXPECT_NE(elsewhere.g_S, programmed.g_S);
    EXPECT_NE(elsewhere.faults, programmed.faults);
    EXPECT_NE(device->read(programmed, after(1e3), other).mean_S, mean_S);
  }
}

TEST(GenericDevice, ACellDoesNotDependOnTheSizeOfItsArray) {
  GenericParameters p;
  p.range.stuck_on = 0.05;
  p.programming_noise.law = {1 * uS, 0};
  p.drift = {0.05, 0.01, 1 * s};
  const auto device = p.make();
  const auto few = device->program(std::vector<float>(4099, 50e-6f), address);
  const auto many = device->program(std::vector<float>(9000, 50e-6f), address);
  const auto few_S = device->read(few, after(9), address).mean_S, many_S = device->read(many, after(9), address).mean_S;
  EXPECT_TRUE(std::equal(few.g_S.begin(), few.g_S.end(), many.g_S.begin()));
  EXPECT_TRUE(std::equal(few.faults.begin(), few.faults.end(), many.faults.begin()));
  EXPECT_TRUE(std::equal(few_S.begin(), few_S.end(), many_S.begin()));
}

TEST(GenericDevice, StuckCellsAreAsManyAsAskedForAndBothRatesHold) {
  GenericParameters p;
  p.range.g_min = 5 * uS;
  constexpr std::size_t cells = 1000000;
  const std::vector<float> target_S(cells, 50e-6f);
  for (const auto& [off, on] : {std::pair{0.01, 0.0}, {0.0, 0.01}, {0.01, 0.03}, {0.4, 0.6}}) {
    p.range.stuck_off = off;
    p.range.stuck_on = on;
    const auto programmed = p.make()->program(target_S, address);
    const auto count = [&](Fault fault) {
      return static_cast<std::size_t>(std::count(programmed.faults.begin(), programmed.faults.end(), fault));
    };
    EXPECT_GT(binomial_p(count(Fault::stuck_off), cells, off), 1e-7) << off << " " << on;
    EXPECT_GT(binomial_p(count(Fault::stuck_on), cells, on), 1e-7) << off << " " << on;
  }
}

TEST(GenericDevice, AllCellsCanBeStuck) {
  GenericParameters p;
  p.range.stuck_on = 1;
  EXPECT_EQ(p.make()->program(std::vector<float>(100000, 0.0f), address).g_S, std::vector<float>(100000, 100e-6f));
}

TEST(GenericDevice, StuckCellsIgnoreProgrammingAndDriftButNotReadNoise) {
  GenericParameters p;
  p.range.g_min = 5 * uS;
  p.range.stuck_off = 0.3;
  p.range.stuck_on = 0.3;
  p.programming_noise.law = {2 * uS, 0.1};
  p.read_noise = {0 * uS, 0.02};
  p.drift = {0.1, 0.02, 1 * s};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>(10000, 50e-6f), address);
  const auto statistics = device->read(programmed, after(1e6), address);
  for (std::size_t i = 0; i < programmed.g_S.size(); ++i) {
    if (programmed.faults[i] == Fault::none) {
      EXPECT_LT(statistics.mean_S[i], programmed.g_S[i]);
    } else {
      const float stands_at_S = programmed.faults[i] == Fault::stuck_off ? 5e-6f : 100e-6f;
      EXPECT_EQ(programmed.g_S[i], stands_at_S);
      EXPECT_EQ(statistics.mean_S[i], stands_at_S);
      EXPECT_FLOAT_EQ(statistics.variance_S2[i], 0.02f * stands_at_S * 0.02f * stands_at_S);
    }
  }
}

TEST(GenericDevice, TargetsGoToTheNearestOfTheLevels) {
  GenericParameters p;
  p.range.g_min = 20 * uS;
  p.range.levels = 5;  // 20, 40, 60, 80, 100 uS
  const std::vector<float> target_S{20e-6f, 29e-6f, 31e-6f, 59e-6f, 69e-6f, 71e-6f, 89e-6f, 91e-6f, 100e-6f};
  const std::vector<double> level_uS{20, 20, 40, 60, 60, 80, 80, 100, 100};
  const auto g_S = p.make()->program(target_S, address).g_S;
  for (std::size_t i = 0; i < g_S.size(); ++i) EXPECT_NEAR(g_S[i], level_uS[i] * 1e-6, 1e-11) << i;
}

TEST(GenericDevice, AsManyDifferentConductancesAsLevels) {
  for (const int levels : {2, 3, 16, 256}) {
    GenericParameters p;
    p.range.levels = levels;
    std::vector<float> target_S(10001);
    for (std::size_t i = 0; i < target_S.size(); ++i) target_S[i] = 1e-8f * static_cast<float>(i);
    auto g_S = p.make()->program(target_S, address).g_S;
    EXPECT_TRUE(std::is_sorted(g_S.begin(), g_S.end()));
    EXPECT_EQ(g_S.back(), 100e-6f);
    g_S.erase(std::unique(g_S.begin(), g_S.end()), g_S.end());
    EXPECT_EQ(g_S.size(), static_cast<std::size_t>(levels));
  }
}

TEST(GenericDevice, SpreadBeyondTheWholeRangeOnlyClips) {
  GenericParameters p;
  p.range.g_min = 1 * uS;
  p.programming_noise.law = {500 * uS, 0};
  p.read_noise = {0 * uS, 0.1};
  constexpr std::size_t cells = 100000;
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>(cells, 1e-6f), address);
  EXPECT_GT(binomial_p(programmed.clipped, cells, 0.5 * std::erfc(1.0 / 500 / std::sqrt(2.0))), 1e-7);
  EXPECT_EQ(static_cast<std::size_t>(std::count(programmed.g_S.begin(), programmed.g_S.end(), 0.0f)),
            programmed.clipped);
  const auto statistics = device->read(programmed, after(0), address);
  for (std::size_t i = 0; i < cells; ++i) {
    ASSERT_TRUE(std::isfinite(programmed.g_S[i]) && programmed.g_S[i] >= 0);
    ASSERT_TRUE(std::isfinite(statistics.variance_S2[i]) && statistics.variance_S2[i] >= 0);
  }
}

TEST(GenericDevice, DriftFollowsThePowerLawWithItsSpread) {
  GenericParameters p;
  p.drift = {0.06, 0.01, 2 * s};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>(200000, 80e-6f), address);
  EXPECT_EQ(device->read(programmed, after(0), address).mean_S, programmed.g_S);
  const auto mean_S = device->read(programmed, after(998), address).mean_S;
  std::vector<double> nu(mean_S.size());
  std::transform(mean_S.begin(), mean_S.end(), nu.begin(),
                 [](float g_S) { return -std::log(g_S / 80e-6) / std::log(500.0); });
  const auto m = moments(nu);
  EXPECT_LT(std::abs(test::mean_z(m, 0.06, 0.01)), z_limit);
  EXPECT_LT(std::abs(test::variance_z(m, 0.01)), z_limit);

  p.drift.spread = 0;
  for (const float g_S : p.make()->read(programmed, after(998), address).mean_S) {
    ASSERT_NEAR(g_S, 80e-6 * std::pow(500.0, -0.06), 1e-11);
  }
}

TEST(GenericDevice, ReadNoiseHasAnAbsoluteAndAProportionalPart) {
  GenericParameters p;
  p.read_noise = {0.5 * uS, 0.03};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{0, 50e-6f, 100e-6f}, address);
  const auto variance_S2 = device->read(programmed, after(0), address).variance_S2;
  ASSERT_EQ(variance_S2.size(), 3u);
  EXPECT_NEAR(variance_S2[0], 0.25e-12, 1e-18);
  EXPECT_NEAR(variance_S2[1], 4e-12, 1e-18);
  EXPECT_NEAR(variance_S2[2], 12.25e-12, 1e-17);
}

TEST(GenericDevice, UniformErrorsHaveTheSpreadAskedForAndSharpEnds) {
  GenericParameters p;
  p.programming_noise.law = {2 * uS, 0};
  p.programming_noise.form = Distribution::uniform;
  const auto g_S = p.make()->program(std::vector<float>(200000, 50e-6f), address).g_S;
  const auto m = moments(g_S);
  EXPECT_LT(std::abs(test::mean_z(m, 50e-6, 2e-6)), z_limit);
  // The fourth moment of a uniform distribution is 1.8 sigma^4, so its sample variance has 0.8 / 2 of a normal one's
  // variance.
  EXPECT_LT(std::abs(test::variance_z(m, 2e-6)), z_limit * std::sqrt(0.4));
  for (const float g : g_S) ASSERT_LE(std::abs(g - 50e-6), std::sqrt(3.0) * 2e-6 * 1.00001);
}

TEST(GenericDevice, LognormalErrorsKeepTheMeanAreNeverNegativeAndNormalInTheLogarithm) {
  GenericParameters p;
  p.programming_noise.law = {0 * uS, 0.8};
  p.programming_noise.form = Distribution::lognormal;
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>(400000, 10e-6f), address);
  EXPECT_EQ(programmed.clipped, 0u);
  EXPECT_LT(std::abs(test::mean_z(moments(programmed.g_S), 10e-6, 8e-6)), z_limit);
  std::vector<double> logarithms;
  for (const float g_S : programmed.g_S) logarithms.push_back(std::log(static_cast<double>(g_S)));
  const double s2 = std::log(1 + 0.8 * 0.8);
  EXPECT_LT(std::abs(test::mean_z(moments(logarithms), std::log(10e-6) - s2 / 2, std::sqrt(s2))), z_limit);
  EXPECT_LT(std::abs(test::variance_z(moments(logarithms), std::sqrt(s2))), z_limit);
  EXPECT_EQ(device->program(std::vector<float>(10, 0.0f), address).g_S, std::vector<float>(10, 0.0f));
}

TEST(GenericDevice, SpreadPerLevelIsTheTableAndLinearBetween) {
  GenericParameters p;
  p.range.g_min = 20 * uS;
  p.programming_noise.per_level = {0.5 * uS, 2 * uS, 1 * uS};  // at 20, 60 and 100 uS
  const auto device = p.make();
  for (const auto& [target_uS, sigma_uS] :
       {std::pair{20.0, 0.5}, {40.0, 1.25}, {60.0, 2.0}, {90.0, 1.25}, {100.0, 1.0}}) {
    const auto m =
        moments(device->program(std::vector<float>(200000, static_cast<float>(target_uS * 1e-6)), address).g_S);
    EXPECT_LT(std::abs(test::mean_z(m, target_uS * 1e-6, sigma_uS * 1e-6)), z_limit) << target_uS;
    EXPECT_LT(std::abs(test::variance_z(m, sigma_uS * 1e-6)), z_limit) << target_uS;
  }
}

TEST(GenericDevice, ConductanceFollowsArrheniusWithASpreadOfTheEnergy) {
  GenericParameters p;
  p.thermal.activation_energy = Energy::si(0.1 * 1.602176634e-19);
  const Conditions hot{Time::si(0), Temperature::si(358.15)}, at_reference{Time::si(0), Temperature::si(300)};
  const std::vector<float> target_S(200000, 20e-6f);
  const auto device = p.make();
  const auto programmed = device->program(target_S, address);
  EXPECT_EQ(device->read(programmed, at_reference, address).mean_S, programmed.g_S);
  const double inverse_kT = (1 / 358.15 - 1 / 300.0) / 8.617333262e-5;  // per eV
  for (const float g_S : device->read(programmed, hot, address).mean_S) {
    ASSERT_NEAR(g_S, 20e-6 * std::exp(-0.1 * inverse_kT), 2e-11);
  }
  p.thermal.spread = Energy::si(0.02 * 1.602176634e-19);
  std::vector<double> energies_eV;
  for (const float g_S : p.make()->read(programmed, hot, address).mean_S)
    energies_eV.push_back(-std::log(g_S / 20e-6) / inverse_kT);
  EXPECT_LT(std::abs(test::mean_z(moments(energies_eV), 0.1, 0.02)), z_limit);
  EXPECT_LT(std::abs(test::variance_z(moments(energies_eV), 0.02)), z_limit);
}

TEST(Arrhenius, EqualsTheVectors) {
  const auto vectors = test::conductance_vectors("temperature");
  ASSERT_FALSE(vectors.at("rows").empty() || vectors.at("retention").empty());
  const auto energy = [](double e_eV) { return Energy::si(e_eV * 1.602176634e-19); };
  for (const auto& row : vectors.at("rows")) {
    const double ratio = row.at("ratio");
    EXPECT_NEAR(
        std::exp(arrhenius_exponent(energy(row.at("Ea_eV")), Temperature::si(row.at("T")), Temperature::si(300))),
        ratio, 1e-12 * ratio);
  }
  for (const auto& row : vectors.at("retention")) {
    const double acceleration = row.at("acceleration");
    EXPECT_NEAR(std::exp(arrhenius_exponent(energy(row.at("Ea_eV")), Temperature::si(row.at("T_bake")),
                                            Temperature::si(row.at("T_use")))),
                acceleration, 1e-12 * acceleration);
  }
}

TEST(SampleRead, HasTheMomentsOfTheStatistics) {
  const ReadStatistics statistics{std::vector<float>(200000, 30e-6f), std::vector<float>(200000, 4e-12f)};
  std::vector<float> sample_S(200000);
  sample_read(statistics, address.stream(Purpose::read_noise), 0, sample_S);
  const auto m = moments(sample_S);
  EXPECT_LT(std::abs(test::mean_z(m, 30e-6, 2e-6)), z_limit);
  EXPECT_LT(std::abs(test::variance_z(m, 2e-6)), z_limit);
  std::vector<float> part_S(100);
  sample_read(statistics, address.stream(Purpose::read_noise), 5000, part_S);
  EXPECT_TRUE(std::equal(part_S.begin(), part_S.end(), sample_S.begin() + 5000));
}

TEST(SampleRead, WithoutVarianceIsTheMean) {
  const ReadStatistics statistics{{1e-6f, 2e-6f, 3e-6f}, {}};
  std::vector<float> sample_S(2);
  sample_read(statistics, address.stream(Purpose::read_noise), 1, sample_S);
  EXPECT_EQ(sample_S, (std::vector<float>{2e-6f, 3e-6f}));
}

TEST(StatisticalDevice, RefusesTargetsOutsideItsRange) {
  const auto device = GenericParameters().make();
  EXPECT_THROW(device->program(std::vector<float>{-1e-6f}, address), std::logic_error);
  EXPECT_THROW(device->program(std::vector<float>{101e-6f}, address), std::logic_error);
  EXPECT_THROW(device->program(std::vector<float>{std::numeric_limits<float>::quiet_NaN()}, address), std::logic_error);
}

}  // namespace
}  // namespace tellegen::devices
