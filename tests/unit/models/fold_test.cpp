// Rewrites change what a network consists of, never what it computes (that is what the fixtures compare).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "onnx_builder.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

std::vector<std::string> labels(const Network& network) {
  std::vector<std::string> result;
  for (const Node& node : network.nodes) result.push_back(node.operation->label());
  return result;
}

Network fixture(const std::string& name) {
  return import_onnx(std::string(TELLEGEN_SOURCE_DIR "/tests/data/onnx/") + name + ".onnx");
}

TEST(Fold, BatchNormalizationGoesIntoTheMatrixBeforeIt) {
  EXPECT_THAT(labels(fixture("batchnorm_after_conv")), testing::ElementsAre("conv 3x3"));
  EXPECT_THAT(labels(fixture("batchnorm_after_depthwise")), testing::ElementsAre("depthwise conv 3x3"));
  const Network network = fixture("batchnorm_after_gemm");
  EXPECT_THAT(labels(network), testing::ElementsAre("linear"));
  EXPECT_EQ(network.nodes[0].source.node_name, "gemm");
  EXPECT_EQ(network.values[network.output].name, "y");
}

TEST(Fold, BatchNormalizationStaysWhereSomebodyElseReadsTheProduct) {
  EXPECT_THAT(labels(fixture("batchnorm_beside_reader")), testing::ElementsAre("conv 1x1", "scale and shift", "add"));
  EXPECT_THAT(labels(fixture("batchnorm_9")), testing::ElementsAre("scale and shift"));
}

TEST(Fold, NumbersAreThoseOfTheFormula) {
  const float epsilon = 1e-5F;
  const Network network = import_onnx(OnnxBuilder({-1, 1})
                                          .floats("w", {1, 2}, {3, 5})
                                          .floats("g", {2}, {2, -1})
                                          .floats("b", {2}, {0.5F, 7})
                                          .floats("m", {2}, {1, 2})
                                          .floats("v", {2}, {4, 9})
                                          .node("MatMul", {"x", "w"}, "h")
                                          .node("BatchNormalization", {"h", "g", "b", "m", "v"}, "y")
                                          .file());
  const auto& matrix = dynamic_cast<const MatrixOperation&>(*network.nodes.at(0).operation);
  const double scale0 = 2 / std::sqrt(4 + static_cast<double>(epsilon)),
               scale1 = -1 / std::sqrt(9 + static_cast<double>(epsilon));
  EXPECT_EQ(matrix.weights()[0], static_cast<float>(3 * scale0));
  EXPECT_EQ(matrix.weights()[1], static_cast<float>(5 * scale1));
  EXPECT_EQ(matrix.bias()[0], static_cast<float>(0.5 - 1 * scale0));
  EXPECT_EQ(matrix.bias()[1], static_cast<float>(7 - 2 * scale1));
  EXPECT_EQ(parameter_count(network), 4);
}

TEST(Fold, AnAddedVectorBecomesTheBias) {
  EXPECT_THAT(labels(fixture("matmul_add")), testing::ElementsAre("linear"));
  const Network kept = import_onnx(OnnxBuilder({-1, 3, 2})
                                       .floats("w", {2, 2}, {1, 0, 0, 1})
                                       .floats("c", {3, 1}, {1, 2, 3})
                                       .node("MatMul", {"x", "w"}, "h")
                                       .node("Add", {"h", "c"}, "y")
                                       .file());
  EXPECT_THAT(labels(kept), testing::ElementsAre("linear", "add")) << "one number per row is no bias";
}

TEST(Fold, SiluIsOneNodeAndNamesItsProduct) {
  const Network network = fixture("silu_13");
  EXPECT_THAT(labels(network), testing::ElementsAre("silu"));
  EXPECT_EQ(network.nodes[0].source.node_name, "product");
  EXPECT_EQ(network.nodes[0].source.op_type, "SiLU");
  ASSERT_EQ(network.groups.size(), 1U);
  EXPECT_EQ(network.groups[0].kind, "SiLU");
  EXPECT_TRUE(network.groups[0].replaced);
  EXPECT_THAT(network.groups[0].nodes, testing::ElementsAre("gate", "product"));
  EXPECT_EQ(network.values.size(), 2U);
}

TEST(Fold, SigmoidStaysWhereItGatesSomethingElse) {
  const Network gate = import_onnx(
      OnnxBuilder({-1, 2}).node("Relu", {"x"}, "r").node("Sigmoid", {"x"}, "s").node("Mul", {"r", "s"}, "y").file());
  EXPECT_THAT(labels(gate), testing::ElementsAre("relu", "sigmoid", "multiply"));
  const Network twice = import_onnx(OnnxBuilder({-1, 2})
                                        .node("Sigmoid", {"x"}, "s")
                                        .node("Mul", {"x", "s"}, "m")
                                        .node("Add", {"m", "s"}, "y")
                                        .file());
  EXPECT_THAT(labels(twice), testing::ElementsAre("sigmoid", "multiply", "add"));
}

TEST(Fold, SqueezeExciteOfTheMbconvNetworkKeepsItsGates) {
  const auto all = labels(import_onnx(TELLEGEN_SOURCE_DIR "/models/trained/mbnet_fashion.onnx"));
  EXPECT_EQ(std::count(all.begin(), all.end(), "silu"), 14);
  EXPECT_EQ(std::count(all.begin(), all.end(), "sigmoid"), 4);
  EXPECT_EQ(std::count(all.begin(), all.end(), "multiply"), 4);
  EXPECT_EQ(std::count(all.begin(), all.end(), "depthwise conv 3x3"), 4);
}

}  // namespace
}  // namespace tellegen::models
