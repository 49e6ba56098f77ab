// One price changed changes the total by its count and nothing else; areas are their printed parts.

#include <gtest/gtest.h>

#include <functional>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

/// Two chips that share no setting of converters, cells or encoding.
const char* const kChips[] = {
    "chip: {node: 32 nm, device: {model: pcm_joshi, age: 1 hour}, tile: {rows: 64, columns: 64}, interconnect: "
    "{topology: mesh, dram: lpddr4}}",
    "chip: {node: 65 nm, tile: {rows: 128, columns: 128, encoding: offset, cell_levels: 4, slices: 4}, dac: {kind: "
    "one_bit, bits: 8, streaming: bit_serial}, adc: {kind: flash, bits: 6}, interconnect: {topology: h_tree}}"};

RunResult run(const std::string& chip, const Overrides& overrides = {}) {
  return Session(test::kCosts)
      .run(test::experiment("lenet_mnist", chip + "\nevaluate: {samples: 16, chips: 1, calibration_samples: 16}",
                            overrides));
}

struct Component {
  const char* scale;                                  ///< in costs.energy_scale
  std::function<bool(const std::string&)> is_priced;  ///< rows whose price it scales
};

std::function<bool(const std::string&)> named(const char* name) {
  return [name](const std::string& component) { return component == name; };
}

const Component kComponents[] = {{"adc", named("adc")},
                                 {"dac", named("dac")},
                                 {"row_line", named("row_line")},
                                 {"cell", named("cells")},
                                 {"sample_hold", named("sample_hold")},
                                 {"digital", [](const std::string& c) { return c == "shift_add" || c == "scaling"; }},
                                 {"activation", [](const std::string& c) { return c.starts_with("activation_"); }},
                                 {"memory", [](const std::string& c) { return c.starts_with("buffer"); }},
                                 {"interconnect", [](const std::string& c) {
                                    return c.starts_with("router") || c == "link" || c.starts_with("dram");
                                  }}};

class OnePrice : public ::testing::TestWithParam<const char*> {};

TEST_P(OnePrice, ChangesTheTotalByItsCountTimesItsChange) {
  constexpr double kFactor = 3;
  const RunResult before = run(GetParam());
  const double total_before = total_energy_J(before.ledger).typical;
  for (const Component& component : kComponents) {
    SCOPED_TRACE(component.scale);
    const RunResult after = run(GetParam(), {{std::string("costs.energy_scale.") + component.scale, "3"}});
    ASSERT_EQ(after.ledger.energy.size(), before.ledger.energy.size());
    double change = 0;
    bool any = false;
    for (std::size_t r = 0; r < before.ledger.energy.size(); ++r) {
      const EnergyRow &was = before.ledger.energy[r], &is = after.ledger.energy[r];
      EXPECT_EQ(is.count, was.count) << was.component;
      const bool priced = component.is_priced(was.component);
      any = any || priced;
      if (was.component == "leakage") {  // static power is scaled with the energy of actions
        change += is.energy_J.typical - was.energy_J.typical;
        continue;
      }
      EXPECT_DOUBLE_EQ(is.price.energy_J.typical, (priced ? kFactor : 1) * was.price.energy_J.typical) << was.component;
      if (priced) change += was.count * (kFactor - 1) * was.price.energy_J.typical;
    }
    EXPECT_TRUE(any) << "the chip has no such component";
    const double total_after = total_energy_J(after.ledger).typical;
    EXPECT_NEAR(total_after - total_before, change, 1e-12 * total_after);
    EXPECT_GT(change, 0);
  }
}

TEST_P(OnePrice, OfLeakageIsTheStaticPowerOfTheParts) {
  const Ledger ledger = run(GetParam()).ledger;
  double static_W = 0, leaked_J = 0;
  for (const AreaRow& row : ledger.area) static_W += row.instances * row.price.static_W.typical;
  for (const EnergyRow& row : ledger.energy) leaked_J += row.component == "leakage" ? row.energy_J.typical : 0;
  EXPECT_GT(static_W, 0);
  EXPECT_NEAR(leaked_J, static_W * total_latency_s(ledger), 1e-12 * leaked_J);
}

INSTANTIATE_TEST_SUITE_P(Chips, OnePrice, ::testing::ValuesIn(kChips));

/// Area of one ADC and of all ADCs of one tile.
struct AdcArea {
  circuits::Band each_m2;
  double on_a_tile = 0;
};

AdcArea adc_area(const std::string& network, const std::string& tile, const std::string& adc) {
  const ExperimentConfig config =
      test::experiment(network, "chip: {tile: {rows: 128, columns: 128, " + tile + "}, adc: {" + adc +
                                    "}}\nevaluate: {samples: 4, chips: 1, calibration_samples: 4}");
  const RunResult result = Session(test::kCosts).run(config);
  for (const AreaRow& row : result.ledger.area) {
    if (row.component != "adc") continue;
    const double tiles = static_cast<double>(result.plan.layers[0].slices.size());
    return {row.price.area_m2, row.instances / tiles};
  }
  ADD_FAILURE() << "no ADC";
  return {};
}

/// What a cell holds changes how many columns a weight takes, not what a converter of so many bits is.
TEST(AdcArea, AtFixedBitsAndRateDoesNotDependOnTheBitsOfACell) {
  for (const char* const network : {"mlp_mnist", "lenet_mnist"}) {
    for (const char* const adc : {"kind: sar, bits: 8, rate: 1 GHz", "kind: flash, bits: 5, rate: 500 MHz"}) {
      const AdcArea one_bit = adc_area(network, "encoding: offset, cell_levels: 2, slices: 8", adc);
      EXPECT_GT(one_bit.each_m2.typical, 0);
      for (const char* const tile :
           {"encoding: offset, cell_levels: 4, slices: 4", "encoding: offset, cell_levels: 16, slices: 2",
            "encoding: offset, cell_levels: 256, slices: 1"}) {
        SCOPED_TRACE(tile);
        const AdcArea area = adc_area(network, tile, adc);
        EXPECT_EQ(area.each_m2, one_bit.each_m2);
        EXPECT_EQ(area.on_a_tile, one_bit.on_a_tile) << "128 lines of either";
      }
    }
  }
}

}  // namespace
}  // namespace tellegen::sim
