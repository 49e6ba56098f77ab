// Soft, hard and frozen routing of PolyGLU networks.

#include "tellegen/models/gated/routing.h"

#include <gmock/gmock.h>

#include <cmath>
#include <iostream>

#include "language_model.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/gated/largest_share.h"
#include "tellegen/models/gated/routed_activation.h"
#include "tellegen/models/native/node_text.h"
#include "tellegen/models/onnx/import_graph.h"

namespace tellegen::models {
namespace {

using testing::ElementsAre;

double nll(const Network& network, const TestSet& set, std::int64_t samples) {
  return evaluate(network, set, {samples, 16, 0})[0].value;
}

Samples last_windows(const TestSet& set, std::int64_t count) {
  return [&set, count] { return set.batch(set.size() - count, count); };
}

TEST(LargestShare, IsOneAtTheFirstOfEquals) {
  const Tensor shares{{2, 1, 3}, {0.2F, 0.5F, 0.3F, 0.4F, 0.4F, 0.2F}};
  const Tensor* inputs[] = {&shares};
  const Tensor result = LargestShare().run(inputs);
  EXPECT_EQ(result.shape, shares.shape);
  EXPECT_THAT(result.data, ElementsAre(0, 1, 0, 1, 0, 0));
}

/// The stored frozen networks were frozen by their training script, from other texts.
TEST(Routing, FrozenFromSamplesIsTheFrozenNetworkOfTheTrainingScript) {
  for (const std::string name : {"lm_polyglu", "lm_polyglu_alpha"}) {
    const Network network = trained(name), stored = trained(name + "_frozen");
    const auto set = windows_for(network);
    const Network frozen = with_routing(network, Routing::frozen, last_windows(*set, 16));
    EXPECT_EQ(frozen.nodes.size(), stored.nodes.size()) << name << ": what computed the shares is gone";
    EXPECT_TRUE(routed_activations(frozen).empty());
    const Tensor input = set->batch(0, 8);
    EXPECT_EQ(execute(frozen, input).data, execute(stored, input).data) << name;
  }
}

/// relu(g) s0 + tanh(g) s1 with shares from logits (0, 3), (0, 3) and (1, 0): the mean prefers tanh, the last token relu.
TEST(Routing, FreezesToTheLargestMeanLogit) {
  onnx::Graph graph;
  graph.opset = 13;
  graph.input = "x";
  graph.output = "y";
  graph.input_shape = {-1, 3, 3};
  const auto integers = [&](const std::string& name, Shape shape, std::vector<std::int64_t> values) {
    auto constant = std::make_shared<onnx::Constant>();
    constant->name = name;
    constant->is_float = false;
    constant->integers = {std::move(shape), std::move(values)};
    graph.constants[name] = std::move(constant);
  };
  integers("zero", {}, {0});
  integers("one", {}, {1});
  integers("first", {1}, {0});
  integers("others", {2}, {1, 2});
  integers("neurons", {1}, {2});
  for (const char* line : {"g = Gather(x, first, axis=2)", "l = Gather(x, others, axis=2)", "k = Unsqueeze(l, neurons)",
                           "s = Softmax(k, axis=3)", "s0 = Gather(s, zero, axis=3)", "s1 = Gather(s, one, axis=3)",
                           "r = Relu(g)", "t = Tanh(g)", "a = Mul(r, s0)", "b = Mul(t, s1)", "y = Add(a, b)"})
    graph.nodes.push_back(native::parse_node(line, {}));
  const Network network = onnx::import_graph(graph, {}, "sample");
  const Tensor tokens{{1, 3, 3}, {-1, 0, 3, -1, 0, 3, -1, 1, 0}};
  const Network frozen = with_routing(network, Routing::frozen, [&] { return tokens; });
  const float value = std::tanh(-1.0F);
  EXPECT_THAT(execute(frozen, tokens).data, testing::Each(testing::FloatNear(value, 1e-6F)));
}

TEST(Routing, ConstantSharesFreezeWithoutSamples) {
  const Network network = trained("lm_polyglu_alpha");
  const auto set = windows_for(network);
  const Samples none = []() -> Tensor { throw std::logic_error("nobody has to be watched"); };
  const Tensor input = set->batch(0, 2);
  const Tensor hard = execute(with_routing(network, Routing::hard, none), input);
  EXPECT_EQ(hard.data, execute(with_routing(network, Routing::frozen, none), input).data);
  EXPECT_NE(hard.data, execute(network, input).data);
}

TEST(Routing, SoftLeavesTheNetwork) {
  for (const char* name : {"lm_polyglu", "lm_swiglu"}) {
    const Network network = trained(name);
    const auto set = windows_for(network);
    const Tensor input = set->batch(0, 1);
    EXPECT_EQ(execute(with_routing(network, Routing::soft, {}), input).data, execute(network, input).data);
  }
  const Network swiglu = trained("lm_swiglu");
  EXPECT_EQ(with_routing(swiglu, Routing::hard, {}).nodes.size(), swiglu.nodes.size());
}

/// Recorded by the training scripts on the first 64 windows: 1.239911 soft and 1.2410 frozen, 1.264003 soft and 1.2689 frozen.
TEST(Routing, CostsWhatTheRecordsSay) {
  struct Recorded {
    const char* network;
    double soft, frozen;
  };
  for (const auto& [name, soft, frozen] :
       {Recorded{"lm_polyglu", 1.239911, 1.2410}, {"lm_polyglu_alpha", 1.264003, 1.2689}}) {
    const Network network = trained(name);
    const auto set = windows_for(network);
    const Samples samples = last_windows(*set, 16);
    const double measured_soft = nll(network, *set, 64),
                 measured_hard = nll(with_routing(network, Routing::hard, samples), *set, 64),
                 measured_frozen = nll(with_routing(network, Routing::frozen, samples), *set, 64);
    std::cout << name << ": soft " << measured_soft << ", hard " << measured_hard - measured_soft << " more, frozen "
              << measured_frozen - measured_soft << " more\n";
    EXPECT_NEAR(measured_soft, soft, 2e-6);
    EXPECT_NEAR(measured_frozen, frozen, 5e-5);
    EXPECT_GT(measured_frozen, measured_soft);
    EXPECT_LE(measured_hard, measured_frozen);
  }
}

TEST(RoutingSummaries, AgreeWithTheRecords) {
  const Network alpha = trained("lm_polyglu_alpha");
  const std::vector<RoutingSummary> constant = routing_summaries(alpha, {});
  ASSERT_EQ(constant.size(), 3U);
  EXPECT_THAT(constant[0].palette, ElementsAre("relu", "tanh", "silu", "gelu (erf)"));
  EXPECT_THAT(constant[0].frozen_shares,
              ElementsAre(testing::DoubleNear(0.02734375, 1e-12), testing::DoubleNear(0.0546875, 1e-12),
                          testing::DoubleNear(0.6484375, 1e-12), testing::DoubleNear(0.26953125, 1e-12)));
  // The script records entropies at the last temperature of its training, 0.1; the file holds those shares.
  EXPECT_NEAR(constant[0].entropy_nat, 1.312754511833191, 2e-6);
  EXPECT_NEAR(constant[2].entropy_nat, 1.2755727767944336, 2e-6);
  EXPECT_EQ(constant[1].agreement, 1);

  const Network routed = trained("lm_polyglu");
  const auto set = windows_for(routed);
  const std::vector<RoutingSummary> computed = routing_summaries(routed, last_windows(*set, 8));
  ASSERT_EQ(computed.size(), 3U);
  for (const RoutingSummary& layer : computed) {
    EXPECT_THAT(layer.frozen_shares, ElementsAre(0, 0, 0, 1));
    EXPECT_GT(layer.agreement, 0.99);
    EXPECT_LT(layer.entropy_nat, 1e-3);
  }
  EXPECT_GT(computed[0].entropy_nat, computed[1].entropy_nat);
}

}  // namespace
}  // namespace tellegen::models
