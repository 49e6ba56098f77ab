// The laws against values of the programs and definitions they come from.

#include <gmock/gmock.h>

#include <numbers>

#include "cost_testing.h"
#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/flash_cost.h"

namespace tellegen::circuits {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace tellegen::units;

template <class Law>
Law law(const std::string& file) {
  Law read;
  read_config(kTables / file, read);
  return read;
}

AdcUse use_of(double bits, double node_nm, double rate_Hz) {
  AdcUse use;
  use.bits = bits;
  use.node = node_nm * nm;
  use.rate = rate_Hz * Hz;
  return use;
}

TEST(AdcLaw, AndrulisAgreesWithThePlugIn) {
  const auto andrulis = law<AndrulisLaw>("adc_andrulis_2024.yaml");
  const YAML::Node rows = vectors("adc_vectors.yaml")["andrulis_2024"];
  ASSERT_EQ(rows.size(), 23U);
  for (const auto& row : rows) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    const double rate_Hz = value("total_throughput") / value("n_adcs");
    const Price price = andrulis.price(use_of(value("enob"), value("tech_nm"), rate_Hz));
    expect_digits(price.energy_J.typical * 1e12, value("energy_pJ"), 9);
    expect_digits(value("n_adcs") * price.area_m2.typical * 1e12, value("area_um2"), 9);
    expect_digits(price.energy_J.typical * value("total_throughput") * 1e3, value("power_mW_total"), 9);
    expect_digits(input(price, "fom_dB"), value("foms_dB"), 9);
    expect_digits(input(price, "sndr_dB"), value("sndr_dB"), 9);
    EXPECT_DOUBLE_EQ(price.latency_s, 1 / rate_Hz);
    EXPECT_THAT(price.from.warnings, IsEmpty());
  }
}

// Below the knee resolution binds and the rate costs nothing; above, energy grows as the rate to the power 0.287 ln 10.
TEST(AdcLaw, AndrulisKneesBetweenItsTwoBounds) {
  const auto andrulis = law<AndrulisLaw>("adc_andrulis_2024.yaml");
  for (const auto& row : vectors("adc_vectors.yaml")["andrulis_knees"]) {
    const double bits = row["bits"].as<double>(), knee_Hz = row["knee_Hz"].as<double>();
    const auto energy = [&](double rate_Hz) { return andrulis.price(use_of(bits, 32, rate_Hz)).energy_J.typical; };
    EXPECT_EQ(energy(knee_Hz * 0.5), energy(knee_Hz * 0.999));
    EXPECT_GT(energy(knee_Hz * 1.001), energy(knee_Hz * 0.999));
    EXPECT_NEAR(std::log(energy(knee_Hz * 4) / energy(knee_Hz * 2)) / std::log(2.0), 0.28719 * std::log(10.0), 1e-4);
  }
}

TEST(AdcLaw, AndrulisAboveItsTableIsMarked) {
  const auto andrulis = law<AndrulisLaw>("adc_andrulis_2024.yaml");
  EXPECT_THAT(andrulis.price(use_of(15, 32, 1e5)).from.warnings,
              ElementsAre("andrulis_2024 is tabulated up to 14 bits: 15 bits are extrapolated."));
  EXPECT_THAT(andrulis.price(use_of(8, 5, 1e5)).from.warnings,
              ElementsAre("andrulis_2024 was compared with its source from 7 nm to 180 nm: 5 nm is extrapolated."));
}

TEST(AdcLaw, AndrulisBelowFourBitsCountsComparatorsAndSaysSo) {
  const auto andrulis = law<AndrulisLaw>("adc_andrulis_2024.yaml");
  const Price four = andrulis.price(use_of(4, 32, 1e9));
  for (const double bits : {1.0, 2.0, 3.0, 3.5}) {
    const Price price = andrulis.price(use_of(bits, 32, 1e9));
    const double share = (std::exp2(bits) - 1) / 15;
    EXPECT_DOUBLE_EQ(price.energy_J.typical, share * four.energy_J.typical);
    EXPECT_DOUBLE_EQ(price.area_m2.typical, share * four.area_m2.typical);
    EXPECT_EQ(price.from.warnings.size(), 1U);
  }
  EXPECT_THAT(
      andrulis.price(use_of(3, 32, 1e9)).from.warnings,
      ElementsAre("andrulis_2024 is valid from 4 bits: 3 bits are extrapolated by the flash law, 7 comparators at "
                  "1/15 of the 4-bit price each."));
}

