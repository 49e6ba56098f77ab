#pragma once
// Runs a network in float on a batch. The matrix products may be computed by somebody else.

#include <functional>
#include <span>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

/// What a node makes of its inputs: its gate, where it has one, then its operation.
Tensor run_node(const Node& node, std::span<const Tensor* const> inputs);

/// Called for every node whose operation is a MatrixOperation, with the input as it stands before the node's gate: must
/// return the node's whole output, gate and bias included.
using MatrixProduct = std::function<Tensor(const Node& node, std::size_t node_index, const Tensor& input)>;
/// Called after every node with its output (to gather statistics).
using Observer = std::function<void(const Node& node, std::size_t node_index, const Tensor& output)>;

/// Float reference where `product` is empty. input: [batch, ...] as the network's input. Frees what is no longer
/// needed. Throws InputError where the shape does not fit. Thread-safe for different calls.
Tensor execute(const Network& network, const Tensor& input, const MatrixProduct& product = {},
               const Observer& observer = {});

/// The whole set in batches over the machine's threads; logits [samples, classes].
Tensor execute_all(const Network& network, const Tensor& inputs, std::int64_t batch);

}  // namespace tellegen::models
