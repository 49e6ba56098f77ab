// The area of a tile from what is printed of it alone.

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

#include "real_run.h"
#include "tellegen/sim/report/report.h"
#include "tellegen/sim/report/report_text.h"

namespace tellegen::report {
namespace {

using Json = nlohmann::json;

/// Numbers of a printed report by id.
std::map<std::string, Json> printed(const sim::RunResult& result) {
  std::map<std::string, Json> numbers;
  const Json report = Json::parse(report_json(make_report(result)));
  for (const Json& number : report.at("numbers")) numbers[number.at("id")] = number;
  return numbers;
}

double input(const Json& number, const std::string& name) {
  for (const Json& entry : number.at("inputs")) {
    if (entry.at("name") == name) return entry.at("value");
  }
  ADD_FAILURE() << "no input " << name;
  return 0;
}

struct Chip {
  const char* name;
  Overrides overrides;
  double rows, columns, lines, adcs;  ///< of a tile as built
};

class PrintedArea : public ::testing::TestWithParam<Chip> {};

TEST_P(PrintedArea, OfATileIsInstancesTimesEachOfItsParts) {
  const Chip& chip = GetParam();
  const sim::RunResult result = real_run(chip.overrides);
  const std::map<std::string, Json> numbers = printed(result);
  const std::map<std::string, double> on_a_tile = {{"cells", chip.rows * chip.columns},
                                                   {"dac", chip.rows},
                                                   {"sample_hold", chip.lines},
                                                   {"adc", chip.adcs},
                                                   {"shift_add", chip.adcs},
                                                   {"scaling", 1}};
  double chip_m2 = 0;
  for (const ReportLayer& layer : report_layers(result)) {
    const double tiles = numbers.at("tiles." + layer.id).at("value");
    double tiles_m2 = 0, others_m2 = 0;
    for (const auto& [id, number] : numbers) {
      const std::string prefix = "area." + layer.id + ".";
      if (!id.starts_with(prefix)) continue;
      const std::string component = id.substr(prefix.size());
      const double instances = input(number, "instances"), each_m2 = input(number, "each, typical");
      const auto known = on_a_tile.find(component);
      if (known == on_a_tile.end()) {
        others_m2 += instances * each_m2;  // buffers and digital units of the layer
        continue;
      }
      EXPECT_EQ(instances, tiles * known->second) << component;
      tiles_m2 += tiles * known->second * each_m2;
    }
    const double printed_m2 = numbers.at("area." + layer.id).at("value");
    EXPECT_NEAR(tiles_m2 + others_m2, printed_m2, 1e-12 * printed_m2) << layer.id;
    EXPECT_GT(tiles_m2, 0);
    chip_m2 += tiles_m2 + others_m2;
  }
  const double total_m2 = numbers.at("area").at("value");
  EXPECT_NEAR(chip_m2, total_m2, 1e-12 * total_m2);
}

INSTANTIATE_TEST_SUITE_P(Chips, PrintedArea,
                         ::testing::Values(Chip{"Pairs", {}, 128, 128, 64, 8},
                                           Chip{"SeparateColumns",
                                                {{"chip.tile.rows", "64"},
                                                 {"chip.tile.columns", "96"},
                                                 {"chip.tile.subtract", "digital"},
                                                 {"chip.adc.kind", "flash"},
                                                 {"chip.adc.bits", "6"},
                                                 {"chip.adc.columns_per_adc", "16"}},
                                                64,
                                                96,
                                                96,
                                                6}),
                         [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tellegen::report