TEST(AdcLaw, AndrulisWarnsAboveItsFastestConverter) {
  const auto andrulis = law<AndrulisLaw>("adc_andrulis_2024.yaml");
  EXPECT_THAT(andrulis.price(use_of(8, 32, 1e10)).from.warnings, IsEmpty());
  EXPECT_THAT(andrulis.price(use_of(8, 32, 2e10)).from.warnings,
              ElementsAre("andrulis_2024 is valid up to 10 GHz: a rate of 20 GHz is extrapolated."));
}

TEST(AdcLaw, IsaacAgreesWithTheComponentLibrary) {
  const auto isaac = law<IsaacAdcLaw>("adc_isaac_2016.yaml");
  for (const auto& row : vectors("adc_vectors.yaml")["isaac_2016"]) {
    const Price price = isaac.price(use_of(row["bits"].as<double>(), 32, 1.2e9));
    expect_digits(price.energy_J.typical * 1e12, row["energy_pJ"].as<double>(), 9);
    expect_digits(price.area_m2.typical * 1e12, row["area_um2"].as<double>(), 9);
    EXPECT_THAT(price.from.warnings, IsEmpty());
  }
}

// The paper's table and its text state two rates; the price is that of the table and carries both.
TEST(AdcLaw, IsaacNamesBothPublishedRates) {
  auto isaac = law<IsaacAdcLaw>("adc_isaac_2016.yaml");
  const Price price = isaac.price(use_of(8, 32, 1e9));
  EXPECT_EQ(input(price, "rate_Hz"), 1.2e9);
  EXPECT_EQ(input(price, "rate_in_text_Hz"), 1.28e9);
  expect_digits(price.energy_J.typical * 1e12, 1.66666667, 9);
  isaac.rate = isaac.rate_in_text;
  EXPECT_DOUBLE_EQ(isaac.price(use_of(8, 32, 1e9)).energy_J.typical * 1e12, 1.5625);
}

TEST(AdcLaw, IsaacNamesEveryBoundItLeaves) {
  const auto isaac = law<IsaacAdcLaw>("adc_isaac_2016.yaml");
  EXPECT_THAT(
      isaac.price(use_of(3, 22, 2e9)).from.warnings,
      ElementsAre("isaac_2016 is valid from 4 to 10 bits: 3 bits are extrapolated.",
                  "isaac_2016 is stated at 32 nm: it is used unscaled at 22 nm, because logic scaling does not hold "
                  "for analog circuits.",
                  "isaac_2016 states at most 1.28 GHz: a rate of 2 GHz is extrapolated."));
}

TEST(AdcLaw, NeuroSimAgreesWithItsEquations) {
  auto neurosim = law<NeuroSimAdcLaw>("adc_neurosim.yaml");
  const YAML::Node rows = vectors("adc_vectors.yaml")["neurosim_sar"];
  ASSERT_EQ(rows.size(), 14U);
  for (const auto& row : rows) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    neurosim.roadmap = row["roadmap"].as<std::string>();
    AdcUse use = use_of(value("bits"), value("tech_nm"), 1e8);
    use.column_ohm = value("R_col_ohm");
    use.read_voltage_V = value("V_read");
    use.temperature_K = value("T_K");
    const Price price = neurosim.price(use);
    expect_digits(price.energy_J.typical * 1e12, value("energy_pJ"), 9);
    expect_digits(price.energy_J.typical / price.latency_s * 1e6, value("power_uW"), 9);
    EXPECT_DOUBLE_EQ(price.latency_s * 1e9, value("latency_ns"));
    expect_digits(price.area_m2.typical * 1e12, value("area_um2"), 6);
    EXPECT_THAT(price.from.warnings, IsEmpty());
  }
}

