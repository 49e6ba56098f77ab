#include "tellegen/circuits/cost/interconnect_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
namespace {

/// Node of the tables that is nearest by ratio, as entries call it.
int tabulated_nm(Length node) {
  constexpr std::array tabulated = {45, 32, 22};
  return std::ranges::min(tabulated, {}, [&](int nm) { return std::abs(std::log(nm / node.in(units::nm))); });
}

Price scaled(Price price, const CostModel& costs) {
  return with_factors(std::move(price), costs.config().energy_scale.interconnect,
                      costs.config().area_scale.interconnect);
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
