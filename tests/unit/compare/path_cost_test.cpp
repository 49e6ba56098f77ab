// Counts, prices, break-even points.

#include <gtest/gtest.h>

#include "small_comparison.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::compare {
namespace {

using circuits::Band;

circuits::Price price(double energy, double area, double latency, double power = 0) {
  circuits::Price made;
  made.energy_J = {energy / 2, energy, 2 * energy};
  made.area_m2 = {area / 2, area, 2 * area};
  made.static_W = Band::exact(power);
  made.latency_s = latency;
  return made;
}

TEST(PathCost, IsCountTimesPrice) {
  Path path;
  path.costs.push_back({"adc", price(8, 64, 2), 1, 1.0 / 8, 8, true});
  path.costs.push_back({"unit", price(1, 16, 1, 4), 1, 1.0 / 8, 8, true});
  path.costs.push_back({"dac", price(2, 3, 5), 4, 1, 1, false});
  const PathCost cost = cost_of(path);
  // One after another, and seven more turns of the slower shared part.
  EXPECT_EQ(cost.latency_s, 2 + 1 + 5 + 7 * 2);
  // 8 + (1 + 4 W / 8 over the latency) + 4 x 2.
  EXPECT_EQ(cost.energy_J, (Band{4 + 0.5 + 11 + 4, 8 + 1 + 11 + 8, 16 + 2 + 11 + 16}));
  EXPECT_EQ(cost.area_m2, (Band{4 + 1 + 1.5, 8 + 2 + 3, 16 + 4 + 6}));
}

TEST(PathCost, OneComponentsEnergyChangesTheTotalByItsCount) {
  const char* const options = "  - {name: table, path: digital, dac: {kind: one_bit, streaming: bit_serial}}\n";
  const Comparison plain = run(small(options)), dear = run(small(options, "costs: {energy_scale: {adc: 3}}")),
                   drivers = run(small(options, "costs: {energy_scale: {dac: 5}}"));
  const Row& row = plain.rows[0];
  EXPECT_EQ(part(row, "adc").actions, 1);
  EXPECT_EQ(part(row, "adc").instances, 1.0 / 8);
  EXPECT_GT(part(row, "dac").actions, 1);
  const double total = row.cost.energy_J.typical;
  EXPECT_NEAR(dear.rows[0].cost.energy_J.typical, total + 2 * part(row, "adc").energy_J.typical, 1e-12 * total);
  EXPECT_NEAR(drivers.rows[0].cost.energy_J.typical, total + 4 * part(row, "dac").energy_J.typical, 1e-12 * total);
  EXPECT_EQ(dear.rows[0].resized.sizes.enob, row.resized.sizes.enob);
}

TEST(PathCost, SerialDriversTakeTheirTimeForEverySlice) {
  const ComparisonConfig config =
      small("  - {name: table, path: digital, dac: {kind: one_bit, streaming: bit_serial}}\n");
  const LayerSamples samples = gather(config.layers[0], config.samples, config.seed);
  const circuits::CostModel costs(config.costs, kCosts);
  const Surroundings around{&costs, config.node, 128, config.temperatures, config.priced_at, 5, 1};
  const auto dac = [&](int word_bits) {
    Sizes sizes;
    sizes.enob = 6;
    sizes.word_bits = word_bits;
    const Path path = make_path({config.layers[0], samples, config.options[0], around}, sizes, Temperature::si(300));
    return path.costs.back();
  };
  const LaneCost five = dac(5), eight = dac(8);
  ASSERT_EQ(five.component, "dac");
  EXPECT_EQ(eight.actions - five.actions, 3);
  EXPECT_GT(five.price.latency_s, 0);
  EXPECT_NEAR(eight.price.latency_s / five.price.latency_s, eight.actions / five.actions, 1e-12);
}

TEST(PathCost, SharingDividesConverterAreaAndNothingElse) {
  const Comparison found =
      run(small("  - {name: four, path: digital, adc: {columns_per_adc: 4}}\n  - {name: eight, path: digital}\n"));
  const Row &four = found.rows[0], &eight = found.rows[1];
  for (const char* name : {"adc", "unit"})
    EXPECT_DOUBLE_EQ(part(four, name).area_m2.typical, 2 * part(eight, name).area_m2.typical);
  for (const char* name : {"sample_hold", "dac"}) EXPECT_EQ(part(four, name).area_m2, part(eight, name).area_m2);
}

TEST(PathCost, DigitalReadersNeedNoDacAndAnalogGatesAConverterMore) {
  ComparisonConfig config = small("  - {name: table, path: digital}\n  - {name: gate, path: analog}\n");
  config.layers[0].reader = Reader::digital;
  const Comparison found = run(config);
  EXPECT_THROW(part(found.rows[0], "dac"), std::logic_error);
  EXPECT_GT(part(found.rows[1], "output_adc").energy_J.typical, 0);
}

TEST(PathCost, TotalsAreActivationsLanesAndWaves) {
  ComparisonConfig config = small("  - {name: table, path: digital}\n");
  config.layers[0].activations = 33;  // three waves of 16 lanes
  const Comparison found = run(config);
  const PathCost& cost = found.rows[0].cost;
  EXPECT_EQ(found.totals[0].energy_J, 33.0 * cost.energy_J);
  EXPECT_EQ(found.totals[0].area_m2, 16.0 * cost.area_m2);
  EXPECT_EQ(found.totals[0].latency_s, 3 * cost.latency_s);
}

Row hand_made(const std::string& option, PathKind path, double asked, double fixed, double shared, double adc) {
  Row row;
  row.option = option;
  row.layer = "l";
  row.path = path;
  row.asked_error = asked;
  row.resized.reached = Reached::equal;
  row.cost.components.push_back({"front_end", Band::exact(fixed), Band::exact(fixed), 1, 1, 1, false, "", ""});
  row.cost.components.push_back({"adc", Band::exact(adc), Band::exact(shared / 4), 1, 0.25, 4, true, "", ""});
  row.cost.energy_J = Band::exact(fixed + adc);
  row.cost.area_m2 = Band::exact(fixed + shared / 4);
  return row;
}

TEST(BreakEven, IsWhereBothCostTheSame) {
  const auto points = find_break_even(
      {hand_made("gate", PathKind::analog, 0.01, 10, 0, 1), hand_made("table", PathKind::digital, 0.01, 2, 40, 5)});
  ASSERT_EQ(points.size(), 2u);
  // 10 = 2 + 40 / n at n = 5; with more lanes to a converter the table is smaller.
  EXPECT_EQ(points[0].of, "lanes per converter");
  EXPECT_DOUBLE_EQ(points[0].value, 5);
  EXPECT_TRUE(points[0].cheaper_below);
  // 10 + x = 2 + 5 x at x = 2; dearer conversions speak for the gate.
  EXPECT_EQ(points[1].of, "ADC energy");
  EXPECT_DOUBLE_EQ(points[1].value, 2);
  EXPECT_FALSE(points[1].cheaper_below);
}

TEST(BreakEven, BetweenErrorsOnLogarithmicScales) {
  // Energies 2 : 8 at 0.04 and 8 : 2 at 0.01: equal in the middle, 0.02; the gate costs less above.
  const auto points = find_break_even(
      {hand_made("gate", PathKind::analog, 0.04, 2, 0, 0), hand_made("table", PathKind::digital, 0.04, 8, 0, 0),
       hand_made("gate", PathKind::analog, 0.01, 8, 0, 0), hand_made("table", PathKind::digital, 0.01, 2, 0, 0)});
  ASSERT_EQ(points.size(), 2u);
  for (const BreakEven& point : points) {
    EXPECT_EQ(point.of, "error");
    EXPECT_NEAR(point.value, 0.02, 1e-12);
    EXPECT_FALSE(point.cheaper_below);
  }
}

TEST(Comparisons, DoNotDependOnThreadsOrTheHour) {
  const ComparisonConfig config = small("  - {name: table, path: digital}\n  - {name: gate, path: tg_after_dac}\n");
  const Comparison one = run(config, 1), again = run(config, 2);
  for (std::size_t i = 0; i < one.rows.size(); ++i) {
    EXPECT_EQ(one.rows[i].resized.error, again.rows[i].resized.error);
    EXPECT_EQ(one.rows[i].cost.energy_J, again.rows[i].cost.energy_J);
    EXPECT_EQ(one.rows[i].resized.sizes.area, again.rows[i].resized.sizes.area);
  }
}

TEST(Comparisons, ReadyOnesAreReadAndTheirSamplesAreFound) {
  int found = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TELLEGEN_SOURCE_DIR) + "/configs/compare")) {
    if (!compares_activations(entry.path())) continue;
    SCOPED_TRACE(entry.path());
    ComparisonConfig config;
    read_config(entry.path(), config);
    for (const LayerConfig& layer : config.layers)
      EXPECT_FALSE(gather(layer, config.samples, config.seed, entry.path()).x.empty());
    ++found;
  }
  EXPECT_GE(found, 8);
}

