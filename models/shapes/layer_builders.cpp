#include "tellegen/models/shapes/layer_builders.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/concat.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/reduce.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/slice.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/operators/transpose.h"
#include "tellegen/models/shapes/shape_only.h"

namespace tellegen::models {

namespace {

using Inputs = std::vector<ValueId>;
using Kind = Pointwise::Kind;

constexpr std::array kActivations{
    NamedActivation{"relu", Kind::relu},
    NamedActivation{"relu6", Kind::clip, 0, 6},
    NamedActivation{"clip_0_20", Kind::clip, 0, 20},
    NamedActivation{"sigmoid", Kind::sigmoid},
    NamedActivation{"hard_sigmoid", Kind::hard_sigmoid, 1.0F / 6, 0.5F},
    NamedActivation{"tanh", Kind::tanh},
    NamedActivation{"silu", Kind::silu},
    NamedActivation{"hard_swish", Kind::hard_swish},
    NamedActivation{"gelu_erf", Kind::gelu_erf},
    NamedActivation{"gelu_tanh", Kind::gelu_tanh},
    NamedActivation{"softplus", Kind::softplus},
    NamedActivation{"mish", Kind::mish},
    NamedActivation{"tanh_sech", Kind::tanh_sech, 1},
};

/// Elements of one sample.
std::int64_t elements(const Shape& shape) { return -element_count(shape); }

/// Channels of an image [N, C, H, W], else the last dimension.
std::int64_t channels(const Shape& shape) { return shape.size() == 4 ? shape[1] : shape.back(); }

/// An operation with trained numbers that leaves the shape as it is.
ValueId same_shape(ShapeGraph& graph, ValueId input, const char* label, const char* unit, std::int64_t parameters) {
  const Shape& shape = graph.shape(input);
  return graph.add(std::make_shared<const ShapeOnlyOperation>(
                       ShapeOnlyOperation::Form{label, unit, shape, parameters, {{label, elements(shape)}}}),
                   {input});
}

ValueId build_embedding(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  if (!graph.is_integer(inputs[0])) throw InputError("reads computed values; it needs numbers of tokens.");
  Shape shape = graph.shape(inputs[0]);
  shape.push_back(layer.outputs);
  const std::int64_t numbers = layer.entries * layer.outputs;
  graph.note_table(numbers);
  return graph.add(
      std::make_shared<const ShapeOnlyOperation>(ShapeOnlyOperation::Form{"embedding", "", shape, numbers, {}}),
      inputs);
}

ValueId build_positions(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return same_shape(graph, inputs[0], "position embedding", "add", elements(graph.shape(inputs[0])));
}

ValueId build_class_token(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  Shape shape = graph.shape(inputs[0]);
  if (shape.size() != 3)
    throw InputError("reads a value of shape '" + to_string(shape) + "'; tokens x channels is needed.");
  ++shape[1];
  return graph.add(
      std::make_shared<const ShapeOnlyOperation>(ShapeOnlyOperation::Form{"class token", "", shape, shape[2], {}}),
      inputs);
}

ValueId build_layer_norm(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return same_shape(graph, inputs[0], "layer norm", "multiply", 2 * graph.shape(inputs[0]).back());
}
ValueId build_rms_norm(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return same_shape(graph, inputs[0], "rms norm", "multiply", graph.shape(inputs[0]).back());
}
ValueId build_affine(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return same_shape(graph, inputs[0], "scale and shift", "multiply", 2 * graph.shape(inputs[0]).back());
}
ValueId build_layer_scale(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return same_shape(graph, inputs[0], "scale", "multiply", graph.shape(inputs[0]).back());
}
ValueId build_batch_norm(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  const ValueId value =
      same_shape(graph, inputs[0], "scale and shift", "multiply", 2 * channels(graph.shape(inputs[0])));
  return add_activation(graph, layer.function, value, layer.function);
}

ValueId build_activation(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  if (layer.function == "none") throw InputError("has no function; name one.");
  return add_activation(graph, layer.function, inputs[0], "");
}

/// Soft routing of each neuron between four activations: a strength per neuron and activation, and one temperature per
/// activation, beside the gating network, which is the second input.
ValueId build_polyglu_mix(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  constexpr std::int64_t kPalette = 4;
  const Shape& shape = graph.shape(inputs[0]);
  return graph.add(
      std::make_shared<const ShapeOnlyOperation>(ShapeOnlyOperation::Form{
          "polyglu mix", "gelu", shape, kPalette * shape.back() + kPalette, {{"polyglu mix", elements(shape)}}}),
      inputs);
}

ValueId build_max_pool(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  return graph.add(std::make_shared<const MaxPool>(window_of(layer)), inputs);
}
ValueId build_average_pool(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  return graph.add(std::make_shared<const AveragePool>(window_of(layer), true), inputs);
}
ValueId build_global_average_pool(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return graph.add(std::make_shared<const GlobalAveragePool>(), inputs);
}

/// The mean over tokens.
ValueId build_mean(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  std::vector<std::size_t> axes(graph.shape(inputs[0]).size() - 2);
  if (axes.empty()) throw InputError("reads a value without tokens.");
  std::iota(axes.begin(), axes.end(), 1);
  return graph.add(std::make_shared<const Reduce>(Reduce::Kind::mean, axes, false), inputs);
}

ValueId build_arithmetic(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs, Arithmetic::Kind kind) {
  const ValueId value = graph.add(std::make_shared<const Arithmetic>(kind), inputs);
  return add_activation(graph, layer.function, value, layer.function);
}
ValueId build_add(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  return build_arithmetic(graph, layer, inputs, Arithmetic::Kind::add);
}
ValueId build_multiply(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  return build_arithmetic(graph, layer, inputs, Arithmetic::Kind::multiply);
}

ValueId build_softmax(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  const std::size_t last = graph.shape(inputs[0]).size() - 1;
  return graph.add(std::make_shared<const Softmax>(last, last), inputs);
}

ValueId build_flatten(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return graph.add(std::make_shared<const Reshape>("flatten", Shape{-1, elements(graph.shape(inputs[0]))}), inputs);
}

ValueId build_reshape(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  Shape target{-1};
  target.insert(target.end(), layer.shape.begin(), layer.shape.end());
  std::int64_t wanted = 1;
  for (const std::int64_t dimension : layer.shape)
    if (__builtin_mul_overflow(wanted, dimension, &wanted)) wanted = 0;
  if (wanted != elements(graph.shape(inputs[0])))
    throw InputError("has shape '" + to_string(target) + "' and reads '" + to_string(graph.shape(inputs[0])) +
                     "'; the number of elements must stay.");
  return graph.add(std::make_shared<const Reshape>("reshape", target), inputs);
}

/// Swaps the last two dimensions.
ValueId build_transpose(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  std::vector<std::size_t> order(graph.shape(inputs[0]).size());
  if (order.size() < 3) throw InputError("reads a value of one dimension; two are needed.");
  std::iota(order.begin(), order.end(), 0);
  std::swap(order[order.size() - 1], order[order.size() - 2]);
  return graph.add(std::make_shared<const Transpose>(order), inputs);
}

ValueId build_concat(ShapeGraph& graph, const ShapeLayer&, const Inputs& inputs) {
  return graph.add(
      std::make_shared<const Concat>(graph.shape(inputs[0]).size() == 4 ? 1 : graph.shape(inputs[0]).size() - 1),
      inputs);
}

ValueId slice(ShapeGraph& graph, ValueId input, std::size_t axis, std::int64_t first, std::int64_t count) {
  const Shape& shape = graph.shape(input);
  if (first + count > shape[axis])
    throw InputError("takes entries " + std::to_string(first) + " to " + std::to_string(first + count - 1) +
                     " of a value of shape '" + to_string(shape) + "'.");
  return graph.add(std::make_shared<const Slice>(std::vector{Slice::Range{axis, first, count, 1}}), {input});
}
ValueId build_slice(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  return slice(graph, inputs[0], graph.shape(inputs[0]).size() - 1, layer.first, layer.count);
}

ValueId build_select_token(ShapeGraph& graph, const ShapeLayer& layer, const Inputs& inputs) {
  const Shape shape = graph.shape(inputs[0]);
  if (shape.size() != 3)
    throw InputError("reads a value of shape '" + to_string(shape) + "'; tokens x channels is needed.");
  const ValueId one = slice(graph, inputs[0], 1, layer.token < 0 ? shape[1] - 1 : layer.token, 1);
  return graph.add(std::make_shared<const Reshape>("reshape", Shape{-1, shape[2]}), {one}, "alone");
}

constexpr std::array kBuilders{
    LayerBuilder{"conv", 1, 1, build_conv},
    LayerBuilder{"linear", 1, 1, build_linear},
    LayerBuilder{"embedding", 1, 1, build_embedding},
    LayerBuilder{"position_embedding", 1, 1, build_positions},
    LayerBuilder{"class_token", 1, 1, build_class_token},
    LayerBuilder{"attention", 1, 3, build_attention},
    LayerBuilder{"lstm", 1, 1, build_lstm},
    LayerBuilder{"gru", 1, 1, build_gru},
    LayerBuilder{"selective_scan", 4, 4, build_selective_scan},
    LayerBuilder{"activation", 1, 1, build_activation},
    LayerBuilder{"polyglu_mix", 2, 2, build_polyglu_mix},
    LayerBuilder{"softmax", 1, 1, build_softmax},
    LayerBuilder{"batch_norm", 1, 1, build_batch_norm},
    LayerBuilder{"layer_norm", 1, 1, build_layer_norm},
    LayerBuilder{"rms_norm", 1, 1, build_rms_norm},
    LayerBuilder{"affine", 1, 1, build_affine},
    LayerBuilder{"layer_scale", 1, 1, build_layer_scale},
    LayerBuilder{"max_pool", 1, 1, build_max_pool},
    LayerBuilder{"average_pool", 1, 1, build_average_pool},
    LayerBuilder{"global_average_pool", 1, 1, build_global_average_pool},
    LayerBuilder{"mean", 1, 1, build_mean},
    LayerBuilder{"add", 2, 2, build_add},
    LayerBuilder{"multiply", 2, 2, build_multiply},
    LayerBuilder{"concat", 2, 16, build_concat},
    LayerBuilder{"slice", 1, 1, build_slice},
    LayerBuilder{"select_token", 1, 1, build_select_token},
    LayerBuilder{"flatten", 1, 1, build_flatten},
    LayerBuilder{"reshape", 1, 1, build_reshape},
    LayerBuilder{"transpose", 1, 1, build_transpose},
};

}  // namespace

std::span<const LayerBuilder> layer_builders() { return kBuilders; }

std::span<const NamedActivation> named_activations() { return kActivations; }

ValueId add_activation(ShapeGraph& graph, const std::string& function, ValueId value, const std::string& what) {
  if (function == "none") return value;
  const auto found = std::find_if(kActivations.begin(), kActivations.end(),
                                  [&](const NamedActivation& known) { return function == known.name; });
  TELLEGEN_ASSERT(found != kActivations.end());
  return graph.add(std::make_shared<const Pointwise>(found->kind, found->a, found->b), {value}, what);
}

}  // namespace tellegen::models
