#pragma once
// Dense float tensors, row-major. Integer tensors of ONNX (shapes, axes, token ids) are IntTensors.

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace tellegen::models {

using Shape = std::vector<std::int64_t>;

inline std::int64_t element_count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}
/// "1x28x28"; a free batch dimension (-1) prints as N.
std::string to_string(const Shape& shape);

template <class T>
struct BasicTensor {
  Shape shape;
  std::vector<T> data;
  std::int64_t size() const { return static_cast<std::int64_t>(data.size()); }
};
using Tensor = BasicTensor<float>;
using IntTensor = BasicTensor<std::int64_t>;

}  // namespace tellegen::models
