#pragma once
// What an experiment changes in the network of its file before anything else happens: the float network and the chip both have it.

#include <optional>
#include <span>
#include <utility>

#include "tellegen/base/config.h"
#include "tellegen/models/gated/compact_weights.h"
#include "tellegen/models/gated/routing.h"
#include "tellegen/models/gated/tail_cut.h"
#include "tellegen/models/network.h"

namespace tellegen::models {
std::span<const std::pair<Routing, const char*>> enum_names(Routing);
namespace gating {
std::span<const std::pair<TailIntervention, const char*>> enum_names(TailIntervention);
}
}  // namespace tellegen::models

namespace tellegen::sim {

struct ExperimentConfig;

/// The positive tail of the activations of gated feed-forwards.
struct InterventionConfig {
  models::gating::TailIntervention tail = models::gating::TailIntervention::none;
  double threshold = models::gating::kMemgluPeak;
  void settings(Settings& v);
};

/// The matrices of gated feed-forwards; absent bits leave them as they are.
struct CompactConfig {
  std::optional<int> bits;
  int group = 0;
  int rank = 0;
  models::CompactWeights form() const { return {bits.value_or(0), group, rank}; }
  void settings(Settings& v);
};

/// The network of the file, routed, cut and compacted as network.polyglu, network.intervention and network.weights say. Frozen
/// routing is learnt from the calibration samples. Throws InputError where there is nothing to change.
models::Network changed_network(const ExperimentConfig& config);

}  // namespace tellegen::sim
