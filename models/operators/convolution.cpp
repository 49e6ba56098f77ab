#include "tellegen/models/operators/convolution.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"
#include "tellegen/models/operators/dense_product.h"
#include "tellegen/models/operators/im2col.h"

namespace tellegen::models {

Convolution::Convolution(const Window& window, std::int64_t groups, std::int64_t channels_per_group,
                         std::vector<float> weights, std::vector<float> bias)
    : window_(window),
      groups_(groups),
      channels_per_group_(channels_per_group),
      weights_(std::move(weights)),
      bias_(std::move(bias)),
      has_bias_(!bias_.empty()) {
  const auto size = static_cast<std::int64_t>(weights_.size());
  outputs_per_group_ = size / (groups_ * rows_per_group());
  TELLEGEN_ASSERT(size > 0 && size == groups_ * outputs_per_group_ * rows_per_group());
  TELLEGEN_ASSERT(bias_.empty() || static_cast<std::int64_t>(bias_.size()) == groups_ * outputs_per_group_);
}

Convolution::Convolution(const Window& window, std::int64_t groups, std::int64_t channels_per_group,
                         std::int64_t outputs_per_group, bool has_bias)
    : window_(window),
      groups_(groups),
      channels_per_group_(channels_per_group),
      outputs_per_group_(outputs_per_group),
      has_bias_(has_bias) {
  TELLEGEN_ASSERT(groups > 0 && channels_per_group > 0 && outputs_per_group > 0);
}

std::string Convolution::label() const {
  const char* kind = groups_ == 1 ? "conv " : channels_per_group_ == 1 ? "depthwise conv " : "grouped conv ";
  return kind + window_.text();
}

Shape Convolution::output_shape(std::span<const Shape> inputs) const {
  Shape output = windowed_shape(window_, inputs[0], groups_ * outputs_per_group_);
  if (inputs[0][1] != groups_ * channels_per_group_)
    throw InputError("has weights for " + std::to_string(groups_ * channels_per_group_) +
                     " channels and an input of shape '" + to_string(inputs[0]) + "'.");
  return output;
}

std::int64_t Convolution::positions(const Shape& input) const {
  return window_.positions(0, input[2]) * window_.positions(1, input[3]);
}

std::shared_ptr<const MatrixOperation> Convolution::with_weights(std::vector<float> weights,
                                                                 std::vector<float> bias) const {
  TELLEGEN_ASSERT(weights.size() == weights_.size());
  return std::make_shared<const Convolution>(window_, groups_, channels_per_group_, std::move(weights),
                                             std::move(bias));
}

Tensor Convolution::run(std::span<const Tensor* const> inputs) const {
  const Tensor& input = *inputs[0];
  Tensor output;
  output.shape = output_shape(std::span<const Shape>(&input.shape, 1));
  output.data.resize(static_cast<std::size_t>(element_count(output.shape)));
  if (groups_ == 1 && window_.is_pointwise())
    multiply_pixels(input, output);
  else
    direct_.run({window_, groups_, channels_per_group_, outputs_per_group_, weights_, bias_}, input, output);
  return output;
}

/// An image is a matrix [channels][pixels] already, and so is its output; images of one pixel are rows of one matrix.
void Convolution::multiply_pixels(const Tensor& input, Tensor& output) const {
  const std::int64_t images = input.shape[0], pixels = input.shape[2] * input.shape[3], channels = channels_per_group_,
                     outputs = outputs_per_group_;
  float* out = output.data.data();
  if (!bias_.empty())
    for (std::int64_t channel = 0; channel < images * outputs; ++channel)
      std::fill_n(out + channel * pixels, pixels, bias_[channel % outputs]);
  const float beta = bias_.empty() ? 0.0F : 1.0F;
  if (pixels == 1) {
    dense_product_transposed(images, outputs, channels, input.data.data(), channels, weights_.data(), channels, beta,
                             out, outputs);
    return;
  }
  for (std::int64_t image = 0; image < images; ++image)
    dense_product(outputs, pixels, channels, weights_.data(), channels, input.data.data() + image * channels * pixels,
                  pixels, beta, out + image * outputs * pixels, pixels);
}

void Convolution::patches(const Tensor& input, std::int64_t first, std::int64_t count, float* out) const {
  gather_patches(window_, input.shape, input.data.data(), first, count, out);
}

void Convolution::scatter(const float* products, std::int64_t first, std::int64_t count, Tensor& output) const {
  scatter_rows(products, first, count, output.shape[1], output.shape[2] * output.shape[3], output.data.data());
}

void import_conv(onnx::ImportContext& context) {
  const Shape input = context.shape(0);
  const Tensor& weights = context.constant(1);
  const std::int64_t groups = context.integer("group", 1);
  Shape shape = weights.shape;
  if (shape.size() == 3 && input.size() == 3) shape.insert(shape.begin() + 2, 1);
  if (shape.size() != 4 || weights.data.empty())
    throw InputError("has weights of shape '" + to_string(shape) + "'; outputs x channels x height x width is needed.");
  if (groups < 1 || shape[0] % groups != 0)
    throw InputError("has group '" + std::to_string(groups) + "' and " + std::to_string(shape[0]) +
                     " outputs; a divisor of the outputs is needed.");
  const Window window = read_window(context, input, {shape[2], shape[3]});
  std::vector<float> bias;
  if (context.has_input(2)) bias = context.constant(2).data;
  if (!bias.empty() && static_cast<std::int64_t>(bias.size()) != shape[0])
    throw InputError("has " + std::to_string(bias.size()) + " biases and " + std::to_string(shape[0]) + " outputs.");
  emit_on_image(context, std::make_shared<const Convolution>(window, groups, shape[1], weights.data, std::move(bias)));
}

}  // namespace tellegen::models