TEST(AdcLaw, NeuroSimInterpolatesBetweenItsNodesAndClampsOutside) {
  const auto neurosim = law<NeuroSimAdcLaw>("adc_neurosim.yaml");
  const auto energy = [&](double node_nm) { return neurosim.price(use_of(8, node_nm, 1e8)).energy_J.typical; };
  EXPECT_LT(energy(22), energy(28));
  EXPECT_LT(energy(28), energy(32));
  EXPECT_NEAR(energy(22.0001) / energy(22), 1, 1e-4);
  EXPECT_EQ(energy(180), energy(130));
  EXPECT_THAT(neurosim.price(use_of(8, 28, 1e8)).from.warnings,
              ElementsAre("neurosim_sar has no row at 28 nm: it is interpolated between 32 nm and 22 nm."));
  EXPECT_THAT(neurosim.price(use_of(8, 180, 1e8)).from.warnings,
              ElementsAre("neurosim_sar covers 1 nm to 130 nm: its price at 130 nm is used for 180 nm."));
  EXPECT_THAT(neurosim.price(use_of(9, 5, 1e9)).from.warnings,
              ElementsAre("neurosim_sar is valid from 4 to 8 bits: 9 bits are extrapolated.",
                          "neurosim_sar has no transistor footprint at 5 nm: the area counts as zero.",
                          "neurosim_sar takes 10 ns for 9 bits: a rate of 1 GHz is faster than it is."));
}

TEST(AdcLaw, ZigzagAgreesWithItsProgram) {
  const auto zigzag = law<ZigzagAdcLaw>("adc_zigzag_2023.yaml");
  for (const auto& row : vectors("adc_vectors.yaml")["zigzag_2023"]) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    ZigzagAdcLaw at_supply = zigzag;
    at_supply.supply = value("vdd") * V;
    AdcUse use = use_of(value("bits"), 28, 1e6);
    use.rows = row["rows"].as<int>();
    const Price price = at_supply.price(use);
    expect_digits(price.energy_J.typical * 1e15, value("energy_fJ"), 8);
    expect_digits(price.area_m2.typical * 1e12, value("area_um2"), 8);
    expect_digits(price.latency_s * 1e9, value("delay_ns"), 8);
    EXPECT_THAT(price.from.warnings, IsEmpty());
  }
  const AdcUse fast = use_of(13, 22, 1e9);
  EXPECT_THAT(
      zigzag.price(fast).from.warnings,
      ElementsAre("zigzag_2023 is valid from 4 to 12 bits: 13 bits are extrapolated.",
                  "zigzag_2023 is stated at 28 nm: it is used unscaled at 22 nm, because logic scaling does not hold "
                  "for analog circuits.",
                  "zigzag_2023 takes 19.1859 ns for 13 bits on 128 rows: a rate of 1 GHz is faster than it is."));
}

TEST(AdcLaw, NearNodeIsRecordedButNoWarning) {
  const Price price = law<ZigzagAdcLaw>("adc_zigzag_2023.yaml").price(use_of(8, 32, 1e6));
  EXPECT_EQ(price.from.scaling, "none: analog, 28 nm price at 32 nm");
  EXPECT_THAT(price.from.warnings, IsEmpty());
}

TEST(AdcLaw, ZigzagConvertersPerMultiplyAccumulate) {
  auto zigzag = law<ZigzagAdcLaw>("adc_zigzag_2023.yaml");
  zigzag.supply = 0.8 * V;
  expect_digits(zigzag.price(use_of(6, 28, 1e6)).energy_J.typical * 1e15 / 1024,
                vectors("driver_vectors.yaml")["zigzag_per_mac"]["adc_fJ"].as<double>(), 5);
}

// By hand: 8 bits at the median of 91 fJ per step; the fit at 32 nm, 1 GS/s, 8 bits is exp(-8.149 + 0.465 ln 32 + 0.162 ln 1e9 +
// 0.662 * 8) pJ and exp(5.586 + 0.765 ln 32 - 0.09 ln 1e9 + 0.357 * 8) um2.
TEST(AdcLaw, SurveyMediansAndFit) {
  const auto survey = law<SurveyLaw>("adc_survey_2025.yaml");
  const Price pipeline = survey.median_price("pipeline", use_of(8, 32, 1e8));
  EXPECT_DOUBLE_EQ(pipeline.energy_J.typical * 1e15, 91 * 256);
  EXPECT_DOUBLE_EQ(pipeline.energy_J.low * 1e15, 14 * 256);
  EXPECT_DOUBLE_EQ(pipeline.energy_J.high * 1e15, 91.0 * 91 / 14 * 256);
  EXPECT_DOUBLE_EQ(pipeline.area_m2.typical * 1e6, 0.37);
  EXPECT_DOUBLE_EQ(survey.cyclic_price(use_of(8, 32, 1e8)).area_m2.typical * 1e6, 0.37 / 8);
  const Price sar = survey.sar_price(use_of(8, 32, 1e9));
  EXPECT_NEAR(sar.energy_J.typical * 1e12, std::pow(32, 0.465) * std::pow(1e9, 0.162) * std::exp(0.662 * 8 - 8.149),
              1e-12);
  EXPECT_NEAR(sar.area_m2.typical * 1e12, std::pow(32, 0.765) * std::pow(1e9, -0.09) * std::exp(0.357 * 8 + 5.586),
              1e-8);
  EXPECT_NEAR(sar.energy_J.high / sar.energy_J.typical, std::exp(1.44), 1e-12);
  EXPECT_THAT(survey.median_price("cco", use_of(12, 32, 1e8)).from.warnings,
              ElementsAre("survey_2025 is valid from 4 to 11 bits: 12 bits are extrapolated."));
}

