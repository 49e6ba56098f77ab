#include "tellegen/devices/rram_milo.h"

#include <gtest/gtest.h>

#include <vector>

#include "sample_statistics.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

TEST(RramMilo, SpreadEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("RRAM_Milo_CrossSim");
  const RramMiloParameters defaults;
  EXPECT_DOUBLE_EQ(defaults.range.g_min.si(), vectors.at("range_uS").at(0).get<double>() * 1e-6);
  EXPECT_DOUBLE_EQ(defaults.range.g_max.si(), vectors.at("range_uS").at(1).get<double>() * 1e-6);
  ASSERT_FALSE(vectors.at("rows").empty());
  for (const auto& row : vectors.at("rows")) EXPECT_NEAR(milo_sigma_uS(row.at("G_uS")), row.at("sigma_uS"), 1e-12);
}

TEST(RramMilo, HighConductancesAreProgrammedMoreExactly) {
  const auto device = RramMiloParameters().make();
  const ArrayAddress address{6, {}};
  for (const double g_uS : {50.0, 125.0, 225.0}) {
    const auto m =
        test::moments(device->program(std::vector<float>(200000, static_cast<float>(g_uS * 1e-6)), address).g_S);
    const double sigma_S = (4.782321 - 0.009107 * g_uS) * 1e-6;
    EXPECT_LT(std::abs(test::mean_z(m, g_uS * 1e-6, sigma_S)), test::z_limit) << g_uS;
    EXPECT_LT(std::abs(test::variance_z(m, sigma_S)), test::z_limit) << g_uS;
  }
}

}  // namespace
}  // namespace tellegen::devices
