#include "tellegen/devices/fecap/switching.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tellegen/devices/fecap/film.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

TEST(Switching, LorentzianFormEqualsTheVectors) {
  double worst_arctan = 0;
  for (const auto& row : test::fecap_vectors("NLS_lorentzian").at("rows")) {
    const double x = row.at("log10_t_over_t1"), width = row.at("w_decades");
    const double wanted = row.at("switched_fraction");
    EXPECT_NEAR(lorentzian_switched_share(x, width, row.at("n")), wanted, 1e-10) << x << " " << width;
    worst_arctan = std::max(worst_arctan, std::abs(wanted - 0.5 - std::atan(x / width) / std::numbers::pi));
  }
  EXPECT_NEAR(worst_arctan, 0.0853, 1e-4);  // why the closed form is not used
}

TEST(Switching, LorentzianFormOfVanishingWidthIsOneDomain) {
  for (const double x : {-0.5, 0.0, 0.2}) {
    const double one_domain = -std::expm1(-std::pow(10, 2 * x));
    EXPECT_NEAR(lorentzian_switched_share(x, 1e-7, 2), one_domain, 1e-5);
  }
}

TEST(Switching, MerzLawEqualsTheVectors) {
  for (const auto& row : test::fecap_vectors("NLS_lorentzian").at("merz").at("rows")) {
    EXPECT_RELATIVE(merz_log10_time_s(row.at("tinf"), row.at("Ea_MV_cm").get<double>() * 1e8, row.at("m"),
                                      row.at("E_MV_cm").get<double>() * 1e8),
                    row.at("log10_t1").get<double>(), 1e-12);
  }
}

class OfTheMfmSet : public testing::Test {
 protected:
  SwitchingKinetics kinetics = find_film("hzo_mfm").film.kinetics;
  ActivationFields fields{kinetics};
};

TEST_F(OfTheMfmSet, ParametersAndNormalisationEqualTheVectors) {
  const auto vectors = test::fecap_vectors("NLS_generalised_beta");
  EXPECT_EQ(kinetics.a, vectors.at("a"));
  EXPECT_EQ(kinetics.scale.si(), vectors.at("b_MV_cm").get<double>() * 1e8);
  EXPECT_EQ(kinetics.p, vectors.at("p"));
  EXPECT_EQ(kinetics.q, vectors.at("q"));
  EXPECT_EQ(kinetics.attempt_time.si(), vectors.at("tau0_s"));
  EXPECT_EQ(kinetics.field_exponent, vectors.at("alpha"));
  EXPECT_EQ(kinetics.time_exponent, vectors.at("beta"));
  EXPECT_NEAR(fields.kept(), vectors.at("integral_0_8").get<double>(), 1e-12);
}

TEST_F(OfTheMfmSet, SwitchedSharesEqualTheVectors) {
  for (const auto& row : test::fecap_vectors("NLS_generalised_beta").at("rows")) {
    EXPECT_NEAR(switched_share(kinetics, fields, row.at("E_MV_cm").get<double>() * 1e8, row.at("t_s")),
                row.at("switched_fraction").get<double>(), 1e-8);
  }
}

TEST_F(OfTheMfmSet, ReadDisturbEqualsTheVectors) {
  for (const auto& row : test::fecap_vectors("read_disturb").at("rows")) {
    const double share =
        read_disturb(kinetics, fields, row.at("E_MV_cm").get<double>() * 1e8, row.at("t_read"), row.at("N_reads"));
    EXPECT_NEAR(share, row.at("fraction").get<double>(), 1e-8);
    EXPECT_RELATIVE(share, row.at("fraction").get<double>(), 1e-6);
  }
}

TEST_F(OfTheMfmSet, SharesGrowWithTimeAndFieldWithinZeroAndOne) {
  double before = 0;
  for (double t_s = 1e-9; t_s < 1e6; t_s *= 10) {
    const double share = switched_share(kinetics, fields, 1.5e8, t_s);
    EXPECT_GE(share, before);
    EXPECT_LE(share, 1 + 1e-12);
    EXPECT_LE(share, switched_share(kinetics, fields, 2e8, t_s) + 1e-12);
    before = share;
  }
  EXPECT_EQ(switched_share(kinetics, fields, 0, 1), 0);
  EXPECT_EQ(switched_share(kinetics, fields, 1e8, 0), 0);
}

