// Attention on crossbars in reports: rows of rewritten tiles, their writes, and how long their cells last.

#include <gtest/gtest.h>

#include <algorithm>

#include "../report/real_run.h"
#include "tellegen/sim/report/explain.h"
#include "tellegen/sim/report/map_output.h"
#include "tellegen/sim/report/report.h"
#include "tellegen/sim/report/run_file.h"
#include "tellegen/sim/report/run_table.h"

namespace tellegen::report {
namespace {

sim::RunResult attention_run() {
  const sim::ExperimentConfig config =
      sim::read_experiment(source_file("configs/experiments/vit_mnist.yaml"), {{"evaluate.samples", "4"},
                                                                               {"evaluate.chips", "1"},
                                                                               {"evaluate.calibration_samples", "4"},
                                                                               {"evaluate.snr_samples", "4"},
                                                                               {"chip.attention.products", "crossbar"},
                                                                               {"chip.attention.cell", "rram"}});
  return sim::Session(source_file("configs/costs"), 1).run(config);
}

TEST(AttentionReport, LifetimeIsEnduranceOverWritesTimesLatency) {
  const sim::RunResult run = attention_run();
  const Report report = make_report(run);
  const auto& numbers = report.numbers;
  for (std::size_t w = 0; w < run.plan.written.size(); ++w) {
    const ReportLayer& layer = report.layers.at(run.plan.layers.size() + w);
    EXPECT_EQ(layer.name, run.plan.written[w].name);
    EXPECT_EQ(layer.operation, run.plan.written[w].label);
    EXPECT_EQ(numbers.at("writes_per_cell." + layer.id).value, 1);
    EXPECT_EQ(numbers.at("lifetime_inputs." + layer.id).value, 3e6);
    const Number& lifetime = numbers.at("lifetime." + layer.id);
    const double latency_s = numbers.at("latency").value;
    EXPECT_DOUBLE_EQ(lifetime.low, 1e4 * latency_s);
    EXPECT_DOUBLE_EQ(lifetime.value, 3e6 * latency_s);
    EXPECT_DOUBLE_EQ(lifetime.high, 1e9 * latency_s);
    EXPECT_EQ(lifetime.warnings.size(), w == 0 ? 1U : 0U);
  }
}

/// 16 tokens in 4 heads of 16 numbers, two cells each: 2048 writes of 6 pJ.
TEST(AttentionReport, WritesArePricedAndPartOfTheLatency) {
  const sim::RunResult run = attention_run();
  const Report report = make_report(run);
  const std::string layer = report.layers.at(run.plan.layers.size()).id;
  EXPECT_EQ(report.numbers.at("count." + layer + ".cell_writes").value, 4 * 2048);
  EXPECT_NEAR(report.numbers.at("energy." + layer + ".cell_writes").value, 2048 * 6e-12, 1e-18);
  const Number& latency = report.numbers.at("latency." + layer);
  const auto writes = std::ranges::find(latency.inputs, "writes", &NumberInput::name);
  ASSERT_NE(writes, latency.inputs.end());
  EXPECT_NEAR(writes->value, 16 * 100e-9, 1e-15);
  EXPECT_TRUE(latency.formula.ends_with(" + writes"));
  EXPECT_EQ(report.numbers.at("tiles").value, run.plan.tiles);
  EXPECT_EQ(report.numbers.at("tiles." + layer).value, 4);
}

TEST(AttentionReport, TableMapAndFileHaveTheRows) {
  const sim::RunResult run = attention_run();
  const Report report = make_report(run);
  EXPECT_NE(run_table(report).find("Attention takes 1 write of each of its cells per input."), std::string::npos);
  const std::string map = map_table(run), csv = map_csv(run);
  EXPECT_NE(map.find("queries x keys"), std::string::npos);
  EXPECT_NE(map.find("weights x values"), std::string::npos);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), run.plan.tiles + 1);
  const TemporaryFolder folder;
  const std::filesystem::path file = folder / "run.h5";
  write_run_file(file, run, report);
  const Report read = read_run_file(file);
  const std::string layer = report.layers.at(run.plan.layers.size()).id;
  EXPECT_EQ(read.numbers.at("lifetime." + layer).value, report.numbers.at("lifetime." + layer).value);
  EXPECT_NE(explain(read, "energy." + layer + ".cell_writes", file).find("NVMEXPLORER"), std::string::npos);
}

}  // namespace
}  // namespace tellegen::report
