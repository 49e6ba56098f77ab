#include "tellegen/models/convert/gate_sites.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>

#include "onnx_builder.h"
#include "tellegen/models/dataset.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

constexpr const char* kRoot = TELLEGEN_SOURCE_DIR;

/// u = x W; a = activation(u); y = a V, and whatever else the test adds.
OnnxBuilder two_products(const std::string& activation) {
  return OnnxBuilder({-1, 2})
      .floats("w", {2, 2}, {1, -1, 2, -2})
      .floats("v", {2, 2}, {3, 1, 4, 1})
      .node("MatMul", {"x", "w"}, "u", "first")
      .node(activation, {"u"}, "a", "gate");
}

std::vector<Follower> followers(const Network& network) {
  const std::vector<GateSite> sites = gate_sites(network);
  EXPECT_EQ(sites.size(), 1U);
  return sites.at(0).followers;
}

TEST(GateSites, MovesAnActivationInFrontOfTheNextProduct) {
  const Network network = import_onnx(two_products("Tanh").node("MatMul", {"a", "v"}, "y", "second").file());
  const Network moved = move_gates(network, gate_sites(network));
  ASSERT_EQ(moved.nodes.size(), 2U);
  EXPECT_FALSE(moved.nodes[0].gate.has_value());
  ASSERT_TRUE(moved.nodes[1].gate.has_value());
  EXPECT_EQ(moved.nodes[1].gate->name, "gate");
  EXPECT_EQ(moved.nodes[1].gate->activation->label(), "tanh");
  const Tensor input{{2, 2}, {0.25F, -0.5F, 1, 2}};
  EXPECT_EQ(execute(moved, input).data, execute(network, input).data);
}

TEST(GateSites, HandsAForeignProductTheInputBeforeItsGate) {
  const Network network = import_onnx(two_products("Relu").node("MatMul", {"a", "v"}, "y", "second").file());
  std::map<std::string, std::vector<float>> seen;
  execute(move_gates(network, gate_sites(network)), {{1, 2}, {1, 1}},
          [&](const Node& node, std::size_t, const Tensor& input) {
            seen[node.name] = input.data;
            const Tensor* inputs[] = {&input};
            return run_node(node, inputs);
          });
  EXPECT_EQ(seen["second"], (std::vector<float>{3, -3}));
}

TEST(GateSites, ExplainsWhatIsInTheWay) {
  const auto only = [](const Network& network) {
    const std::vector<Follower> all = followers(network);
    EXPECT_EQ(all.size(), 1U);
    return all.at(0);
  };
  const Follower last = only(import_onnx(OnnxBuilder({-1, 2})
                                             .floats("w", {2, 2}, {1, -1, 2, -2})
                                             .node("MatMul", {"x", "w"}, "u")
                                             .node("Relu", {"u"}, "y")
                                             .file()));
  EXPECT_EQ(last.obstacle, Obstacle::network_output);
  EXPECT_EQ(last.why, "It is the output of the network: no product follows.");
  const Follower sum = only(import_onnx(two_products("Relu").node("Add", {"a", "u"}, "y", "shortcut").file()));
  EXPECT_EQ(sum.obstacle, Obstacle::sum);
  EXPECT_EQ(sum.why, "'shortcut' adds values of the network: the sum stands between activation and product.");
  const Follower product = only(import_onnx(two_products("Relu").node("Mul", {"a", "u"}, "y", "scale").file()));
  EXPECT_EQ(product.obstacle, Obstacle::product);
  EXPECT_EQ(product.why,
            "'scale' multiplies values of the network with each other: that needs a multiplier per channel.");
}