TEST_F(OfTheMfmSet, QuantilesUndoTheDistribution) {
  for (const double u : {0.001, 0.1, 0.5, 0.9, 0.999}) {
    const double field = fields.quantile_V_per_m(u);
    const double below = fields.mean([&](double e) { return e <= field ? 1.0 : 0.0; }, field);
    EXPECT_NEAR(below, u, 1e-6);
  }
}

TEST_F(OfTheMfmSet, DomainByDomainApproachesTheQuadrature) {
  kinetics.offset_spread = ElectricField::si(0);
  kinetics.domains = 100000;
  for (const double field_V_per_m : {1.5e8, 2e8}) {
    DomainEnsemble ensemble(kinetics, 5, {});
    // Ten equal steps are one pulse: the progress adds up.
    for (int k = 0; k < 10; ++k) ensemble.apply(field_V_per_m, 1e-7);
    const double share = (ensemble.polarization() + 1) / 2;
    const double wanted = switched_share(kinetics, fields, field_V_per_m, 1e-6);
    EXPECT_NEAR(share, wanted, 5 * std::sqrt(wanted * (1 - wanted) / kinetics.domains));
  }
}

TEST_F(OfTheMfmSet, PulsesAccumulateAndOppositeFieldsUndoProgress) {
  kinetics.offset_spread = ElectricField::si(0);
  kinetics.domains = 20000;
  const double pulse_V_per_m = 1.5e8, pulse_s = 1e-7;
  DomainEnsemble pulsed(kinetics, 9, {}), alternating(kinetics, 9, {}), reset(kinetics, 9, {});
  for (int k = 0; k < 100; ++k) {
    pulsed.apply(pulse_V_per_m, pulse_s);
    alternating.apply(pulse_V_per_m, pulse_s);
    alternating.apply(-pulse_V_per_m, pulse_s);
  }
  EXPECT_GT(pulsed.polarization(), alternating.polarization() + 0.1);
  reset.apply(5e8, 1e-3);
  EXPECT_GT(reset.polarization(), 0.99);
  reset.apply(-5e8, 1e-3);
  EXPECT_LT(reset.polarization(), -0.99);
  reset.set_all(1);
  EXPECT_EQ(reset.polarization(), 1);
}

TEST_F(OfTheMfmSet, FewDomainsMakeDiscreteStatesThatBelongToTheirAddress) {
  const SwitchingKinetics few = find_film("hzo_fefet").film.kinetics;
  DomainEnsemble one(few, 3, {0, 1, 0}), same(few, 3, {0, 1, 0}), other(few, 3, {0, 2, 0});
  EXPECT_EQ(one.size(), 20u);
  bool differs = false;
  for (int k = 0; k < 30; ++k) {
    const double polarization = one.apply(1.8e8, 1e-7);
    EXPECT_NEAR(std::remainder(polarization + 1, 0.1), 0, 1e-12);
    EXPECT_EQ(polarization, same.apply(1.8e8, 1e-7));
    differs = differs || polarization != other.apply(1.8e8, 1e-7);
  }
  EXPECT_TRUE(differs);
}

TEST(Switching, NormalLawHasItsMeanAndSpread) {
  const SwitchingKinetics kinetics = find_film("hzo_fefet").film.kinetics;
  const ActivationFields fields(kinetics);
  const double mean = fields.mean([](double e) { return e; }, 2.875e8);
  EXPECT_RELATIVE(mean, 2.875e8, 1e-6);
  const double variance = fields.mean([&](double e) { return (e - mean) * (e - mean); }, mean);
  EXPECT_RELATIVE(std::sqrt(variance), 0.5e8, 1e-6);
}

}  // namespace
}  // namespace tellegen::devices
