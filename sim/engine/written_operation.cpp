#include "tellegen/sim/engine/written_operation.h"

#include <algorithm>

#include "tellegen/base/error.h"

namespace tellegen::sim {
namespace {

/// Calls copy(line of the tensor, head) for each head of rows first .. first + count - 1: where a tensor [batch, heads,
/// positions, ...] keeps what one product takes from it or gives to it.
template <class Copy>
void for_each_line(std::int64_t heads, std::int64_t positions, std::int64_t first, std::int64_t count,
                   const Copy& copy) {
  for (std::int64_t r = 0; r < count; ++r) {
    const std::int64_t sample = (first + r) / positions, position = (first + r) % positions;
    for (std::int64_t h = 0; h < heads; ++h) copy(r, h, (sample * heads + h) * positions + position);
  }
}

}  // namespace

WrittenOperation::WrittenOperation(std::int64_t heads, std::int64_t k, std::int64_t n, const float* matrices)
    : heads_(heads), k_(k), n_(n), weights_(static_cast<std::size_t>(heads * k * n)) {
  for (std::int64_t h = 0; h < heads; ++h) {
    const float* matrix = matrices + h * k * n;
    float* own = weights_.data() + h * k * n;
    for (std::int64_t i = 0; i < k; ++i) {
      for (std::int64_t j = 0; j < n; ++j) own[j * k + i] = matrix[i * n + j];
    }
  }
}

models::Shape WrittenOperation::output_shape(std::span<const models::Shape> inputs) const {
  models::Shape shape = inputs[0];
  TELLEGEN_ASSERT(shape.size() == 4 && shape[1] == heads_ && shape[3] == k_);
  shape[3] = n_;
  return shape;
}

void WrittenOperation::patches(const models::Tensor& input, std::int64_t first, std::int64_t count, float* out) const {
  for_each_line(heads_, input.shape[2], first, count, [&](std::int64_t r, std::int64_t h, std::int64_t line) {
    const float* from = input.data.data() + line * k_;
    std::copy(from, from + k_, out + (r * heads_ + h) * k_);
  });
}

void WrittenOperation::scatter(const float* products, std::int64_t first, std::int64_t count,
                               models::Tensor& output) const {
  for_each_line(heads_, output.shape[2], first, count, [&](std::int64_t r, std::int64_t h, std::int64_t line) {
    const float* from = products + (r * heads_ + h) * n_;
    std::copy(from, from + n_, output.data.data() + line * n_);
  });
}

std::shared_ptr<const models::MatrixOperation> WrittenOperation::with_weights(std::vector<float> weights,
                                                                              std::vector<float> bias) const {
  TELLEGEN_ASSERT(weights.size() == weights_.size() && bias.empty());
  auto other = std::make_shared<WrittenOperation>(*this);
  other->weights_ = std::move(weights);
  return other;
}

}  // namespace tellegen::sim
