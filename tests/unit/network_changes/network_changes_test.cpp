// What experiments change in the network of their file.

#include "tellegen/sim/engine/network_changes.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/test_set.h"
#include "tellegen/sim/cli/feed_forward_text.h"
#include "tellegen/sim/engine/experiment.h"
#include "tellegen/sim/engine/load.h"

namespace tellegen::sim {
namespace {

using testing::HasSubstr;
using testing_support::message_of;

const std::string kRoot = std::string(TELLEGEN_SOURCE_DIR) + "/";

ExperimentConfig experiment(const std::string& name, const Overrides& overrides = {}) {
  return read_experiment(kRoot + "configs/experiments/" + name + ".yaml", overrides);
}

template <class T>
std::size_t count(const models::Network& network) {
  return static_cast<std::size_t>(
      std::count_if(network.nodes.begin(), network.nodes.end(),
                    [](const models::Node& node) { return dynamic_cast<const T*>(node.operation.get()) != nullptr; }));
}

std::vector<float> outputs(const models::Network& network) {
  const auto set = models::load_test_set(kRoot + "models/data/sotu_test.h5", network);
  return models::execute(network, set->batch(0, 2)).data;
}

TEST(ChangedNetwork, IsTheFilesNetworkUnlessToldOtherwise) {
  const models::Network network = changed_network(experiment("lm_swiglu"));
  EXPECT_EQ(count<models::TailCut>(network), 0U);
  EXPECT_EQ(outputs(network), outputs(models::import_onnx(kRoot + "models/trained/lm_swiglu.onnx")));
}

TEST(ChangedNetwork, CutsTails) {
  const models::Network plain = changed_network(experiment("lm_swiglu"));
  const models::Network network = changed_network(
      experiment("lm_swiglu", {{"network.intervention.tail", "decay"}, {"network.intervention.threshold", "1.5"}}));
  EXPECT_EQ(count<models::TailCut>(network), 3U);
  EXPECT_EQ(outputs(network), outputs(models::with_tail_cut(plain, models::gating::TailIntervention::decay, 1.5)));
  EXPECT_NE(outputs(network), outputs(models::with_tail_cut(plain, models::gating::TailIntervention::decay)));
}

TEST(ChangedNetwork, FreezesRoutingFromCalibrationSamples) {
  const models::Network network =
      changed_network(experiment("lm_polyglu", {{"network.polyglu", "frozen"}, {"evaluate.calibration_samples", "8"}}));
  EXPECT_EQ(count<models::Selection>(network), 3U);
  EXPECT_EQ(outputs(network), outputs(models::import_onnx(kRoot + "models/trained/lm_polyglu_frozen.onnx")));
}

/// What is cut is the frozen activation, with the weights that are left of it.
TEST(ChangedNetwork, ChangesEverythingAtOnce) {
  const models::Network network =
      changed_network(experiment("lm_polyglu_alpha", {{"network.polyglu", "hard"},
                                                      {"network.weights.bits", "4"},
                                                      {"network.weights.group", "32"},
                                                      {"network.weights.rank", "2"},
                                                      {"network.intervention.tail", "cap"}}));
  const models::Network stored = models::import_onnx(kRoot + "models/trained/lm_polyglu_alpha_frozen.onnx");
  EXPECT_EQ(count<models::TailCut>(network), 3U);
  EXPECT_EQ(outputs(network), outputs(models::with_tail_cut(models::with_compact_weights(stored, {4, 32, 2}).network,
                                                            models::gating::TailIntervention::cap)));
}

TEST(ChangedNetwork, RefusesToChangeNothing) {
  const auto refusal = [](const std::string& setting, const std::string& value) {
    return message_of<InputError>([&] { changed_network(experiment("lenet_mnist", {{setting, value}})); });
  };
  EXPECT_EQ(
      refusal("network.intervention.tail", "cap"),
      "network.intervention.tail = 'cap' changes gated feed-forwards, and the network 'lenet_mnist' has none. Leave it "
      "out, or name a network that has some.");
  EXPECT_EQ(
      refusal("network.weights.bits", "4"),
      "network.weights.bits = '4' changes gated feed-forwards, and the network 'lenet_mnist' has none. Leave it out, "
      "or name a network that has some.");
  EXPECT_EQ(
      refusal("network.polyglu", "frozen"),
      "network.polyglu = 'frozen' changes routed activations, and the network 'lenet_mnist' has none. Leave it out, "
      "or name a network that has some.");
}

TEST(ChangedNetwork, NeedsBitsForACorrection) {
  EXPECT_THAT(message_of<ConfigError>([] {
                experiment("lm_swiglu", {{"network.weights.rank", "4"}});
              }),
              HasSubstr("bits must be set where group or rank is: there is nothing to correct in floats."));
}

/// The float network of a run is the changed one.
TEST(ChangedNetwork, IsWhatRunsJudge) {
  const Overrides few{{"evaluate.samples", "8"}, {"evaluate.calibration_samples", "2"}};
  Overrides removed = few;
  removed.emplace_back("network.intervention.tail", "remove");
  const Workload plain = load(experiment("lm_swiglu", few), 1), cut = load(experiment("lm_swiglu", removed), 1);
  EXPECT_GT(cut.float_accuracy, plain.float_accuracy + 0.1);
  EXPECT_THAT(
      message_of<InputError>([] {
        load(experiment("lenet_mnist", {{"network.snr_db", "10"}}), 1);
      }),
      testing::EndsWith("models/data/mnist_test.h5: holds no sound, to which noise 10 dB below it could be added. "
                        "Leave the signal-to-noise ratio out."));
}

TEST(FeedForwardText, ShowsTailsRoutingWeightsAndTheMetric) {
  const Overrides few{{"evaluate.samples", "2"}, {"evaluate.calibration_samples", "2"}};
  const std::string swiglu = cli::feed_forward_text(experiment("lm_swiglu", few), 1);
  EXPECT_THAT(swiglu, HasSubstr("/layers.0/Mul_5  silu"));
  EXPECT_THAT(swiglu, HasSubstr("beyond: g >= 0.881374; energy: share of the sum of squares that comes from there.\n"));
  EXPECT_THAT(swiglu, HasSubstr("float network: nll "));
  EXPECT_THAT(swiglu, HasSubstr(" over 2 samples\n"));
  EXPECT_THAT(swiglu, testing::Not(HasSubstr("agree")));
  Overrides compact = few;
  compact.emplace_back("network.weights.bits", "4");
  const std::string polyglu = cli::feed_forward_text(experiment("lm_polyglu", compact), 1);
  EXPECT_THAT(polyglu, HasSubstr("routed activations"));
  EXPECT_THAT(polyglu, HasSubstr("0.000 %  0.000 %  0.000 %   100.000 %\n"));
  EXPECT_THAT(polyglu, HasSubstr("/layers.2/wd/MatMul  128 x 256"));
}

TEST(FeedForwardText, RefusesOtherNetworks) {
  EXPECT_EQ(
      message_of<InputError>([] { cli::feed_forward_text(experiment("lenet_mnist"), 1); }),
      "The network 'lenet_mnist' has no gated feed-forward (SwiGLU, MemGLU, PolyGLU or the like): there is nothing to "
      "show.");
}

}  // namespace
}  // namespace tellegen::sim
