#include "tellegen/sim/engine/experiment.h"

#include <gtest/gtest.h>

#include "engine_fixture.h"

namespace tellegen::sim {
namespace {

std::string message_of(const std::string& yaml) {
  ExperimentConfig config;
  try {
    read_config_text(yaml, "test.yaml", config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Experiment, NamesMissingFiles) {
  EXPECT_EQ(message_of("network:\n  onnx: nowhere.onnx\n  data: '" + test::kSource + "/README.md'"),
            "test.yaml:2:9: network.onnx = 'nowhere.onnx' does not exist. Allowed: a file, named from the working "
            "directory, from the folder of "
            "this file, or from one of the folders above it.");
}

TEST(Experiment, ResolvedConfigurationReadsBackTheSame) {
  const ExperimentConfig config = test::experiment("mlp_mnist", test::kIdealChip);
  const std::string written = write_config(config);
  ExperimentConfig again;
  read_config_text(written, "again.yaml", again);
  EXPECT_EQ(write_config(again), written);
  EXPECT_EQ(config_hash(written), config_hash(write_config(again)));
  EXPECT_NE(config_hash(written), config_hash(write_config(test::experiment("mlp_mnist", ""))));
}

TEST(Experiment, FindsFilesAboveTheExperiment) {
  const auto found = find_input("models/trained/mlp_mnist.onnx", test::kSource + "/configs/experiments/x.yaml");
  ASSERT_TRUE(found.has_value());
  EXPECT_TRUE(std::filesystem::exists(*found));
  EXPECT_FALSE(find_input("models/trained/nothing.onnx", test::kSource + "/configs/experiments/x.yaml").has_value());
}

TEST(Experiment, MoreCalibrationSamplesThanThereAreAreRefused) {
  const ExperimentConfig config = test::experiment("mlp_mnist", "evaluate: {calibration_samples: 10001}");
  try {
    Session(test::kCosts).run(config);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "evaluate.calibration_samples = '10001' is more than '" + config.network.data.string() +
                                "' holds; allowed: 1 to 10000.");
  }
}

TEST(Experiment, MetricsOfAnotherKindOfTestSetAreRefused) {
  const ExperimentConfig config = test::experiment("lm_swiglu", "", {{"network.metric", "top1"}});
  try {
    Session(test::kCosts).run(config);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "network.metric = 'top1' is not a metric of the test set '" + config.network.data.string() +
                                "'; allowed: nll, perplexity.");
  }
}

TEST(Experiment, CurrentsThatAreNotFiniteAreRefused) {
  const ExperimentConfig config =
      test::experiment("mlp_mnist",
                       "chip: {device: {model: generic, g_max: 1 S, flicker: {q: 1e300}, age: 1 year}}\n"
                       "evaluate: {samples: 8, calibration_samples: 8, chips: 1}");
  EXPECT_THROW(Session(test::kCosts).run(config), RefusedError);
}

}  // namespace
}  // namespace tellegen::sim
