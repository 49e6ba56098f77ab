#pragma once
// Curves over whole arrays, compiled for each vector unit. All work in place; functions and accuracies are those of
// vector_exp.h and vector_math.h.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::models::kernels {

void sigmoid(VectorUnit unit, float* x, std::int64_t size);
void tanh(VectorUnit unit, float* x, std::int64_t size);
void normal_cdf(VectorUnit unit, float* x, std::int64_t size);
void gelu_tanh_factor(VectorUnit unit, float* x, std::int64_t size);  ///< (1 + tanh(...)) / 2 of the GELU with tanh
void tanh_sech(VectorUnit unit, float* x, std::int64_t size);
/// exp(x - largest) over the sum of all; sums in 16 lanes, which are added in order.
void softmax(VectorUnit unit, float* x, std::int64_t size);

}  // namespace tellegen::models::kernels
