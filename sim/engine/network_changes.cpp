#include "tellegen/sim/engine/network_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tellegen/base/error.h"
#include "tellegen/models/gated/gated_layer.h"
#include "tellegen/models/gated/routed_activation.h"
#include "tellegen/models/test_set.h"
#include "tellegen/sim/engine/experiment.h"
#include "tellegen/sim/engine/network_file.h"

namespace tellegen::models {

std::span<const std::pair<Routing, const char*>> enum_names(Routing) {
  static constexpr std::array names{std::pair{Routing::soft, "soft"}, std::pair{Routing::hard, "hard"},
                                    std::pair{Routing::frozen, "frozen"}};
  return names;
}

std::span<const std::pair<gating::TailIntervention, const char*>> gating::enum_names(TailIntervention) {
  static constexpr std::array names{std::pair{TailIntervention::none, "none"}, std::pair{TailIntervention::cap, "cap"},
                                    std::pair{TailIntervention::decay, "decay"},
                                    std::pair{TailIntervention::remove, "remove"}};
  return names;
}

}  // namespace tellegen::models

namespace tellegen::sim {
namespace {

using models::Routing;
using models::gating::TailIntervention;

/// A change that changes nothing is a mistake.
void require_found(bool found, const std::string& setting, const std::string& value, const char* what,
                   const models::Network& network) {
  if (found) return;
  throw InputError(
      fmt::format("{} = '{}' changes {}, and the network '{}' has none. Leave it out, or name a network that has some.",
                  setting, value, what, network.name));
}

models::Network routed(const ExperimentConfig& config, models::Network network) {
  const Routing routing = config.network.polyglu;
  if (routing == Routing::soft) return network;
  require_found(!models::routed_activations(network).empty(), "network.polyglu", ScalarText<Routing>::write(routing),
                "routed activations", network);
  check_has_weights(network, config.network);
  const auto samples = [&] {
    const auto set = models::load_test_set(config.network.data_file(), network, config.network.snr_db);
    const std::int64_t count = std::min<std::int64_t>(config.evaluate.calibration_samples, set->size());
    return set->batch(set->size() - count, count);
  };
  return models::with_routing(network, routing, samples);
}

}  // namespace

void InterventionConfig::settings(Settings& v) {
  v("tail", tail,
    "what is done to activations of gated feed-forwards from the threshold on: none; cap, they stay as they are there; "
    "decay, they fall like tanh sech; remove, they are 0");
  v("threshold", threshold, "input from which on it is done; arsinh 1, the peak of tanh sech, where nothing is set",
    positive());
}

void CompactConfig::settings(Settings& v) {
  v("bits", bits, "of each weight of gated feed-forwards, as whole numbers times a scale; none: they stay floats",
    between(2, 16));
  v("group", group, "inputs of one output that share a scale; 0: all of them", at_least(0));
  v("rank", rank, "of the floating-point correction that is added to them", at_least(0));
  v.require(bits.has_value() || (group == 0 && rank == 0), "bits",
            "must be set where group or rank is: there is nothing to correct in floats.");
}

models::Network changed_network(const ExperimentConfig& config) {
  models::Network network = routed(config, read_network(config.network));
  const InterventionConfig& intervention = config.network.intervention;
  const bool gated = !models::gated_layers(network).empty();
  if (const std::optional<int>& bits = config.network.weights.bits) {
    require_found(gated, "network.weights.bits", std::to_string(*bits), "gated feed-forwards", network);
    check_has_weights(network, config.network);
    network = models::with_compact_weights(network, config.network.weights.form()).network;
  }
  if (intervention.tail == TailIntervention::none) return network;
  require_found(gated, "network.intervention.tail", ScalarText<TailIntervention>::write(intervention.tail),
                "gated feed-forwards", network);
  return models::with_tail_cut(network, intervention.tail, intervention.threshold);
}

}  // namespace tellegen::sim
