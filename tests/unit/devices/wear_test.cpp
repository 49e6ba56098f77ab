// Retention, read disturb and endurance, as closed forms and as the generic device shows them.

#include "tellegen/devices/wear.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "sample_statistics.h"
#include "tellegen/devices/generic.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

using namespace units;

constexpr ArrayAddress address{23, {0, 3, 1}};
constexpr double eV_J = 1.602176634e-19;

TEST(Retention, BakingAcceleratesAsTheVectorsSay) {
  const auto rows = test::conductance_vectors("temperature").at("retention");
  ASSERT_FALSE(rows.empty());
  for (const auto& row : rows) {
    Retention retention{.lifetime = 1e7 * s};
    retention.activation_energy = Energy::si(row.at("Ea_eV").get<double>() * eV_J);
    retention.reference = Temperature::si(row.at("T_use"));
    const double acceleration = row.at("acceleration");
    const auto at = [&](double kelvin) { return retention.log_exponent(3600, Temperature::si(kelvin)); };
    EXPECT_NEAR(std::exp(at(row.at("T_bake")) - at(row.at("T_use"))), acceleration, 1e-12 * acceleration);
  }
}

TEST(Retention, CellsDecayToTheFinalConductanceInTheLifetime) {
  GenericParameters p;
  p.range.g_min = 2 * uS;
  p.retention = {.lifetime = 1000 * s, .shape = 0.5, .final = 10 * uS, .reference = 300 * K};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{2e-6f, 10e-6f, 90e-6f}, address);
  const auto mean_S = [&](double age_s, double kelvin) {
    return device->read(programmed, {Time::si(age_s), Temperature::si(kelvin)}, address).mean_S;
  };
  EXPECT_EQ(mean_S(0, 300), programmed.g_S);
  for (const double age_s : {1.0, 1000.0, 1e5}) {
    const double left = std::exp(-std::sqrt(age_s / 1000));
    const auto g_S = mean_S(age_s, 300);
    EXPECT_NEAR(g_S[0], 10e-6 - 8e-6 * left, 1e-11) << age_s;
    EXPECT_NEAR(g_S[1], 10e-6, 1e-12) << age_s;
    EXPECT_NEAR(g_S[2], 10e-6 + 80e-6 * left, 1e-10) << age_s;
  }
  const double acceleration = std::exp(1.1 / 8.617333262145e-5 * (1 / 300.0 - 1 / 340.0));
  EXPECT_NEAR(mean_S(10, 340)[2], 10e-6 + 80e-6 * std::exp(-std::sqrt(10 * acceleration / 1000)), 1e-10);
}

TEST(Retention, LifetimesAreLognormalBetweenCells) {
  GenericParameters p;
  p.retention = {.lifetime = 1e4 * s, .shape = 0.8, .spread = 0.5, .reference = 300 * K};
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>(200000, 80e-6f), address);
  std::vector<double> ln_lifetime;
  for (const float g_S : device->read(programmed, {3000 * s, 300 * K}, address).mean_S) {
    ln_lifetime.push_back(std::log(3000.0) - std::log(-std::log(g_S / 80e-6)) / 0.8);
  }
  const auto m = test::moments(ln_lifetime);
  EXPECT_LT(std::abs(test::mean_z(m, std::log(1e4), 0.5)), test::z_limit);
  EXPECT_LT(std::abs(test::variance_z(m, 0.5)), test::z_limit);
}

TEST(ReadDisturb, EachReadMovesACellByTheSameShareOfItsDistance) {
  ReadDisturb disturb{.reads = 3, .share_per_read = 0.1};
  EXPECT_NEAR(disturb.remaining(), 0.9 * 0.9 * 0.9, 1e-15);
  disturb = {.reads = 1e9, .share_per_read = 1e-12};
  EXPECT_NEAR(disturb.remaining(), std::exp(-1e-3), 1e-12);
  GenericParameters p;
  p.read_disturb = {.reads = 1e6, .share_per_read = 1e-6, .towards = 100 * uS};
  const auto device = p.make();
  const auto mean_S =
      device->read(device->program(std::vector<float>{0, 60e-6f, 100e-6f}, address), {}, address).mean_S;
  const double left = std::exp(1e6 * std::log1p(-1e-6));
  EXPECT_NEAR(mean_S[0], 100e-6 * (1 - left), 1e-10);
  EXPECT_NEAR(mean_S[1], 100e-6 - 40e-6 * left, 1e-10);
  EXPECT_NEAR(mean_S[2], 100e-6, 1e-11);
}

TEST(Endurance, BothEndsFollowTheirPowerLawUntilTheyMeet) {
  Endurance endurance{.cycles = 1e6, .onset = 1e6, .on_exponent = 0.1, .off_exponent = 0.15};
  const Endurance::Window fresh{1e-6, 100e-6};
  EXPECT_EQ(endurance.window(fresh).high_S, fresh.high_S);
  endurance.cycles = 1e9;
  EXPECT_NEAR(endurance.window(fresh).high_S, 100e-6 * std::pow(1e3, -0.1), 1e-18);
  EXPECT_NEAR(endurance.window(fresh).low_S, 1e-6 * std::pow(1e3, 0.15), 1e-18);
  endurance.cycles = 1e30;  // the ends meet after 100^(1 / 0.25) = 1e8 times the onset
  EXPECT_NEAR(endurance.window(fresh).high_S, 100e-6 * std::pow(1e8, -0.1), 1e-17);
  EXPECT_NEAR(endurance.window(fresh).low_S, endurance.window(fresh).high_S, 1e-17);
  EXPECT_LE(endurance.window(fresh).low_S, endurance.window(fresh).high_S);
}

TEST(Endurance, ProgrammingReachesWhatIsLeftOfTheRange) {
  GenericParameters p;
  p.range.g_min = 1 * uS;
  p.endurance = {.cycles = 1e9, .onset = 1e6, .on_exponent = 0.1, .off_exponent = 0.15};
  const auto g_S = p.make()->program(std::vector<float>{1e-6f, 50.5e-6f, 100e-6f}, address).g_S;
  const double low_S = 1e-6 * std::pow(1e3, 0.15), high_S = 100e-6 * std::pow(1e3, -0.1);
  EXPECT_NEAR(g_S[0], low_S, 1e-11);
  EXPECT_NEAR(g_S[1], (low_S + high_S) / 2, 1e-11);
  EXPECT_NEAR(g_S[2], high_S, 1e-11);
  p.range.g_min = Conductance::si(0);
  p.endurance.cycles = 1e300;
  EXPECT_EQ(p.make()->program(std::vector<float>{0}, address).g_S[0], 0);
}

}  // namespace
}  // namespace tellegen::devices
