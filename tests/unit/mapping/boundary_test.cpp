#include "tellegen/mapping/boundary.h"
#include "shipped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../base/message_of.h"
#include "tellegen/base/config.h"
#include "tellegen/base/error.h"
#include "tellegen/mapping/gate_fit.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/reshape.h"

namespace tellegen::mapping {
namespace {

using testing_support::message_of;

using test::chip;
using test::trained;

struct Placed {
  GatedNetwork gated;
  Plan plan;
};

Placed place(const std::string& network, const ChipConfig& chip) {
  Placed placed;
  placed.gated = gate_network(trained(network), chip);
  placed.plan = std::get<Plan>(plan_greedy(placed.gated.network, chip));
  place_boundaries(placed.plan, placed.gated.network, placed.gated.edges, chip, Temperature::si(300));
  return placed;
}

std::size_t taken(const std::vector<Edge>& edges, Boundary boundary) {
  return static_cast<std::size_t>(
      std::count_if(edges.begin(), edges.end(), [&](const Edge& e) { return e.taken == boundary; }));
}

/// Every function of one number that networks have, against its gate; 2e-6 is the float functions' own error.
TEST(GateFit, IsExactForEveryActivation) {
  using Kind = models::Pointwise::Kind;
  const std::vector<models::Pointwise> activations{models::Pointwise(Kind::relu),
                                                   models::Pointwise(Kind::leaky_relu, 0.1F),
                                                   models::Pointwise(Kind::clip, 0, 6),
                                                   models::Pointwise(Kind::sigmoid),
                                                   models::Pointwise(Kind::hard_sigmoid, 0.25F, 0.5F),
                                                   models::Pointwise(Kind::tanh),
                                                   models::Pointwise(Kind::silu),
                                                   models::Pointwise(Kind::swish, 1.702F),
                                                   models::Pointwise(Kind::tanh_sech, 1.5F),
                                                   models::Pointwise(Kind::hard_swish)};
  // Fine enough to see a bend at the wrong place: the bends are at whole numbers.
  models::Tensor x{{3201}, {}};
  for (int i = -1600; i <= 1600; ++i) x.data.push_back(static_cast<float>(i) / 200);
  for (const models::Pointwise& activation : activations) {
    const std::optional<circuits::GateFunction> gate = gate_of(activation);
    ASSERT_TRUE(gate.has_value()) << activation.label();
    const models::Tensor* inputs[] = {&x};
    const models::Tensor y = activation.run(inputs);
    for (std::size_t i = 0; i < x.data.size(); ++i) {
      EXPECT_NEAR((*gate)(static_cast<double>(x.data[i])), static_cast<double>(y.data[i]), 2e-6)
          << activation.label() << " at " << x.data[i];
    }
  }
}

TEST(GateFit, TakesThreeBranchesForGelu) {
  using Kind = models::Pointwise::Kind;
  for (const Kind kind : {Kind::gelu_erf, Kind::gelu_tanh}) {
    const models::Pointwise activation(kind);
    const circuits::GateFunction gate = gate_of(activation).value();
    EXPECT_EQ(gate.branches(), 3U);
    double largest = 0;
    for (int i = -80; i <= 80; ++i) {
      const models::Tensor x{{1}, {static_cast<float>(i) / 10}};
      const models::Tensor* inputs[] = {&x};
      const double y = static_cast<double>(activation.run(inputs).data[0]);
      largest = std::max(largest, std::abs(gate(static_cast<double>(x.data[0])) - y));
    }
    EXPECT_NEAR(largest, kind == Kind::gelu_erf ? 0.00648 : 0.00696, 5e-5);
  }
}

TEST(GateFit, HasNothingWhereOneGateIsNotEnough) {
  using Kind = models::Pointwise::Kind;
  for (const Kind kind : {Kind::elu, Kind::softplus, Kind::mish})
    EXPECT_FALSE(gate_of(models::Pointwise(kind, 1)).has_value());
}

TEST(Boundary, DigitalLeavesTheNetworkAsItIs) {
  const Placed placed = place("cnn_silu_mnist", chip(""));
  EXPECT_EQ(placed.gated.edges.size(), 4U);
  EXPECT_EQ(taken(placed.gated.edges, Boundary::digital), 4U);
  for (const LayerPlan& layer : placed.plan.layers) EXPECT_EQ(layer.front_end, nullptr);
}

TEST(Boundary, ThresholdGatesStandWhereTheyMay) {
  const Placed placed = place("cnn_silu_mnist", chip("boundary: tg_after_dac"));
  EXPECT_EQ(taken(placed.gated.edges, Boundary::tg_after_dac), 3U);
  ASSERT_EQ(placed.plan.layers.size(), 5U);
  EXPECT_EQ(placed.plan.layers[0].front_end, nullptr);
  for (std::size_t l = 1; l < 4; ++l) EXPECT_NE(placed.plan.layers[l].front_end, nullptr) << l;
  EXPECT_EQ(placed.plan.layers[4].front_end, nullptr);
  EXPECT_EQ(placed.plan.layers[1].front_end, placed.plan.layers[2].front_end);  // one design
  EXPECT_THAT(placed.gated.edges.back().why,
              testing::EndsWith("averages in the digital part. The activation stays digital."));
}

TEST(Boundary, AnEdgeMayDifferFromTheRest) {
  const std::string layer = place("cnn_silu_mnist", chip("")).plan.layers[2].name;
  const Placed placed =
      place("cnn_silu_mnist", chip("boundary: tg_after_dac, edges: [{layer: " + layer + ", boundary: digital}]"));
  EXPECT_EQ(taken(placed.gated.edges, Boundary::tg_after_dac), 2U);
  EXPECT_EQ(placed.plan.layers[2].front_end, nullptr);
}

TEST(Boundary, RefusesEdgesThatNothingObeys) {
  const models::Network network = trained("mlp_mnist");
  const std::vector<LayerPlan> layers = place("mlp_mnist", chip("")).plan.layers;
  ASSERT_EQ(layers.size(), 3U);
  const std::string first = layers[0].name, second = layers[1].name;
  const auto message = [&](const std::string& edges) {
    return message_of<InputError>([&] { gate_network(network, chip("edges: [" + edges + "]")); });
  };
  EXPECT_EQ(message("{layer: conv9, boundary: digital}"),
            "chip.edges: layer = 'conv9' is not a layer of the network 'mlp_mnist'; allowed: " + first + ", " + second +
                ", " + layers[2].name + ".");
  EXPECT_EQ(message("{layer: " + first + ", boundary: analog}"),
            "chip.edges: layer = '" + first +
                "' has no activation straight in front of it, so it has no boundary to set. Leave it out.");
  const std::string edge = "{layer: " + second + ", boundary: analog}";
  EXPECT_EQ(message(edge + ", " + edge),
            "chip.edges: layer = '" + second + "' is listed twice; a layer has one boundary in front of it. Keep one.");
}

TEST(Boundary, RefusesDrivesThatGatesCannotTake) {
  const auto message = [](const std::string& settings) -> std::string {
    try {
      place("mlp_mnist", chip("boundary: tg_after_dac, " + settings));
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(message("dac: {streaming: bit_serial}"),
              testing::StartsWith("chip.dac.streaming = 'bit_serial' cannot drive threshold gates"));
  EXPECT_THAT(message("dac: {kind: pwm}"), testing::StartsWith("chip.dac.kind = 'pwm' cannot drive threshold gates"));
  EXPECT_THAT(message("tile: {encoding: offset}"), testing::StartsWith("chip.tile.encoding = 'offset' takes off"));
}

TEST(Boundary, AnalogOnlyWhereNothingDigitalIsBetween) {
  // Arrays of 128 rows: the sums of all but the last layers come from several tiles.
  const Placed split = place("mlp_mnist", chip("boundary: analog, tile: {bias: rows}"));
  EXPECT_EQ(taken(split.gated.edges, Boundary::analog), 0U);
  EXPECT_EQ(taken(split.gated.edges, Boundary::tg_after_dac), 2U);
  EXPECT_THAT(split.gated.edges[0].why, testing::EndsWith("are added up from several tiles. Taken: tg_after_dac."));
  const Placed whole = place("mlp_mnist", chip("boundary: analog, tile: {rows: 1024, columns: 1024, bias: rows}"));
  EXPECT_EQ(taken(whole.gated.edges, Boundary::analog), 2U);
  EXPECT_NE(whole.plan.layers[0].amplifier, nullptr);
  EXPECT_NE(whole.plan.layers[1].amplifier, nullptr);
  EXPECT_EQ(whole.plan.layers[2].amplifier, nullptr);
  EXPECT_EQ(whole.plan.layers[1].boundary, Boundary::analog);
  // 785 rows on two arrays, 257 on one: only the first layer is cut.
  const Placed cut = place("mlp_mnist", chip("boundary: analog, tile: {rows: 512, columns: 1024, bias: rows}"));
  EXPECT_EQ(cut.gated.edges[0].taken, Boundary::tg_after_dac);
  EXPECT_EQ(cut.gated.edges[1].taken, Boundary::analog);
  const Placed bias = place("mlp_mnist", chip("boundary: analog, tile: {rows: 1024, columns: 1024}"));
  EXPECT_EQ(taken(bias.gated.edges, Boundary::analog), 0U);
  EXPECT_THAT(bias.gated.edges[0].why, testing::HasSubstr("put it on a row with chip.tile.bias: rows"));
}

/// The stem speaks straight to the first 1x1 expansion, and in each of four blocks squeeze to excite; depthwise layers
/// need neighbours.
TEST(Boundary, AnalogInsideSqueezeAndExcitation) {
  const Placed placed = place("mbnet_fashion", chip("boundary: analog, tile: {rows: 256, columns: 256, bias: rows}"));
  EXPECT_EQ(taken(placed.gated.edges, Boundary::analog), 5U);
  EXPECT_EQ(taken(placed.gated.edges, Boundary::tg_after_dac), 4U);
}

/// A network of its nodes, each with one output: value n + 1 is what node n makes.
class Chain {
 public:
  explicit Chain(models::Shape input) {
    network_.name = "chain";
    network_.input = 0;
    network_.values.push_back({"x", std::move(input), false});
  }
  models::ValueId add(const std::string& name, std::shared_ptr<const models::Operation> operation,
                      std::vector<models::ValueId> inputs) {
    std::vector<models::Shape> shapes;
    for (const models::ValueId input : inputs) shapes.push_back(network_.values[static_cast<std::size_t>(input)].shape);
    const auto output = static_cast<models::ValueId>(network_.values.size());
    network_.values.push_back({name, operation->output_shape(shapes), false});
    network_.nodes.push_back({name, std::move(operation), std::move(inputs), output, {name, name}, {}});
    return network_.output = output;
  }
  /// Rows of `inputs` numbers to two sums without a bias.
  models::ValueId add_linear(const std::string& name, std::int64_t inputs, models::ValueId from) {
    const std::vector<float> weights(static_cast<std::size_t>(2 * inputs), 0.5F);
    return add(name, std::make_shared<models::Linear>(inputs, weights, std::vector<float>{}), {from});
  }
  models::ValueId add_reshape(models::Shape target, models::ValueId from) {
    return add("reshape", std::make_shared<models::Reshape>("reshape", std::move(target)), {from});
  }
  models::ValueId add_relu(models::ValueId from) {
    return add("relu", std::make_shared<models::Pointwise>(models::Pointwise::Kind::relu), {from});
  }
  const models::Network& network() const { return network_; }

 private:
  models::Network network_;
};

/// The only edge of a network on a chip that asks for analog boundaries.
Edge analog_edge(const Chain& chain) {
  const ChipConfig analog = chip("boundary: analog");
  GatedNetwork gated = gate_network(chain.network(), analog);
  Plan plan = std::get<Plan>(plan_greedy(gated.network, analog));
  place_boundaries(plan, gated.network, gated.edges, analog, Temperature::si(300));
  EXPECT_EQ(gated.edges.size(), 1U);
  return gated.edges.at(0);
}

/// Sums that somebody else reads must become numbers, even where both read them behind a reshape.
TEST(Boundary, CountsReadersBehindAReshape) {
  Chain chain({-1, 2});
  const models::ValueId sums = chain.add_reshape({-1, 2}, chain.add_linear("first", 2, 0));
  const models::ValueId second = chain.add_linear("second", 2, chain.add_relu(sums));
  EXPECT_EQ(analog_edge(chain).taken, Boundary::analog);
  const models::ValueId third = chain.add_linear("third", 2, sums);
  chain.add("sum", std::make_shared<models::Arithmetic>(models::Arithmetic::Kind::add), {second, third});
  const Edge edge = analog_edge(chain);
  EXPECT_EQ(edge.taken, Boundary::tg_after_dac);
  EXPECT_EQ(edge.why, "Not analog: the sums of 'first' are read elsewhere as well. Taken: tg_after_dac.");
}

/// Two positions of two sums each are one input of four numbers: the first two must wait for the others.
TEST(Boundary, ValuesOfSeveralPositionsNeedAMemory) {
  Chain chain({-1, 2, 2});
  chain.add_linear("second", 4, chain.add_relu(chain.add_reshape({-1, 4}, chain.add_linear("first", 2, 0))));
  const Edge edge = analog_edge(chain);
  EXPECT_EQ(edge.taken, Boundary::tg_after_dac);
  EXPECT_EQ(edge.why,
            "Not analog: 'second' needs values of several positions at once, which only a memory holds. Taken: "
            "tg_after_dac.");
}

/// Inputs of each layer are laid on the circuit's range, and the gate is that of the scaled input.
TEST(Boundary, GatesAreScaledToTheInputsOfTheirLayer) {
  const ChipConfig tg = chip("boundary: tg_after_dac");
  Placed placed = place("cnn_silu_mnist", tg);
  const double range = placed.plan.layers[1].front_end->limits().x_high;
  std::vector<double> largest(placed.gated.network.nodes.size(), range / 2);
  largest[placed.plan.layers[2].node] = range / 4;
  place_boundaries(placed.plan, placed.gated.network, placed.gated.edges, tg, Temperature::si(300), largest);
  for (const auto& [layer, scale] : {std::pair{1U, 2.0}, {2U, 4.0}, {3U, 2.0}}) {
    const LayerPlan& plan = placed.plan.layers[layer];
    EXPECT_DOUBLE_EQ(plan.gate_scale, scale) << layer;
    for (const double x : {-3.0, -0.5, 0.25, 2.0})
      EXPECT_NEAR(plan.front_end->gate()(scale * x), x / (1 + std::exp(-x)), 1e-12) << layer << " at " << x;
  }
}

}  // namespace
}  // namespace tellegen::mapping
