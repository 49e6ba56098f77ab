#include "tellegen/models/operation.h"

#include <algorithm>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"

namespace tellegen::models {

namespace {

/// products[count][groups] where a group has one output (depthwise): a call of BLAS per group would cost more than the
/// work.
void multiply_single_outputs(const MatrixOperation& operation, const float* patches, std::int64_t count,
                             float* products) {
  const std::int64_t groups = operation.groups(), rows = operation.rows_per_group();
  const float* weights = operation.weights().data();
  for (std::int64_t position = 0; position < count; ++position) {
    const float* patch = patches + position * groups * rows;
    for (std::int64_t group = 0; group < groups; ++group) {
      float sum = 0;
      for (std::int64_t row = group * rows; row < (group + 1) * rows; ++row) sum += patch[row] * weights[row];
      products[position * groups + group] = sum;
    }
  }
}

void multiply_block(const MatrixOperation& operation, const float* patches, std::int64_t count, float* products) {
  const std::int64_t groups = operation.groups(), rows = operation.rows_per_group(),
                     outputs = operation.outputs_per_group();
  if (groups > 1 && outputs == 1) {
    multiply_single_outputs(operation, patches, count, products);
    return;
  }
  for (std::int64_t group = 0; group < groups; ++group)
    multiply_transposed(count, outputs, rows, patches + group * rows, groups * rows,
                        operation.weights().data() + group * outputs * rows, rows, 0.0F, products + group * outputs,
                        groups * outputs);
}

void add_bias(std::span<const float> bias, std::int64_t count, float* products) {
  const auto outputs = static_cast<std::int64_t>(bias.size());
  for (std::int64_t position = 0; position < count; ++position)
    for (std::int64_t output = 0; output < outputs; ++output) products[position * outputs + output] += bias[output];
}

}  // namespace

Tensor MatrixOperation::run(std::span<const Tensor* const> inputs) const {
  TELLEGEN_ASSERT(inputs.size() == 1);
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const std::int64_t total = input.shape[0] * positions(input.shape);
  const std::int64_t block = std::min(total, kPatchBlock);
  thread_local std::vector<float> patch_block, product_block;  // kept: fresh memory costs more than the work in it
  patch_block.resize(static_cast<std::size_t>(block * groups() * rows_per_group()));
  product_block.resize(static_cast<std::size_t>(block * groups() * outputs_per_group()));
  for (std::int64_t first = 0; first < total; first += block) {
    const std::int64_t count = std::min(block, total - first);
    patches(input, first, count, patch_block.data());
    multiply_block(*this, patch_block.data(), count, product_block.data());
    add_bias(bias(), count, product_block.data());
    scatter(product_block.data(), first, count, output);
  }
  return output;
}

}  // namespace tellegen::models
