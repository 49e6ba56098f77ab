// Node scaling against a transcription of the paper, and properties between its nodes.

#include <gmock/gmock.h>

#include "cost_testing.h"
#include "tellegen/circuits/cost/scaling.h"

namespace tellegen::circuits {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using namespace tellegen::units;

const NodeScaling& scaling() {
  static const NodeScaling read = [] {
    ScalingTable table;
    read_config(kTables / "scaling_stillmaker_2017.yaml", table);
    return NodeScaling(table);
  }();
  return read;
}

double node_of(const std::string& row) { return std::stod(row.find_first_of("HL") == 0 ? row.substr(2) : row); }

TEST(NodeScaling, AgreesWithTheTranscription) {
  const YAML::Node rows = vectors("scaling_vectors.yaml")["vectors"];
  ASSERT_EQ(rows.size(), 12U);
  for (const auto& row : rows) {
    const auto from = row["from"].as<std::string>(), to = row["to"].as<std::string>();
    const auto metric = row["metric"].as<std::string>();
    double factor = 0;
    if (metric == "area") {
      factor = scaling().area(node_of(from) * nm, node_of(to) * nm);
    } else {
      const Voltage v_from = row["v_from"].as<double>() * V, v_to = row["v_to"].as<double>() * V;
      if (metric == "energy") factor = scaling().energy(from, v_from, to, v_to);
      if (metric == "delay") factor = scaling().delay(from, v_from, to, v_to);
      if (metric == "power") factor = scaling().power(from, v_from, to, v_to);
    }
    expect_digits(factor, row["factor"].as<double>(), 8);
  }
}

TEST(NodeScaling, SameNodeIsUntouchedEvenBetweenTheRows) {
  for (const double node : {7.0, 22.0, 28.0, 40.0, 65.0}) {
    const ScalingFactors factors = scaling().factors(node * nm, 0.77 * V, node * nm);
    EXPECT_EQ(factors.energy, 1);
    EXPECT_EQ(factors.area, 1);
    EXPECT_EQ(factors.delay, 1);
    EXPECT_EQ(factors.path, "none");
    EXPECT_THAT(factors.warnings, IsEmpty());
  }
}

TEST(NodeScaling, EnergyThereAndBackIsOneAndFallsWithTheNode) {
  double last = 2;
  for (const double node : {130.0, 90.0, 65.0, 45.0, 40.0, 32.0, 28.0, 22.0, 16.0, 14.0, 10.0, 7.0}) {
    const double there = scaling().factors(180 * nm, std::nullopt, node * nm).energy;
    const double back = scaling().factors(node * nm, std::nullopt, 180 * nm).energy;
    EXPECT_NEAR(there * back, 1, 1e-12) << node;
    EXPECT_LT(there, last) << node;
    last = there;
  }
}

TEST(NodeScaling, InterpolationMeetsTheRows) {
  const double at = scaling().area(45 * nm, 32 * nm);
  EXPECT_DOUBLE_EQ(at, 1 / 2.2);
  EXPECT_NEAR(scaling().area(45 * nm, 32.001 * nm) / at, 1, 1e-3);
  EXPECT_NEAR(scaling().area(45 * nm, 31.999 * nm) / at, 1, 1e-3);
  const double energy = scaling().factors(45 * nm, 1 * V, 32 * nm).energy;
  EXPECT_DOUBLE_EQ(energy, scaling().energy("HP45", 1 * V, "HP32", 0.9 * V));
  EXPECT_NEAR(scaling().factors(45 * nm, 1 * V, 32.001 * nm).energy / energy, 1, 1e-3);
}

TEST(NodeScaling, RecordsItsPathAndItsBounds) {
  const ScalingFactors factors = scaling().factors(45 * nm, 0.9 * V, 5 * nm);
  EXPECT_EQ(factors.path, "Stillmaker & Baas 2017, HP: 45 nm 0.9 V to 5 nm 0.7 V");
  EXPECT_THAT(factors.warnings,
              ElementsAre("Stillmaker & Baas cover 7 nm to 180 nm: 5 nm is scaled as the nearest of them."));
  EXPECT_THAT(scaling().factors(130 * nm, 2.5 * V, 65 * nm).warnings,
              ElementsAre("Stillmaker & Baas are fitted from 0.6 V to 1.8 V: 2.5 V at 130 nm is extrapolated."));
}

TEST(NodeScaling, UnknownRow) {
  try {
    scaling().energy("HP44", 1 * V, "HP7", 0.7 * V);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "'HP44' is not a row of the node scaling table. Rows: 180, 130, 90, 65, HP45, HP32, HP20, HP16, HP14, HP10, "
        "HP7, LP45, LP32, LP20, LP16, LP14, LP10, LP7.");
  }
}

}  // namespace
}  // namespace tellegen::circuits
