#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "real_run.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/sweep_output.h"

namespace tellegen::report {
namespace {

using testing::ElementsAre;

SweepConfig read_sweep(const std::string& yaml) {
  SweepConfig config;
  read_config_text(yaml, "sweep.yaml", config);
  return config;
}

std::string error_of(const std::string& yaml) {
  try {
    read_sweep(yaml);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

/// Chips of two networks with two bits each; along the bits the accuracies change by what is asked.
SweepResult hand_made_sweep() {
  SweepResult result;
  result.axes = {{"chip.adc.bits", {"6", "8", "10"}}, {"network", {"a", "b"}}};
  result.compare_axis = "chip.adc.bits";
  const std::vector<std::vector<double>> accuracies = {{0.5, 0.6}, {0.1, 0.3}, {0.6, 0.8}, {0.1, 0.3}, {0.5, 0.6}, {}};
  for (const std::vector<double>& chips : accuracies) {
    Point point;
    point.chip_accuracy = chips;
    if (chips.empty()) {
      point.refusal = "The chip is too small.";
    } else {
      point.accuracy = mean_interval(chips);
    }
    result.points.push_back(point);
  }
  return result;
}

TEST(SweepConfig, ReadsSingleValuesAndLists) {
  const SweepConfig config = read_sweep(
      "experiment: a.yaml\nset: {evaluate.samples: 10}\nover: {chip.device.age: [1 s, 1 day], chip.adc.bits: [6, 8]}\n"
      "compare_axis: chip.adc.bits\n");
  EXPECT_EQ(config.experiment, "a.yaml");
  EXPECT_THAT(to_overrides(config.set), ElementsAre(testing::Pair("evaluate.samples", "10")));
  ASSERT_EQ(config.over.size(), 2U);
  EXPECT_EQ(config.over[0].first, "chip.device.age");
  EXPECT_THAT(config.over[0].second, ElementsAre("1 s", "1 day"));
}

TEST(SweepConfig, RefusesWhatMakesNoGrid) {
  EXPECT_EQ(error_of("experiment: a.yaml\nover: {}\n"),
            "sweep.yaml:2:7: over must have at least one axis, and each axis at least one value.");
  EXPECT_EQ(error_of("over: {chip.adc.bits: [6]}\n"),
            "sweep.yaml:1:1: experiment must be given once: as 'experiment: FILE', or as an axis 'experiment: [FILE, "
            "FILE]' under 'over'.");
  EXPECT_EQ(error_of("experiment: a.yaml\nset: {chip.adc.bits: [6, 8]}\nover: {chip.device.age: [1 s]}\n"),
            "sweep.yaml:2:6: set must have one value for each setting; lists belong under 'over'.");
  EXPECT_EQ(error_of("experiment: a.yaml\nover: {chip.adc.bits: [6]}\ncompare_axis: chip.dac.bits\n"),
            "sweep.yaml:3:15: compare_axis = 'chip.dac.bits' is not an axis of this sweep. Allowed: one of the names "
            "under 'over'.");
}

TEST(SweepConfig, RefusesAGridThatIsTooLarge) {
  std::string values = "0";
  for (int i = 1; i < 1000; ++i) values += ", " + std::to_string(i);
  EXPECT_EQ(
      error_of("experiment: a.yaml\nover: {a: [" + values + "], b: [" + values + "], c: [" + values + "]}\n"),
      "sweep.yaml:2:7: over has 1000 x 1000 x 1000 points; allowed: up to 100000. Leave values out, or make several "
      "sweeps.");
  EXPECT_EQ(error_of("experiment: a.yaml\nover: {a: [" + values + "], b: [" + values.substr(0, values.find(", 100")) +
                     "]}\n"),
            "no error");  // 100000 points
}

TEST(SweepConfig, RefusesAxesThatShareASetting) {
  EXPECT_EQ(error_of("experiment: a.yaml\nover: {chip.adc.bits: [6, 8], chip.adc: ['{bits: 4}']}\n"),
            "sweep.yaml:2:7: over has an axis that is a part of another one; vary each setting once.");
}

TEST(SweepConfig, RefusesWhatCannotBePrinted) {
  EXPECT_EQ(error_of("experiment: a.yaml\nover: {name: [\"a\\eb\"]}\n"),
            "sweep.yaml:2:7: over must be UTF-8 text without control characters.");
  EXPECT_EQ(error_of("experiment: a.yaml\nset: {name: \"caf\xE9\"}\nover: {chip.adc.bits: [6]}\n"),
            "sweep.yaml:2:6: set must be UTF-8 text without control characters.");
}

TEST(SweepTable, SaysEachRefusalOnceAndWhereAllChipsAreEqual) {
  SweepResult result = hand_made_sweep();
  result.points[1].refusal = result.points[5].refusal;
  result.points[0].accuracy = mean_interval(std::vector<double>{0.5, 0.5});
  result.paired = paired_differences(result);
  const std::string text = sweep_table(result);
  EXPECT_THAT(text, testing::HasSubstr("\nrefused: 6, b; 10, b: The chip is too small.\n"));
  EXPECT_THAT(text, testing::HasSubstr(" 50.00 % (all chips equal) "));
  EXPECT_THAT(text, testing::HasSubstr(" +0.00 (all chips equal)\n"));
}

TEST(SweepCsv, IsEmptyWhereThereIsNoFiniteValue) {
  SweepResult result = hand_made_sweep();
  result.axes = {{"chip.adc.bits", {"6"}}};
  result.points.resize(1);
  result.points[0].accuracy = mean_interval(std::vector<double>{0.5});
  const std::string csv = sweep_csv(result);
  EXPECT_EQ(csv.substr(csv.find('\n') + 1), "6,0.5,0,,0,0,0,0,0,0,0,0,top1,,\n");
}

TEST(SweepResult, NumbersItsPointsWithTheLastAxisFastest) {
  const SweepResult result = hand_made_sweep();
  EXPECT_THAT(result.shape(), ElementsAre(3, 2));
  EXPECT_THAT(result.values(0), ElementsAre("6", "a"));
  EXPECT_THAT(result.values(1), ElementsAre("6", "b"));
  EXPECT_THAT(result.values(5), ElementsAre("10", "b"));
}

TEST(PairedDifferences, AreChipByChipAgainstTheFirstValue) {
  const std::vector<PairedDifference> pairs = paired_differences(hand_made_sweep());
  ASSERT_EQ(pairs.size(), 3U);  // 10 bits of network b was refused
  EXPECT_THAT(pairs[0].others, ElementsAre("a"));
  EXPECT_EQ(pairs[0].from, "6");
  EXPECT_EQ(pairs[0].to, "8");
  EXPECT_DOUBLE_EQ(pairs[0].difference.mean, 0.15);
  // Differences 0.1 and 0.2: standard error 0.05, Student t of one degree of freedom 12.706.
  EXPECT_NEAR(pairs[0].difference.half_width, 0.05 * 12.706, 1e-4);
  EXPECT_THAT(pairs[1].others, ElementsAre("b"));
  EXPECT_EQ(pairs[1].difference.mean, 0);
  EXPECT_EQ(pairs[1].difference.half_width, 0);
  EXPECT_EQ(pairs[2].to, "10");
  EXPECT_EQ(pairs[2].difference.mean, 0);
}

class SweepRun : public testing::Test {
 protected:
  SweepResult run(int threads, const Overrides& overrides = {}) {
    write_text_file(folder_ / "small.yaml",
                    "experiment: " + source_file("configs/experiments/lenet_mnist.yaml").string() +
                        "\nset: {evaluate.samples: 32, evaluate.chips: 2, evaluate.batch: 8, "
                        "evaluate.calibration_samples: 16, evaluate.snr_samples: 8}\n"
                        "over: {chip.tiles: [5, 50], chip.adc.bits: [4, 8]}\ncompare_axis: chip.adc.bits\n");
    sim::Session session(source_file("configs/costs"), threads);
    return run_sweep(folder_ / "small.yaml", overrides, session);
  }
  TemporaryFolder folder_;
};

TEST_F(SweepRun, KeepsRefusedPointsAsRows) {
  const SweepResult result = run(1);
  ASSERT_EQ(result.points.size(), 4U);
  EXPECT_FALSE(result.points[0].done());
  EXPECT_EQ(result.points[0].refusal.rfind("chip.tiles = 5 is not enough: the network needs 14 tiles of 128 x 128.", 0),
            0U);
  EXPECT_TRUE(result.points[2].done());
  EXPECT_GT(result.points[3].energy_J.typical, result.points[2].energy_J.typical);  // more bits cost more
  ASSERT_EQ(result.paired.size(), 1U);
  write_sweep_output(folder_ / "out", result);
  const Hdf5Reader file(folder_ / "out/sweep.h5");
  EXPECT_THAT(file.strings("axes/order"), ElementsAre("chip.tiles", "chip.adc.bits"));
  EXPECT_THAT(file.strings("axes/chip.adc.bits"), ElementsAre("4", "8"));
  EXPECT_THAT(file.shape("points/accuracy_mean"), ElementsAre(2, 2));
  EXPECT_THAT(file.shape("points/chip_accuracy"), ElementsAre(2, 2, 2));
  const std::vector<double> energies = file.doubles("points/energy");
  EXPECT_TRUE(std::isnan(energies[0]));
  EXPECT_EQ(energies[2], result.points[2].energy_J.typical);
  EXPECT_EQ(file.strings("points/refusal")[0], result.points[0].refusal);
}

TEST_F(SweepRun, IsTheSameForOneAndTwoThreads) {
  write_sweep_output(folder_ / "one", run(1));
  write_sweep_output(folder_ / "two", run(2));
  EXPECT_EQ(bytes_of(folder_ / "one/sweep.h5"), bytes_of(folder_ / "two/sweep.h5"));
  EXPECT_EQ(bytes_of(folder_ / "one/sweep.csv"), bytes_of(folder_ / "two/sweep.csv"));
}

TEST_F(SweepRun, EqualsTheSamePointsRunAlone) {
  const SweepResult result = run(1);
  for (const std::size_t index : {std::size_t{2}, std::size_t{3}}) {
    const sim::ExperimentConfig config = sim::read_experiment(source_file("configs/experiments/lenet_mnist.yaml"),
                                                              {{"evaluate.samples", "32"},
                                                               {"evaluate.chips", "2"},
                                                               {"evaluate.batch", "8"},
                                                               {"evaluate.calibration_samples", "16"},
                                                               {"evaluate.snr_samples", "8"},
                                                               {"chip.tiles", "50"},
                                                               {"chip.adc.bits", index == 2 ? "4" : "8"}});
    sim::Session alone(source_file("configs/costs"), 1);
    const Point point = run_point(alone, config);
    EXPECT_EQ(point.chip_accuracy, result.points[index].chip_accuracy);
    EXPECT_EQ(point.energy_J, result.points[index].energy_J);
    EXPECT_EQ(point.config_hash, result.points[index].config_hash);
  }
}

TEST_F(SweepRun, KeepsItsAxesFromBeingOverridden) {
  for (const auto& [name, text] : Overrides{{"chip.adc.bits", "3"}, {"chip.adc", "{bits: 3}"}}) {
    try {
      run(1, {{name, text}});
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), "--set " + name + "=" + text + ": chip.adc.bits is an axis of " +
                                  (folder_ / "small.yaml").string() + ". Change the file, or leave this --set out.");
    }
  }
}

TEST_F(SweepRun, NamesTheKeyOfTheFileThatIsWrong) {
  const std::string path = (folder_ / "wrong.yaml").string();
  const std::string experiment = "experiment: " + source_file("configs/experiments/lenet_mnist.yaml").string() + "\n";
  const auto error = [&](const std::string& rest) -> std::string {
    write_text_file(path, experiment + rest);
    try {
      sweep_experiments(path, {});
    } catch (const InputError& wrong) {
      return wrong.what();
    }
    return "no error";
  };
  EXPECT_EQ(
      error("over: {chip.adc.bits: [6, 99]}\n"),
      path +
          ":2:27: over.chip.adc.bits = '99' is not a resolution; allowed: a whole number of bits from 1 to 16, or "
          "ideal.");
  EXPECT_EQ(error("set: {chip.adc.bitz: 6}\nover: {chip.tiles: [50]}\n"),
            path + ":2:7: set.chip.adc.bitz is not a known setting; did you mean 'bits'?");
  EXPECT_EQ(error("over: {chip.tiles: ['[']}\n"), path + ":2:21: over.chip.tiles: the value '[' is not valid YAML.");
}

TEST_F(SweepRun, KeepsASettingOnceWhereTheCommandLineChangesIt) {
  const SweepResult result = run(1, {{"evaluate.samples", "16"}});
  EXPECT_THAT(result.resolved_yaml, testing::HasSubstr("evaluate.samples: [16]"));
  EXPECT_THAT(result.resolved_yaml, testing::Not(testing::HasSubstr("evaluate.samples: [32]")));
}

TEST_F(SweepRun, StopsBeforeTheFirstPointWhereASettingIsWrong) {
  try {
    run(1, {{"chip.adc.bitz", "6"}});
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "--set chip.adc.bitz: chip.adc.bitz is not a known setting; did you mean 'bits'?");
  }
}

}  // namespace
}  // namespace tellegen::report
