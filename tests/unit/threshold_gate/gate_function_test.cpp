#include "tellegen/circuits/front_end/gate_function.h"

#include "gates.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/gate_network.h"

namespace tellegen::circuits {
namespace {

double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }

TEST(GateFunction, FrequentGatesAreExact) {
  for (const double x : test::grid(-6, 6, 49)) {
    EXPECT_NEAR(sigmoid_gate()(x), sigmoid(x), 1e-15);
    EXPECT_NEAR(tanh_gate()(x), std::tanh(x), 1e-15);
    EXPECT_NEAR(swish_gate(1.702)(x), x * sigmoid(1.702 * x), 1e-15);
    EXPECT_EQ(relu_gate()(x), std::max(x, 0.0));
    EXPECT_EQ(test::hard_tanh_gate()(x), std::clamp(x, -1.0, 1.0));
    EXPECT_NEAR(tanh_sech_gate(1.5)(x), 1.5 * std::tanh(x) / std::cosh(x), 1e-15);
  }
}

TEST(GateFunction, KernelsAreWhatTheyAreNamed) {
  GateFunction gate = sigmoid_gate();
  gate.sharpness = {1.0 / 6};
  gate.kernel = GateKernel::ramp;
  EXPECT_EQ(gate(-3), 0);
  EXPECT_EQ(gate(0), 0.5);
  EXPECT_NEAR(gate(1.5), 0.75, 1e-15);
  gate.kernel = GateKernel::erf;
  gate.sharpness = {1};
  EXPECT_NEAR(gate(1), 0.841344746068543, 1e-14);
}

TEST(GateFunction, FormsPartitionUnityAndShareTheirLimits) {
  GateFunction gate;
  gate.slopes = {0, 0, 0, 0};
  gate.thresholds = {-1, 0.5, 2};
  gate.sharpness = {3, 3, 3};
  for (const GateForm form : {GateForm::difference, GateForm::nested, GateForm::normalised}) {
    gate.form = form;
    gate.constants = {1, 1, 1, 1};
    for (const double x : test::grid(-5, 5, 21)) EXPECT_NEAR(gate(x), 1, 1e-15);
    gate.constants = {0, 0, 1, 0};
    EXPECT_NEAR(gate(-30), 0, 1e-12);
    EXPECT_NEAR(gate(30), 0, 1e-12);
    EXPECT_GT(gate(1.25), 0.7);
  }
}

// K = 3 normalised with equal weights: b = 1, e^a, e^(a + b), from the definition.
TEST(GateFunction, NormalisedFormIsASoftmaxOfSums) {
  GateFunction gate;
  gate.form = GateForm::normalised;
  gate.slopes = {0, 0, 0};
  gate.constants = {0, 1, 0};
  gate.thresholds = {-0.5, 0.7};
  gate.sharpness = {2, 5};
  const double x = 0.3, a = std::exp(2 * (x + 0.5)), b = a * std::exp(5 * (x - 0.7));
  EXPECT_NEAR(gate(x), a / (1 + a + b), 1e-15);
}

TEST(GateFunction, WhatDoesNotFitIsTold) {
  const auto message = [](const GateFunction& gate) {
    try {
      check(gate);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  GateFunction gate = test::gelu_gate();
  EXPECT_EQ(message(gate), "accepted");
  gate.constants.pop_back();
  EXPECT_EQ(
      message(gate),
      "A gate of '3' slopes needs as many constants and one threshold and one sharpness less; it has 2, 2 and 2.");
  gate = test::gelu_gate();
  std::swap(gate.thresholds[0], gate.thresholds[1]);
  EXPECT_EQ(message(gate), "Thresholds of a gate must ascend.");
  gate.thresholds[0] = std::nan("");
  EXPECT_EQ(message(gate), "Slopes, constants and thresholds of a gate must be finite.");
}

TEST(GateNetwork, CountsItsPairs) {
  const auto pairs = [](const GateFunction& gate, SignedTail way) {
    return make_network(gate, way, 8, 0.05).pairs.size();
  };
  GateFunction nested = test::gelu_gate();
  nested.form = GateForm::nested;
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    EXPECT_EQ(pairs(sigmoid_gate(), way), 1u);
    EXPECT_EQ(pairs(swish_gate(1), way), 2u);
    EXPECT_EQ(pairs(test::gelu_gate(), way), 4u);
    // The second term is a product: a stack of two for each half.
    EXPECT_EQ(pairs(nested, way), 6u);
  }
}

TEST(GateNetwork, ClassAbHalvesDifferByTheSignalAndKeepTheirProduct) {
  const GateNetwork network = make_network(swish_gate(1), SignedTail::class_ab, 8, 0.05);
  const TailLaw &plus = network.pairs[0].tail, &minus = network.pairs[1].tail;
  for (const double x : test::grid(-8, 8, 33)) {
    EXPECT_NEAR(plus.current(x) - minus.current(x), x, 1e-14);
    EXPECT_NEAR(plus.current(x) * minus.current(x), 0.16, 1e-14);
  }
}

// What the pairs add up to with ideal sigmoids is the gate, whatever way the tails take.
TEST(GateNetwork, WithIdealSigmoidsIsItsGate) {
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    for (GateFunction gate : {tanh_gate(), swish_gate(2), test::gelu_gate()}) {
      const GateNetwork network = make_network(gate, way, 8, 0.05);
      for (const double x : test::grid(-8, 8, 33)) {
        double y = network.base_slope * x + network.base_constant;
        for (const NetworkPair& pair : network.pairs) {
          EXPECT_GE(pair.tail.current(x), 0);
          EXPECT_LE(pair.tail.current(x), network.largest_tail * (1 + 1e-12));
          const double share = sigmoid(gate.sharpness[pair.threshold] * (x - gate.thresholds[pair.threshold]));
          y += pair.weight * pair.tail.current(x) * (share - pair.pedestal);
        }
        EXPECT_NEAR(y, gate(x), 1e-13);
      }
    }
  }
}

}  // namespace
}  // namespace tellegen::circuits
