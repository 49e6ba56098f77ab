// Parts and counts to totals, and a published chip out of the tables.

#include "tellegen/circuits/cost/roll_up.h"

#include <gtest/gtest.h>

#include "cost_testing.h"

namespace tellegen::circuits {
namespace {

Price simple(double energy, double area, double leakage) {
  Price price;
  price.energy_J = {0.5 * energy, energy, 2 * energy};
  price.area_m2 = {0.25 * area, area, 4 * area};
  price.static_W = {0.5 * leakage, leakage, 2 * leakage};
  return price;
}

TEST(RollUp, SumsAreIntervalSums) {
  const std::vector<Part> parts{{"a", simple(2, 16, 4), 3, 10}, {"b", simple(4, 8, 2), 5, 100}};
  const Total total = roll_up(parts);
  EXPECT_EQ(total.energy_J, (Band{10 + 200, 20 + 400, 40 + 800}));
  EXPECT_EQ(total.area_m2, (Band{12 + 10, 48 + 40, 192 + 160}));
  EXPECT_EQ(total.static_W, (Band{6 + 5, 12 + 10, 24 + 20}));
  EXPECT_EQ(roll_up({}).energy_J, Band{});
  EXPECT_EQ((3 * total + total).area_m2, 4 * total.area_m2);
}

TEST(RollUp, OnePriceMovesTheTotalByItsCount) {
  std::vector<Part> parts{{"a", simple(2, 16, 4), 3, 10}, {"b", simple(4, 8, 2), 5, 128}};
  const double before = roll_up(parts).energy_J.typical;
  parts[1].price.energy_J.typical += 0.125;
  EXPECT_EQ(roll_up(parts).energy_J.typical - before, 0.125 * 128);
}

// Control is 7.5 % of the energy and 12.5 % of the area of the whole.
TEST(RollUp, ControlIsAShareOfTheWhole) {
  Total rest;
  rest.energy_J = Band::exact(92.5);
  rest.area_m2 = Band::exact(87.5);
  const Price control = model().control(rest);
  EXPECT_NEAR(control.energy_J.typical, 7.5, 1e-12);
  EXPECT_NEAR(control.area_m2.typical, 12.5, 1e-12);
  EXPECT_NEAR(control.energy_J.high, 7.5 * 8.75, 1e-9);
}

// Each part does one action per period of its rate: energy per second is power.
Part part_of(const CostModel& costs, const std::string& name, double count) {
  const double rate_Hz = costs.fact(name).rate->si();
  return {name, costs.entry(name), count, count * rate_Hz};
}

Part adc_part(const CostModel& costs, double count) {
  AdcUse use;
  use.rate = Frequency::si(1.2e9);
  return {"adc", costs.adc_conversion(use), count, count * use.rate.si()};
}

Total sum_of(const CostModel& costs, const YAML::Node& group) {
  std::vector<Part> parts;
  for (const auto& row : group["parts"]) parts.push_back(part_of(costs, row[0].as<std::string>(), row[1].as<double>()));
  if (group["adcs"]) {
    parts.push_back(adc_part(costs, group["adcs"].as<double>()));
  }
  return roll_up(parts);
}

TEST(RollUp, EveryRowOfIsaacIsAsItsTableHasIt) {
  CostConfig config;
  config.adc = "isaac_2016";
  const CostModel costs = model(config);
  for (const auto& row : vectors("isaac_chip.yaml")["rows"]) {
    const auto name = row["part"].as<std::string>();
    SCOPED_TRACE(name);
    const double count = row["count"].as<double>();
    const Part part = name == "adc" ? adc_part(costs, count) : part_of(costs, name, count);
    const Total total = roll_up({&part, 1});
    EXPECT_NEAR(total.energy_J.typical * 1e3, row["power_mW"].as<double>(), 1e-12 * row["power_mW"].as<double>());
    EXPECT_NEAR(total.area_m2.typical * 1e6, row["area_mm2"].as<double>(), 1e-12 * row["area_mm2"].as<double>());
    EXPECT_EQ(part.price.from.evidence == "memory", row["memory"].IsDefined());
  }
}

TEST(RollUp, IsaacChipFromTheTables) {
  CostConfig config;
  config.adc = "isaac_2016";
  const CostModel costs = model(config);
  const YAML::Node isaac = vectors("isaac_chip.yaml");
  const Total unit = sum_of(costs, isaac["unit"]);
  const Total tile = isaac["tile"]["units"].as<double>() * unit + sum_of(costs, isaac["tile"]);
  const Total chip = isaac["chip"]["tiles"].as<double>() * tile + sum_of(costs, isaac["chip"]);
  const auto sum = [&](const char* name) { return isaac["sums"][name].as<double>(); };
  // The sums are printed in full; only the rounding of the additions is left.
  EXPECT_NEAR(unit.energy_J.typical * 1e3, sum("unit_power_mW"), 1e-12 * 24);
  EXPECT_NEAR(tile.energy_J.typical * 1e3, sum("tile_power_mW"), 1e-12 * 330);
  EXPECT_NEAR(chip.energy_J.typical, sum("chip_power_W"), 1e-12 * 66);
  EXPECT_NEAR(unit.area_m2.typical * 1e6, sum("unit_area_mm2"), 1e-12);
  EXPECT_NEAR(tile.area_m2.typical * 1e6, sum("tile_area_mm2"), 1e-12);
  EXPECT_NEAR(chip.area_m2.typical * 1e6, sum("chip_area_mm2"), 1e-12 * 85);
  EXPECT_LT(chip.energy_J.low, chip.energy_J.typical);
  EXPECT_LT(chip.energy_J.typical, chip.energy_J.high);
}

}  // namespace
}  // namespace tellegen::circuits
