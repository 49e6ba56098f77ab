#include "tellegen/models/shapes/shape_graph.h"

#include <utility>

#include "tellegen/base/error.h"

namespace tellegen::models {

namespace {

/// Nothing of that size is ever in memory; the bound keeps counts of work below 2^63.
constexpr std::int64_t kMostElements = std::int64_t{1} << 32;
constexpr std::size_t kMostNodes = 100000;

void check_elements(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t dimension : shape) {
    const std::int64_t size = is_batch(dimension) ? -dimension : dimension;
    if (size == 0 || __builtin_mul_overflow(elements, size, &elements) || elements > kMostElements)
      throw InputError("makes a tensor of shape '" + to_string(shape) + "'; 1 to " + std::to_string(kMostElements) +
                       " elements per sample are allowed.");
  }
}

}  // namespace

ShapeGraph::ShapeGraph(const std::string& name, const Shape& input, bool tokens) {
  network_.name = name;
  Shape shape{-1};
  shape.insert(shape.end(), input.begin(), input.end());
  check_elements(shape);
  network_.values.push_back({"input", std::move(shape), tokens});
  network_.input = 0;
}

void ShapeGraph::start(const std::string& layer, const std::string& op) {
  layer_ = layer;
  op_ = op;
}

ValueId ShapeGraph::add(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs,
                        const std::string& what) {
  std::vector<Shape> shapes;
  for (const ValueId input : inputs) {
    if (is_integer(input) && operation->label() != "embedding")
      throw InputError("reads numbers of tokens; put an embedding in between.");
    shapes.push_back(shape(input));
  }
  Shape output = operation->output_shape(shapes);
  check_elements(output);
  if (network_.nodes.size() >= kMostNodes)
    throw InputError("is one operation too many; at most " + std::to_string(kMostNodes) + " are allowed.");
  parameters_ += operation->parameters();
  const std::string name = what.empty() ? layer_ : layer_ + " " + what;
  const auto id = static_cast<ValueId>(network_.values.size());
  network_.values.push_back({name, std::move(output), false});
  Node node;
  node.name = name;
  node.operation = std::move(operation);
  node.inputs = inputs;
  node.output = id;
  node.source = {layer_, op_};
  network_.nodes.push_back(std::move(node));
  return id;
}

std::int64_t ShapeGraph::table(const std::string& layer) const {
  const auto found = tables_.find(layer);
  if (found == tables_.end()) throw InputError("is tied to '" + layer + "', which is no embedding before it.");
  return found->second;
}

Network ShapeGraph::take(ValueId output) {
  network_.output = output;
  network_.trained_parameters = parameters_;
  return std::move(network_);
}

}  // namespace tellegen::models
