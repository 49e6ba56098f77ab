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

}  // namespace
}  // namespace tellegen::sim
