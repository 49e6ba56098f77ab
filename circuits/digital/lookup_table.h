#pragma once
// An activation function in a table: one word for every input word. Bit-true.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/digital/activation_function.h"
#include "tellegen/circuits/digital/fixed_point.h"

namespace tellegen::circuits {

class LookupTable {
 public:
  /// The output word has the finest step that holds the function over all input words. Throws InputError unless the input
  /// has 1 to 16 bits and the output 2 to 16.
  LookupTable(ActivationFunction function, const FixedPoint& input, int output_bits);

  std::int64_t code(std::int64_t input_code) const {
    return words_[static_cast<std::size_t>(input_code - input_.lowest())];
  }
  double operator()(double x) const { return output_.value(code(input_.code(x))); }
  ActivationFunction function() const { return function_; }
  const FixedPoint& input() const { return input_; }
  const FixedPoint& output() const { return output_; }
  std::int64_t stored_bits() const { return static_cast<std::int64_t>(words_.size()) * output_.bits; }

 private:
  ActivationFunction function_;
  FixedPoint input_, output_;
  std::vector<std::int64_t> words_;  ///< from the lowest input word
};

}  // namespace tellegen::circuits
