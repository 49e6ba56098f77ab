#pragma once
// One step between a product and the rows of the next array: what it does to values, and what it costs.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/cost/price.h"

namespace tellegen::compare {

/// Which circuits are looked at. Values stand [element][circuit].
struct Circuits {
  std::uint64_t seed = 1;
  std::uint32_t group = 0;  ///< circuits of one temperature
  std::int64_t count = 1;
};

/// A component of one lane.
struct LaneCost {
  std::string component;  ///< "adc", "front_end"
  circuits::Price price;
  double actions = 1;     ///< per activation
  double instances = 1;   ///< per lane: 1 / lanes that share it
  int shared_by = 1;      ///< lanes that take turns on it
  bool sharable = false;  ///< whether lanes could take turns: converters and digital units
};

class Stage {
 public:
  virtual ~Stage() = default;
  /// In place. `number`: which stage of its path this is, for its draws.
  virtual void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const = 0;
};

/// Stages of the activation; in gated layers also those that the second operand passes, and those behind the product of
/// both.
struct Path {
  std::vector<std::unique_ptr<Stage>> stages, second, behind;
  std::vector<LaneCost> costs;
};

}  // namespace tellegen::compare
