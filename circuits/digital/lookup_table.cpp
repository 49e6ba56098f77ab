#include "tellegen/circuits/digital/lookup_table.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

LookupTable::LookupTable(ActivationFunction function, const FixedPoint& input, int output_bits)
    : function_(function), input_(input) {
  if (input.bits < 1 || input.bits > 16 || output_bits < 2 || output_bits > 16) {
    throw InputError(fmt::format(
        "a table of {} input bits and {} output bits cannot be made; inputs have 1 to 16 bits, outputs 2 to 16.",
        input.bits, output_bits));
  }
  const auto [low, high] = value_range(function, input.value(input.lowest()), input.value(input.highest()));
  output_ = format_for(low, high, output_bits);
  for (std::int64_t code = input.lowest(); code <= input.highest(); ++code)
    words_.push_back(output_.code(evaluate(function, input.value(code))));
}

}  // namespace tellegen::circuits
