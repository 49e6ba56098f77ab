#include "tellegen/models/onnx/fold.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/batch_normalization.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models::onnx {

namespace {

int count_readers(const Network& network, ValueId value) {
  int readers = value == network.output ? 1 : 0;
  for (const Node& node : network.nodes)
    readers += static_cast<int>(std::count(node.inputs.begin(), node.inputs.end(), value));
  return readers;
}

Node* find_producer(Network& network, ValueId value) {
  const auto node =
      std::find_if(network.nodes.begin(), network.nodes.end(), [&](const Node& n) { return n.output == value; });
  return node == network.nodes.end() ? nullptr : &*node;
}

struct Affine {
  std::vector<double> scale, shift;  ///< one per channel
};

/// The constant that `node` adds, if it is one number per channel.
std::optional<Affine> added_bias(const Node& node, const Shape& output, std::size_t axis) {
  const auto* arithmetic = dynamic_cast<const Arithmetic*>(node.operation.get());
  if (arithmetic == nullptr || arithmetic->kind() != Arithmetic::Kind::add || !arithmetic->constant())
    return std::nullopt;
  const Tensor& constant = *arithmetic->constant();
  Shape per_channel(output.size(), 1);
  per_channel[axis] = output[axis];
  Shape shape = constant.shape;
  if (shape.size() > output.size()) return std::nullopt;
  shape.insert(shape.begin(), output.size() - shape.size(), 1);
  if (shape != per_channel) return std::nullopt;
  if (!std::all_of(constant.data.begin(), constant.data.end(), [](float x) { return std::isfinite(x); }))
    return std::nullopt;
  return Affine{std::vector<double>(constant.data.size(), 1.0), {constant.data.begin(), constant.data.end()}};
}

std::optional<Affine> scale_and_shift(const Node& node, std::size_t axis) {
  const auto* normalization = dynamic_cast<const BatchNormalization*>(node.operation.get());
  if (normalization == nullptr || axis != 1) return std::nullopt;
  return Affine{normalization->scale(), normalization->shift()};
}

std::shared_ptr<const MatrixOperation> with_affine(const MatrixOperation& operation, const Affine& affine) {
  std::vector<float> weights(operation.weights().begin(), operation.weights().end());
  std::vector<float> bias(affine.scale.size());
  const std::int64_t rows = operation.rows_per_group();
  for (std::size_t output = 0; output < affine.scale.size(); ++output) {
    const double before = operation.bias().empty() ? 0.0 : operation.bias()[output];
    bias[output] = static_cast<float>(before * affine.scale[output] + affine.shift[output]);
    for (std::int64_t row = 0; row < rows; ++row) {
      float& weight = weights[output * rows + row];
      weight = static_cast<float>(weight * affine.scale[output]);
    }
  }
  return operation.with_weights(std::move(weights), std::move(bias));
}

/// Whether a node leaves the last dimension as it is, so that what acts on its entries may act before as well.
bool keeps_last(const Network& network, const Node& node) {
  if (const auto* transpose = dynamic_cast<const Transpose*>(node.operation.get()))
    return !transpose->order().empty() && transpose->order().back() + 1 == transpose->order().size();
  return dynamic_cast<const Reshape*>(node.operation.get()) != nullptr &&
         network.values[node.inputs[0]].shape.back() == network.values[node.output].shape.back();
}

/// What made node's input, looking through nodes that only move rows; null where somebody else reads on the way.
Node* find_matrix(Network& network, const Node& node) {
  Node* producer = find_producer(network, node.inputs[0]);
  while (producer != nullptr && producer->inputs.size() == 1 && keeps_last(network, *producer) &&
         count_readers(network, producer->inputs[0]) == 1)
    producer = find_producer(network, producer->inputs[0]);
  return producer;
}

/// Tries to let the producer of node's input do what `node` does; then node's readers read the producer.
bool fold_into_producer(Network& network, const Node& node) {
  if (node.inputs.size() != 1 || count_readers(network, node.inputs[0]) != 1) return false;
  Node* producer = find_matrix(network, node);
  const auto* matrix = producer == nullptr ? nullptr : dynamic_cast<const MatrixOperation*>(producer->operation.get());
  if (matrix == nullptr) return false;
  const Shape& shape = network.values[node.inputs[0]].shape;
  if (network.values[node.output].shape != shape) return false;
  const bool channels_first = dynamic_cast<const Convolution*>(matrix) != nullptr;
  if (channels_first && producer->output != node.inputs[0]) return false;
  const std::size_t axis = channels_first ? 1 : shape.size() - 1;
  std::optional<Affine> affine = scale_and_shift(node, axis);
  if (!affine) affine = added_bias(node, shape, axis);
  if (!affine) return false;
  producer->operation = with_affine(*matrix, *affine);
  return true;
}

}  // namespace

void fold_affine(Network& network) {
  for (Node& node : network.nodes)
    if (fold_into_producer(network, node)) bypass(network, node);
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
