// Gates fitted to what the GELUs and MemGLU gates of trained networks see.

#include "tellegen/models/convert/calibrated_gates.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tellegen/models/executor.h"
#include "trained_network.h"

namespace tellegen::models {
namespace {

constexpr std::int64_t kSamples = 16;

/// Root mean square of x sigmoid(tau x) - x Phi(x) over the samples: without any gate.
double rms_of_sharpness(const std::vector<double>& values, double tau) {
  double sum = 0;
  for (const double x : values) {
    const double gate = x / (1 + std::exp(-tau * x)), gelu = 0.5 * x * std::erfc(-x / std::sqrt(2.0));
    sum += (gate - gelu) * (gate - gelu);
  }
  return std::sqrt(sum / static_cast<double>(values.size()));
}

class CalibratedGelu : public testing::Test {
 protected:
  Trained trained_{"vit_mnist"};
  std::map<std::size_t, std::vector<double>> inputs_ =
      inputs_of_inexact(trained_.network, *trained_.set, trained_.set->size() - kSamples, kSamples);
  std::vector<CalibratedGate> gates_ = calibrate_gates(trained_.network, inputs_);
};

TEST_F(CalibratedGelu, HasThreeGatesForEachLayer) {
  ASSERT_EQ(inputs_.size(), 4U);
  ASSERT_EQ(gates_.size(), 12U);
  for (std::size_t i = 0; i < gates_.size(); i += 3) {
    EXPECT_EQ(gates_[i].model, "K = 2 at 1.702");
    EXPECT_EQ(gates_[i + 1].model, "K = 2, sharpness");
    EXPECT_EQ(gates_[i + 2].model, "K = 3, exact tails");
    EXPECT_EQ(gates_[i].parameters, 2);
    EXPECT_EQ(gates_[i + 2].parameters, 3);
    EXPECT_LE(gates_[i + 1].error.rms, gates_[i].error.rms);
    EXPECT_LT(gates_[i + 2].error.rms, gates_[i + 1].error.rms);
  }
}

TEST_F(CalibratedGelu, HasTheErrorsAndTheSharpnessOfADirectSearch) {
  for (const CalibratedGate& gate : gates_) {
    const std::vector<double>& values = inputs_.at(gate.node);
    if (gate.gate.branches() != 2) continue;
    const double tau = gate.gate.tau.front();
    EXPECT_NEAR(gate.error.rms, rms_of_sharpness(values, tau), 1e-12) << gate.model;
    if (gate.model == "K = 2 at 1.702") continue;
    EXPECT_LT(gate.error.rms, rms_of_sharpness(values, 0.99 * tau)) << gate.activation;
    EXPECT_LT(gate.error.rms, rms_of_sharpness(values, 1.01 * tau)) << gate.activation;
  }
}

/// Every so many-th of all.
TEST_F(CalibratedGelu, SeesAFewThousandValuesOfEachLayer) {
  for (const auto& [node, values] : inputs_) {
    EXPECT_GE(values.size(), 4096U);
    EXPECT_LT(values.size(), 8192U);
  }
}

TEST_F(CalibratedGelu, ComesIntoTheNetworkModelByModel) {
  const Tensor images = trained_.set->batch(0, 8);
  const Tensor wanted = execute(trained_.network, images);
  const auto distance = [&](const std::string& model) {
    const Tensor got = execute(with_calibrated(trained_.network, gates_, model), images);
    double largest = 0;
    for (std::size_t i = 0; i < got.data.size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(got.data[i] - wanted.data[i])));
    return largest;
  };
  EXPECT_LT(distance("K = 3, exact tails"), distance("K = 2 at 1.702"));
  EXPECT_GT(distance("K = 3, exact tails"), 0);
  EXPECT_EQ(distance("no such model"), 0);
}

/// Only neurons that have the GELU of their layer are fitted.
TEST(CalibratedNeurons, AreThoseThatHaveTheActivation) {
  const Trained trained("lm_polyglu_alpha_frozen");
  const auto inputs = inputs_of_inexact(trained.network, *trained.set, 0, 2);
  // Of the first layer 69 of 256 neurons, for 2 windows of 128 bytes; every sixteenth value is kept.
  EXPECT_EQ(inputs.begin()->second.size(), 69U * 256 / 16);
  const std::vector<CalibratedGate> gates = calibrate_gates(trained.network, inputs);
  ASSERT_FALSE(gates.empty());
  for (const CalibratedGate& gate : gates) EXPECT_EQ(gate.function.substr(0, 4), "gelu");
}

TEST(CalibratedMemGlu, HasGatesWithItsFactor) {
  const Trained trained("lm_memglu");
  const auto inputs = inputs_of_inexact(trained.network, *trained.set, 0, 2);
  const std::vector<CalibratedGate> gates = calibrate_gates(trained.network, inputs);
  ASSERT_FALSE(gates.empty());
  for (const CalibratedGate& gate : gates) {
    EXPECT_EQ(gate.kind, Pointwise::Kind::tanh_sech);
    EXPECT_LT(gate.error.relative, 0.1) << gate.activation << " " << gate.model;
    EXPECT_NEAR(gating::value(gate.gate, std::asinh(1.0)), 1.5485 / 2, 0.1) << gate.activation << " " << gate.model;
  }
}

TEST(CalibratedGates, AreNotNeededWhereGatesAreExact) {
  const Trained trained("cnn_silu_mnist");
  EXPECT_TRUE(inputs_of_inexact(trained.network, *trained.set, 0, 4).empty());
}

}  // namespace
}  // namespace tellegen::models
