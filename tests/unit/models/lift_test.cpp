// What exporters spell out is found in every order of its factors, and nothing else is taken for it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "onnx_builder.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/normalization.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::models {
namespace {

std::vector<std::string> labels(const Network& network) {
  std::vector<std::string> result;
  for (const Node& node : network.nodes) result.push_back(node.operation->label());
  return result;
}

std::vector<std::string> kinds(const Network& network) {
  std::vector<std::string> result;
  for (const Group& group : network.groups) result.push_back(group.kind);
  return result;
}

Network trained(const std::string& name) {
  return import_onnx(std::string(TELLEGEN_SOURCE_DIR "/models/trained/") + name + ".onnx");
}

/// What the network makes of a few numbers against a function in double.
template <class Function>
void expect_values(const Network& network, Function function) {
  const std::vector<float> x{-5, -1.25F, -0.3F, 0, 0.4F, 1, 2.5F, 6};
  const Tensor y = execute(network, {{1, 8}, x});
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_NEAR(y.data[i], function(static_cast<double>(x[i])), 1e-6 * std::max(1.0, std::abs(function(x[i])))) << x[i];
}

double gelu(double x) { return x * std::erfc(-x / std::numbers::sqrt2) / 2; }
double gelu_tanh(double x) {
  return x / 2 * (1 + std::tanh(std::sqrt(2 / std::numbers::pi) * (x + 0.044715 * x * x * x)));
}

OnnxBuilder model() {
  return OnnxBuilder({-1, 8})
      .floats("half", {}, {0.5F})
      .floats("one", {}, {1})
      .floats("root", {}, {std::numbers::sqrt2_v<float>})
      .floats("inverse", {}, {1 / std::numbers::sqrt2_v<float>})
      .floats("two_over_pi", {}, {0.7978845608F})
      .floats("cubic", {}, {0.044715F})
      .floats("three", {}, {3})
      .floats("quick", {}, {1.702F});
}

TEST(LiftGelu, WithErfInEveryOrder) {
  const Network last = import_onnx(model()
                                       .node("Div", {"x", "root"}, "u")
                                       .node("Erf", {"u"}, "e")
                                       .node("Add", {"e", "one"}, "s")
                                       .node("Mul", {"x", "s"}, "m")
                                       .node("Mul", {"m", "half"}, "y")
                                       .file());
  const Network first = import_onnx(model()
                                        .node("Mul", {"half", "x"}, "h")
                                        .node("Mul", {"inverse", "x"}, "u")
                                        .node("Erf", {"u"}, "e")
                                        .node("Add", {"one", "e"}, "s")
                                        .node("Mul", {"s", "h"}, "y")
                                        .file());
  const Network middle = import_onnx(model()
                                         .node("Mul", {"x", "inverse"}, "u")
                                         .node("Erf", {"u"}, "e")
                                         .node("Add", {"e", "one"}, "s")
                                         .node("Mul", {"s", "half"}, "g")
                                         .node("Mul", {"g", "x"}, "y")
                                         .file());
  for (const Network* network : {&last, &first, &middle}) {
    EXPECT_THAT(labels(*network), testing::ElementsAre("gelu (erf)"));
    EXPECT_THAT(kinds(*network), testing::ElementsAre("GELU (erf)"));
    EXPECT_EQ(network->groups[0].nodes.size(), 5U);
    EXPECT_TRUE(network->groups[0].replaced);
    expect_values(*network, gelu);
  }
}

TEST(LiftGelu, WithTanhIsAnotherFunction) {
  const Network power = import_onnx(model()
                                        .node("Pow", {"x", "three"}, "p")
                                        .node("Mul", {"p", "cubic"}, "c")
                                        .node("Add", {"x", "c"}, "a")
                                        .node("Mul", {"a", "two_over_pi"}, "u")
                                        .node("Tanh", {"u"}, "t")
                                        .node("Add", {"t", "one"}, "s")
                                        .node("Mul", {"x", "half"}, "h")
                                        .node("Mul", {"h", "s"}, "y")
                                        .file());
  const Network factored = import_onnx(model()
                                           .node("Mul", {"x", "x"}, "q")
                                           .node("Mul", {"cubic", "q"}, "c")
                                           .node("Add", {"one", "c"}, "a")
                                           .node("Mul", {"x", "two_over_pi"}, "v")
                                           .node("Mul", {"v", "a"}, "u")
                                           .node("Tanh", {"u"}, "t")
                                           .node("Add", {"t", "one"}, "s")
                                           .node("Mul", {"x", "s"}, "m")
                                           .node("Mul", {"m", "half"}, "y")
                                           .file());
  for (const Network* network : {&power, &factored}) {
    EXPECT_THAT(labels(*network), testing::ElementsAre("gelu (tanh)"));
    expect_values(*network, gelu_tanh);
  }
  EXPECT_GT(std::abs(gelu(2.6) - gelu_tanh(2.6)), 2e-4) << "the forms can be told apart";
}

TEST(LiftGelu, NotWithOtherConstants) {
  EXPECT_THAT(labels(import_onnx(model()
                                     .node("Mul", {"x", "half"}, "u")
                                     .node("Erf", {"u"}, "e")
                                     .node("Add", {"e", "one"}, "s")
                                     .node("Mul", {"x", "s"}, "m")
                                     .node("Mul", {"m", "half"}, "y")
                                     .file())),
              testing::ElementsAre("multiply", "erf", "add", "multiply", "multiply"));
}

TEST(LiftGelu, NotWhereAnotherNodeReadsAPart) {
  const Network network = import_onnx(model()
                                          .node("Div", {"x", "root"}, "u")
                                          .node("Erf", {"u"}, "e")
                                          .node("Add", {"e", "one"}, "s")
                                          .node("Mul", {"x", "s"}, "m")
                                          .node("Mul", {"m", "half"}, "g")
                                          .node("Add", {"g", "e"}, "y")
                                          .file());
  EXPECT_THAT(labels(network), testing::Contains("erf"));
  expect_values(network, [](double x) { return gelu(x) + std::erf(x / std::numbers::sqrt2); });
}

TEST(LiftSwish, KeepsItsFactor) {
  const Network network = import_onnx(
      model().node("Mul", {"quick", "x"}, "u").node("Sigmoid", {"u"}, "s").node("Mul", {"x", "s"}, "y").file());
  EXPECT_THAT(labels(network), testing::ElementsAre("swish"));
  EXPECT_THAT(kinds(network), testing::ElementsAre("quick GELU"));
  expect_values(network, [](double x) { return x / (1 + std::exp(-1.702 * x)); });
}

TEST(LiftTanhSech, TakesTheScaleIn) {
  const Network network = import_onnx(model()
                                          .node("Tanh", {"x"}, "t")
                                          .node("Cosh", {"x"}, "c")
                                          .node("Div", {"t", "c"}, "d")
                                          .node("Mul", {"d", "quick"}, "y")
                                          .file());
  ASSERT_THAT(labels(network), testing::ElementsAre("tanh sech"));
  EXPECT_FLOAT_EQ(dynamic_cast<const Pointwise&>(*network.nodes[0].operation).a(), 1.702F);
  expect_values(network, [](double x) { return 1.702 * std::tanh(x) / std::cosh(x); });
}

TEST(LiftNorm, FindsBothKindsInTheTrainedNetworks) {
  EXPECT_THAT(kinds(trained("vit_mnist")), testing::Contains("LayerNorm").Times(9));
  EXPECT_THAT(kinds(trained("vit_mnist")), testing::Contains("GELU (erf)").Times(4));
  EXPECT_THAT(kinds(trained("vit_mnist")), testing::Contains("attention").Times(4));
  const Network language = trained("lm_swiglu");
  EXPECT_THAT(kinds(language), testing::Contains("RMSNorm").Times(7));
  EXPECT_THAT(kinds(language), testing::Contains("rotary embedding").Times(6));
  EXPECT_THAT(kinds(language), testing::Contains("causal attention").Times(3));
  EXPECT_THAT(kinds(language), testing::Contains("SwiGLU").Times(3));
  EXPECT_THAT(kinds(trained("lm_memglu")), testing::Contains("MemGLU").Times(3));
  EXPECT_THAT(kinds(trained("lm_polyglu_alpha_frozen")), testing::Contains("activation per neuron").Times(3));
  EXPECT_THAT(kinds(trained("lm_polyglu_alpha_frozen")), testing::Contains("PolyGLU (frozen)").Times(3));
  for (const Node& node : language.nodes)
    if (const auto* norm = dynamic_cast<const Normalization*>(node.operation.get())) {
      EXPECT_FLOAT_EQ(norm->epsilon(), 1e-5F);
      EXPECT_EQ(norm->scale().size(), 128U);
      EXPECT_TRUE(norm->shift().empty());
    }
}

/// Blocks as PyTorch exports them (make_blocks.py); that they compute what ONNX Runtime does is in the fixtures.
TEST(LiftBlocks, FindsWhatEachArchitectureIsMadeOf) {
  const auto block = [](const std::string& name) {
    return kinds(import_onnx(std::string(TELLEGEN_SOURCE_DIR "/tests/data/onnx/block_") + name + ".onnx"));
  };
  EXPECT_THAT(block("bert"), testing::UnorderedElementsAre("LayerNorm", "LayerNorm", "GELU (erf)", "attention"));
  EXPECT_THAT(block("gpt2"),
              testing::UnorderedElementsAre("LayerNorm", "LayerNorm", "GELU (tanh)", "causal attention"));
  EXPECT_THAT(block("llama"), testing::UnorderedElementsAre("RMSNorm", "RMSNorm", "rotary embedding",
                                                            "rotary embedding", "SiLU", "SwiGLU", "causal attention"));
  EXPECT_THAT(block("resmlp"), testing::UnorderedElementsAre("GELU (erf)"));
  EXPECT_THAT(block("mamba"), testing::UnorderedElementsAre("SiLU", "SiLU"));
  EXPECT_THAT(block("mbconv"), testing::UnorderedElementsAre("SiLU", "SiLU", "SiLU"));
  EXPECT_THAT(block("patches"), testing::UnorderedElementsAre("LayerNorm"));
}

/// x / sqrt(mean(x^2) + epsilon) over one of two dimensions is RMSNorm; over the wrong one it is not.
TEST(LiftNorm, OnlyOverTrailingDimensions) {
  const auto norm = [](std::int64_t axis) {
    return import_onnx(OnnxBuilder({-1, 2, 4})
                           .floats("e", {}, {0.01F})
                           .node("Mul", {"x", "x"}, "q")
                           .node("ReduceMean", {"q"}, "m")
                           .attribute("axes", std::vector<std::int64_t>{axis})
                           .node("Add", {"m", "e"}, "v")
                           .node("Sqrt", {"v"}, "s")
                           .node("Div", {"x", "s"}, "y")
                           .file());
  };
  EXPECT_THAT(labels(norm(-1)), testing::ElementsAre("rms norm"));
  EXPECT_THAT(labels(norm(1)), testing::ElementsAre("multiply", "mean", "add", "square root", "divide"));
  const Tensor y = execute(norm(-1), {{1, 2, 4}, {1, -2, 3, -4, 0, 0, 1, 0}});
  EXPECT_NEAR(y.data[3], -4 / std::sqrt(7.51), 1e-6);
  EXPECT_NEAR(y.data[6], 1 / std::sqrt(0.26), 1e-6);
}

}  // namespace
}  // namespace tellegen::models
