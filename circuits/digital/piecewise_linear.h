#pragma once
// An activation function by straight lines: the input word picks a segment, its slope is multiplied with the distance from the
// segment's start, its offset added. Bit-true.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/circuits/digital/activation_function.h"
#include "tellegen/circuits/digital/fixed_point.h"

namespace tellegen::circuits {

/// Where segments begin. even: equally wide (for powers of two the upper bits of the input pick them); adaptive: such that
/// all err alike, narrow where the function bends.
enum class SegmentPlacement { even, adaptive };
std::span<const std::pair<SegmentPlacement, const char*>> enum_names(SegmentPlacement);

struct PiecewiseLinearDesign {
  ActivationFunction function = ActivationFunction::sigmoid;
  FixedPoint input{8, 4, true};
  int output_bits = 8;
  int segments = 16;  ///< at most one per input word
  SegmentPlacement placement = SegmentPlacement::even;
  int coefficient_bits = 8;  ///< of slopes and offsets
  bool hard_wired = false;   ///< coefficients in logic instead of registers
};

class PiecewiseLinear {
 public:
  /// Slopes and offsets of least largest error over the input words of each segment (chord, moved to the middle of its
  /// error), rounded to coefficients. Throws InputError for a design that cannot be made.
  explicit PiecewiseLinear(const PiecewiseLinearDesign& design);

  std::int64_t code(std::int64_t input_code) const;
  double operator()(double x) const { return output_.value(code(design_.input.code(x))); }
  ActivationFunction function() const { return design_.function; }
  const FixedPoint& input() const { return design_.input; }
  const FixedPoint& output() const { return output_; }
  const PiecewiseLinearDesign& design() const { return design_; }
  /// First word of each segment, counted from the lowest input word.
  const std::vector<std::int64_t>& starts() const { return starts_; }
  /// Whether the upper bits of the input pick the segment.
  bool picked_by_upper_bits() const;
  std::int64_t stored_bits() const { return 2LL * static_cast<int>(starts_.size()) * design_.coefficient_bits; }

 private:
  struct Segment {
    std::int64_t slope = 0, offset = 0;
  };
  PiecewiseLinearDesign design_;
  FixedPoint output_, slope_, offset_;
  std::vector<std::int64_t> starts_;
  std::vector<Segment> segments_;
};

}  // namespace tellegen::circuits