TEST(AdcLaw, FiguresOfMeritOfPublishedConverters) {
  for (const auto& row : vectors("adc_vectors.yaml")["figures_of_merit"]) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    expect_digits(walden_J_per_step(value("power_W"), value("fs_hz"), value("enob")) * 1e15, value("walden_fJ"), 7);
    expect_digits(schreier_dB(value("power_W"), value("fs_hz"), value("enob")), value("schreier_dB"), 7);
  }
}

TEST(AdcLaw, RampCountsComparatorDecisions) {
  Price comparator;
  comparator.energy_J = {1, 2, 3};
  comparator.area_m2 = {4, 5, 6};
  const AdcUse use = use_of(3, 32, 1e9);
  EXPECT_EQ(ramp_price(use, comparator).energy_J, (Band{8, 16, 24}));
  EXPECT_EQ(ramp_price(use, comparator).area_m2, comparator.area_m2);
  EXPECT_EQ(cco_price(use, comparator).energy_J, (Band{4, 8, 12}));
  EXPECT_EQ(cco_price(use, comparator).area_m2, comparator.area_m2);
}

/// Three bits: 7 comparators, and a ones counter of 4 full adders.
TEST(FlashLaw, IsComparatorsEncoderAndLadder) {
  Price comparator, adder;
  comparator.energy_J = {1, 2, 3};
  comparator.area_m2 = {4, 5, 6};
  comparator.static_W = {7, 8, 9};
  adder.energy_J = {10, 20, 30};
  FlashRule rule;
  rule.origin.evidence = Evidence::silicon;  // x/1.5
  rule.origin.node = Length::si(16e-9);
  rule.input = Capacitance::si(1e-15);
  rule.resistor_area = Area::si(1e-15);
  const AdcUse use = use_of(3, 32, 1e9);
  const Price price = flash_price(use, comparator, adder, rule, Voltage::si(0.5));
  const double ladder_ohm = std::numbers::pi * std::numbers::pi / (2e9 * 4 * std::numbers::ln2 * 7e-15);
  const double ladder_J = 0.25 / ladder_ohm / 1e9, ladder_m2 = ladder_ohm * 4e-15;
  EXPECT_NEAR(price.energy_J.typical, 7 * 2 + 4 * 20 + ladder_J, 1e-12);
  EXPECT_NEAR(price.energy_J.low, 7 * 1 + 4 * 10 + ladder_J / 1.5, 1e-12);
  EXPECT_NEAR(price.area_m2.typical, 7 * 5 + ladder_m2, 1e-12);
  EXPECT_EQ(price.static_W, (Band{49, 56, 63}));
  EXPECT_EQ(price.latency_s, 1e-9);
}

TEST(FlashLaw, EnergyOfTheLadderDoesNotDependOnTheRateAndItsSizeDoes) {
  FlashRule rule;
  rule.origin.node = Length::si(22e-9);
  rule.input = Capacitance::si(2e-15);
  rule.resistor_area = Area::si(1e-15);
  const Voltage supply = Voltage::si(0.9);
  const Price slow = flash_price(use_of(5, 22, 1e8), {}, {}, rule, supply);
  const Price fast = flash_price(use_of(5, 22, 1e9), {}, {}, rule, supply);
  EXPECT_GT(fast.energy_J.typical, 0);
  EXPECT_DOUBLE_EQ(slow.energy_J.typical, fast.energy_J.typical);
  EXPECT_DOUBLE_EQ(slow.area_m2.typical, 10 * fast.area_m2.typical);
}

}  // namespace
}  // namespace tellegen::circuits
