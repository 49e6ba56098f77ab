#pragma once
// An ONNX file as plain values, before it is given a meaning: protobuf stays inside graph.cpp.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tellegen/models/onnx/import.h"
#include "tellegen/models/tensor.h"

namespace tellegen::models::onnx {

/// An initialiser or the value of a Constant node: floats or integers, or the reason why it cannot be used.
struct Constant {
  std::string name;
  bool is_float = true;
  Tensor floats;
  IntTensor integers;
  std::string refusal;  ///< "" where usable; thrown only where the constant is needed
  const Shape& shape() const { return is_float ? floats.shape : integers.shape; }
};

struct Subgraph;

struct Attribute {
  std::string name;
  float number = 0;
  std::int64_t integer = 0;
  std::string text;
  std::vector<float> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  std::shared_ptr<const Constant> tensor;
  std::shared_ptr<const Subgraph> graph;  ///< a branch of If, the body of Loop
};

struct GraphNode {
  std::string name;                 ///< unique: as in the file, or op type and number ("Conv_3") where it has none
  std::string op_type;              ///< with its domain in front where that is not the ONNX one: "com.microsoft.Gelu"
  std::vector<std::string> inputs;  ///< "" for an optional input that is left out
  std::vector<std::string> outputs;
  std::vector<Attribute> attributes;
  std::vector<std::string> captured;  ///< values from outside that its graphs read, beside the inputs
};

/// A graph inside of a node.
struct Subgraph {
  std::vector<std::string> inputs, outputs;
  std::vector<GraphNode> nodes;  ///< those that the outputs need, in file order
  std::map<std::string, std::shared_ptr<const Constant>> constants;
};

struct Graph {
  std::string name;
  int opset = 0;
  std::string input;
  Shape input_shape;  ///< as declared; -1 for a free dimension
  bool integer_input = false;
  std::string output;
  std::vector<GraphNode> nodes;  ///< in file order
  std::map<std::string, std::shared_ptr<const Constant>> constants;
};

inline constexpr int kLeastOpset = 9, kGreatestOpset = 18;

/// Throws InputError: file missing, not ONNX, truncated, opset out of range, not exactly one free input and one output.
Graph read_graph(const std::filesystem::path& file, const ImportOptions& options = {});

}  // namespace tellegen::models::onnx
