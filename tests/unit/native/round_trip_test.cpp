// ONNX files written as native files and read again: the same network, bit for bit.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>

#include "native_fixture.h"
#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {
namespace {

std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TELLEGEN_SOURCE_DIR "/") + folder))
    if (entry.path().extension() == ".onnx") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string stem(const testing::TestParamInfo<std::filesystem::path>& info) { return info.param.stem().string(); }

void expect_same_bits(const Tensor& got, const Tensor& wanted) {
  EXPECT_EQ(got.shape, wanted.shape);
  ASSERT_EQ(got.data.size(), wanted.data.size());
  EXPECT_EQ(std::memcmp(got.data.data(), wanted.data.data(), wanted.data.size() * sizeof(float)), 0);
}

void expect_same_network(const Network& got, const Network& wanted) {
  ASSERT_EQ(got.nodes.size(), wanted.nodes.size());
  EXPECT_EQ(got.opset, wanted.opset);
  EXPECT_EQ(got.groups.size(), wanted.groups.size());
  for (std::size_t i = 0; i < got.nodes.size(); ++i) {
    EXPECT_EQ(got.nodes[i].source.node_name, wanted.nodes[i].source.node_name);
    EXPECT_EQ(got.nodes[i].operation->label(), wanted.nodes[i].operation->label());
    EXPECT_EQ(got.nodes[i].inputs, wanted.nodes[i].inputs);
    EXPECT_EQ(got.nodes[i].source.op_type, wanted.nodes[i].source.op_type);
  }
  EXPECT_EQ(parameter_count(got), parameter_count(wanted));
}

Network written_and_read(const std::filesystem::path& onnx, const NativeFolder& folder) {
  const std::filesystem::path file = folder.file(onnx.stem().string() + ".h5");
  native::write_graph(onnx::read_graph(onnx), onnx, file);
  return import_native(file);
}

/// Without those that hold graphs inside of nodes.
std::vector<std::filesystem::path> fixtures() {
  std::vector<std::filesystem::path> files = files_in("tests/data/onnx");
  std::erase_if(files, [](const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.starts_with("if_") || name.starts_with("loop_");
  });
  return files;
}

class EveryFixture : public testing::TestWithParam<std::filesystem::path> {};

/// Between them the fixtures exercise every operator in every opset that changed it.
TEST_P(EveryFixture, IsTheSameNetwork) {
  const NativeFolder folder;
  const Network wanted = import_onnx(GetParam()), got = written_and_read(GetParam(), folder);
  expect_same_network(got, wanted);
  std::filesystem::path data = GetParam();
  const Hdf5Reader reader(data.replace_extension(".h5"));
  const std::vector<std::uint64_t> shape = reader.shape("x");
  const std::vector<double> x = reader.doubles("x");
  const Tensor input{{shape.begin(), shape.end()}, {x.begin(), x.end()}};
  expect_same_bits(execute(got, input), execute(wanted, input));
}
INSTANTIATE_TEST_SUITE_P(All, EveryFixture, testing::ValuesIn(fixtures()), stem);

TEST(GraphsInsideOfNodes, HaveNoNativeForm) {
  const NativeFolder folder;
  const std::filesystem::path onnx = TELLEGEN_SOURCE_DIR "/tests/data/onnx/if_13_then.onnx";
  try {
    native::write_graph(onnx::read_graph(onnx), onnx, folder.file("if.h5"));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), onnx.string() +
                                ": node 'If_4' (If) holds a graph of its own, which has no form in HDF5. Export "
                                "the network without it, or keep it in ONNX.");
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("if.h5")));
}

class EveryTrainedNetwork : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(EveryTrainedNetwork, GivesTheSameBits) {
  const NativeFolder folder;
  const Network wanted = import_onnx(GetParam()), got = written_and_read(GetParam(), folder);
  expect_same_network(got, wanted);
  const std::string record =
      std::string(TELLEGEN_SOURCE_DIR "/models/trained/records/") + GetParam().stem().string() + ".json";
  const std::string data = nlohmann::json::parse(std::ifstream(record)).at("data");
  const auto set = load_test_set(std::string(TELLEGEN_SOURCE_DIR "/models/data/") + data, wanted);
  const Tensor input = set->batch(0, std::min<std::int64_t>(3, set->size()));
  expect_same_bits(execute(got, input), execute(wanted, input));
}
INSTANTIATE_TEST_SUITE_P(All, EveryTrainedNetwork, testing::ValuesIn(files_in("models/trained")), stem);

}  // namespace
}  // namespace tellegen::models