/// What reads an activation of an image.
Follower reader_of(const std::string& activation, const std::function<void(OnnxBuilder&)>& add_reader) {
  OnnxBuilder model({-1, 1, 2, 2}, 18);
  model.floats("k", {1, 1, 1, 1}, {2}).node(activation, {"x"}, "a", "gate");
  add_reader(model);
  const std::vector<Follower> all = followers(import_onnx(model.file()));
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

TEST(GateSites, PassMaximaOnlyWhereTheActivationNeverFalls) {
  const auto pooled = [](OnnxBuilder& model) {
    model.node("MaxPool", {"a"}, "p", "pool").attribute("kernel_shape", std::vector<std::int64_t>{2, 2});
    model.node("Conv", {"p", "k"}, "y", "next");
  };
  for (const char* activation : {"Relu", "Sigmoid", "Tanh", "LeakyRelu", "Elu", "Softplus", "HardSigmoid"}) {
    const Follower follower = reader_of(activation, pooled);
    EXPECT_TRUE(follower.legal()) << activation;
    EXPECT_EQ(follower.between.size(), 1U) << activation;
  }
  for (const auto& [activation, label] : {std::pair{"HardSwish", "hard swish"}, {"Mish", "mish"}}) {
    const Follower follower = reader_of(activation, pooled);
    EXPECT_EQ(follower.obstacle, Obstacle::order) << activation;
    EXPECT_EQ(follower.why, std::string("'pool' takes maxima, and ") + label +
                                " is not monotone: the largest input need not give the largest output.");
  }
}

TEST(GateSites, StayInFrontOfPaddingWhereZeroIsNotZero) {
  const auto padded = [](OnnxBuilder& model) {
    model.node("Conv", {"a", "k"}, "y", "next").attribute("pads", std::vector<std::int64_t>{0, 1, 0, 0});
  };
  EXPECT_TRUE(reader_of("Relu", padded).legal());
  const Follower follower = reader_of("Sigmoid", padded);
  EXPECT_EQ(follower.obstacle, Obstacle::padding);
  EXPECT_EQ(follower.why,
            "'next' pads its input with zeros, and sigmoid of zero is not zero: padded rows would be driven.");
}

TEST(GateSites, NameAveragesAndOtherOperations) {
  const Follower average =
      reader_of("Relu", [](OnnxBuilder& model) { model.node("GlobalAveragePool", {"a"}, "y", "mean"); });
  EXPECT_EQ(average.obstacle, Obstacle::average);
  EXPECT_EQ(average.why, "'mean' averages in the digital part.");
  const Follower other = reader_of("Relu", [](OnnxBuilder& model) { model.node("Exp", {"a"}, "y", "growth"); });
  EXPECT_EQ(other.obstacle, Obstacle::other_operation);
  EXPECT_EQ(other.why, "'growth' (exponential) is no product with constant weights.");
}

TEST(GateSites, KeepsTheActivationForThoseThatCannotDoWithoutIt) {
  const Network network = import_onnx(
      two_products("Relu").node("MatMul", {"a", "v"}, "b", "second").node("Add", {"a", "b"}, "y", "shortcut").file());
  const std::vector<GateSite> sites = gate_sites(network);
  ASSERT_EQ(sites.size(), 1U);
  EXPECT_TRUE(sites[0].any_legal());
  EXPECT_FALSE(sites[0].all_legal());
  const Network moved = move_gates(network, sites);
  ASSERT_EQ(moved.nodes.size(), 4U);
  EXPECT_TRUE(moved.nodes[2].gate.has_value());
  const Tensor input{{2, 2}, {0.25F, -0.5F, 1, 2}};
  EXPECT_EQ(execute(moved, input).data, execute(network, input).data);
}

/// Counted by hand from the networks' definitions. The last activation before the pooled classifier never moves; of an
/// inverted bottleneck those behind the expansion and inside the squeeze move, the other two feed products.
struct Expected {
  std::string network;
  std::size_t sites, all_legal, any_legal;
};

class SitesOfTrained : public testing::TestWithParam<Expected> {
 protected:
  Network network_ = import_onnx(std::string(kRoot) + "/models/trained/" + GetParam().network + ".onnx");
};

TEST_P(SitesOfTrained, AreCountedByRule) {
  const std::vector<GateSite> sites = gate_sites(network_);
  const auto count = [&](auto member) {
    return static_cast<std::size_t>(
        std::count_if(sites.begin(), sites.end(), [&](const GateSite& s) { return (s.*member)(); }));
  };
  EXPECT_EQ(sites.size(), GetParam().sites);
  EXPECT_EQ(count(&GateSite::all_legal), GetParam().all_legal);
  EXPECT_EQ(count(&GateSite::any_legal), GetParam().any_legal);
}

TEST_P(SitesOfTrained, GiveTheSameLogitsAfterMoving) {
  const std::string data = GetParam().network.find("mnist") != std::string::npos ? "mnist" : "fashion";
  const Dataset set = load_dataset(std::string(kRoot) + "/models/data/" + data + "_test.h5", network_);
  const Network moved = move_gates(network_, gate_sites(network_));
  EXPECT_EQ(execute(moved, set.batch(0, 32)).data, execute(network_, set.batch(0, 32)).data);
}

INSTANTIATE_TEST_SUITE_P(All, SitesOfTrained,
                         testing::Values(Expected{"mlp_mnist", 2, 2, 2}, Expected{"lenet_mnist", 4, 4, 4},
                                         Expected{"cnn_silu_mnist", 4, 3, 3}, Expected{"mbnet_fashion", 18, 9, 9},
                                         Expected{"resnet8_fashion", 7, 6, 6}),
                         [](const auto& parameter) { return parameter.param.network; });

}  // namespace
}  // namespace tellegen::models
