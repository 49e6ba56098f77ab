// Layers that multiply by a matrix.

#include "tellegen/base/error.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/linear.h"
#include "tellegen/models/shapes/layer_builders.h"

namespace tellegen::models {

namespace {

/// Bounds rows x outputs of a matrix, so that counts of tiles and work stay below 2^63.
constexpr std::int64_t kMostWeights = std::int64_t{1} << 36;

void check_weights(const MatrixOperation& operation) {
  if (operation.rows_per_group() > kMostWeights / (operation.groups() * operation.outputs_per_group()))
    throw InputError("has more than " + std::to_string(kMostWeights) + " weights.");
}

}  // namespace

Window window_of(const ShapeLayer& layer) {
  const auto pair = [](const Extent& extent) { return Window::Pair{extent.height, extent.width}; };
  Window window;
  window.kernel = pair(layer.kernel);
  window.stride = pair(layer.stride);
  window.dilation = pair(layer.dilation);
  window.pad_begin = pair(layer.padding);
  window.pad_end = pair(layer.padding_end.value_or(layer.padding));
  for (const Window::Pair& sizes : {window.kernel, window.stride, window.dilation})
    if (sizes[0] < 1 || sizes[1] < 1) throw InputError("has a kernel, stride or dilation of 0; at least 1 is needed.");
  return window;
}

ValueId build_conv(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  const Shape& shape = graph.shape(inputs[0]);
  if (shape.size() != 4)
    throw InputError("reads a value of shape '" + to_string(shape) + "'; channels x height x width is needed.");
  if (shape[1] % layer.groups != 0 || layer.outputs % layer.groups != 0)
    throw InputError("has " + std::to_string(layer.groups) + " groups, " + std::to_string(shape[1]) + " channels and " +
                     std::to_string(layer.outputs) + " outputs; groups must divide both.");
  const bool own_bias = layer.bias.value_or(!layer.batch_norm);
  auto conv = std::make_shared<const Convolution>(window_of(layer), layer.groups, shape[1] / layer.groups,
                                                  layer.outputs / layer.groups, own_bias || layer.batch_norm);
  check_weights(*conv);
  // The norm is folded: its shift becomes the bias. Authors count its scale and shift, and a bias only where there is one.
  if (layer.batch_norm) graph.count_parameters(2 * layer.outputs - (own_bias ? 0 : layer.outputs));
  return add_activation(graph, layer.function, graph.add(std::move(conv), inputs), layer.function);
}

ValueId build_linear(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  const std::int64_t width = graph.shape(inputs[0]).back();
  auto linear = std::make_shared<const Linear>(width, layer.outputs, layer.bias.value_or(true));
  check_weights(*linear);
  if (!layer.tied_to.empty()) {
    if (graph.table(layer.tied_to) != linear->weight_count())
      throw InputError("is tied to '" + layer.tied_to + "', whose table has " +
                       std::to_string(graph.table(layer.tied_to)) + " numbers, and has " +
                       std::to_string(linear->weight_count()) + " weights.");
    graph.count_parameters(-linear->weight_count());
  }
  return add_activation(graph, layer.function, graph.add(std::move(linear), inputs), layer.function);
}

}  // namespace tellegen::models
