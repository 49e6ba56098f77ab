#pragma once
// The list of all operations that a network of shapes can name: what each adds to the graph.

#include <span>

#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/window.h"
#include "tellegen/models/shapes/shape_graph.h"
#include "tellegen/models/shapes/shape_layer.h"

namespace tellegen::models {

/// Adds a layer that reads `inputs`; gives its output. Throws InputError that continues "layer 'name' (op) ...".
using BuildLayer = ValueId (*)(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);

struct LayerBuilder {
  const char* op;
  std::size_t least_inputs, most_inputs;
  BuildLayer build;
};
std::span<const LayerBuilder> layer_builders();

struct NamedActivation {
  const char* name;
  Pointwise::Kind kind;
  float a = 0, b = 0;
};
std::span<const NamedActivation> named_activations();

/// The window of a layer. Throws InputError that continues "layer 'name' (op) ..." where a size is 0.
Window window_of(const ShapeLayer& layer);

/// The activation of that name behind `value`; `value` itself where it is "none".
ValueId add_activation(ShapeGraph& graph, const std::string& function, ValueId value, const std::string& what);

// One function per family, in files of their own.
ValueId build_conv(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);
ValueId build_linear(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);
ValueId build_attention(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);
ValueId build_lstm(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);
ValueId build_gru(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);
ValueId build_selective_scan(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs);

}  // namespace tellegen::models
