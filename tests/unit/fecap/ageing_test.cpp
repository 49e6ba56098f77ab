#include "tellegen/devices/fecap/ageing.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

struct File {
  AgeingConfig ageing;
  void settings(Settings& v) { v.section("ageing", ageing, "ageing"); }
};

constexpr double ten_years_s = 10 * 365.25 * 86400;

TEST(Ageing, MeetsThePublishedPoints) {
  const FerroelectricAgeing& epitaxial = find_ageing("epitaxial_5nm").ageing;
  EXPECT_EQ(epitaxial.remanent_share(1), 1);
  EXPECT_NEAR(27 * epitaxial.remanent_share(1e11), 6, 1e-12);
  EXPECT_NEAR(27 * epitaxial.retained_share(ten_years_s), 12, 1e-9);
  const FerroelectricAgeing& engineered = find_ageing("interface_engineered").ageing;
  EXPECT_EQ(engineered.remanent_share(1e11), 1);
  EXPECT_EQ(engineered.remanent_share(1e12), 0);
}

TEST(Ageing, IsStraightOverTheLogarithmOfCyclesAndHeldOutside) {
  FerroelectricAgeing ageing;
  ageing.endurance = {{10, 0.8}, {1e4, 1.2}, {1e8, 0.4}};
  EXPECT_EQ(ageing.remanent_share(1), 0.8);
  EXPECT_NEAR(ageing.remanent_share(std::pow(10, 2.5)), 1.0, 1e-12);  // waking up
  EXPECT_EQ(ageing.remanent_share(1e4), 1.2);
  EXPECT_NEAR(ageing.remanent_share(1e6), 0.8, 1e-12);  // fatigue
  EXPECT_EQ(ageing.remanent_share(1e20), 0.4);
}

TEST(Ageing, RetentionIsAStretchedExponential) {
  FerroelectricAgeing ageing;
  EXPECT_EQ(ageing.retained_share(1e9), 1);
  ageing.retention_time = Time::si(1e6);
  ageing.retention_exponent = 0.5;
  EXPECT_EQ(ageing.retained_share(0), 1);
  EXPECT_NEAR(ageing.retained_share(1e6), std::exp(-1), 1e-15);
  EXPECT_NEAR(ageing.retained_share(4e6), std::exp(-2), 1e-15);
}

TEST(Ageing, ImprintGrowsByDecades) {
  FerroelectricAgeing ageing;
  ageing.imprint_per_decade = ElectricField::si(2e6);
  EXPECT_EQ(ageing.imprint_V_per_m(0), 0);
  EXPECT_NEAR(ageing.imprint_V_per_m(1e6) - ageing.imprint_V_per_m(1e5), 2e6, 10);
}

TEST(Ageing, EverySetNamesItsSourceAndItsSmallestYamlLoads) {
  for (const AgeingEntry& entry : ageing_catalog()) {
    EXPECT_EQ(entry.summary.back(), '.');
    EXPECT_FALSE(entry.source.empty());
    struct Fecap {
      File inner;
      void settings(Settings& v) { v.section("fecap", inner, "capacitor"); }
    } file;
    read_config_text(entry.smallest_yaml, "smallest.yaml", file);
    EXPECT_EQ(file.inner.ageing.data, entry.name);
    EXPECT_EQ(file.inner.ageing.ageing.remanent_share(1e11), entry.ageing.remanent_share(1e11));
  }
}

TEST(Ageing, PointsMustAscend) {
  File file;
  try {
    read_config_text("ageing:\n  endurance: [{cycles: 100, remanent: 1}, {cycles: 10, remanent: 0.5}]\n", "chip.yaml",
                     file);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("must be given with ascending cycles."), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tellegen::devices
