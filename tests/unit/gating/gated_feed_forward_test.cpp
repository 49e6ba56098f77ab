// The GLU family and PolyGLU against stored networks.

#include "tellegen/models/gating/gated_feed_forward.h"

#include <gtest/gtest.h>

#include "../base/message_of.h"
#include "matrices.h"
#include "tellegen/base/error.h"
#include "tellegen/models/gating/polyglu.h"

namespace tellegen::models::gating {
namespace {

using test::expect_near;
using test::matrix;
using test::vector;
using testing_support::message_of;

TEST(GatedFeedForwards, StoredNetworks) {
  const auto& stored = test::vectors("glu.json");
  const Eigen::MatrixXd x = vector(stored["x"]).transpose();
  ASSERT_EQ(stored["variants"].size(), 7U);
  for (const auto& [name, row] : stored["variants"].items()) {
    GatedFeedForward layer{{}, 1, matrix(stored["Wg"]), matrix(stored["Wu"]), matrix(stored["Wd"])};
    if (name == "swiglu_beta2")
      layer.phi = {ActivationKind::swish, 2};
    else
      layer.phi = glu_named(name == "memglu_c0_1" ? "memglu" : name).phi;
    expect_near(x * layer.gate, vector(stored["g"]).transpose(), 1e-13, name + " before the gate");
    expect_near(layer.gates(x), vector(row["gate"]).transpose(), 1e-13, name + " gate");
    expect_near(layer.hidden(x), vector(row["hidden"]).transpose(), 1e-13, name + " hidden");
    expect_near(layer(x), vector(row["y"]).transpose(), 1e-13, name + " output");
  }
}

TEST(GatedFeedForwards, C0ScalesTheOutput) {
  const auto& stored = test::vectors("glu.json");
  const Eigen::MatrixXd x = vector(stored["x"]).transpose();
  GatedFeedForward layer{glu_named("memglu").phi, 1.5, matrix(stored["Wg"]), matrix(stored["Wu"]),
                         matrix(stored["Wd"])};
  expect_near(layer(x), 1.5 * vector(stored["variants"]["memglu_c0_1"]["y"]).transpose(), 1e-13, "c0");
}

TEST(GatedFeedForwards, FusedWeights) {
  const auto& stored = test::vectors("glu.json");
  const Eigen::MatrixXd gate = matrix(stored["Wg"]), up = matrix(stored["Wu"]);
  Eigen::MatrixXd fused(gate.rows(), 2 * gate.cols());
  fused << gate, up;
  GatedFeedForward layer;
  split_fused(fused, FusedOrder::gate_first, layer);
  EXPECT_EQ(layer.gate, gate);
  EXPECT_EQ(layer.up, up);
  split_fused(fused, FusedOrder::gate_last, layer);
  EXPECT_EQ(layer.gate, up);
  EXPECT_EQ(layer.up, gate);
  EXPECT_EQ(message_of<InputError>([&] { split_fused(fused.leftCols(3), FusedOrder::gate_first, layer); }),
            "A fused gate and up matrix has '3' columns; it needs an even number, half for each.");
}

/// Equal size needs two thirds of the hidden width of a plain layer with 2 d h.
TEST(GatedFeedForwards, ParametersAndNames) {
  EXPECT_EQ(glu_parameter_count(768, 2048), 2 * 768 * 3072);
  EXPECT_EQ(message_of<InputError>([] { glu_named("swigl"); }),
            "'swigl' is not a known gated feed-forward layer; did you mean 'swiglu'?");
}

PolyGlu stored_layer(const nlohmann::json& stored) {
  PolyGlu layer;
  layer.gate = matrix(stored["W_gate"]);
  layer.up = matrix(stored["W_up"]);
  layer.down = matrix(stored["W_down"]);
  const auto& network = stored["gate_net"];
  layer.routing = {matrix(network["W1"]), vector(network["b1"]), matrix(network["W2"]), vector(network["b2"])};
  layer.alpha = matrix(stored["alpha"]);
  layer.beta = vector(stored["beta"]);
  return layer;
}

TEST(PolyGlus, RoutingIsSharedByAllNeurons) {
  const auto& stored = test::vectors("polyglu.json");
  const PolyGlu layer = stored_layer(stored);
  const Eigen::MatrixXd x = matrix(stored["x"]);
  expect_near(layer.routing(x), vector(stored["f"]), 1e-13, "dynamic terms");
  expect_near(layer.logits(x), matrix(stored["logits"]), 1e-13, "logits");
}

TEST(PolyGlus, SoftSharesWithAndWithoutNoise) {
  const auto& stored = test::vectors("polyglu.json");
  const PolyGlu layer = stored_layer(stored);
  const Eigen::MatrixXd x = matrix(stored["x"]), noise = matrix(stored["gumbel"]), logits = layer.logits(x);
  for (const auto& [name, temperature, noisy] :
       {std::tuple{"tau1_noise", 1.0, true}, std::tuple{"tau0.5_noise", 0.5, true},
        std::tuple{"tau0.1_noise", 0.1, true}, std::tuple{"tau1_nonoise", 1.0, false},
        std::tuple{"tau0.1_nonoise", 0.1, false}}) {
    const auto& row = stored["cases"][name];
    const Eigen::MatrixXd shares = soft_shares(logits, temperature, noisy ? &noise : nullptr);
    expect_near(shares, matrix(row["g"]), 1e-13, name);
    expect_near(layer.hidden(x, shares), matrix(row["hidden"]), 1e-13, name);
    expect_near(layer.output(x, shares), matrix(row["y"]), 1e-13, name);
  }
  EXPECT_EQ(message_of<InputError>([&] { soft_shares(logits, 0); }),
            "The temperature of routing is '0'; it must be positive. Use hard routing for 0.");
}

TEST(PolyGlus, FrozenRouting) {
  const auto& stored = test::vectors("polyglu.json");
  const PolyGlu layer = stored_layer(stored);
  const Eigen::MatrixXd x = matrix(stored["x"]);
  const auto& row = stored["cases"]["hard_argmax_frozen"];
  RoutingRecord record;
  record.add(layer.logits(x));
  const std::vector<int> choice = record.frozen();
  EXPECT_EQ(choice, row["argmax"].get<std::vector<int>>());
  EXPECT_EQ(record.agreement(), 1);
  expect_near(layer.output(x, hard_shares(choice, 4)), matrix(row["y"]), 1e-13, "frozen");
}

TEST(PolyGlus, FreezingTakesTheMeanOverSequencesAndCountsWhoDisagrees) {
  RoutingRecord record;
  EXPECT_EQ(message_of<InputError>([&] { record.frozen(); }),
            "Routing is to be frozen from '0' sequences; give at least one.");
  record.add(Eigen::MatrixXd{{3, 0}, {0, 1}});
  record.add(Eigen::MatrixXd{{0, 1}, {0, 1}});
  EXPECT_EQ(record.frozen(), (std::vector<int>{0, 1}));
  EXPECT_EQ(record.agreement(), 0.75);
}

TEST(PolyGlus, TemperatureSchedule) {
  for (const auto& row : test::vectors("polyglu.json")["tau_schedule"])
    EXPECT_NEAR(routing_temperature(row["step"], row["total"]), test::number(row["tau"]), 1e-15);
}

TEST(PolyGlus, RoutingParameters) {
  const auto& stored = test::vectors("polyglu.json")["params"];
  const RoutingParameters added = routing_parameters(1024, 4096, 4, 32);
  EXPECT_EQ(added.alpha, stored["alpha"]);
  EXPECT_EQ(added.beta, stored["beta"]);
  EXPECT_EQ(added.network, stored["gate_net"]);
  EXPECT_EQ(added.total(), 49320);
  EXPECT_EQ(added.total() * stored["layers"].get<std::int64_t>(), stored["total"]);
  EXPECT_NEAR(static_cast<double>(added.total() * 28) / stored["model"].get<double>(), 0.002313, 5e-7);
}

}  // namespace
}  // namespace tellegen::models::gating
