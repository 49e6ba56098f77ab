// Whole networks with attention on crossbars: the same answer where nothing is imperfect, the same bits for any threads,
// and books that balance.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tellegen/sim/engine/wear.h"
#include "written_product.h"

namespace tellegen::sim {
namespace {

const std::string kFew = "evaluate: {samples: 6, chips: 2, calibration_samples: 6, batch: 4, snr_samples: 6}\n";

const std::string kNoisy = R"(
chip:
  device: {model: pcm_joshi}
  dac: {bits: 8}
  adc: {bits: 8}
  attention:
    products: crossbar
    cell: pcm
    device: {model: generic, g_min: 5 uS, programming_noise: {absolute: 1 uS}, read_noise: {absolute: 0.5 uS}}
)" + kFew;

class AttentionRun : public ::testing::TestWithParam<const char*> {};

/// Right of the diagonal nothing is computed where tokens come one by one, and nothing is missing.
TEST_P(AttentionRun, IdealArraysAnswerAsTheDigitalProduct) {
  const ExperimentConfig digital = test::experiment(GetParam(), test::kIdealChip + kFew);
  const ExperimentConfig arrays = test::experiment(
      GetParam(), test::kIdealChip + "  attention: {products: crossbar, device: {model: ideal}}\n" + kFew);
  const auto logits = [&](const ExperimentConfig& config) {
    Workload workload = load(config, 1);
    for (std::size_t n = 0; n < workload.written.size(); ++n) {  // so that samples other than the six do not saturate
      for (double& largest : workload.written[n].largest) largest *= 4;
      if (!workload.written[n].largest.empty()) workload.inputs[n].max_abs *= 4;
    }
    mapping::Plan plan = std::get<mapping::Plan>(mapping::plan_greedy(workload.network, config.chip));
    mapping::plan_written(plan, workload.network, config.chip);
    ProgrammedChip<double> chip = program<double>(workload, plan, config, 0);
    calibrate(chip, workload, plan, config);
    return infer_logits(chip, workload, plan, config, 0, 2);
  };
  const models::Tensor expected = logits(digital), got = logits(arrays);
  ASSERT_EQ(expected.data.size(), got.data.size());
  float largest = 0;
  for (const float logit : expected.data) largest = std::max(largest, std::abs(logit));
  for (std::size_t i = 0; i < got.data.size(); ++i) EXPECT_NEAR(got.data[i], expected.data[i], 2e-5F * largest);
}

TEST_P(AttentionRun, ThreadsAndBatchesDoNotShow) {
  const ExperimentConfig config = test::experiment(GetParam(), kNoisy);
  const ExperimentConfig one_by_one = test::experiment(GetParam(), kNoisy, {{"evaluate.batch", "1"}});
  const RunResult a = Session(test::kCosts, 1).run(config), b = Session(test::kCosts, 2).run(config),
                  c = Session(test::kCosts, 2).run(one_by_one);
  for (std::size_t chip = 0; chip < 2; ++chip) {
    for (std::size_t l = 0; l < mapping::row_count(a.plan); ++l) {
      EXPECT_EQ(a.chips[chip].signals[l].error, b.chips[chip].signals[l].error);
      EXPECT_EQ(a.chips[chip].events[l].cell_energy_J, b.chips[chip].events[l].cell_energy_J);
      EXPECT_EQ(a.chips[chip].events[l].clipped, c.chips[chip].events[l].clipped);
      EXPECT_NEAR(a.chips[chip].signals[l].error, c.chips[chip].signals[l].error,
                  1e-9 * a.chips[chip].signals[l].error);
    }
    EXPECT_EQ(a.chips[chip].figures.front().value, c.chips[chip].figures.front().value);
  }
  const std::size_t first = a.plan.layers.size();
  EXPECT_NE(a.chips[0].signals[first].error, a.chips[1].signals[first].error);
  EXPECT_GT(a.chips[0].signals[first].snr_dB(), 10);
  EXPECT_LT(a.chips[0].signals[first].snr_dB(), 60);
}

TEST_P(AttentionRun, EnergyIsCountTimesPrice) {
  const RunResult run = Session(test::kCosts, 2).run(test::experiment(GetParam(), kNoisy));
  const circuits::CostModel costs({}, test::kCosts);
  const circuits::Price write = costs.cell_write("pcm", 10, run.config.chip.node);
  for (std::size_t w = 0; w < run.plan.written.size(); ++w) {
    const mapping::LayerPlan& product = run.plan.written[w];
    const LayerEvents& events = run.events[run.plan.layers.size() + w];
    const std::int64_t cells = product.rows() * product.outputs_per_group * 2;
    EXPECT_EQ(events.images, 12);
    EXPECT_EQ(events.cell_writes, 12 * cells);
    EXPECT_NEAR(total_energy_J(run.ledger, product.name, "cell_writes").typical,
                static_cast<double>(cells) * write.energy_J.typical,
                1e-12 * static_cast<double>(cells) * write.energy_J.typical);
    EXPECT_GT(total_energy_J(run.ledger, product.name, "adc").typical, 0);
    EXPECT_GT(total_energy_J(run.ledger, product.name, "dac").typical, 0);
    EXPECT_GT(total_energy_J(run.ledger, product.name, "cells").typical, 0);
    EXPECT_GT(total_energy_J(run.ledger, product.name, "leakage").typical, 0);
    EXPECT_NEAR(total_area_m2(run.ledger, product.name, "cells").typical,
                static_cast<double>(product.slices.size()) * 128 * 128 * 19 * 32e-9 * 32e-9, 1e-15);
    const auto latency = std::ranges::find(run.ledger.latency, product.name, &LatencyRow::layer);
    const std::int64_t tokens = product.token_rows ? product.rows_per_group : product.outputs_per_group;
    EXPECT_NEAR(latency->writes_s, static_cast<double>(tokens) * write.latency_s, 1e-15);
    EXPECT_GE(latency->latency_s, latency->writes_s + latency->positions * latency->drive_s);
  }
  ASSERT_EQ(run.ledger.wear.size(), run.plan.written.size());
  EXPECT_EQ(run.ledger.wear[0].writes_per_cell, 1);
  EXPECT_EQ(lifetime_images(run.ledger.wear[0]), (circuits::Band{1e5, 1e8, 2e11}));
}

/// What arrays compute is not digital work any more: k multiplications and k - 1 additions for each output.
TEST_P(AttentionRun, DigitalWorkIsWithoutTheProducts) {
  const auto digital_work_of = [](const RunResult& run, const char* unit) {
    std::int64_t operations = 0;
    for (const LayerEvents& events : run.events) {
      if (const auto found = events.digital.find(unit); found != events.digital.end()) operations += found->second;
    }
    return operations;
  };
  Session session(test::kCosts, 2);
  const RunResult arrays = session.run(test::experiment(GetParam(), kNoisy)),
                  digital = session.run(test::experiment(GetParam(), kNoisy, {{"chip.attention.products", "digital"}}));
  std::int64_t multiplications = 0, additions = 0;
  for (const mapping::LayerPlan& product : arrays.plan.written) {
    const std::int64_t outputs = 12 * product.positions * product.outputs();
    multiplications += outputs * product.rows_per_group;
    additions += outputs * (product.rows_per_group - 1);
  }
  EXPECT_EQ(digital_work_of(digital, "multiply") - digital_work_of(arrays, "multiply"), multiplications);
  EXPECT_EQ(digital_work_of(digital, "add") - digital_work_of(arrays, "add"), additions);
  EXPECT_EQ(digital.events.size(), digital.plan.layers.size());
  EXPECT_EQ(arrays.macs_per_image, digital.macs_per_image);
}

INSTANTIATE_TEST_SUITE_P(Networks, AttentionRun, ::testing::Values("vit_mnist"));
INSTANTIATE_TEST_SUITE_P(TokenByToken, AttentionRun, ::testing::Values("lm_polyglu_frozen"));

/// The mask of a language model shows in its weights of attention; a vision transformer has none.
TEST(AttentionInputs, CausalityIsFound) {
  const std::string few = "evaluate: {samples: 1, calibration_samples: 2, batch: 1}";
  const Workload text = load(test::experiment("lm_swiglu", few), 1),
                 image = load(test::experiment("vit_mnist", few), 1);
  int products = 0;
  for (const WrittenInputs& inputs : text.written) {
    if (inputs.largest.empty()) continue;
    ++products;
    EXPECT_TRUE(inputs.causal);
    EXPECT_EQ(inputs.largest.size(), 4U);
  }
  EXPECT_EQ(products, 6);
  for (const WrittenInputs& inputs : image.written) EXPECT_FALSE(inputs.causal);
}

/// At most so many cells of a tile at once, so many pulses for each.
TEST(AttentionLatency, WritesTakeAsLongAsTheirPulses) {
  const RunResult run = Session(test::kCosts, 1)
                            .run(test::experiment("vit_mnist", kNoisy,
                                                  {{"evaluate.samples", "1"},
                                                   {"evaluate.chips", "1"},
                                                   {"chip.attention.cells_at_once", "10"},
                                                   {"chip.attention.pulses", "3"}}));
  const auto row = std::ranges::find(run.ledger.latency, run.plan.written[0].name, &LatencyRow::layer);
  EXPECT_NEAR(row->writes_s, 16 * 4 * 3 * 190e-9, 1e-15);  // 16 tokens of 32 cells, 10 at once
}

TEST(AttentionWear, IsSaidInOneSentence) {
  Ledger ledger;
  EXPECT_EQ(wear_remark(ledger, "pcm"), "");
  ledger.latency.push_back({});
  ledger.latency.back().latency_s = 1e-3;
  ledger.wear.push_back({"qk", 2, {1e5, 1e8, 2e11}, "source"});
  EXPECT_EQ(wear_remark(ledger, "pcm"),
            "Attention takes 2 writes of each of its cells per input. Cells of kind 'pcm' take 1e+08 in all (100000 to "
            "2e+11): with one input after the other they last 13.9 hour (50 s to 3.17 year).");
}

}  // namespace
}  // namespace tellegen::sim
