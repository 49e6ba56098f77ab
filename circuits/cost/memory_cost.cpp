#include "tellegen/circuits/cost/memory_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

void MemoryRow::settings(Settings& v) {
  v("node", node, "technology node", required(positive()));
  v("bytes", bytes, "capacity", required(at_least(1)));
  v("read", read, "energy of reading one word", required(positive()));
  v("write", write, "energy of writing one word", required(positive()));
  v("leakage", leakage, "static power", required(positive()));
  v("area", area, "of the memory", required(positive()));
  v("access", access, "access time", required(positive()));
}

void MemoryTable::settings(Settings& v) {
  origin.settings(v);
  v("word_bits", word_bits, "width of a word", required(between(1, 4096)));
  v.list_of_sections("rows", rows, "memories");
  v.require(!rows.empty(), "rows", "must have at least one memory.");
}

Price MemoryTable::price(Access access, std::int64_t bytes, Length node, const NodeScaling& scaling) const {
  const auto distance = [&](const MemoryRow& row) { return std::abs(std::log(row.node / node)); };
  const Length nearest = std::ranges::min(rows, {}, distance).node;
  const MemoryRow* chosen = nullptr;
  const MemoryRow* largest = nullptr;
  for (const MemoryRow& row : rows) {
    if (row.node != nearest) continue;
    if (largest == nullptr || row.bytes > largest->bytes) largest = &row;
    if (row.bytes >= bytes && (chosen == nullptr || row.bytes < chosen->bytes)) chosen = &row;
  }
  TELLEGEN_ASSERT(largest != nullptr);
  const MemoryRow& row = chosen != nullptr ? *chosen : *largest;
  const auto banks = static_cast<double>((bytes + row.bytes - 1) / row.bytes);

  const ScalingFactors factors = scaling.factors(row.node, std::nullopt, node);
  const double word_J = (access == Access::read ? row.read : row.write).si();
  Price price;
  price.from = origin.provenance(row.node.in(units::nm));
  price.from.scaling = factors.path;
  price.from.warnings = factors.warnings;
  price.energy_J = origin.energy(word_J / word_bits * factors.energy);
  price.area_m2 = origin.area(banks * row.area.si() * factors.area);
  // Leakage is not what the polynomials describe; it stays that of the tabulated node.
  price.static_W = origin.energy(banks * row.leakage.si());
  price.latency_s = row.access.si() * factors.delay;
  price.formula = "word_J / word_bits * node_factor";
  price.inputs = {{"word_J", word_J},
                  {"word_bits", word_bits},
                  {"node_factor", factors.energy},
                  {"memory_bytes", static_cast<double>(row.bytes)},
                  {"memories", banks}};
  return price;
}

}  // namespace tellegen::circuits
