#include "tellegen/models/executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

/// y = relu(x W) + x W: the product is read twice, the relu once.
Network forked() {
  return import_onnx(OnnxBuilder({-1, 2})
                         .floats("w", {2, 2}, {1, -1, 2, -2})
                         .node("MatMul", {"x", "w"}, "h", "product")
                         .node("Relu", {"h"}, "r", "gate")
                         .node("Add", {"r", "h"}, "y", "sum")
                         .file());
}

TEST(Execute, RunsTheGraph) {
  const Tensor output = execute(forked(), {{2, 2}, {1, 1, -1, 0}});
  EXPECT_EQ(output.shape, (Shape{2, 2}));
  EXPECT_EQ(output.data, (std::vector<float>{6, -3, -1, 2}));
}

TEST(Execute, ShowsEveryNodeInOrder) {
  std::vector<std::string> seen;
  std::vector<Shape> shapes;
  execute(forked(), {{3, 2}, {1, 2, 3, 4, 5, 6}}, {}, [&](const Node& node, std::size_t index, const Tensor& output) {
    EXPECT_EQ(index, seen.size());
    seen.push_back(node.name);
    shapes.push_back(output.shape);
  });
  EXPECT_THAT(seen, testing::ElementsAre("product", "gate", "sum"));
  EXPECT_THAT(shapes, testing::Each(Shape{3, 2}));
}

TEST(Execute, LetsOthersComputeTheProducts) {
  const LayerProduct ones = [](const Node& node, std::size_t, const Tensor& input) {
    EXPECT_EQ(node.name, "product");
    return Tensor{{input.shape[0], 2}, std::vector<float>(static_cast<std::size_t>(input.shape[0] * 2), 1.0F)};
  };
  EXPECT_EQ(execute(forked(), {{1, 2}, {5, 7}}, ones).data, (std::vector<float>{2, 2}));
}

TEST(Execute, AssertsTheShapeOfAForeignProduct) {
  const LayerProduct wrong = [](const Node&, std::size_t, const Tensor&) { return Tensor{{1, 3}, {0, 0, 0}}; };
  EXPECT_THROW(execute(forked(), {{1, 2}, {5, 7}}, wrong), std::logic_error);
}

TEST(Execute, RefusesAWrongShape) {
  const Network network = forked();
  const auto message = [&](const Tensor& input) -> std::string {
    try {
      execute(network, input);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({{1, 3}, {0, 0, 0}}),
            "network model: the input has shape '1x3'; Nx2 is allowed, with N at least 1. Reshape the samples or "
            "choose the network "
            "they belong to.");
  EXPECT_EQ(message({{0, 2}, {}}),
            "network model: the input has shape '0x2'; Nx2 is allowed, with N at least 1. Reshape the samples or "
            "choose the network "
            "they belong to.");
}

TEST(Execute, ReturnsTheInputOfANetworkWithoutNodes) {
  const Network network = import_onnx(OnnxBuilder({-1, 2}).node("Identity", {"x"}, "y").file());
  EXPECT_TRUE(network.nodes.empty());
  EXPECT_EQ(execute(network, {{1, 2}, {5, 7}}).data, (std::vector<float>{5, 7}));
}

TEST(Execute, DoesNotDependOnTheBatch) {
  const Network network = forked();
  Tensor inputs{{37, 2}, {}};
  for (int i = 0; i < 74; ++i) inputs.data.push_back(static_cast<float>(i * 7 % 23) - 11.0F);
  const Tensor whole = execute(network, inputs);
  for (const std::int64_t batch : {1, 5, 36}) {
    std::vector<float> parts;
    for (std::int64_t first = 0; first < 37; first += batch) {
      const std::int64_t count = std::min<std::int64_t>(batch, 37 - first);
      const auto begin = inputs.data.begin() + 2 * first;
      const Tensor part = execute(network, {{count, 2}, {begin, begin + 2 * count}});
      parts.insert(parts.end(), part.data.begin(), part.data.end());
    }
    EXPECT_EQ(parts, whole.data) << batch;
  }
}

TEST(Execute, MayRunInSeveralThreadsAtOnce) {
  const Network network = forked();
  const Tensor input{{2, 2}, {1, 1, -1, 0}};
  const Tensor expected = execute(network, input);
  std::vector<Tensor> outputs(4);
  std::vector<std::thread> threads;
  for (Tensor& output : outputs)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) output = execute(network, input);
    });
  for (std::thread& thread : threads) thread.join();
  for (const Tensor& output : outputs) EXPECT_EQ(output.data, expected.data);
}

TEST(Network, CountsItsParametersAndProducts) {
  EXPECT_EQ(parameter_count(forked()), 4);
  EXPECT_EQ(multiply_accumulates(forked()), 4);
}

/// The fast ways through matrix operations give what patches, products and scatter give.
TEST(MatrixOperation, HasOneResult) {
  for (const char* name : {"conv_plain", "conv_strides_pads", "conv_dilations", "conv_groups", "conv_depthwise",
                           "conv_depthwise_multiplier", "conv_pointwise", "conv_pointwise_strided", "conv_wide_kernel",
                           "conv_same_upper", "conv_same_lower", "gemm_9", "matmul_rank4"}) {
    const Network network = import_onnx(std::string(TELLEGEN_SOURCE_DIR "/tests/data/onnx/") + name + ".onnx");
    const auto& operation = dynamic_cast<const MatrixOperation&>(*network.nodes.at(0).operation);
    Tensor input;
    input.shape = network.values[network.input].shape;
    input.shape[0] = 3;
    for (std::int64_t i = 0; i < element_count(input.shape); ++i)
      input.data.push_back(static_cast<float>(i * 37 % 101) / 50.0F - 1.0F);
    const Tensor* inputs[] = {&input};
    const Tensor fast = operation.run(inputs), plain = operation.MatrixOperation::run(inputs);
    EXPECT_EQ(fast.shape, plain.shape);
    for (std::size_t i = 0; i < plain.data.size(); ++i)
      ASSERT_NEAR(fast.data[i], plain.data[i], 2e-5) << name << ' ' << i;
  }
}

/// A value that somebody else still reads is not worked on in place.
TEST(Execute, WorksInPlaceOnlyOnWhatNobodyReads) {
  const Network network = import_onnx(OnnxBuilder({-1, 2})
                                          .node("Neg", {"x"}, "n")
                                          .node("Relu", {"n"}, "r")
                                          .node("Add", {"r", "n"}, "s")
                                          .node("Mul", {"s", "s"}, "y")
                                          .file());
  const Tensor input{{1, 2}, {3, -5}};
  EXPECT_EQ(execute(network, input).data, (std::vector<float>{9, 100}));
  EXPECT_EQ(input.data, (std::vector<float>{3, -5}));
  const Network direct = import_onnx(OnnxBuilder({-1, 2}).node("Relu", {"x"}, "y").file());
  EXPECT_EQ(execute(direct, input).data, (std::vector<float>{3, 0}));
  EXPECT_EQ(input.data, (std::vector<float>{3, -5}));
}

TEST(ShapeText, NamesTheBatch) {
  EXPECT_EQ(to_string(Shape{-1, 3, 28}), "Nx3x28");
  EXPECT_EQ(to_string(Shape{}), "scalar");
}

}  // namespace
}  // namespace tellegen::models
