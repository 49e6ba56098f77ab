#pragma once
// Which values go from tile to tile while one input passes the network, and how far: shapes and the plan, no data.

#include <cstdint>
#include <optional>
#include <vector>

#include "tellegen/mapping/interconnect.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// Values of one layer that another layer takes, per input of the network.
struct Transfer {
  std::optional<std::size_t> from;  ///< row of the plan (row_of); nothing: the network's input, which enters at tile 0
  std::size_t to = 0;               ///< row of the plan
  double values = 0;
  bool digital = true;   ///< else lines from amplifiers to front-ends, which carry no bits
  bool written = false;  ///< the factor that is written into the tiles; else values that drive rows or are worked on
};

/// Values go to the layer that multiplies them or does digital work on them (a node's work belongs to the latest matrix
/// layer before it). A value is sent once to each layer that reads it. States of recurrent layers go to their products,
/// and the products back. Both factors of a product on tiles that are rewritten go there, those of later tokens too.
/// Values that stay with their layer are not in the list.
std::vector<Transfer> transfers(const models::Network& network, const Plan& plan);

/// What one bit from tile to tile passes.
struct Path {
  double routers = 0, pitches = 0;  ///< routers passed, and length over the pitch of the tiles
};
/// Tiles are numbered row by row in a mesh, by fours in an h_tree; on a bus every bit passes all wires.
Path path_between(Topology topology, int tiles, int from, int to);

/// Sums over the bits of one input of the network that arrive at one layer.
struct LayerTraffic {
  double bits = 0;
  double router_bits = 0;  ///< bits times routers passed
  double pitch_bits = 0;   ///< bits times pitches passed
};
/// Per row of the plan. Each tile is sent the share of the values that its rows take, or that it is written with, from all
/// tiles of the sender alike; partial sums of row blocks go to the first tile with their outputs, `sum_bits` each.
std::vector<LayerTraffic> traffic(const models::Network& network, const Plan& plan, Topology topology,
                                  std::int64_t value_bits, std::int64_t sum_bits);

/// What the chip is joined with.
struct Fabric {
  double routers = 0;
  double pitches = 0;  ///< length of all links over the pitch of the tiles, both directions
};
Fabric fabric(Topology topology, int tiles);

/// Values of one input of the network at the network's own input.
std::int64_t input_values(const models::Network& network);

}  // namespace tellegen::mapping
