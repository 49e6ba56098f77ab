#include "tellegen/sim/report/value_text.h"

#include <gtest/gtest.h>

namespace tellegen::report {
namespace {

TEST(ValueText, ChoosesUnitsForPeople) {
  EXPECT_EQ(value_text(1.31e-6, "J"), "1.31 uJ");
  EXPECT_EQ(value_text(4.2e-7, "m2"), "0.42 mm2");
  EXPECT_EQ(value_text(3.1e-4, "s"), "310 us");
  EXPECT_EQ(value_text(0, "J"), "0 J");
  EXPECT_EQ(value_text(1.7e-12, "J/conversions"), "1.7 pJ/conversions");
}

TEST(ValueText, ShowsSharesAsPercent) {
  EXPECT_EQ(value_text(0.9212, "fraction"), "92.12 %");
  EXPECT_EQ(value_text(1, "fraction"), "100 %");
  EXPECT_EQ(value_text(0, "fraction"), "0 %");
  EXPECT_EQ(value_text(2e-6, "fraction"), "2.0e-04 %");
}

TEST(ValueText, ShowsCountsInFull) {
  EXPECT_EQ(value_text(12345678, "1"), "12345678");
  EXPECT_EQ(value_text(0.5, "1"), "0.5");
  EXPECT_EQ(value_text(34.06, "dB"), "34.1 dB");
  EXPECT_EQ(value_text(2.1, "TOPS"), "2.1 TOPS");
}

TEST(ShareText, KeepsSmallSharesVisible) {
  EXPECT_EQ(share_text(58, 100), "58 %");
  EXPECT_EQ(share_text(0.3, 100), "0.3 %");
  EXPECT_EQ(share_text(0, 100), "0 %");
  EXPECT_EQ(share_text(1, 0), "");
}

TEST(SpreadText, IsTheValueAloneWithoutSpread) {
  Number number;
  number.value = number.low = number.high = 2e-9;
  number.unit = "J";
  EXPECT_EQ(spread_text(number), "2 nJ");
  number.high = 8e-9;
  number.low = 1e-9;
  EXPECT_EQ(spread_text(number), "2 nJ (1 nJ .. 8 nJ)");
}

}  // namespace
}  // namespace tellegen::report
