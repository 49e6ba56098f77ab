// Networks whose activations are threshold gates, in the float executor: the same where gates are exact, and with the drift
// of the fit where they are not.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "shipped.h"
#include "tellegen/mapping/gate_fit.h"
#include "tellegen/models/convert/gate_operations.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/gating/activation.h"
#include "tellegen/models/gating/calibration.h"
#include "tellegen/models/test_set.h"

namespace tellegen::mapping {
namespace {

namespace gating = models::gating;
using models::Network;
using models::Pointwise;
using models::Tensor;
using test::trained;

const std::string kFolder = std::string(TELLEGEN_SOURCE_DIR) + "/models/";

struct Difference {
  double relative = 0;  ///< largest difference over the largest |output|
  int flips = 0;        ///< rows whose largest output changes place
};
Difference difference(const Tensor& expected, const Tensor& got) {
  Difference result;
  double largest = 0;
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(expected.data[i])));
    result.relative = std::max(result.relative, static_cast<double>(std::abs(expected.data[i] - got.data[i])));
  }
  const auto classes = expected.shape.back();
  for (std::ptrdiff_t row = 0; row < std::ssize(expected.data); row += classes) {
    const auto place = [&](const Tensor& t) {
      return std::max_element(t.data.begin() + row, t.data.begin() + row + classes) - (t.data.begin() + row);
    };
    result.flips += place(expected) != place(got) ? 1 : 0;
  }
  result.relative /= largest;
  return result;
}

struct ExactCase {
  const char* network;
  const char* data;
  std::int64_t samples;
};
class ExactConversion : public testing::TestWithParam<ExactCase> {};

TEST_P(ExactConversion, GivesTheSameOutputs) {
  const Network network = trained(GetParam().network);
  int replaced = 0;
  const Network converted = models::with_gates(network, [&](const Pointwise& activation, std::size_t) {
    const std::optional<gating::ThresholdGate> gate = threshold_gate_of(activation);
    replaced += gate ? 1 : 0;
    return gate;
  });
  EXPECT_GT(replaced, 0);
  const auto set = models::load_test_set(kFolder + "data/" + GetParam().data + ".h5", network);
  const Tensor input = set->batch(0, GetParam().samples);
  const Difference drift = difference(models::execute(network, input), models::execute(converted, input));
  EXPECT_LE(drift.relative, 1e-5);
  EXPECT_EQ(drift.flips, 0);
}

INSTANTIATE_TEST_SUITE_P(
    Trained, ExactConversion,
    testing::Values(ExactCase{"mlp_mnist", "mnist_test", 500}, ExactCase{"lenet_mnist", "mnist_test", 500},
                    ExactCase{"lenet_fashion", "fashion_test", 500}, ExactCase{"cnn_mnist", "mnist_test", 500},
                    ExactCase{"cnn_silu_mnist", "mnist_test", 500}, ExactCase{"resnet8_fashion", "fashion_test", 200},
                    ExactCase{"mbnet_fashion", "fashion_test", 200}, ExactCase{"lm_swiglu", "sotu_test", 8}),
    [](const auto& tested) { return std::string(tested.param.network); });

/// Elements of the last dimension that go through GELU: all, some of a layer whose neurons chose theirs, or none.
std::vector<bool> gelu_elements(const models::Operation& operation) {
  const auto is_gelu = [](const Pointwise& p) { return p.kind() == Pointwise::Kind::gelu_erf; };
  if (const auto* activation = dynamic_cast<const Pointwise*>(&operation)) return {is_gelu(*activation)};
  std::vector<bool> elements;
  if (const auto* selection = dynamic_cast<const models::Selection*>(&operation)) {
    for (const std::size_t kind : selection->choice()) elements.push_back(is_gelu(selection->palette()[kind]));
  }
  return elements;
}

/// What the float network puts into each GELU.
std::map<std::size_t, std::vector<double>> gelu_inputs(const Network& network, const Tensor& input) {
  std::map<std::size_t, std::vector<double>> found;
  std::map<models::ValueId, std::size_t> reader;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const std::vector<bool> elements = gelu_elements(*network.nodes[index].operation);
    if (std::find(elements.begin(), elements.end(), true) != elements.end())
      reader[network.nodes[index].inputs[0]] = index;
  }
  models::execute(network, input, {}, [&](const models::Node& node, std::size_t, const Tensor& output) {
    const auto known = reader.find(node.output);
    if (known == reader.end()) return;
    const std::vector<bool> elements = gelu_elements(*network.nodes[known->second].operation);
    for (std::size_t i = 0; i < output.data.size(); i += output.data.size() / 4096 + 1) {
      if (elements[i % elements.size()]) found[known->second].push_back(static_cast<double>(output.data[i]));
    }
  });
  return found;
}

Network with_fitted_gelu(const Network& network, const gating::GateModel& model, const Tensor& samples) {
  const auto inputs = gelu_inputs(network, samples);
  return models::with_gates(
      network, [&](const Pointwise& activation, std::size_t index) -> std::optional<gating::ThresholdGate> {
        if (activation.kind() != Pointwise::Kind::gelu_erf) return std::nullopt;
        const auto seen = inputs.find(index);
        if (seen == inputs.end()) return std::nullopt;  // no neuron chose it
        const auto target = [](double x) { return gating::value({gating::ActivationKind::gelu_erf}, x); };
        return gating::calibrate(model, target, gating::measured_samples(seen->second), gating::Objective::rms).gate;
      });
}

Network with_fixed_gelu(const Network& network, double sharpness) {
  return models::with_gates(network,
                            [&](const Pointwise& activation, std::size_t) -> std::optional<gating::ThresholdGate> {
                              if (activation.kind() != Pointwise::Kind::gelu_erf) return std::nullopt;
                              return gating::single_threshold(gating::Kernel::logistic, sharpness, 0, {0, 1}, {0, 0});
                            });
}

struct GeluCase {
  const char* network;
  const char* data;
  std::int64_t samples;
};
class GeluConversion : public testing::TestWithParam<GeluCase> {};

TEST_P(GeluConversion, MoreBranchesAndCalibrationDriftLess) {
  const Network network = trained(GetParam().network);
  const auto set = models::load_test_set(kFolder + "data/" + GetParam().data + ".h5", network);
  const Tensor input = set->batch(0, GetParam().samples), samples = set->batch(set->size() - 16, 16);
  const Tensor expected = models::execute(network, input);
  const auto drift = [&](const Network& converted) {
    return difference(expected, models::execute(converted, input)).relative;
  };
  const double fixed = drift(with_fixed_gelu(network, 1.702));
  const double fitted = drift(with_fitted_gelu(network, gating::sharpness_model(), samples));
  const double three = drift(with_fitted_gelu(network, gating::exact_tails_three_model(), samples));
  EXPECT_LT(fitted, fixed);
  EXPECT_LT(three, fitted / 2);
  EXPECT_GT(three, 1e-5) << "GELU is no threshold gate: no drift at all would mean that nothing was replaced";
}

INSTANTIATE_TEST_SUITE_P(Trained, GeluConversion,
                         testing::Values(GeluCase{"vit_mnist", "mnist_test", 500},
                                         GeluCase{"lm_polyglu_frozen", "sotu_test", 8},
                                         GeluCase{"lm_polyglu_alpha_frozen", "sotu_test", 8}),
                         [](const auto& tested) { return std::string(tested.param.network); });

}  // namespace
}  // namespace tellegen::mapping
