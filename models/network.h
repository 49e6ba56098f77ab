#pragma once
// A network as mathematics: a graph of operations on tensors, no volts. The batch is dimension 0 of the input, of the output,
// and of whatever a matrix operation reads and makes; on the way it may stand elsewhere (tensor.h).

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/models/operation.h"
#include "tellegen/models/tensor.h"

namespace tellegen::models {

using ValueId = int;

struct Value {
  std::string name;
  Shape shape;  ///< -1 is the batch
  /// Token numbers and the like, kept as floats: exact up to 2^24.
  bool integer = false;
};

/// From which operation of the user's file a node came; reports name this, never an invented number.
struct SourceRef {
  std::string node_name;
  std::string op_type;  ///< "Conv", "Gemm", ...
};

/// An activation that was moved in front of a product: applied to each of its inputs.
struct Gate {
  std::string name;  ///< of the node that it was
  std::shared_ptr<const Operation> activation;
  SourceRef source;
};

struct Node {
  std::string name;  ///< unique, for people: the ONNX node name, or op type and number where it has none
  std::shared_ptr<const Operation> operation;
  std::vector<ValueId> inputs;
  ValueId output = -1;
  SourceRef source;
  std::optional<Gate>
      gate;  ///< only of matrix operations, only after conversion: output = operation(activation(input))
  std::optional<Gate> fused = {};  ///< only of matrix operations: an activation behind the product, computed with it
};

/// Several operators of the user's file that are one thing to people: "GELU (erf)", "LayerNorm", "attention", "SwiGLU".
struct Group {
  std::string kind;
  std::vector<std::string> nodes;  ///< names in the user's file, in order
  bool replaced = false;           ///< one node does their work; else they are only named
};

/// Nodes stand in topological order. Constants are inside the operations that use them.
struct Network {
  std::string name;
  int opset = 0;
  std::vector<Value> values;
  std::vector<Node> nodes;
  ValueId input = -1;
  ValueId output = -1;
  std::vector<Group> groups;  ///< what the import found
  /// Entries of the batch are steps in time of one signal: they must run in order, state handed on (executor.h).
  bool streaming = false;
  /// Trained numbers as the network's authors count them: before norms are folded, and what two layers share once.
  /// Nothing: those of the operations.
  std::optional<std::int64_t> trained_parameters;
};

/// Multiply-accumulates of one input through all matrix operations.
std::int64_t multiply_accumulates(const Network& network);
std::int64_t parameter_count(const Network& network);
/// Whether all trained numbers are here, so that the network can be run (Operation::has_weights).
bool has_weights(const Network& network);

}  // namespace tellegen::models
