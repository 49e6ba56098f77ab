#pragma once
// The network of an experiment, whatever kind of file it stands in.

#include "tellegen/models/network.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// Reads the file that is named. Throws InputError.
models::Network read_network(const NetworkConfig& config);

/// Throws InputError where the network was read from its shapes alone, so that there is nothing to run.
void check_has_weights(const models::Network& network, const NetworkConfig& config);

}  // namespace tellegen::sim
