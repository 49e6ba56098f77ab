#include "tellegen/models/onnx/fold.h"

#include <algorithm>
#include <optional>

#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/batch_normalization.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/pointwise.h"

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

bool is_sigmoid(const Node& node) {
  const auto* pointwise = dynamic_cast<const Pointwise*>(node.operation.get());
  return pointwise != nullptr && pointwise->kind() == Pointwise::Kind::sigmoid;
}

/// The sigmoid whose product with its own input `product` computes, where nobody else reads that sigmoid.
const Node* silu_sigmoid(Network& network, const Node& product) {
  const auto* arithmetic = dynamic_cast<const Arithmetic*>(product.operation.get());
  if (arithmetic == nullptr || arithmetic->kind() != Arithmetic::Kind::multiply || product.inputs.size() != 2)
    return nullptr;
  for (int side = 0; side < 2; ++side) {
    const ValueId gate = product.inputs[side], x = product.inputs[1 - side];
    const Node* sigmoid = find_producer(network, gate);
    if (sigmoid != nullptr && is_sigmoid(*sigmoid) && sigmoid->inputs[0] == x && count_readers(network, gate) == 1)
      return sigmoid;
  }
  return nullptr;
}

/// Removes nodes whose output nobody reads any more, and their values.
void remove_unread(Network& network) {
  std::vector<Node> read;
  for (const Node& node : network.nodes)
    if (count_readers(network, node.output) > 0) read.push_back(node);
  network.nodes = std::move(read);
  std::vector<ValueId> renumbered(network.values.size(), -1);
  std::vector<Value> kept;
  const auto keep = [&](ValueId id) {
    renumbered[id] = static_cast<ValueId>(kept.size());
    kept.push_back(network.values[id]);
  };
  keep(network.input);
  for (const Node& node : network.nodes) keep(node.output);
  for (Node& node : network.nodes) {
    node.output = renumbered[node.output];
    for (ValueId& input : node.inputs) input = renumbered[input];
  }
  network.input = renumbered[network.input];
  network.output = renumbered[network.output];
  network.values = std::move(kept);
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
  shape.insert(shape.begin(), output.size() - shape.size(), 1);
  if (shape != per_channel) return std::nullopt;
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

/// Tries to let the producer of node's input do what `node` does; then node's readers read the producer.
bool fold_into_producer(Network& network, const Node& node) {
  if (node.inputs.size() != 1 || count_readers(network, node.inputs[0]) != 1) return false;
  Node* producer = find_producer(network, node.inputs[0]);
  const auto* matrix = producer == nullptr ? nullptr : dynamic_cast<const MatrixOperation*>(producer->operation.get());
  if (matrix == nullptr) return false;
  const Shape& shape = network.values[producer->output].shape;
  if (network.values[node.output].shape != shape) return false;
  const bool channels_first = dynamic_cast<const Convolution*>(matrix) != nullptr;
  const std::size_t axis = channels_first ? 1 : shape.size() - 1;
  std::optional<Affine> affine = scale_and_shift(node, axis);
  if (!affine) affine = added_bias(node, shape, axis);
  if (!affine) return false;
  producer->operation = with_affine(*matrix, *affine);
  return true;
}

/// Takes `node` out: whoever read its output reads its input, which gets the name.
void bypass(Network& network, Node& node) {
  const ValueId from = node.output, to = node.inputs[0];
  node.inputs.clear();
  for (Node& reader : network.nodes) std::replace(reader.inputs.begin(), reader.inputs.end(), from, to);
  network.values[to].name = network.values[from].name;
  if (network.output == from) network.output = to;
}

}  // namespace

void lift_silu(Network& network) {
  for (Node& node : network.nodes) {
    const Node* sigmoid = silu_sigmoid(network, node);
    if (sigmoid == nullptr) continue;
    node.source.op_type = "Sigmoid+Mul";
    node.inputs = sigmoid->inputs;
    node.operation = std::make_shared<const Pointwise>(Pointwise::Kind::silu);
  }
  remove_unread(network);
}

void fold_affine(Network& network) {
  for (Node& node : network.nodes)
    if (fold_into_producer(network, node)) bypass(network, node);
  remove_unread(network);
}

}  // namespace tellegen::models::onnx
