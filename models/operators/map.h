#pragma once
// One function on every element.

#include "tellegen/models/tensor.h"

namespace tellegen::models {

template <class Function>
Tensor map(const Tensor& input, Function function) {
  Tensor output;
  output.shape = input.shape;
  output.data.resize(input.data.size());
  const float* in = input.data.data();
  float* out = output.data.data();
  const std::size_t size = input.data.size();
  for (std::size_t i = 0; i < size; ++i) out[i] = function(in[i]);
  return output;
}

}  // namespace tellegen::models
