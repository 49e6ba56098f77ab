#pragma once
// Runs a network in float on a batch. The matrix products may be computed by somebody else.

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::models {

/// What a node makes of its inputs: its gate, where it has one, then its operation, then a fused activation.
Tensor run_node(const Node& node, std::span<const Tensor* const> inputs);

/// Called for every node whose operation is a MatrixOperation, with the input as it stands before the node's gate: must
/// return the node's whole output, gate, bias and fused activation included.
using LayerProduct = std::function<Tensor(const Node& node, std::size_t node_index, const Tensor& input)>;
/// Called after every node with its output (to gather statistics).
using Observer = std::function<void(const Node& node, std::size_t node_index, const Tensor& output)>;
/// Called at every step of a Recurrent node: must return what matrix `matrix` of it makes of the states [batch,
/// hidden], bias included.
using StateProduct =
    std::function<Tensor(const Node& node, std::size_t node_index, std::size_t matrix, const Tensor& states)>;
/// Called for every other node with its first input: may return the node's whole output, or nothing to leave it to the
/// node's operation.
using Substitute = std::function<std::optional<Tensor>(const Node& node, std::size_t node_index, const Tensor& input)>;
/// Called for every node that multiplies two computed matrices (MatrixProduct): must return the node's whole output.
using ComputedProduct =
    std::function<Tensor(const Node& node, std::size_t node_index, const Tensor& first, const Tensor& second)>;
/// States of a streaming network (Network::streaming) between calls, by node.
using StreamMemory = std::map<std::size_t, Recurrent::Memory>;

/// Who takes part in running a network; all may be empty.
struct Hooks {
  LayerProduct product;
  StateProduct state_product;
  Observer observer;
  Substitute substitute = {};
  ComputedProduct computed_product = {};
  StreamMemory* memory = nullptr;  ///< null: a streaming network starts anew with every call
};

/// Float reference where `product` is empty. input: [batch, ...] as the network's input. Frees what is no longer
/// needed. Throws InputError where the shape does not fit. Thread-safe for different calls.
Tensor execute(const Network& network, const Tensor& input, const LayerProduct& product = {},
               const Observer& observer = {});
Tensor execute(const Network& network, const Tensor& input, const Hooks& hooks);

}  // namespace tellegen::models
