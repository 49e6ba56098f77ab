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
/// Dimensions that grow with the number of samples N are negative: -k stands for k N, with the sample as the slower index.
inline bool is_batch(std::int64_t dimension) { return dimension < 0; }
/// The number of the dimension that grows with the samples, or shape.size() where none does.
inline std::size_t batch_axis(const Shape& shape) {
  std::size_t axis = 0;
  while (axis < shape.size() && !is_batch(shape[axis])) ++axis;
  return axis;
}
/// "1x28x28"; a batch dimension prints as N or 160N.
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
