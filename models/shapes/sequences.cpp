// Layers that go through a sequence step by step: LSTM, GRU and the selective scan of state-space models.

#include "tellegen/base/error.h"
#include "tellegen/models/operators/recurrent.h"
#include "tellegen/models/operators/reduce.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/shapes/layer_builders.h"
#include "tellegen/models/shapes/shape_only.h"

namespace tellegen::models {

namespace {

using Form = RecurrentForm;

/// As PyTorch has it: a bias with the input and one with the state; the reset gate of a GRU acts behind the product.
ValueId build_recurrent(ShapeGraph& graph, const ShapeLayer& layer, ValueId input, Form::Cell cell) {
  const Shape& shape = graph.shape(input);
  if (shape.size() != 3)
    throw InputError("reads a value of shape '" + to_string(shape) + "'; steps x channels is needed.");
  if (layer.sum_directions && !layer.bidirectional)
    throw InputError("adds up directions and has one; set bidirectional, or leave sum_directions out.");
  Form form;
  form.cell = cell;
  form.hidden = layer.hidden;
  form.order = layer.bidirectional ? Form::Order::both : Form::Order::forward;
  form.reset_after = cell == Form::Cell::gru;
  const Pointwise sigmoid(Pointwise::Kind::sigmoid), tanh(Pointwise::Kind::tanh);
  const std::vector<Pointwise> one =
      cell == Form::Cell::lstm ? std::vector{sigmoid, tanh, tanh} : std::vector{sigmoid, tanh};
  std::vector<std::shared_ptr<const Linear>> matrices;
  for (std::int64_t direction = 0; direction < form.directions(); ++direction) {
    form.activations.insert(form.activations.end(), one.begin(), one.end());
    matrices.push_back(std::make_shared<const Linear>(layer.hidden, form.gates() * layer.hidden, true));
  }
  const std::int64_t steps = shape[1], directions = form.directions();
  auto inputs = std::make_shared<const Linear>(shape[2], directions * form.gates() * layer.hidden, true);
  const ValueId sums = graph.add(std::move(inputs), {input}, "inputs");
  const ValueId states = graph.add(std::make_shared<const Recurrent>(std::move(form), std::move(matrices)), {sums});
  if (layer.sum_directions)
    return graph.add(std::make_shared<const Reduce>(Reduce::Kind::sum, std::vector<std::size_t>{2}, false), {states},
                     "directions added");
  return graph.add(std::make_shared<const Reshape>("reshape", Shape{-1, steps, directions * layer.hidden}), {states},
                   "states");
}

}  // namespace

ValueId build_lstm(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  return build_recurrent(graph, layer, inputs[0], Form::Cell::lstm);
}

ValueId build_gru(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  return build_recurrent(graph, layer, inputs[0], Form::Cell::gru);
}

/// h = exp(step A) h + step B x, y = C h + D x, with step, B and C computed from the input: A [channels][states] and D
/// [channels] are trained.
ValueId build_selective_scan(ShapeGraph& graph, const ShapeLayer& layer, const std::vector<ValueId>& inputs) {
  const Shape& shape = graph.shape(inputs[0]);
  if (shape.size() != 3)
    throw InputError("reads a value of shape '" + to_string(shape) + "'; steps x channels is needed.");
  const Shape states{-1, shape[1], layer.states};
  const char* names[] = {"signal", "step", "B", "C"};
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    const Shape& wanted = i == 1 ? shape : states;
    if (graph.shape(inputs[i]) != wanted)
      throw InputError(std::string("reads ") + names[i] + " of shape '" + to_string(graph.shape(inputs[i])) + "'; " +
                       to_string(wanted) + " is needed.");
  }
  const std::int64_t updates = shape[1] * shape[2] * layer.states;
  return graph.add(std::make_shared<const ShapeOnlyOperation>(
                       ShapeOnlyOperation::Form{"selective scan",
                                                "multiply",
                                                shape,
                                                shape[2] * layer.states + shape[2],
                                                {{"exponential", updates}, {"scan step", updates}}}),
                   inputs);
}

}  // namespace tellegen::models
