#include "tellegen/models/operators/linear.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/dense_product.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/transpose.h"

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

/// Whether a Gemm's C has one number for each output.
bool is_bias(const Shape& shape, std::int64_t outputs) {
  return element_count(shape) == outputs && !shape.empty() && shape.back() == outputs;
}

/// Gemm's C: one number, or one per output.
std::vector<float> read_bias(const Tensor& constant, std::int64_t outputs, float factor) {
  const bool per_output = is_bias(constant.shape, outputs);
  if (!per_output && constant.size() != 1)
    throw InputError("has a bias of shape '" + to_string(constant.shape) + "' and " + std::to_string(outputs) +
                     " outputs; one number, or one for each output, is supported.");
  std::vector<float> bias(static_cast<std::size_t>(outputs));
  for (std::int64_t output = 0; output < outputs; ++output)
    bias[output] = factor * constant.data[per_output ? output : 0];
  return bias;
}

/// Dimensions of a value with the batch in front, and how to get back.
struct BatchFirst {
  std::vector<std::size_t> there, back;
};
BatchFirst batch_first(std::size_t batch, std::size_t rank) {
  BatchFirst order;
  order.there.push_back(batch);
  for (std::size_t axis = 0; axis < rank; ++axis)
    if (axis != batch) order.there.push_back(axis);
  order.back.resize(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) order.back[order.there[axis]] = axis;
  return order;
}

/// Gemm's A transposed, or as it is.
ValueId read_left(onnx::ImportContext& context) {
  const bool transposed = context.integer("transA", 0) != 0;
  const Shape shape = context.shape(0);
  if (shape.size() != 2)
    throw InputError("has an input of shape '" + to_string(shape) + "'; batch x inputs is needed.");
  if (!transposed) return context.value(0);
  if (is_batch(shape[0])) throw InputError("has transA '1'; 0 is supported, for samples must stay apart.");
  return context.compute(std::make_shared<const Transpose>(std::vector<std::size_t>{1, 0}), {context.value(0)},
                         "transposed");
}

/// C of Gemm where it is no bias: a constant of another shape, times beta.
void add_rest(onnx::ImportContext& context, ValueId product, const Tensor& constant, float beta) {
  Tensor scaled = constant;
  for (float& value : scaled.data) value *= beta;
  context.bind(0, context.compute(std::make_shared<const Arithmetic>(Arithmetic::Kind::add, std::move(scaled), false),
                                  {product}, "with C"));
}

}  // namespace

Linear::Linear(std::int64_t inputs, std::vector<float> weights, std::vector<float> bias)
    : inputs_(inputs), weights_(std::move(weights)), bias_(std::move(bias)), has_bias_(!bias_.empty()) {
  const auto size = static_cast<std::int64_t>(weights_.size());
  outputs_ = size / inputs_;
  TELLEGEN_ASSERT(size > 0 && size == outputs_ * inputs_);
  TELLEGEN_ASSERT(bias_.empty() || static_cast<std::int64_t>(bias_.size()) == outputs_);
}

Linear::Linear(std::int64_t inputs, std::int64_t outputs, bool has_bias)
    : inputs_(inputs), outputs_(outputs), has_bias_(has_bias) {
  TELLEGEN_ASSERT(inputs > 0 && outputs > 0);
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

/// Rows of the input are patches and rows of the output products already.
Tensor Linear::run(std::span<const Tensor* const> inputs) const {
  TELLEGEN_ASSERT(has_weights());
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  const std::int64_t rows = input.size() / inputs_;
  for (std::int64_t row = 0; row < rows && !bias_.empty(); ++row)
    std::copy_n(bias_.data(), outputs_, output.data.data() + row * outputs_);
  for (std::int64_t first = 0; first < rows; first += kPatchBlock)
    dense_product_transposed(std::min(kPatchBlock, rows - first), outputs_, inputs_,
                             input.data.data() + first * inputs_, inputs_, weights_.data(), inputs_,
                             bias_.empty() ? 0.0F : 1.0F, output.data.data() + first * outputs_, outputs_);
  return output;
}

void Linear::patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const {
  std::copy_n(input.data.data() + first * inputs_, count * inputs_, out);
}

void Linear::scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const {
  std::copy_n(products, count * outputs_, output.data.data() + first * outputs_);
}

ValueId compute_linear(onnx::ImportContext& context, std::shared_ptr<const Linear> linear, ValueId input,
                       const std::string& what) {
  const Shape shape = context.shape_of(input);
  const std::size_t batch = batch_axis(shape);
  if (batch == shape.size() || batch + 1 == shape.size() || (batch == 0 && shape[0] == -1))
    return context.compute(std::move(linear), {input}, what);
  const std::string name = what.empty() ? what : what + " ";
  const BatchFirst order = batch_first(batch, shape.size());
  ValueId value = input;
  if (batch != 0)
    value = context.compute(std::make_shared<const Transpose>(order.there), {value}, name + "batch first");
  // Several positions of a sample in one dimension: a dimension of their own.
  const Shape joined = context.shape_of(value);
  Shape apart = joined;
  apart[0] = -1;
  if (joined[0] != -1) {
    apart.insert(apart.begin() + 1, -joined[0]);
    value = context.compute(std::make_shared<const Reshape>("reshape", apart), {value}, name + "samples apart");
  }
  value = context.compute(std::move(linear), {value}, what);
  if (joined[0] != -1) {
    Shape together = joined;
    together.back() = context.shape_of(value).back();
    value = context.compute(std::make_shared<const Reshape>("reshape", together), {value}, name + "together");
  }
  if (batch != 0) value = context.compute(std::make_shared<const Transpose>(order.back), {value}, name + "in place");
  return value;
}

void import_gemm(onnx::ImportContext& context) {
  const float alpha = context.number("alpha", 1), beta = context.number("beta", 1);
  const bool transposed = context.integer("transB", 0) != 0;
  const Tensor& matrix = context.constant(1);
  if (matrix.shape.size() != 2 || matrix.data.empty())
    throw InputError("multiplies by a constant of shape '" + to_string(matrix.shape) + "'; a matrix is needed.");
  const ValueId left = read_left(context);
  const std::int64_t inputs = matrix.shape[transposed ? 1 : 0], outputs = matrix.shape[transposed ? 0 : 1];
  std::vector<float> bias;
  const bool has_constant = context.has_input(2);
  const bool fixed_rows = !is_batch(context.shape_of(left)[0]);
  const bool whole = has_constant && fixed_rows && !is_bias(context.constant(2).shape, outputs);
  if (has_constant && !whole) bias = read_bias(context.constant(2), outputs, beta);
  auto linear = std::make_shared<const Linear>(inputs, read_weights(matrix, transposed, alpha), std::move(bias));
  const ValueId product = context.compute(std::move(linear), {left});
  if (whole)
    add_rest(context, product, context.constant(2), beta);
  else
    context.bind(0, product);
}

void import_matmul(onnx::ImportContext& context) {
  const bool matrix = context.is_known(1) && context.shape(1).size() == 2 && context.shape(0).size() >= 2;
  if (matrix) {
    const Tensor& weights = context.constant(1);
    if (weights.data.empty())
      throw InputError("multiplies by a constant of shape '" + to_string(weights.shape) + "'; a matrix is needed.");
    auto linear =
        std::make_shared<const Linear>(weights.shape[0], read_weights(weights, false, 1), std::vector<float>{});
    context.bind(0, compute_linear(context, std::move(linear), context.value(0)));
    return;
  }
  const ValueId left = context.operand(0);
  context.emit(std::make_shared<const MatrixProduct>(), {left, context.operand(1)});
}

}  // namespace tellegen::models
