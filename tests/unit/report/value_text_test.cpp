#include "tellegen/sim/report/value_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tellegen::report {
namespace {

TEST(ValueText, ChoosesUnitsForPeople) {
  EXPECT_EQ(value_text(1.31e-6, "J"), "1.31 uJ");
  EXPECT_EQ(value_text(4.2e-7, "m2"), "0.420 mm2");
  EXPECT_EQ(value_text(3.1e-4, "s"), "310 us");
  EXPECT_EQ(value_text(0, "J"), "0 J");
  EXPECT_EQ(value_text(1.7e-12, "J/conversions"), "1.70 pJ/conversions");
}

TEST(ValueText, KeepsThreeDigitsWithTheirZeros) {
  EXPECT_EQ(value_text(4.4e-7, "m2"), "0.440 mm2");
  EXPECT_EQ(value_text(2e-6, "m2"), "2.00 mm2");
  EXPECT_EQ(value_text(1e-4, "s"), "100 us");
  EXPECT_EQ(value_text(9.996e-9, "J"), "10.0 nJ");
  EXPECT_EQ(value_text(25, "TOPS/W"), "25.0 TOPS/W");
  EXPECT_EQ(value_text(-1.5e-9, "J"), "-1.50 nJ");
}

TEST(ValueText, IsADashWhereThereIsNoFiniteValue) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const char* unit : {"J", "m2", "fraction", "dB", "1", "TOPS", "J/conversions"}) {
    EXPECT_EQ(value_text(kInfinity, unit), "-") << unit;
    EXPECT_EQ(value_text(-std::nan(""), unit), "-") << unit;
  }
  EXPECT_EQ(share_text(kInfinity, kInfinity), "-");
  EXPECT_EQ(csv_number(-std::nan("")), "");
  EXPECT_EQ(csv_number(kInfinity), "");
  EXPECT_EQ(csv_number(0.1), "0.1");
}

TEST(RangeText, HasOneUnit) {
  EXPECT_EQ(range_text(6.35e-4, 1.35e-4, 2.69e-3, "m2"), "635 mm2 (135 mm2 .. 2690 mm2)");
  EXPECT_EQ(range_text(1.31e-6, 6e-7, 3.4e-3, "J"), "1.31 uJ (0.600 uJ .. 3400 uJ)");
  EXPECT_EQ(range_text(1e-9, 0, 1e-1, "J"), "1.00 nJ (0 nJ .. 1.00e+08 nJ)");
  EXPECT_EQ(range_text(0, 0, 2e-9, "J"), "0 J (0 J .. 2.00 nJ)");
  EXPECT_EQ(range_text(2e-9, 2e-9, 2e-9, "J"), "2.00 nJ");
}

TEST(IntervalText, SaysWhereAllChipsAreEqual) {
  EXPECT_EQ(interval_text({0.85, 0.05, 0.6353, 2}), "85.00 % +- 63.53");
  const double equal[] = {0.98, 0.98, 0.98};
  EXPECT_EQ(interval_text(mean_interval(equal)), "98.00 % (all chips equal)");
  const double one[] = {0.98};
  EXPECT_EQ(interval_text(mean_interval(one)), "98.00 %");
}

TEST(ValueText, ShowsSharesAsPercent) {
  EXPECT_EQ(value_text(0.9212, "fraction"), "92.12 %");
  EXPECT_EQ(value_text(1, "fraction"), "100.00 %");
  EXPECT_EQ(value_text(0, "fraction"), "0 %");
  EXPECT_EQ(value_text(2e-6, "fraction"), "2.0e-04 %");
}

TEST(ValueText, ShowsCountsInFull) {
  EXPECT_EQ(value_text(12345678, "1"), "12345678");
  EXPECT_EQ(value_text(0.5, "1"), "0.5");
  EXPECT_EQ(value_text(34.06, "dB"), "34.1 dB");
  EXPECT_EQ(value_text(2.1, "TOPS"), "2.10 TOPS");
}

TEST(ShareText, KeepsSmallSharesVisible) {
  EXPECT_EQ(share_text(58, 100), "58 %");
  EXPECT_EQ(share_text(0.3, 100), "0.3 %");
  EXPECT_EQ(share_text(0.04, 100), "<0.1 %");
  EXPECT_EQ(share_text(0, 100), "0 %");
  EXPECT_EQ(share_text(1, 0), "");
}

TEST(SpreadText, IsTheValueAloneWithoutSpread) {
  Number number;
  number.value = number.low = number.high = 2e-9;
  number.unit = "J";
  EXPECT_EQ(spread_text(number), "2.00 nJ");
  number.high = 8e-9;
  number.low = 1e-9;
  EXPECT_EQ(spread_text(number), "2.00 nJ (1.00 nJ .. 8.00 nJ)");
}

}  // namespace
}  // namespace tellegen::report
