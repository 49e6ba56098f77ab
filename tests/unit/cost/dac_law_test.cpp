// Ladders against an independent linear solve, and the other drivers against their sources.

#include <gmock/gmock.h>

#include "cost_testing.h"
#include "tellegen/circuits/cost/dac_cost.h"
#include "tellegen/circuits/cost/roll_up.h"

namespace tellegen::circuits {
namespace {

using testing::ElementsAre;
using namespace tellegen::units;

DacTable dac_table() {
  DacTable table;
  read_config(kTables / "dac.yaml", table);
  return table;
}

TEST(Ladder, EnergiesAndOutputsOfCodes) {
  constexpr double kUnit_fF = 2;
  for (const auto& row : vectors("driver_vectors.yaml")["c2c_ladder"]) {
    const int bits = row["bits"].as<int>();
    const auto code = row["code"].as<std::uint32_t>();
    EXPECT_NEAR(ladder_nodes(bits, code).back(), row["vout"].as<double>(), 1e-14);
    expect_digits(kUnit_fF * ladder_load(bits, code), row["energy_fJ"].as<double>(), 7);
  }
}

TEST(Ladder, OutputIsTheCodeForEveryCode) {
  for (const int bits : {1, 2, 5, 8}) {
    for (std::uint32_t code = 0; code < (1U << bits); ++code) {
      EXPECT_NEAR(ladder_nodes(bits, code).back(), std::ldexp(code, -bits), 1e-14);
    }
  }
}

TEST(Ladder, MeanOverCodesEqualsTheAverageOfAllCodes) {
  for (int bits = 1; bits <= 10; ++bits) {
    double sum = 0;
    for (std::uint32_t code = 0; code < (1U << bits); ++code) sum += ladder_load(bits, code);
    EXPECT_NEAR(mean_ladder_load(bits), std::ldexp(sum, -bits), 1e-13);
  }
  for (const auto& entry : vectors("driver_vectors.yaml")["c2c_mean_fJ"]) {
    expect_digits(2 * mean_ladder_load(entry.first.as<int>()), entry.second.as<double>(), 7);
  }
}

TEST(DacLaw, ControllerEnergy) {
  const DacTable table = dac_table();
  for (const auto& row : vectors("driver_vectors.yaml")["dac_controller"]) {
    const Energy energy =
        table.ladder.controller_energy(row["bits"].as<int>(), row["V"].as<double>() * V, row["T_nm"].as<double>() * nm);
    expect_digits(energy.in(fJ), row["energy_fJ"].as<double>(), 6);
  }
}

TEST(DacLaw, CapacitiveLawOfZigzag) {
  DacTable table = dac_table();
  table.zigzag.supply = 0.8 * V;
  expect_digits(zigzag_dac_price(table, 7, 28 * nm).energy_J.typical * 1e15 / 512,
                vectors("driver_vectors.yaml")["zigzag_per_mac"]["dac_fJ"].as<double>(), 5);
}

TEST(DacLaw, LaddersByHand) {
  const DacTable table = dac_table();
  // One bit: the load is one half on average of codes 0 and 1 times one half: 0.25.
  EXPECT_DOUBLE_EQ(mean_ladder_load(1), 0.25);
  const double controller_J = table.ladder.controller_energy(1, 1 * V, 22 * nm).si();
  EXPECT_DOUBLE_EQ(c2c_price(table, 1, 22 * nm, 1 * V).energy_J.typical, 2e-15 * 0.25 + controller_J);
  const Price r2r = r2r_price(table, 1, 22 * nm, 1 * V, 10 * ns);
  EXPECT_DOUBLE_EQ(r2r.energy_J.typical, 1 / (2 * 5000.0) * 0.25 * 10e-9 + controller_J);
  EXPECT_DOUBLE_EQ(r2r.area_m2.typical, 2.35e-15 * 5000 * 3);
  EXPECT_DOUBLE_EQ(r2r_price(table, 1, 44 * nm, 1 * V, 10 * ns).area_m2.typical, 4 * 2.35e-15 * 5000 * 3);
  // 3 C per bit at 2.3 fF/um2 and a border of 1 um2 around each of two capacitors.
  EXPECT_DOUBLE_EQ(c2c_price(table, 1, 22 * nm, 1 * V).area_m2.typical * 1e12, 6 / 2.3 + 2);
  EXPECT_DOUBLE_EQ(c2c_price(table, 1, 44 * nm, 1 * V).area_m2.typical * 1e12, 2 * 6 / 2.3 + 4 * 2);
}

TEST(DacPrice, KindsThatTheChipNames) {
  const CostModel costs = model();
  DacUse use;
  use.node = 32 * nm;
  use.bits = 1;
  use.kind = "one_bit";
  EXPECT_DOUBLE_EQ(costs.dac_drive(use).energy_J.typical, 3.90625e-6 * 100e-9);
  use.kind = "pwm";
  use.bits = 8;
  EXPECT_DOUBLE_EQ(costs.dac_drive(use).energy_J.typical, 37.5e-15);
  EXPECT_DOUBLE_EQ(costs.dac_drive(use).latency_s, 255e-9);
  use.bits = 4;
  EXPECT_DOUBLE_EQ(costs.dac_drive(use).energy_J.typical, 37.5e-15 * 15 / 255);
  EXPECT_THAT(
      costs.dac_drive(use).from.warnings,
      ElementsAre("timely_time_converter is stated at 65 nm: it is used unscaled at 32 nm, because logic scaling does "
                  "not hold for analog circuits.",
                  "pwm is published for 8 bits: 4 bits are extrapolated in proportion to the steps."));
  use.bits = 0;
  EXPECT_EQ(costs.dac_drive(use).energy_J, Band{});
}

TEST(DacPrice, RefusesWhatHasNoPrice) {
  const CostModel costs = model();
  DacUse use;
  use.kind = "one_bit";
  const auto message = [&] {
    try {
      costs.dac_drive(use);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      message(),
      "a DAC of kind 'one_bit' drives one bit at a time, but is asked for 8. Stream the input bit by bit, or choose "
      "capacitive, r2r or pwm.");
  use.kind = "magic";
  EXPECT_EQ(message(), "there is no price for a DAC of kind 'magic'. Known kinds: capacitive, c2c, r2r, pwm, one_bit.");
}

TEST(LinePrice, ChargeOfTheWire) {
  const CostModel costs = model();
  for (const auto& row : vectors("driver_vectors.yaml")["line"]) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    const Price price = costs.row_line(row["cells"].as<int>(), 16, value("node_nm") * nm);
    expect_digits(price.energy_J.typical * value("V") * value("V") * 1e15, value("energy_fJ"), 7);
    EXPECT_EQ(price.area_m2, Band{});
    EXPECT_EQ(price.from.spread, "0.15 fF/um (DSENT) and 0.34 fF/um (CACTI 7) against 0.2 fF/um");
    EXPECT_DOUBLE_EQ(price.energy_J.low, 0.75 * price.energy_J.typical);
    EXPECT_DOUBLE_EQ(price.energy_J.high, 1.7 * price.energy_J.typical);
  }
}

TEST(CellPrice, JoulesAreCountedAndAreaFollowsTheNode) {
  const Price cell = model().cell(48, 32 * nm);
  EXPECT_DOUBLE_EQ(cell.area_m2.typical, 48 * 32e-9 * 32e-9);
  for (const auto& row : vectors("driver_vectors.yaml")["cell_read"]) {
    const auto value = [&](const char* name) { return row[name].as<double>(); };
    const double counted_J = value("V") * value("V") / value("R_ohm") * value("t_ns") * 1e-9;
    const Part part{"cell", cell, 1, counted_J};
    const Band total_J = roll_up({&part, 1}).energy_J;
    EXPECT_NEAR(total_J.typical * 1e15, value("energy_fJ"), 5e-5);
    EXPECT_EQ(total_J.low, total_J.high);
  }
}

}  // namespace
}  // namespace tellegen::circuits
