#include "tellegen/models/operators/normalization.h"

#include <cmath>

#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/axes.h"

namespace tellegen::models {

namespace {

/// Sums in double: the variance is a small difference from the mean square of a residual stream.
void normalize_line(const float* in, float* out, std::int64_t size, bool centred, float epsilon) {
  double sum = 0, squares = 0;
  if (centred)
    for (std::int64_t i = 0; i < size; ++i) sum += static_cast<double>(in[i]);
  const float mean = static_cast<float>(sum / static_cast<double>(size));
  for (std::int64_t i = 0; i < size; ++i) {
    out[i] = in[i] - mean;
    squares += static_cast<double>(out[i]) * static_cast<double>(out[i]);
  }
  const auto variance = static_cast<float>(squares / static_cast<double>(size));
  const float scale = 1.0F / std::sqrt(variance + epsilon);
  for (std::int64_t i = 0; i < size; ++i) out[i] *= scale;
}

}  // namespace

Shape Normalization::output_shape(std::span<const Shape> inputs) const {
  const Shape& shape = inputs[0];
  const std::int64_t size =
      axis_ < shape.size() ? element_count({shape.begin() + static_cast<std::ptrdiff_t>(axis_), shape.end()}) : 0;
  const auto fits = [&](const std::vector<float>& factors) {
    return factors.empty() || static_cast<std::int64_t>(factors.size()) == size;
  };
  if (!fits(scale_) || !fits(shift_))
    throw InputError("has a scale of " + std::to_string(scale_.size()) + " and a shift of " +
                     std::to_string(shift_.size()) + " elements for an input of shape '" + to_string(shape) +
                     "' normalised from axis " + std::to_string(axis_) + " on.");
  return shape;
}

Tensor Normalization::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = input.shape;
  output.data.resize(input.data.size());
  const std::int64_t size = split_at(input.shape, axis_, input.shape.size() - 1).size;
  for (std::int64_t at = 0; at < input.size(); at += size) {
    float* out = output.data.data() + at;
    normalize_line(input.data.data() + at, out, size, kind_ == Kind::layer, epsilon_);
    if (!scale_.empty())
      for (std::int64_t i = 0; i < size; ++i) out[i] *= scale_[static_cast<std::size_t>(i)];
    if (!shift_.empty())
      for (std::int64_t i = 0; i < size; ++i) out[i] += shift_[static_cast<std::size_t>(i)];
  }
  return output;
}

void import_layer_normalization(onnx::ImportContext& context) {
  const Shape shape = context.shape(0);
  const std::size_t axis = sample_axis(context.integer("axis", -1), shape);
  for (std::size_t other = axis; other < shape.size(); ++other) sample_axis(static_cast<std::int64_t>(other), shape);
  context.ignore("stash_type");
  if (context.output_is_read(1) || context.output_is_read(2))
    throw InputError("has outputs for mean and deviation that are read; only the first output is supported.");
  std::vector<float> shift;
  if (context.has_input(2)) shift = context.constant(2).data;
  context.emit(std::make_shared<const Normalization>(Normalization::Kind::layer, axis, context.number("epsilon", 1e-5F),
                                                     context.constant(1).data, std::move(shift)),
               {context.value(0)});
}

}  // namespace tellegen::models
