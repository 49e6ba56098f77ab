#include "tellegen/mapping/interconnect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tellegen/circuits/cost/interconnect_cost.h"

namespace tellegen::mapping {

std::span<const std::pair<Topology, const char*>> enum_names(Topology) {
  static constexpr std::array names{std::pair{Topology::none, "none"}, std::pair{Topology::bus, "bus"},
                                    std::pair{Topology::h_tree, "h_tree"}, std::pair{Topology::mesh, "mesh"}};
  return names;
}

void InterconnectConfig::settings(Settings& v) {
  v("topology", topology,
    "what carries values from tile to tile; none: not counted; bus: one set of wires past all tiles; h_tree: routers "
    "join four tiles each, then four of these, and so on; mesh: a router at each tile");
  v("flit_bits", flit_bits, "width of links and routers: 32, 64, 128 or 256", between(32, 256));
  const auto widths = circuits::router_flit_bits();
  v.require(std::ranges::count(widths, flit_bits) == 1, "flit_bits",
            fmt::format("= '{}' has no price; allowed: {}.", flit_bits, fmt::join(widths, ", ")));
  v("clock_gated", clock_gated, "whether the clock of a router stands still while no flit comes");
  static const std::vector<std::string> memories = [] {
    std::vector<std::string> names{"none"};
    const auto known = circuits::off_chip_memories();
    names.insert(names.end(), known.begin(), known.end());
    return names;
  }();
  v.choice("dram", dram, memories, "memory off the chip");
  v("dram_inputs", dram_inputs, "whether the network's inputs come from the memory off the chip");
  v("weight_loads", weight_loads,
    "how often all weights come from the memory off the chip per input of the network; 0: they stay in the cells",
    at_least(0));
  v("control", control, "whether sequencing and clock of the tiles are counted, as a share of what they control");
}

}  // namespace tellegen::mapping
