#include "tellegen/devices/pcm_hermes.h"

#include <gtest/gtest.h>

#include "pcm_law_test.h"

namespace tellegen::devices {
namespace {

TEST(PcmHermes, OneDeviceEqualsTheVectors) {
  const auto vectors = test::conductance_vectors("PCM_HERMES_1dev");
  EXPECT_EQ(HermesLaw<1>::g_max_uS, vectors.at("g_max"));
  EXPECT_EQ(HermesLaw<1>::times.t0_s, vectors.at("t0"));
  EXPECT_EQ(HermesLaw<1>::times.t_read_s, vectors.at("t_read"));
  test::expect_rows_of_law<HermesLaw<1>>(vectors.at("rows"), vectors.at("g_max"));
}

TEST(PcmHermes, TwoDevicesEqualTheVectors) {
  const auto vectors = test::conductance_vectors("PCM_HERMES_2dev");
  EXPECT_EQ(HermesLaw<2>::g_max_uS, vectors.at("g_max"));
  EXPECT_EQ(HermesLaw<2>::times.t0_s, vectors.at("t0"));
  EXPECT_EQ(HermesLaw<2>::times.t_read_s, vectors.at("t_read"));
  test::expect_rows_of_law<HermesLaw<2>>(vectors.at("rows"), vectors.at("g_max"));
}

TEST(PcmHermes, FloatFollowsDouble) {
  test::expect_float_follows_double<HermesLaw<1>>();
  test::expect_float_follows_double<HermesLaw<2>>();
}

TEST(PcmHermes, DefaultsAreThePublishedRangeAndTimes) {
  const PcmHermesParameters<1> one;
  const PcmHermesParameters<2> two;
  EXPECT_DOUBLE_EQ(one.range.g_max.si(), 10.35e-6);
  EXPECT_DOUBLE_EQ(two.range.g_max.si(), 20.7e-6);
  EXPECT_EQ(one.t0.si(), 200);
  EXPECT_EQ(two.t0.si(), 300);
  EXPECT_EQ(two.read_time.si(), 512e-9);
}

}  // namespace
}  // namespace tellegen::devices
