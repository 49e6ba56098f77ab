#pragma once
// A converter whose codes are those of an activation function: the function costs no step of its own. Two ways.
// count: a shared ramp passes the inputs at which the function crosses from one code to the next; at each a shared counter
//   counts up where the function rises and down where it falls, so that functions that turn are exact as well; a column
//   keeps the count at which the ramp meets its input. A direction bit per step is stored.
// table: a linear converter and a table of codes, shared or not.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/digital/scalar_function.h"

namespace tellegen::circuits {

enum class NonlinearMethod { count, table };
std::span<const std::pair<NonlinearMethod, const char*>> enum_names(NonlinearMethod);

struct NonlinearAdcDesign {
  ScalarFunction function = ActivationFunction::sigmoid;
  NonlinearMethod method = NonlinearMethod::count;
  int bits = 8;               ///< of the output; codes spread evenly from the least to the greatest value
  int input_bits = 8;         ///< of the linear converter of method table
  double low = -8, high = 8;  ///< input range; beyond, the ends are held
};

class NonlinearAdc {
 public:
  /// Throws InputError unless low < high and bits (of method table input_bits, too) are 1 to 16.
  explicit NonlinearAdc(const NonlinearAdcDesign& design);
  /// Of method count: a ramp whose slope is not quite right. It starts at its first threshold; a stretch of `unit_x` has the
  /// standard deviation `mismatch` of itself, as a step of a linear ramp would, and stretches err on their own. Draws: one
  /// element per threshold, from `first` of `stream`.
  NonlinearAdc with_ramp_mismatch(double mismatch, double unit_x, const Stream& stream, std::uint64_t first) const;

  /// Output code 0 .. 2^bits - 1 of input x.
  std::int64_t code(double x) const;
  /// The same where the counter goes on for some steps after the ramp has met x.
  std::int64_t code(double x, std::int64_t late_steps) const;
  double value(std::int64_t code) const { return least_ + static_cast<double>(code) * step_; }
  double convert(double x) const { return value(code(x)); }
  /// Local output step at x: half of it bounds |convert(x) - f(x)| without errors. count: the distance of neighbouring codes;
  /// table: the range of the function over the inputs of x's input code, and the distance of output codes.
  double local_step(double x) const;

  const NonlinearAdcDesign& design() const { return design_; }
  /// Thresholds of the input: steps of the ramp (count) or of the linear converter (table).
  std::int64_t steps() const { return static_cast<std::int64_t>(thresholds_.size()); }
  /// Bits that are stored beside the references: one direction per step where the function turns, or the table.
  std::int64_t stored_bits() const;
  bool counts_down() const { return counts_down_; }
  /// Inputs at which the code changes, ascending.
  std::span<const double> thresholds() const { return thresholds_; }

 private:
  void place_count();
  void place_table();
  std::int64_t nearest_code(double y) const;

  NonlinearAdcDesign design_;
  double least_ = 0, step_ = 1;
  std::vector<double> thresholds_;   ///< ascending
  std::vector<std::int64_t> codes_;  ///< [thresholds + 1]: code below the first, between, above the last
  bool counts_down_ = false;
};

}  // namespace tellegen::circuits
