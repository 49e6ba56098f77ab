#include <algorithm>

#include "double_network.h"
#include "tellegen/base/error.h"
#include "tellegen/models/operators/broadcast.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/linear.h"

namespace tellegen::models::reference {

namespace {

Doubles empty(Shape shape) {
  Doubles tensor;
  tensor.data.assign(static_cast<std::size_t>(element_count(shape)), 0.0);
  tensor.shape = std::move(shape);
  return tensor;
}

double bias_of(const MatrixOperation& operation, std::int64_t output) {
  return operation.bias().empty() ? 0.0 : static_cast<double>(operation.bias()[static_cast<std::size_t>(output)]);
}

Doubles linear(const Linear& operation, const Doubles& input) {
  const std::int64_t inputs = operation.rows_per_group(), outputs = operation.outputs_per_group();
  Shape shape = input.shape;
  shape.back() = outputs;
  Doubles result = empty(std::move(shape));
  const std::vector<double> weights(operation.weights().begin(), operation.weights().end());
  for (std::int64_t row = 0; row < input.size() / inputs; ++row)
    for (std::int64_t output = 0; output < outputs; ++output) {
      double sum = bias_of(operation, output);
      for (std::int64_t i = 0; i < inputs; ++i)
        sum += weights[static_cast<std::size_t>(output * inputs + i)] *
               input.data[static_cast<std::size_t>(row * inputs + i)];
      result.data[static_cast<std::size_t>(row * outputs + output)] = sum;
    }
  return result;
}

/// Output channels of one image, by definition: a sum over channels of the group and entries of the kernel.
class ConvolvedImage {
 public:
  ConvolvedImage(const Convolution& operation, const Shape& input, const Shape& output)
      : operation_(operation),
        window_(operation.window()),
        channels_(operation.rows_per_group() / (window_.kernel[0] * window_.kernel[1])),
        input_(input),
        output_(output) {}

  void run(const double* image, double* out) const {
    for (std::int64_t channel = 0; channel < output_[1]; ++channel)
      for (std::int64_t y = 0; y < output_[2]; ++y)
        for (std::int64_t x = 0; x < output_[3]; ++x) *out++ = bias_of(operation_, channel) + sum(image, channel, y, x);
  }

 private:
  double sum(const double* image, std::int64_t channel, std::int64_t y, std::int64_t x) const {
    const std::int64_t first = channel / operation_.outputs_per_group() * channels_;
    const float* weight = operation_.weights().data() + channel * operation_.rows_per_group();
    double total = 0;
    for (std::int64_t c = first; c < first + channels_; ++c)
      for (std::int64_t ky = 0; ky < window_.kernel[0]; ++ky)
        for (std::int64_t kx = 0; kx < window_.kernel[1]; ++kx, ++weight) {
          const std::int64_t row = y * window_.stride[0] + ky * window_.dilation[0] - window_.pad_begin[0];
          const std::int64_t column = x * window_.stride[1] + kx * window_.dilation[1] - window_.pad_begin[1];
          if (row < 0 || row >= input_[2] || column < 0 || column >= input_[3]) continue;
          total += static_cast<double>(*weight) * image[(c * input_[2] + row) * input_[3] + column];
        }
    return total;
  }

  const Convolution& operation_;
  const Window& window_;
  std::int64_t channels_;
  const Shape &input_, &output_;
};

Doubles convolution(const Convolution& operation, const Doubles& input) {
  Doubles result = empty(operation.output_shape(std::span<const Shape>(&input.shape, 1)));
  const ConvolvedImage image(operation, input.shape, result.shape);
  const std::int64_t batch = input.shape[0];
  for (std::int64_t n = 0; n < batch; ++n)
    image.run(input.data.data() + n * (input.size() / batch), result.data.data() + n * (result.size() / batch));
  return result;
}

}  // namespace

Doubles multiply(const MatrixOperation& operation, const Doubles& input) {
  if (const auto* matrix = dynamic_cast<const Linear*>(&operation)) return linear(*matrix, input);
  const auto* window = dynamic_cast<const Convolution*>(&operation);
  TELLEGEN_ASSERT(window != nullptr);
  return convolution(*window, input);
}

Doubles multiply(const Doubles& left, const Doubles& right) {
  const std::int64_t rows = left.shape.end()[-2], inner = left.shape.back(), columns = right.shape.back();
  const Shape left_lead(left.shape.begin(), left.shape.end() - 2),
      right_lead(right.shape.begin(), right.shape.end() - 2);
  Shape shape = broadcast(left_lead, right_lead);
  const std::vector<std::size_t> left_of = broadcast_places(left_lead, shape),
                                 right_of = broadcast_places(right_lead, shape);
  shape.insert(shape.end(), {rows, columns});
  Doubles result = empty(std::move(shape));
  double* out = result.data.data();
  for (std::size_t m = 0; m < left_of.size(); ++m) {
    const double* a = left.data.data() + static_cast<std::int64_t>(left_of[m]) * rows * inner;
    const double* b = right.data.data() + static_cast<std::int64_t>(right_of[m]) * inner * columns;
    for (std::int64_t row = 0; row < rows; ++row, out += columns)
      for (std::int64_t k = 0; k < inner; ++k)
        for (std::int64_t column = 0; column < columns; ++column)
          out[column] += a[row * inner + k] * b[k * columns + column];
  }
  return result;
}

}  // namespace tellegen::models::reference
