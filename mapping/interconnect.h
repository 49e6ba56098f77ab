#pragma once
// `chip.interconnect`: what carries data between tiles and from off the chip. Everything is off unless asked for.

#include <string>
#include <utility>

#include "tellegen/base/config.h"

namespace tellegen::mapping {

/// How tiles are joined. bus: one set of wires past all tiles; h_tree: routers that join four each, level by level;
/// mesh: a router at each tile, in a square.
enum class Topology { none, bus, h_tree, mesh };
std::span<const std::pair<Topology, const char*>> enum_names(Topology);

struct InterconnectConfig {
  Topology topology = Topology::none;
  int flit_bits = 64;         ///< width of links and routers
  bool clock_gated = false;   ///< routers without flits take no clock
  std::string dram = "none";  ///< memory off the chip
  bool dram_inputs = true;    ///< inputs of the network come from there, where there is such a memory
  int weight_loads = 0;       ///< how often all weights are fetched from there per input of the network
  bool control = false;       ///< sequencing and clock of the tiles, as a share of what they control
  bool any() const { return topology != Topology::none || dram != "none" || control; }
  void settings(Settings& v);
};

}  // namespace tellegen::mapping
