// Gated feed-forwards and routed activations, found in the shipped networks.

#include "tellegen/models/gated/gated_layer.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "language_model.h"
#include "tellegen/models/gated/routed_activation.h"
#include "tellegen/models/native/node_text.h"
#include "tellegen/models/onnx/import_graph.h"
#include "tellegen/models/operators/linear.h"

namespace tellegen::models {
namespace {

using testing::ElementsAre;

struct Expected {
  const char* network;
  std::size_t layers;
  const char* function;
  std::size_t activations;
};
class GatedLayers : public testing::TestWithParam<Expected> {};

TEST_P(GatedLayers, AreFoundWithTheirThreeMatrices) {
  const Network network = trained(GetParam().network);
  const std::vector<GatedLayer> layers = gated_layers(network);
  ASSERT_EQ(layers.size(), GetParam().layers);
  for (const GatedLayer& layer : layers) {
    EXPECT_EQ(layer.function, GetParam().function);
    EXPECT_EQ(layer.activations.size(), GetParam().activations);
    ASSERT_EQ(layer.matrices.size(), 3U);
    std::vector<std::string> names;
    for (const std::size_t index : layer.matrices) names.push_back(network.nodes[index].name);
    const std::string prefix = names[0].substr(0, names[0].find("wg"));
    EXPECT_THAT(names, ElementsAre(prefix + "wg/MatMul", prefix + "wu/MatMul", prefix + "wd/MatMul"));
    for (const std::size_t activation : layer.activations)
      EXPECT_THAT(network.nodes[activation].inputs, ElementsAre(layer.gate));
  }
}

INSTANTIATE_TEST_SUITE_P(Trained, GatedLayers,
                         testing::Values(Expected{"lm_swiglu", 3, "silu", 1}, Expected{"lm_memglu", 3, "tanh sech", 1},
                                         Expected{"lm_polyglu", 3, "routed activations", 4},
                                         Expected{"lm_polyglu_alpha", 3, "routed activations", 4},
                                         Expected{"lm_polyglu_frozen", 3, "activation per neuron", 1},
                                         Expected{"lm_polyglu_alpha_frozen", 3, "activation per neuron", 1},
                                         Expected{"vit_mnist", 0, "", 0}, Expected{"resnet8_fashion", 0, "", 0},
                                         Expected{"mbnet_fashion", 0, "", 0}),
                         [](const auto& tested) { return std::string(tested.param.network); });

/// A gate that something else reads cannot be changed for the feed-forward alone.
TEST(GatedLayer, ReadsItsGateAlone) {
  const auto layers = [](const std::string& output) {
    onnx::Graph graph;
    graph.opset = 13;
    graph.input = "x";
    graph.output = output;
    graph.input_shape = {-1, 2};
    for (const char* name : {"wg", "wu", "wd"}) {
      auto weights = std::make_shared<onnx::Constant>();
      weights->name = name;
      weights->floats = {{2, 2}, {1, 2, 3, 4}};
      graph.constants[name] = std::move(weights);
    }
    for (const char* line : {"g = MatMul(x, wg)", "u = MatMul(x, wu)", "a = Tanh(g)", "h = Mul(a, u)",
                             "d = MatMul(h, wd)", "y = Add(d, a)"})
      graph.nodes.push_back(native::parse_node(line, {}));
    return gated_layers(onnx::import_graph(graph, {}, "sample")).size();
  };
  EXPECT_EQ(layers("d"), 1U);
  EXPECT_EQ(layers("y"), 0U);
}

std::vector<std::string> labels(const RoutedActivation& routed) {
  std::vector<std::string> names;
  for (const Pointwise& activation : routed.palette) names.push_back(activation.label());
  return names;
}

TEST(RoutedActivations, HaveThePaletteInOrder) {
  for (const char* name : {"lm_polyglu", "lm_polyglu_alpha"}) {
    const std::vector<RoutedActivation> all = routed_activations(trained(name));
    ASSERT_EQ(all.size(), 3U) << name;
    for (const RoutedActivation& routed : all)
      EXPECT_THAT(labels(routed), ElementsAre("relu", "tanh", "silu", "gelu (erf)"));
  }
  EXPECT_TRUE(routed_activations(trained("lm_swiglu")).empty());
  EXPECT_TRUE(routed_activations(trained("lm_polyglu_frozen")).empty());
}

TEST(RoutedActivations, TellSharesOfNeuronsFromComputedOnes) {
  for (const RoutedActivation& routed : routed_activations(trained("lm_polyglu_alpha"))) {
    EXPECT_FALSE(routed.softmax.has_value());
    ASSERT_EQ(routed.shares.size(), 256U);
    for (const std::vector<double>& row : routed.shares) {
      ASSERT_EQ(row.size(), 4U);
      EXPECT_NEAR(row[0] + row[1] + row[2] + row[3], 1, 1e-6);
    }
  }
  const Network network = trained("lm_polyglu");
  for (const RoutedActivation& routed : routed_activations(network)) {
    ASSERT_TRUE(routed.softmax.has_value());
    EXPECT_TRUE(routed.shares.empty());
    EXPECT_THAT(network.values[static_cast<std::size_t>(network.nodes[*routed.softmax].output)].shape,
                ElementsAre(-1, 128, 256, 4));
  }
}

}  // namespace
}  // namespace tellegen::models
