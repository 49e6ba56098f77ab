// A comparison for people, for programs, and as a picture.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "small_comparison.h"
#include "tellegen/sim/report/activation_table.h"

namespace tellegen::compare {
namespace {

const Comparison& example() {
  static const Comparison found = run(small(
      "  - {name: \"SAR, table\", path: digital}\n  - {name: four bits, path: digital, adc: {bits: 4}}\n  - {name: "
      "no gate, path: analog, front_end: {circuit: memglu_pairs}}\n"));
  return found;
}

TEST(ComparisonOutput, CsvHasOneLinePerRowAndBlanksWhereNothingIsKnown) {
  const std::string csv = report::activation_csv(example());
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "layer,option,asked_error,verdict,error,median_error,sizes,energy_J_low,energy_J_typical,energy_J_high,"
            "area_m2_low,"
            "area_m2_typical,area_m2_high,latency_s,why");
  EXPECT_NE(csv.find("\ngate,\"SAR, table\",0.01,equal,"), std::string::npos);
  EXPECT_NE(csv.find("\ngate,four bits,0.01,unreachable,"), std::string::npos);
  EXPECT_NE(csv.find("\ngate,no gate,0.01,refused,,,,,,,,,,,"), std::string::npos);
}

TEST(ComparisonOutput, JsonPartsAddUpToTheirRow) {
  const auto json = nlohmann::json::parse(report::activation_json(example()));
  ASSERT_EQ(json["rows"].size(), 3u);
  for (const auto& row : json["rows"]) {
    if (row["verdict"] == "refused") {
      EXPECT_FALSE(row.contains("energy_J"));
      continue;
    }
    for (const char* quantity : {"energy_J", "area_m2"}) {
      for (const char* level : {"low", "typical", "high"}) {
        double sum = 0;
        for (const auto& component : row["components"]) sum += component[quantity][level].get<double>();
        EXPECT_NEAR(sum, row[quantity][level].get<double>(), 1e-12 * sum);
      }
    }
    for (const auto& component : row["components"]) {
      EXPECT_NE(component["source"], "");
      EXPECT_NE(component["spread"], "");
    }
  }
  EXPECT_EQ(json["config_hash"], example().hash);
}

TEST(ComparisonOutput, TheTableMarksWhatIsNotEqual) {
  const std::string table = report::activation_table(example());
  EXPECT_NE(table.find("gate: allowed error 1 %"), std::string::npos);
  EXPECT_NE(table.find("unreachable"), std::string::npos);
  EXPECT_NE(table.find("not at this error in every layer"), std::string::npos);
  EXPECT_NE(table.find("four bits (gate, 1 %): "), std::string::npos);
}

TEST(ComparisonOutput, TheFigureHasAPointWithBarsForEachPricedRow) {
  const plot::Figure figure = report::activation_figure(example());
  ASSERT_EQ(figure.panels.size(), 1u);
  const auto& series = figure.panels[0].series;
  ASSERT_EQ(series.size(), 4u);
  const Row& row = example().rows[0];
  EXPECT_EQ(series[1].name, "SAR, table");
  EXPECT_DOUBLE_EQ(series[1].x[0], 1e12 * row.cost.energy_J.typical);
  EXPECT_DOUBLE_EQ(series[0].x[0], 1e12 * row.cost.energy_J.low);
  EXPECT_DOUBLE_EQ(series[0].y[4], 1e12 * row.cost.area_m2.high);
  EXPECT_EQ(series[3].name.substr(0, 11), "four bits (");
}

}  // namespace
}  // namespace tellegen::compare
