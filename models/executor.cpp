#include "tellegen/models/executor.h"

#include <algorithm>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/models/batch_slices.h"
#include "tellegen/models/operators/matrix_product.h"

namespace tellegen::models {

namespace {

void check_input(const Network& network, const Tensor& input) {
  const Shape& wanted = network.values[network.input].shape;
  bool fits = input.shape.size() == wanted.size();
  for (std::size_t axis = 0; fits && axis < wanted.size(); ++axis)
    fits = is_batch(wanted[axis]) ? input.shape[axis] >= 1 : input.shape[axis] == wanted[axis];
  if (!fits)
    throw InputError("network " + network.name + ": the input has shape '" + to_string(input.shape) + "'; " +
                     to_string(wanted) +
                     " is allowed, with N at least 1. Reshape the samples or choose the network they belong to.");
  TELLEGEN_ASSERT(input.size() == element_count(input.shape));
  if (!has_weights(network))
    throw InputError(
        "network " + network.name +
        ": was read from its shapes alone and has no weights, so it cannot be run. Give a trained network.");
}

/// Whether the first input of node `index` may be taken: nobody reads it again, and it is no input of the network.
bool may_take(const Network& network, const std::vector<std::size_t>& last, const Node& node, std::size_t index) {
  if (node.inputs.empty() || node.gate || node.fused) return false;
  const ValueId first = node.inputs[0];
  return first != network.input && first != network.output && last[first] == index &&
         std::count(node.inputs.begin(), node.inputs.end(), first) == 1;
}

/// For each value, the index of the last node that reads it.
std::vector<std::size_t> last_uses(const Network& network) {
  std::vector<std::size_t> last(network.values.size(), 0);
  for (std::size_t index = 0; index < network.nodes.size(); ++index)
    for (const ValueId value : network.nodes[index].inputs) last[value] = index;
  return last;
}

/// `taken`: the first input where it may be taken, else null.
Tensor run_here_or_there(const Node& node, std::size_t index, std::span<const Tensor* const> inputs, Tensor* taken,
                         const Hooks& hooks) {
  if (const auto* recurrent = dynamic_cast<const Recurrent*>(node.operation.get())) {
    Recurrent::StateProduct product;
    if (hooks.state_product)
      product = [&](std::size_t matrix, const Tensor& states) {
        return hooks.state_product(node, index, matrix, states);
      };
    return recurrent->run_with(inputs, product, hooks.memory == nullptr ? nullptr : &(*hooks.memory)[index]);
  }
  if (hooks.computed_product && dynamic_cast<const MatrixProduct*>(node.operation.get()) != nullptr)
    return hooks.computed_product(node, index, *inputs[0], *inputs[1]);
  const bool matrix = dynamic_cast<const MatrixOperation*>(node.operation.get()) != nullptr;
  if (!matrix && hooks.substitute && !inputs.empty()) {
    if (std::optional<Tensor> output = hooks.substitute(node, index, *inputs[0])) return std::move(*output);
  }
  if (!hooks.product || !matrix)
    return taken != nullptr ? node.operation->run_taking(*taken, inputs) : run_node(node, inputs);
  Tensor output = hooks.product(node, index, *inputs[0]);
  TELLEGEN_ASSERT(output.shape == node.operation->output_shape(std::span<const Shape>(&inputs[0]->shape, 1)));
  return output;
}

/// All nodes on the whole batch.
Tensor run_nodes(const Network& network, const Tensor& input, const Hooks& hooks) {
  const std::vector<std::size_t> last = last_uses(network);
  std::vector<Tensor> computed(network.values.size());
  const auto tensor = [&](ValueId id) { return id == network.input ? &input : &computed[id]; };
  std::vector<const Tensor*> inputs;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const Node& node = network.nodes[index];
    inputs.clear();
    for (const ValueId id : node.inputs) inputs.push_back(tensor(id));
    Tensor* taken = may_take(network, last, node, index) ? &computed[node.inputs[0]] : nullptr;
    computed[node.output] = run_here_or_there(node, index, inputs, taken, hooks);
    if (hooks.observer) hooks.observer(node, index, computed[node.output]);
    for (const ValueId id : node.inputs)
      if (last[id] == index && id != network.output) computed[id] = {};
  }
  return std::move(computed[network.output]);
}

/// Whether somebody sees or computes more than the output: then the batch stays whole.
bool is_watched(const Hooks& hooks) {
  return hooks.product || hooks.state_product || hooks.observer || hooks.substitute || hooks.computed_product;
}

}  // namespace

Tensor run_node(const Node& node, std::span<const Tensor* const> inputs) {
  Tensor output;
  if (node.gate) {
    const Tensor gated = node.gate->activation->run(inputs);
    const Tensor* only[] = {&gated};
    output = node.operation->run(only);
  } else {
    output = node.operation->run(inputs);
  }
  if (!node.fused) return output;
  const Tensor* only[] = {&output};
  return node.fused->activation->run(only);
}

Tensor execute(const Network& network, const Tensor& input, const LayerProduct& product, const Observer& observer) {
  return execute(network, input, Hooks{product, {}, observer});
}

Tensor execute(const Network& network, const Tensor& input, const Hooks& hooks) {
  check_input(network, input);
  if (network.output == network.input) return input;
  const std::int64_t samples = input.shape[0], slice = is_watched(hooks) ? 0 : slice_size(network);
  if (slice == 0 || samples <= slice) return run_nodes(network, input, hooks);
  Tensor output;
  for (std::int64_t first = 0; first < samples; first += slice)
    append_samples(run_nodes(network, samples_of(input, first, std::min(slice, samples - first)), hooks), output);
  return output;
}

}  // namespace tellegen::models
