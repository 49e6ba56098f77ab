#include "tellegen/sim/report/sweep_figure.h"

#include <gmock/gmock.h>

#include <cmath>

#include "real_run.h"
#include "tellegen/base/output_file.h"

namespace tellegen::report {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;

/// Accuracies of two chips each, in the order of the grid; "": none.
SweepResult sweep(const SettingsMap& axes, const std::vector<std::vector<double>>& accuracies) {
  SweepResult result;
  result.name = "wires";
  result.axes = axes;
  for (const std::vector<double>& chips : accuracies) {
    Point point;
    if (chips.empty()) {
      point.refusal = "The chip is too small.";
    } else {
      point.chip_accuracy = chips;
      point.accuracy = mean_interval(chips);
    }
    result.points.push_back(point);
  }
  return result;
}

TEST(SweepFigure, HasOneCurveForEachChoiceOfTheOtherAxis) {
  const plot::Figure figure = sweep_figure(
      sweep({{"experiment", {"a/lenet.yaml", "b/mlp.yaml"}}, {"chip.crossbar.row_wire", {"20 ohm", "0 ohm", "1 kohm"}}},
            {{0.5, 0.5}, {0.9, 0.9}, {}, {0.1, 0.1}, {0.7, 0.72}, {0.2, 0.2}}));
  ASSERT_EQ(figure.panels.size(), 1U);
  const plot::Panel& panel = figure.panels[0];
  EXPECT_EQ(panel.x.label, "crossbar.row_wire");
  EXPECT_EQ(panel.x.unit, "ohm");
  EXPECT_FALSE(panel.x.log);
  EXPECT_EQ(panel.y.unit, "%");
  ASSERT_EQ(panel.series.size(), 3U) << "two curves, and one band: the chips of lenet are all equal";
  EXPECT_EQ(panel.series[1].name, "lenet");
  EXPECT_THAT(panel.series[1].x, ElementsAre(0, 20, 1000));
  EXPECT_THAT(panel.series[1].y, ElementsAre(DoubleEq(90), DoubleEq(50), testing::IsNan()));
  const plot::Series &band = panel.series[0], &mlp = panel.series[2];
  EXPECT_EQ(mlp.name, "mlp");
  EXPECT_EQ(band.style, plot::Style::band);
  EXPECT_EQ(band.colour, mlp.colour);
  // Deviation of 70 and 72 is sqrt(2): half width 12.706 * sqrt(2) / sqrt(2).
  EXPECT_NEAR(band.y[0], 71 - 12.706, 1e-3);
  EXPECT_NEAR(band.y_high[0], 71 + 12.706, 1e-3);
}

TEST(SweepFigure, MakesAPanelForEachValueOfAThirdAxis) {
  const plot::Figure figure = sweep_figure(
      sweep({{"chip.adc.bits", {"4", "8"}}, {"chip.device.age", {"1 s", "1 day", "1 year"}}, {"network", {"a", "b"}}},
            std::vector<std::vector<double>>(12, {0.5, 0.6})));
  ASSERT_EQ(figure.panels.size(), 2U);
  EXPECT_EQ(figure.panels[0].title, "adc.bits 4");
  EXPECT_TRUE(figure.panels[0].x.log);
  EXPECT_EQ(figure.panels[0].x.label, "device.age");
  EXPECT_THAT(figure.panels[1].series[2].x, ElementsAre(1, 86400, 365.25 * 86400));
  EXPECT_EQ(figure.panels[1].series[3].name, "network b");
}

TEST(SweepFigure, NeedsAnAxisOfNumbers) {
  TemporaryFolder folder;
  const auto error = [&](const std::string& over) -> std::string {
    write_text_file(folder / "s.yaml", "experiment: a.yaml\nover: " + over + "\n");
    try {
      require_figure_axis(folder / "s.yaml");
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "no error";
  };
  const std::string nothing = (folder / "s.yaml").string() +
                              ": nothing can be drawn: no axis has two values or more that are all numbers, or "
                              "quantities of one kind. Leave --plot out, or add such an axis under 'over'.";
  EXPECT_EQ(error("{chip.adc.bits: [6, ideal]}"), nothing);
  EXPECT_EQ(error("{chip.adc.bits: [6]}"), nothing);
  EXPECT_EQ(error("{chip.device.age: [1 s, 1 V]}"), nothing);
  EXPECT_EQ(error("{chip.device.age: [1 s, 5]}"), nothing);
  EXPECT_EQ(error("{chip.device.age: [1 s, 2 s]}"), "no error");
}

TEST(SweepAxis, MayChangeSeveralSettingsAtOnce) {
  EXPECT_THAT(settings_of("a.b, a.c"), ElementsAre("a.b", "a.c"));
  EXPECT_THAT(settings_of("a.b"), ElementsAre("a.b"));
  EXPECT_TRUE(overlap("a.b, a.c", "a.c.d"));
  EXPECT_FALSE(overlap("a.b, a.c", "a.d"));
  TemporaryFolder folder;
  write_text_file(folder / "s.yaml",
                  "experiment: " + source_file("configs/experiments/lenet_wires.yaml").string() +
                      "\nover:\n  chip.crossbar.row_wire, chip.crossbar.column_wire: [2 ohm, 3 ohm]\n");
  const auto configs = sweep_experiments(folder / "s.yaml", {});
  ASSERT_EQ(configs.size(), 2U);
  EXPECT_EQ(configs[1].chip.crossbar.wires.row_wire.si(), 3);
  EXPECT_EQ(configs[1].chip.crossbar.wires.column_wire.si(), 3);
  EXPECT_THROW(sweep_experiments(folder / "s.yaml", {{"chip.crossbar.column_wire", "1 ohm"}}), InputError);
}

}  // namespace
}  // namespace tellegen::report
