#pragma once
// A network as mathematics: a graph of operations on tensors, no volts. The batch is dimension 0 of every activation.

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
  Shape shape;  ///< dimension 0 is -1: the batch
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
};

/// Nodes stand in topological order. Constants are inside the operations that use them.
struct Network {
  std::string name;
  int opset = 0;
  std::vector<Value> values;
  std::vector<Node> nodes;
  ValueId input = -1;
  ValueId output = -1;
};

/// Multiply-accumulates of one input through all matrix operations.
std::int64_t multiply_accumulates(const Network& network);
std::int64_t parameter_count(const Network& network);

}  // namespace tellegen::models
