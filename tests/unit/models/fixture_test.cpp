// Every small model in tests/data/onnx gives what ONNX Runtime gave. The files differ in opset and attributes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/graph.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/catalog.h"

namespace tellegen::models {
namespace {

std::vector<std::filesystem::path> fixture_files() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(TELLEGEN_SOURCE_DIR "/tests/data/onnx"))
    if (entry.path().extension() == ".onnx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

Tensor read_tensor(const Hdf5Reader& reader, const std::string& name) {
  const auto shape = reader.shape(name);
  const auto values = reader.doubles(name);
  return {{shape.begin(), shape.end()}, {values.begin(), values.end()}};
}

class OnnxFixture : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(OnnxFixture, GivesWhatOnnxRuntimeGives) {
  const Network network = import_onnx(GetParam());
  std::filesystem::path data = GetParam();
  const Hdf5Reader reader(data.replace_extension(".h5"));
  const Tensor expected = read_tensor(reader, "y");
  const Tensor output = execute(network, read_tensor(reader, "x"));
  EXPECT_EQ(output.shape, expected.shape);
  Shape inferred = network.values[network.output].shape;
  ASSERT_EQ(inferred.at(0), -1);
  inferred[0] = expected.shape[0];
  EXPECT_EQ(inferred, expected.shape);
  ASSERT_EQ(output.data.size(), expected.data.size());
  float largest = 0;
  for (const float value : expected.data) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.data.size(); ++i)
    EXPECT_NEAR(output.data[i], expected.data[i], 1e-6F * largest) << i;
}

INSTANTIATE_TEST_SUITE_P(All, OnnxFixture, testing::ValuesIn(fixture_files()),
                         [](const auto& parameter) { return parameter.param.stem().string(); });

TEST(OnnxFixtures, ExerciseEveryOperatorAndEveryOpset) {
  std::set<std::string> operators;
  std::set<int> opsets;
  for (const auto& file : fixture_files()) {
    const onnx::Graph graph = onnx::read_graph(file);
    opsets.insert(graph.opset);
    for (const onnx::GraphNode& node : graph.nodes) operators.insert(node.op_type);
  }
  for (const OperatorEntry& entry : operator_catalog()) EXPECT_TRUE(operators.contains(entry.name)) << entry.name;
  EXPECT_THAT(opsets, testing::ElementsAre(9, 10, 11, 12, 13, 14, 15, 16, 17, 18));
}

TEST(OperatorCatalog, IsSortedAndDescribed) {
  const auto catalog = operator_catalog();
  EXPECT_TRUE(std::is_sorted(catalog.begin(), catalog.end(),
                             [](const auto& a, const auto& b) { return std::string(a.name) < std::string(b.name); }));
  for (const OperatorEntry& entry : catalog) EXPECT_THAT(entry.sentence, testing::EndsWith(".")) << entry.name;
}

}  // namespace
}  // namespace tellegen::models
