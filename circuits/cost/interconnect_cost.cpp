#include "tellegen/circuits/cost/interconnect_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// Node of the tables that is nearest by ratio, as entries call it.
int tabulated_nm(Length node) {
  constexpr std::array tabulated = {45, 32, 22};
  return std::ranges::min(tabulated, {}, [&](int nm) { return std::abs(std::log(nm / node.in(units::nm))); });
}

Price scaled(Price price, const CostModel& costs) {
  const double energy = costs.config().energy_scale.interconnect, area = costs.config().area_scale.interconnect;
  price.energy_J = energy * price.energy_J;
  price.static_W = energy * price.static_W;
  price.area_m2 = area * price.area_m2;
  if (energy != 1) price.inputs.emplace_back("energy_scale", energy);
  if (area != 1) price.inputs.emplace_back("area_scale", area);
  if (energy != 1) price.formula = "energy_scale * (" + price.formula + ")";
  return price;
}

}  // namespace

std::span<const int> router_flit_bits() {
  static constexpr std::array widths = {32, 64, 128, 256};
  return widths;
}

std::span<const std::string> off_chip_memories() {
  static const std::vector<std::string> names{"lpddr4", "lpddr", "ddr3",  "hbm2",  "hbm2e",
                                              "hbm3",   "hbm4",  "gddr6", "gddr6x"};
  return names;
}

Price router_price(const CostModel& costs, int flit_bits, Length node) {
  TELLEGEN_ASSERT(std::ranges::count(router_flit_bits(), flit_bits) == 1);
  return scaled(costs.entry(fmt::format("dsent_router_{}nm_{}", tabulated_nm(node), flit_bits), node), costs);
}

Price router_clock_price(const CostModel& costs, int flit_bits, Length node) {
  TELLEGEN_ASSERT(std::ranges::count(router_flit_bits(), flit_bits) == 1);
  return scaled(costs.entry(fmt::format("dsent_router_clock_{}nm_{}", tabulated_nm(node), flit_bits), node), costs);
}

Price link_price(const CostModel& costs, Length node) {
  return scaled(costs.entry(fmt::format("dsent_link_{}nm_global", tabulated_nm(node)), node), costs);
}

Price off_chip_price(const CostModel& costs, const std::string& memory) {
  return scaled(costs.entry("dram_" + memory), costs);
}

}  // namespace tellegen::circuits