TEST(Comparisons, RefuseMoreInputsThanThereAre) {
  const std::string root = std::string(TELLEGEN_SOURCE_DIR) + "/models/";
  LayerConfig layer;
  layer.function = Function::relu;
  layer.samples.network = root + "trained/mlp_mnist.onnx";
  layer.samples.data = root + "data/mnist_test.h5";
  layer.samples.inputs = 10001;
  for (const models::Node& node : models::import_onnx(*layer.samples.network).nodes) {
    if (node.operation->label() == "relu") layer.samples.node = node.name;
  }
  const auto message = [&]() -> std::string {
    try {
      gather(layer, 10, 1);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(),
            "samples.inputs = '10001' is more than '" + layer.samples.data->string() + "' holds; allowed: 1 to 10000.");
  layer.samples.inputs = 2;
  EXPECT_EQ(message(), "");
}

std::string message_of(const std::string& text) {
  ComparisonConfig config;
  try {
    read_config_text(text, "c.yaml", config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(Comparisons, ErrorsNameTheRemedy) {
  const std::string layer = "layers: [{name: a, function: sigmoid}]\n",
                    option = "options: [{name: o, path: digital}]\n";
  EXPECT_EQ(message_of(layer + option), "");
  EXPECT_EQ(message_of(option),
            "c.yaml:1:1: layers must have at least one entry, for example {name: gate, function: silu}.");
  EXPECT_EQ(message_of(layer + "options: [{name: o, path: digital}, {name: o, path: digital}]\n"),
            "c.yaml:2:10: options must have names that differ from each other.");
  EXPECT_EQ(message_of("layers: [{name: a, function: softmax}]\n" + option),
            "c.yaml:1:10: layers[0].length must be above 1 for softmax, and 1 for functions of one number.");
  EXPECT_EQ(message_of(layer + "options: [{name: o, path: digital, search: {trim_bits: [4]}}]\n"),
            "c.yaml:2:44: options[0].search is of paths tg_after_dac and analog: the others have no front-end.");
  EXPECT_EQ(message_of(layer + "options: [{name: o, path: digital, adc: {enob: 5}}]\n"),
            "c.yaml:2:41: options[0].adc must not state 'enob': it is what resizing finds.");
  EXPECT_EQ(
      message_of("layers: [{name: a, function: sigmoid, samples: {node: n}}]\n" + option),
      "c.yaml:1:55: layers[0].samples.node must name an activation of 'network'; give both, or neither for a normal "
      "distribution.");
}

}  // namespace
}  // namespace tellegen::compare
