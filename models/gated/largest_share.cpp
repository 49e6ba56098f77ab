#include "tellegen/models/gated/largest_share.h"

#include <algorithm>

namespace tellegen::models {

Tensor LargestShare::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output{input.shape, std::vector<float>(input.data.size(), 0.0F)};
  const std::int64_t width = input.shape.back();
  for (std::int64_t at = 0; at < input.size(); at += width) {
    const auto row = input.data.begin() + at;
    output.data[static_cast<std::size_t>(at + (std::max_element(row, row + width) - row))] = 1.0F;
  }
  return output;
}

}  // namespace tellegen::models
