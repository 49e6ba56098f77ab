// Prices of writes, against the pulses that they are made of, and endurance.

#include <gtest/gtest.h>

#include "../engine/engine_fixture.h"
#include "tellegen/circuits/cost/cost_model.h"

namespace tellegen::circuits {
namespace {

const Length kNode = Length::si(22e-9);

class CellWriteCost : public ::testing::Test {
 protected:
  CostModel costs_{{}, sim::test::kCosts};
};

TEST_F(CellWriteCost, IsThatOfItsPulses) {
  const double capacitor_J = 13e-15 * 0.9 * 0.9;
  const double melting_J = 300e-6 * 300e-6 * 1e3 * 40e-9, crystallising_J = 150e-6 * 150e-6 * 1e3 * 150e-9;
  EXPECT_NEAR(costs_.cell_write("gain_cell", 1, kNode).energy_J.typical, capacitor_J, 1e-19);
  EXPECT_NEAR(costs_.cell_write("pcm", 1, kNode).energy_J.typical, melting_J + crystallising_J, 1e-18);
  EXPECT_NEAR(costs_.cell_write("rram", 1, kNode).energy_J.typical, 0.6e-12, 1e-18);
  EXPECT_NEAR(costs_.cell_write("fefet", 1, kNode).energy_J.typical, 2.9e-15 + 0.2e-15, 1e-21);
}

TEST_F(CellWriteCost, GrowsWithPulses) {
  for (const std::string& cell : written_cells()) {
    const Price one = costs_.cell_write(cell, 1, kNode), many = costs_.cell_write(cell, 7, kNode);
    EXPECT_DOUBLE_EQ(many.energy_J.typical, 7 * one.energy_J.typical);
    EXPECT_DOUBLE_EQ(many.energy_J.high, 7 * one.energy_J.high);
    EXPECT_DOUBLE_EQ(many.latency_s, 7 * one.latency_s);
    EXPECT_LT(one.energy_J.low, one.energy_J.typical);
    EXPECT_LT(one.energy_J.typical, one.energy_J.high);
    EXPECT_GT(one.latency_s, 0);
    EXPECT_EQ(one.area_m2, Band{});
    EXPECT_TRUE(one.from.warnings.empty());
  }
}

/// The middle of a survey is the geometric mean of its ends, to the one digit that it is given with.
TEST_F(CellWriteCost, EnduranceIsBetweenTheEndsOfItsSurvey) {
  EXPECT_EQ(costs_.written_cell("fefet").endurance, (Band{1e4, 3e7, 1e11}));
  EXPECT_EQ(costs_.written_cell("rram").endurance, (Band{1e4, 3e6, 1e9}));
  EXPECT_EQ(costs_.written_cell("pcm").endurance, (Band{1e5, 1e8, 2e11}));
}

TEST_F(CellWriteCost, OtherKindsAreRefused) {
  try {
    costs_.cell_write("sram", 1, kNode);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "there is no price for writing a cell of kind 'sram'. Known kinds: gain_cell, fefet, rram, pcm.");
  }
}

}  // namespace
}  // namespace tellegen::circuits
