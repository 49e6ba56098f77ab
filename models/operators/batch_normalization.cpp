#include "tellegen/models/operators/batch_normalization.h"

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models {

Shape BatchNormalization::output_shape(std::span<const Shape> inputs) const {
  if (inputs[0].size() < 2 || inputs[0][1] != static_cast<std::int64_t>(scale_.size()))
    throw InputError("has statistics of " + std::to_string(scale_.size()) + " channels and an input of shape '" +
                     to_string(inputs[0]) + "'.");
  return inputs[0];
}

Tensor BatchNormalization::run(std::span<const Tensor* const> inputs) const {
  Tensor output = *inputs[0];
  const auto channels = static_cast<std::int64_t>(scale_.size());
  const std::int64_t planes = output.shape[0] * channels, size = output.size() / planes;
  for (std::int64_t plane = 0; plane < planes; ++plane) {
    const auto scale = static_cast<float>(scale_[plane % channels]),
               shift = static_cast<float>(shift_[plane % channels]);
    for (std::int64_t i = plane * size; i < (plane + 1) * size; ++i) output.data[i] = output.data[i] * scale + shift;
  }
  return output;
}

void import_batch_normalization(onnx::ImportContext& context) {
  const Tensor &gamma = context.constant(1), &beta = context.constant(2), &mean = context.constant(3),
               &variance = context.constant(4);
  const double epsilon = context.number("epsilon", 1e-5F);
  context.ignore("momentum");
  if (context.integer("training_mode", 0) != 0)
    throw InputError("is in training mode. Export the network for inference.");
  if (beta.size() != gamma.size() || mean.size() != gamma.size() || variance.size() != gamma.size())
    throw InputError("has scale, bias, mean and variance of different lengths.");
  std::vector<double> scale, shift;
  for (std::int64_t channel = 0; channel < gamma.size(); ++channel) {
    scale.push_back(gamma.data[channel] / std::sqrt(variance.data[channel] + epsilon));
    shift.push_back(beta.data[channel] - mean.data[channel] * scale.back());
    if (!std::isfinite(scale.back()) || !std::isfinite(shift.back()))
      throw InputError("has variance '" + std::to_string(variance.data[channel]) + "' in channel " +
                       std::to_string(channel) + "; with epsilon it must be above 0.");
  }
  context.emit(std::make_shared<const BatchNormalization>(std::move(scale), std::move(shift)), {context.value(0)});
}

}  // namespace tellegen::models
