// Every ready configuration can be read, and its experiments can be planned.

#include <gtest/gtest.h>

#include "real_run.h"
#include "tellegen/sim/compare/comparison.h"
#include "tellegen/sim/report/compare.h"
#include "tellegen/sim/report/sweep.h"

namespace tellegen::report {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> files_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(source_file(folder))) files.push_back(entry.path());
  EXPECT_FALSE(files.empty()) << folder;
  return files;
}

TEST(ReadyConfigs, ExperimentsCanBePlanned) {
  sim::Session session(source_file("configs/costs"), 1);
  for (const fs::path& file : files_in("configs/experiments")) {
    SCOPED_TRACE(file);
    const sim::ExperimentConfig config = sim::read_experiment(file);
    EXPECT_EQ(config.name, file.stem());
    EXPECT_GT(session.plan_only(config).plan.tiles, 0);
  }
}

TEST(ReadyConfigs, SweepsNameExperimentsAndSettingsThatExist) {
  for (const fs::path& file : files_in("configs/sweeps")) {
    SCOPED_TRACE(file);
    EXPECT_NO_THROW(sweep_experiments(file, {}));
  }
}

TEST(ReadyConfigs, ComparisonsNameExperimentsAndSettingsThatExist) {
  for (const fs::path& file : files_in("configs/compare")) {
    SCOPED_TRACE(file);
    if (compare::compares_activations(file)) continue;
    EXPECT_NO_THROW(compare_experiments(file, {}));
  }
}

TEST(ReadyConfigs, TheDefaultExperimentIsNoToy) {
  const sim::ExperimentConfig config = sim::read_experiment(source_file("configs/experiments/fashion_resnet8.yaml"));
  EXPECT_EQ(config.evaluate.samples, 10000);
  EXPECT_GE(config.evaluate.chips, 5);
  EXPECT_EQ(config.chip.device.model, "pcm_joshi");
  EXPECT_EQ(config.chip.device.conditions.age.si(), 86400);
  EXPECT_EQ(config.chip.tile.rows, 128);
  EXPECT_EQ(config.chip.tile.columns, 128);
  EXPECT_EQ(config.chip.dac.bits.bits, 8);
  EXPECT_EQ(config.chip.adc.bits.bits, 8);
}

}  // namespace
}  // namespace tellegen::report
