#include "tellegen/models/operators/linear.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models {

namespace {

/// [outputs][inputs] from `matrix`, which is stored so where `transposed` and [inputs][outputs] else, times `factor`.
std::vector<float> read_weights(const Tensor& matrix, bool transposed, float factor) {
  const std::int64_t inputs = matrix.shape[transposed ? 1 : 0], outputs = matrix.shape[transposed ? 0 : 1];
  std::vector<float> weights(matrix.data.size());
  for (std::int64_t output = 0; output < outputs; ++output)
    for (std::int64_t input = 0; input < inputs; ++input)
      weights[output * inputs + input] =
          factor * matrix.data[transposed ? output * inputs + input : input * outputs + output];
  return weights;
}

/// Gemm's C: one number, or one per output.
std::vector<float> read_bias(const Tensor& constant, std::int64_t outputs, float factor) {
  const bool per_output = constant.size() == outputs && !constant.shape.empty() && constant.shape.back() == outputs;
  if (!per_output && constant.size() != 1)
    throw InputError("has a bias of shape '" + to_string(constant.shape) + "' and " + std::to_string(outputs) +
                     " outputs; one number, or one for each output, is supported.");
  std::vector<float> bias(static_cast<std::size_t>(outputs));
  for (std::int64_t output = 0; output < outputs; ++output)
    bias[output] = factor * constant.data[per_output ? output : 0];
  return bias;
}

const Tensor& read_matrix(onnx::ImportContext& context) {
  const Tensor& matrix = context.constant(1);
  if (matrix.shape.size() != 2 || matrix.data.empty())
    throw InputError("multiplies by a constant of shape '" + to_string(matrix.shape) + "'; a matrix is needed.");
  return matrix;
}

void check_rank_2(const Shape& input) {
  if (input.size() != 2)
    throw InputError("has an input of shape '" + to_string(input) + "'; batch x inputs is needed.");
}

}  // namespace

Linear::Linear(std::int64_t inputs, std::vector<float> weights, std::vector<float> bias)
    : inputs_(inputs), weights_(std::move(weights)), bias_(std::move(bias)) {
  const auto size = static_cast<std::int64_t>(weights_.size());
  outputs_ = size / inputs_;
  TELLEGEN_ASSERT(size > 0 && size == outputs_ * inputs_);
  TELLEGEN_ASSERT(bias_.empty() || static_cast<std::int64_t>(bias_.size()) == outputs_);
}

Shape Linear::output_shape(std::span<const Shape> inputs) const {
  Shape shape = inputs[0];
  if (shape.size() < 2 || shape.back() != inputs_)
    throw InputError("has weights for " + std::to_string(inputs_) + " inputs and an input of shape '" +
                     to_string(shape) + "'.");
  shape.back() = outputs_;
  return shape;
}

std::int64_t Linear::positions(const Shape& input) const { return element_count({input.begin() + 1, input.end() - 1}); }

std::shared_ptr<const MatrixOperation> Linear::with_weights(std::vector<float> weights, std::vector<float> bias) const {
  TELLEGEN_ASSERT(weights.size() == weights_.size());
  return std::make_shared<const Linear>(inputs_, std::move(weights), std::move(bias));
}

void Linear::patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const {
  std::copy_n(input.data.data() + first * inputs_, count * inputs_, out);
}

void Linear::scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const {
  std::copy_n(products, count * outputs_, output.data.data() + first * outputs_);
}

void import_gemm(onnx::ImportContext& context) {
  const float alpha = context.number("alpha", 1), beta = context.number("beta", 1);
  if (context.integer("transA", 0) != 0)
    throw InputError("has transA '1'; 0 is supported, for samples must stay apart.");
  const bool transposed = context.integer("transB", 0) != 0;
  const Tensor& matrix = read_matrix(context);
  check_rank_2(context.shape(0));
  const std::int64_t inputs = matrix.shape[transposed ? 1 : 0], outputs = matrix.shape[transposed ? 0 : 1];
  std::vector<float> bias;
  if (context.has_input(2)) bias = read_bias(context.constant(2), outputs, beta);
  context.emit(std::make_shared<const Linear>(inputs, read_weights(matrix, transposed, alpha), std::move(bias)),
               {context.value(0)});
}

void import_matmul(onnx::ImportContext& context) {
  const Tensor& matrix = read_matrix(context);
  context.emit(std::make_shared<const Linear>(matrix.shape[0], read_weights(matrix, false, 1), std::vector<float>{}),
               {context.value(0)});
}

}  // namespace tellegen::models
