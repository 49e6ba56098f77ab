#pragma once
// Gated feed-forwards of an experiment's network, as text.

#include <string>

#include "tellegen/sim/engine/experiment.h"

namespace tellegen::cli {

/// Tables of what lies beyond the threshold of network.intervention, of how routed activations are routed, and of compact weights,
/// and the metric of the float network, over evaluate.samples. Throws InputError where the network has no gated feed-forward.
std::string feed_forward_text(const sim::ExperimentConfig& config, int threads);

}  // namespace tellegen::cli
