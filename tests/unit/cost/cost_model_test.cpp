// What the ledger asks for.

#include "tellegen/circuits/cost/cost_model.h"

#include <gmock/gmock.h>

#include "cost_testing.h"
#include "tellegen/circuits/cost/cell_write.h"
#include "tellegen/circuits/cost/interconnect_cost.h"

namespace tellegen::circuits {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace tellegen::units;

template <class Call>
std::string message(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CostModel, ConvertersCostMoreWithEachBitUnderEveryLaw) {
  for (const char* law : {"andrulis_2024", "isaac_2016", "neurosim_sar", "zigzag_2023", "survey_2025"}) {
    CostConfig config;
    config.adc = law;
    const CostModel costs = model(config);
    for (const char* kind : {"sar", "flash", "ramp", "pipeline", "cyclic", "cco", "time_based"}) {
      double last = 0;
      for (int bits = 1; bits <= 12; ++bits) {
        AdcUse use;
        use.kind = kind;
        use.bits = bits;
        const double energy = costs.adc_conversion(use).energy_J.typical;
        EXPECT_GT(energy, last) << law << " " << kind << " " << bits;
        last = energy;
      }
    }
  }
}

TEST(CostModel, ConverterUnderFourBitsIsMarkedAsExtrapolated) {
  const CostModel costs = model();
  AdcUse use;
  use.bits = 4;
  EXPECT_THAT(costs.adc_conversion(use).from.warnings, IsEmpty());
  for (const double bits : {1.0, 2.0, 3.0}) {
    use.bits = bits;
    EXPECT_THAT(costs.adc_conversion(use).from.warnings, Contains(HasSubstr("extrapolated")));
  }
}

TEST(CostModel, LawThatTakesTheNodeIsNotScaled) {
  const CostModel costs = model();
  AdcUse use;
  use.node = 65 * nm;
  use.rate = 10 * MHz;
  const Price price = costs.adc_conversion(use);
  expect_digits(price.energy_J.typical * 1e12, 6.49447941, 9);  // the plug-in's own value at 65 nm
  EXPECT_EQ(price.from.scaling, "none: the law takes the node");
}

TEST(CostModel, IdealConvertersAndNoActivationCostNothing) {
  const CostModel costs = model();
  AdcUse adc;
  adc.bits = 0;
  EXPECT_EQ(costs.adc_conversion(adc).energy_J, Band{});
  EXPECT_EQ(costs.adc_conversion(adc).area_m2, Band{});
  EXPECT_EQ(costs.activation("", 32 * nm).energy_J, Band{});
  EXPECT_EQ(costs.activation("", 32 * nm).area_m2, Band{});
  EXPECT_EQ(costs.buffer(Access::read, 0, 32 * nm).energy_J, Band{});
}

TEST(CostModel, UnknownNames) {
  const CostModel costs = model();
  EXPECT_EQ(
      message([&] { costs.activation("relux", 32 * nm); }),
      "'relux' is not an activation unit that costs.activation = isaac_2016 prices. Known units: relu, sigmoid, tanh, "
      "silu, gelu, add, multiply, max_pool, average_pool, softmax, exponential, layer_norm, requantise; did you mean "
      "'relu'?");
  EXPECT_EQ(message([&] { costs.entry("isaac_sigmoit"); }),
            "'isaac_sigmoit' is not an entry of the cost tables; did you mean 'isaac_sigmoid'?");
  AdcUse use;
  use.kind = "delta_sigma";
  EXPECT_EQ(message([&] { costs.adc_conversion(use); }),
            "there is no price for an ADC of kind 'delta_sigma'. Known kinds: sar, flash, ramp, pipeline, cyclic, cco, "
            "time_based, sense_amplifier.");
}

// Compositions at 45 nm as the parts' source adds them up.
TEST(CostModel, UnitsAreSumsOfTheirParts) {
  CostConfig config;
  config.activation = "horowitz_2014";
  const CostModel costs = model(config);
  EXPECT_NEAR(costs.activation("sigmoid", 45 * nm).energy_J.typical, 0.78e-12, 1e-24);
  EXPECT_NEAR(costs.activation("silu", 45 * nm).energy_J.typical, 0.98e-12, 1e-24);
  EXPECT_NEAR(costs.activation("silu", 45 * nm).area_m2.typical, (36 + 282 + 67 + 282) * 1e-12, 1e-24);
  EXPECT_EQ(costs.activation("silu", 45 * nm).from.source, "HOROWITZ");
  EXPECT_EQ(costs.activation("silu", 45 * nm).formula,
            "horowitz_add_8_J + horowitz_register_file_16_J + horowitz_multiply_8_J + horowitz_add_16_J + "
            "horowitz_multiply_8_J");
}

TEST(CostModel, LogicIsScaledFromTheSupplyOfItsSource) {
  CostConfig config;
  config.digital = "horowitz_2014";
  const Price price = model(config).add(8, 7 * nm);
  // HP45 at 0.9 V to HP7 at 0.7 V: 0.068419546 in energy, 1/17 in area.
  expect_digits(price.energy_J.typical / 0.03e-12, 0.068419546, 8);
  EXPECT_NEAR(price.area_m2.typical, 36e-12 / 17, 1e-24);
  EXPECT_DOUBLE_EQ(price.from.node_nm, 45);
  EXPECT_EQ(price.from.scaling, "Stillmaker & Baas 2017, HP: 45 nm 0.9 V to 7 nm 0.7 V");
}

TEST(CostModel, WordsPickTheNarrowestUnitThatHoldsThem) {
  CostConfig config;
  config.digital = "horowitz_2014";
  const CostModel costs = model(config);
  const auto add_pJ = [&](int bits) { return costs.add(bits, 45 * nm).energy_J.typical * 1e12; };
  EXPECT_DOUBLE_EQ(add_pJ(1), 0.03);
  EXPECT_DOUBLE_EQ(add_pJ(8), 0.03);
  EXPECT_DOUBLE_EQ(add_pJ(9), 0.05);
  EXPECT_DOUBLE_EQ(add_pJ(32), 0.1);
  EXPECT_DOUBLE_EQ(add_pJ(33), 0.2);
  EXPECT_DOUBLE_EQ(costs.multiply(33, 45 * nm).energy_J.typical * 1e12, 4 * 3.1);
  EXPECT_DOUBLE_EQ(model().shift_add(16, 32 * nm).energy_J.typical, 0.05e-3 / 2.4e9);
  EXPECT_DOUBLE_EQ(model().shift_add(17, 32 * nm).area_m2.typical, 2 * 60e-12);
}

TEST(CostModel, BuffersPickTheSmallestMemoryThatHoldsThem) {
  const CostModel costs = model();
  const auto read = [&](std::int64_t bytes, double node) { return costs.buffer(Access::read, bytes, node * nm); };
  EXPECT_DOUBLE_EQ(read(65536, 32).energy_J.typical, 12.873e-12 / 64);
  EXPECT_DOUBLE_EQ(costs.buffer(Access::write, 65536, 32 * nm).energy_J.typical, 10.772e-12 / 64);
  EXPECT_DOUBLE_EQ(read(65536, 32).area_m2.typical, 124420e-12);
  EXPECT_DOUBLE_EQ(read(65536, 32).static_W.typical, 2.89e-6);
  EXPECT_EQ(read(1025, 32).area_m2, read(2048, 32).area_m2);
  EXPECT_EQ(read(100, 32).area_m2, read(1024, 32).area_m2);
  EXPECT_DOUBLE_EQ(read(3 << 20, 32).area_m2.typical, 3 * 1650300e-12);
  EXPECT_EQ(read(3 << 20, 32).energy_J, read(1 << 20, 32).energy_J);
  // 28 nm is nearer to 32 nm than to 22 nm by ratio.
  EXPECT_DOUBLE_EQ(read(65536, 28).from.node_nm, 32);
  EXPECT_EQ(read(65536, 28).from.scaling, "Stillmaker & Baas 2017, HP: 32 nm 0.9 V to 28 nm 0.882 V");
  EXPECT_LT(read(65536, 28).energy_J.typical, read(65536, 32).energy_J.typical);
  EXPECT_DOUBLE_EQ(read(65536, 7).from.node_nm, 22);
}

TEST(CostModel, EdramBufferOfIsaac) {
  CostConfig config;
  config.memory = "isaac_2016";
  const Price price = model(config).buffer(Access::read, 32768, 32 * nm);
  EXPECT_DOUBLE_EQ(price.energy_J.typical, 20.7e-12 / 256);
  EXPECT_DOUBLE_EQ(price.area_m2.typical, 83000e-12 / 2);
}

TEST(CostModel, UserScalesMultiplyExactlyAndAreShown) {
  CostConfig config;
  config.energy_scale.adc = 2;
  config.area_scale.adc = 0.25;
  const CostModel costs = model(config);
  const Price plain = model().adc_conversion({}), scaled = costs.adc_conversion({});
  EXPECT_EQ(scaled.energy_J, 2 * plain.energy_J);
  EXPECT_EQ(scaled.area_m2, 0.25 * plain.area_m2);
  EXPECT_EQ(input(scaled, "energy_scale"), 2);
  EXPECT_EQ(input(scaled, "area_scale"), 0.25);
  EXPECT_THAT(scaled.formula, HasSubstr("energy_scale * ("));
  EXPECT_EQ(costs.sample_hold(32 * nm).energy_J, model().sample_hold(32 * nm).energy_J);
}

/// A router's leakage is energy, too.
TEST(CostModel, UserScalesOfTheInterconnectReachLeakage) {
  CostConfig config;
  config.energy_scale.interconnect = 2;
  config.area_scale.interconnect = 0.5;
  const Price plain = router_price(model(), 64, 32 * nm), scaled = router_price(model(config), 64, 32 * nm);
  EXPECT_GT(plain.static_W.typical, 0);
  EXPECT_EQ(scaled.energy_J, 2 * plain.energy_J);
  EXPECT_EQ(scaled.static_W, 2 * plain.static_W);
  EXPECT_EQ(scaled.area_m2, 0.5 * plain.area_m2);
}

TEST(CellWriteTable, EnduranceLiesBetweenItsEnds) {
  CellWriteTable table;
  const std::string cell =
      "cells:\n- {cell: pcm, entry: e, source: s, endurance_low: 10, endurance_high: 100, endurance: ";
  EXPECT_EQ(message([&] { read_config_text(cell + "5}\n", "cells.yaml", table); }),
            "cells.yaml:2:87: cells[0].endurance = '5' is not between endurance_low and endurance_high, 10 to 100.");
  EXPECT_EQ(message([&] { read_config_text(cell + "500}\n", "cells.yaml", table); }),
            "cells.yaml:2:87: cells[0].endurance = '500' is not between endurance_low and endurance_high, 10 to 100.");
}

TEST(CostConfig, ReadsItsChoicesAndRefusesOthers) {
  CostConfig config;
  read_config_text("adc: isaac_2016\nenergy_scale: {adc: 0.5}\n", "costs.yaml", config);
  EXPECT_EQ(config.adc, "isaac_2016");
  EXPECT_EQ(config.energy_scale.adc, 0.5);
  EXPECT_EQ(config.digital, "isaac_2016");
  EXPECT_EQ(message([&] { read_config_text("adc: andrulis\n", "costs.yaml", config); }),
            "costs.yaml:1:6: adc = 'andrulis' is not known. Known adcs: andrulis_2024, isaac_2016, neurosim_sar, "
            "zigzag_2023, survey_2025.");
  EXPECT_EQ(message([&] { read_config_text("area_scale: {adc: 0}\n", "costs.yaml", config); }),
            "costs.yaml:1:19: area_scale.adc = '0' is out of range; allowed: above 0.");
}

}  // namespace
}  // namespace tellegen::circuits
