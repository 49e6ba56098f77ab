#include "tellegen/circuits/digital/unit_figures.h"

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/cost/price_multiple.h"

namespace tellegen::circuits {
namespace {

constexpr const char* kRegisterRead = "horowitz_register_file_16";
constexpr const char* kRegisterBit = "aladdin_register_bit";

}  // namespace

Price price(const LookupTable& table, const CostModel& costs, Length node) {
  const std::int64_t bytes = (table.stored_bits() + 7) / 8;
  return multiple(costs.buffer(Access::read, bytes, node), table.output().bits, 1, "output_bits");
}

Price price(const PiecewiseLinear& lines, const CostModel& costs, Length node) {
  const PiecewiseLinearDesign& d = lines.design();
  std::vector<std::pair<std::string, Price>> parts;
  const auto segments = static_cast<double>(lines.starts().size());
  const double comparisons = lines.picked_by_upper_bits() ? 1 : std::max(1.0, std::ceil(std::log2(segments)));
  parts.emplace_back("find_segment", multiple(costs.add(d.input.bits, node), comparisons, comparisons, "comparisons"));
  if (!d.hard_wired) {
    const double reads = 2.0 * d.coefficient_bits / costs.fact(kRegisterRead).bits;
    Price read = multiple(costs.entry(kRegisterRead, node), reads, 1, "reads");
    const Price bit = costs.entry(kRegisterBit, node);
    read.area_m2 = static_cast<double>(lines.stored_bits()) * bit.area_m2;  // the read's source has no area
    std::erase_if(read.from.warnings, [](const std::string& w) { return w.find("has no area") != std::string::npos; });
    read.from.source += " + " + bit.from.source;
    parts.emplace_back("read_coefficients", read);
  }
  parts.emplace_back("multiply", costs.multiply(std::max(d.input.bits, d.coefficient_bits), node));
  parts.emplace_back("add", costs.add(std::max(2 * d.output_bits, d.coefficient_bits), node));
  return combine(parts);
}

}  // namespace tellegen::circuits
