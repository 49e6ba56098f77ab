#pragma once
// A second executor for tests: plain loops in double over the nodes of a network. It shares no arithmetic with the float
// executor; only where an operation merely moves numbers, it asks the operation where each of them comes from.

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "double_functions.h"
#include "tellegen/models/network.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::models::reference {

using Doubles = BasicTensor<double>;

Doubles to_double(const Tensor& tensor);

/// What the network makes of `input`; a streaming network starts from zero. Throws std::logic_error for an operation that
/// no shipped network has.
Doubles execute(const Network& network, const Tensor& input, const Functions& functions);

/// What one operation makes of `inputs`.
Doubles run(const Operation& operation, const std::vector<const Doubles*>& inputs, const Functions& functions);

/// Products and sums of a matrix operation (Linear, Convolution), bias included.
Doubles multiply(const MatrixOperation& operation, const Doubles& input);
/// [..., m, k] times [..., k, n], leading dimensions broadcast.
Doubles multiply(const Doubles& left, const Doubles& right);
/// LSTM and GRU without peepholes, clipping, lengths or initial states. sums: [batch, steps, directions * gates * hidden].
Doubles run_recurrent(const Recurrent& layer, const Doubles& sums, const Functions& functions);

/// For each element of a tensor of `shape`, where the element of a tensor of shape `from` stands that is broadcast to it.
std::vector<std::size_t> broadcast_places(const Shape& from, const Shape& shape);

}  // namespace tellegen::models::reference
