#pragma once
// Buffers: tabulated static memories, and the rule that picks one.

#include <cstdint>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/cost_table.h"
#include "tellegen/circuits/cost/price.h"
#include "tellegen/circuits/cost/scaling.h"

namespace tellegen::circuits {

enum class Access { read, write };

struct MemoryRow {
  Length node;
  std::int64_t bytes = 0;
  Energy read, write;  ///< of one word
  Power leakage;
  Area area;
  Time access;
  void settings(Settings& v);
};

/// configs/costs/memory_cacti7.yaml
struct MemoryTable {
  LawOrigin origin;
  int word_bits = 0;
  std::vector<MemoryRow> rows;
  void settings(Settings& v);
  /// Per bit; area and leakage of the whole buffer. The node nearest by ratio; of it the smallest memory that holds
  /// `bytes`, or as many of the largest as are needed. Then scaled as logic to `node`.
  Price price(Access access, std::int64_t bytes, Length node, const NodeScaling& scaling) const;
};

}  // namespace tellegen::circuits
