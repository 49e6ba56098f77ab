#pragma once
// What moves data over the chip and to it, and what keeps tiles in step, as rows of the ledger.

#include "tellegen/models/network.h"
#include "tellegen/sim/engine/ledger.h"

namespace tellegen::sim {

/// Name that routers, links and clocks of the whole chip have instead of a layer's.
inline constexpr const char* kInterconnect = "interconnect";

/// Adds what chip.interconnect asks for to a ledger that holds everything else. Tiles stand at the pitch of a square of
/// their mean area. Transfers are taken to go on while tiles compute: latency stays as it is. Energies of routers and links
/// belong to the layer that values arrive at; clocks, areas and leakage to kInterconnect.
void add_interconnect(Ledger& ledger, const models::Network& network, const mapping::Plan& plan,
                      const ExperimentConfig& config, const circuits::CostModel& costs);

/// What of all this a ledger holds and what it leaves out, one full sentence.
std::string interconnect_note(const mapping::ChipConfig& chip);

}  // namespace tellegen::sim
