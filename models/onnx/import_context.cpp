#include "tellegen/models/onnx/import_context.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/constant.h"

namespace tellegen::models::onnx {

namespace {

/// Leaves eight decades up to the greatest float for what sums and products of trained numbers reach.
constexpr float kGreatest = 1e30F;

/// "3e+38"; std::to_string would write all 39 digits.
std::string short_text(float value) {
  std::ostringstream text;
  text << value;
  return text.str();
}

}  // namespace

ImportContext::ImportContext(const GraphNode& node, ImportState& state) : node_(node), state_(state) {
  folding_ = !node.inputs.empty();
  for (std::size_t index = 0; index < node.inputs.size(); ++index)
    if (has_input(index) && !is_known(index)) folding_ = false;
}

const Binding& ImportContext::binding(std::size_t index) const {
  if (!has_input(index)) throw InputError("needs at least " + std::to_string(index + 1) + " inputs.");
  const auto found = state_.bindings.find(node_.inputs[index]);
  // The order of nodes guarantees that somebody made it; what has no binding is a second output that we do not compute.
  if (found == state_.bindings.end())
    throw InputError("reads '" + node_.inputs[index] + "', an optional output that is not supported.");
  return found->second;
}

bool ImportContext::output_is_read(std::size_t index) const {
  return index < node_.outputs.size() && state_.read.contains(node_.outputs[index]);
}

bool ImportContext::is_known(std::size_t index) const { return !std::holds_alternative<ValueId>(binding(index)); }

bool ImportContext::is_constant(std::size_t index) const { return !folding_ && is_known(index); }

bool ImportContext::folds_integers() const { return folding_ && !constant_binding(0).is_float; }

const Constant& ImportContext::constant_binding(std::size_t index) const {
  const auto* constant = std::get_if<std::shared_ptr<const Constant>>(&binding(index));
  if (constant == nullptr) throw InputError("computes its input '" + node_.inputs[index] + "'; it must be a constant.");
  if (!(*constant)->refusal.empty())
    throw InputError("reads '" + node_.inputs[index] + "', which " + (*constant)->refusal);
  return **constant;
}

const Tensor& ImportContext::float_constant(std::size_t index) const {
  const Constant& constant = constant_binding(index);
  if (!constant.is_float)
    throw InputError("reads '" + node_.inputs[index] + "', which holds integers; floats are needed.");
  return constant.floats;
}

const Tensor& ImportContext::constant_or_infinite(std::size_t index) const {
  const Tensor& tensor = float_constant(index);
  if (std::any_of(tensor.data.begin(), tensor.data.end(), [](float x) { return std::isnan(x); }))
    throw InputError("reads '" + node_.inputs[index] + "', which is not a number.");
  return tensor;
}

const Tensor& ImportContext::mask(std::size_t index) const {
  const Tensor& tensor = constant_or_infinite(index);
  if (std::any_of(tensor.data.begin(), tensor.data.end(), [](float x) { return x > kGreatest; }))
    check_finite(tensor, node_.inputs[index]);
  return tensor;
}

const Tensor& ImportContext::constant(std::size_t index) const {
  const Tensor& tensor = float_constant(index);
  check_finite(tensor, node_.inputs[index]);
  return tensor;
}

void check_finite(const Tensor& tensor, const std::string& name) {
  const auto wrong = std::find_if(tensor.data.begin(), tensor.data.end(), [](float x) { return !std::isfinite(x); });
  if (wrong != tensor.data.end())
    throw InputError("reads '" + name + "', whose element " + std::to_string(wrong - tensor.data.begin()) + " is '" +
                     std::to_string(*wrong) + "'; trained numbers must be finite. Export from a checkpoint that is.");
  const auto huge =
      std::find_if(tensor.data.begin(), tensor.data.end(), [](float x) { return std::abs(x) > kGreatest; });
  if (huge != tensor.data.end())
    throw InputError("reads '" + name + "', whose element " + std::to_string(huge - tensor.data.begin()) + " is '" +
                     short_text(*huge) +
                     "'; at most 1e30 in magnitude is allowed, so that sums stay finite. The file is damaged or the "
                     "training has diverged.");
}

const IntTensor& ImportContext::integer_tensor(std::size_t index) const {
  const Constant& constant = constant_binding(index);
  if (constant.is_float)
    throw InputError("reads '" + node_.inputs[index] + "', which holds floats; integers are needed.");
  return constant.integers;
}

std::vector<std::int64_t> ImportContext::integers(std::size_t index) const {
  const Constant& constant = constant_binding(index);
  if (constant.is_float || constant.integers.shape.size() > 1)
    throw InputError("reads '" + node_.inputs[index] + "'; it must be a list of integers.");
  return constant.integers.data;
}

ValueId ImportContext::keep_folded(std::shared_ptr<const Constant> constant) {
  folded_.push_back(std::move(constant));
  return static_cast<ValueId>(folded_.size()) - 1;
}

ValueId ImportContext::any_value(std::size_t index) {
  if (folding_) {
    constant_binding(index);  // throws where it cannot be used
    return keep_folded(std::get<std::shared_ptr<const Constant>>(binding(index)));
  }
  const auto* id = std::get_if<ValueId>(&binding(index));
  if (id == nullptr)
    throw InputError("reads the constant '" + node_.inputs[index] + "' where it needs a computed value.");
  return *id;
}

ValueId ImportContext::value(std::size_t index) {
  if (folding_)
    constant(index);  // throws where it holds no usable floats
  else if (const auto* id = std::get_if<ValueId>(&binding(index)); id != nullptr && state_.network.values[*id].integer)
    throw InputError("reads '" + node_.inputs[index] + "', which holds integers; floats are needed.");
  return any_value(index);
}

ValueId ImportContext::operand(std::size_t index) {
  if (folding_ || !is_known(index)) return value(index);
  return compute(std::make_shared<const ConstantTensor>(numbers(index)), {}, node_.inputs[index]);
}

Tensor ImportContext::numbers(std::size_t index) const {
  const Constant& known = constant_binding(index);
  if (known.is_float) return mask(index);
  return {known.integers.shape, {known.integers.data.begin(), known.integers.data.end()}};
}

Shape ImportContext::shape(std::size_t index) const {
  if (const auto* id = std::get_if<ValueId>(&binding(index))) return state_.network.values[*id].shape;
  return constant_binding(index).shape();
}

const Shape& ImportContext::shape_of(ValueId id) const {
  return folding_ ? folded_[static_cast<std::size_t>(id)]->shape() : state_.network.values[id].shape;
}

const Attribute* ImportContext::find(const std::string& name) {
  known_.insert(name);
  const auto found = std::find_if(node_.attributes.begin(), node_.attributes.end(),
                                  [&](const Attribute& a) { return a.name == name; });
  return found == node_.attributes.end() ? nullptr : &*found;
}

bool ImportContext::has_attribute(const std::string& name) const {
  return std::any_of(node_.attributes.begin(), node_.attributes.end(),
                     [&](const Attribute& a) { return a.name == name; });
}

std::int64_t ImportContext::integer(const std::string& name, std::int64_t otherwise) {
  const Attribute* attribute = find(name);
  if (attribute != nullptr && attribute->integer == 0 && attribute->number != 0)
    throw InputError("has attribute '" + name + "' = '" + short_text(attribute->number) +
                     "'; a whole number is needed.");
  return attribute == nullptr ? otherwise : attribute->integer;
}

float ImportContext::number(const std::string& name, float otherwise) {
  const Attribute* attribute = find(name);
  const float number = attribute == nullptr ? otherwise : attribute->number;
  if (std::isnan(number)) throw InputError("has attribute '" + name + "' that is not a number.");
  return number;
}

std::string ImportContext::text(const std::string& name, const std::string& otherwise) {
  const Attribute* attribute = find(name);
  return attribute == nullptr ? otherwise : attribute->text;
}

std::vector<std::int64_t> ImportContext::integers(const std::string& name, const std::vector<std::int64_t>& otherwise) {
  const Attribute* attribute = find(name);
  if (attribute != nullptr && attribute->integers.empty() && !attribute->numbers.empty())
    throw InputError("has attribute '" + name + "' with fractions; whole numbers are needed.");
  return attribute == nullptr ? otherwise : attribute->integers;
}

void ImportContext::check_attributes() const {
  for (const Attribute& attribute : node_.attributes)
    if (!known_.contains(attribute.name))
      throw InputError("has attribute '" + attribute.name + "', which is not supported.");
}

void check_size(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t dimension : shape) {
    if (dimension == 0)
      throw InputError("would make a tensor of shape '" + to_string(shape) + "'; dimensions must be at least 1.");
    const std::int64_t size = is_batch(dimension) ? -dimension : dimension;
    if (__builtin_mul_overflow(elements, size, &elements) || elements > kMostElements)
      throw InputError("would make a tensor of shape '" + to_string(shape) + "'; at most " +
                       std::to_string(kMostElements) + " elements per sample are supported.");
  }
}

ValueId ImportContext::compute(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs,
                               const std::string& what) {
  std::vector<Shape> shapes;
  shapes.reserve(inputs.size());
  for (const ValueId id : inputs) shapes.push_back(shape_of(id));
  Shape output = operation->output_shape(shapes);
  check_size(output);
  if (folding_) return fold(*operation, inputs);
  Network& network = state_.network;
  const bool integer = operation->moves_only() && !inputs.empty() && network.values[inputs[0]].integer;
  const auto id = static_cast<ValueId>(network.values.size());
  network.values.push_back({node_.name + (what.empty() ? "" : " " + what), std::move(output), integer});
  network.nodes.push_back({node_.name + (what.empty() ? "" : " " + what),
                           std::move(operation),
                           inputs,
                           id,
                           {node_.name, node_.op_type},
                           {}});
  return id;
}

ValueId ImportContext::fold(const Operation& operation, const std::vector<ValueId>& inputs) {
  std::vector<const Tensor*> tensors;
  tensors.reserve(inputs.size());
  for (const ValueId id : inputs) {
    const Constant& constant = *folded_[static_cast<std::size_t>(id)];
    if (!constant.is_float && operation.moves_only()) return fold_moved_integers(operation, inputs);
    if (!constant.is_float) throw InputError("reads '" + constant.name + "', which holds integers; floats are needed.");
    tensors.push_back(&constant.floats);
  }
  auto result = std::make_shared<Constant>();
  result->name = node_.outputs.at(0);
  result->floats = operation.run(tensors);
  return keep_folded(std::move(result));
}

/// Integers may be too large for floats, their places are not: the operation moves the places.
ValueId ImportContext::fold_moved_integers(const Operation& operation, const std::vector<ValueId>& inputs) {
  constexpr std::size_t kMostPlaces = std::size_t{1} << 24;
  std::vector<Tensor> places;
  std::vector<std::int64_t> integers;
  for (const ValueId id : inputs) {
    const Constant& constant = *folded_[static_cast<std::size_t>(id)];
    if (constant.is_float) throw InputError("moves floats and integers together.");
    Tensor& place = places.emplace_back();
    place.shape = constant.integers.shape;
    for (const std::int64_t integer : constant.integers.data) {
      place.data.push_back(static_cast<float>(integers.size()));
      integers.push_back(integer);
    }
  }
  if (integers.size() > kMostPlaces) throw InputError("moves more integers than are supported (2^24).");
  std::vector<const Tensor*> tensors;
  for (const Tensor& place : places) tensors.push_back(&place);
  const Tensor moved = operation.run(tensors);
  auto result = std::make_shared<Constant>();
  result->name = node_.outputs.at(0);
  result->is_float = false;
  result->integers.shape = moved.shape;
  for (const float place : moved.data) result->integers.data.push_back(integers[static_cast<std::size_t>(place)]);
  return keep_folded(std::move(result));
}

void ImportContext::bind(std::size_t index, ValueId id) {
  const std::string& name = node_.outputs.at(index);
  if (folding_)
    state_.bindings[name] = folded_[static_cast<std::size_t>(id)];
  else
    state_.bindings[name] = id;
  if (!folding_) state_.network.values[id].name = name;
}

void ImportContext::emit(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs) {
  bind(0, compute(std::move(operation), inputs));
}

void ImportContext::forward() { state_.bindings[node_.outputs.at(0)] = Binding(binding(0)); }

void ImportContext::bind_constant(std::shared_ptr<const Constant> constant) {
  state_.bindings[node_.outputs.at(0)] = std::move(constant);
}

void ImportContext::bind_integers(IntTensor integers) {
  auto constant = std::make_shared<Constant>();
  constant->name = node_.outputs.at(0);
  constant->is_float = false;
  constant->integers = std::move(integers);
  bind_constant(std::move(constant));
}

std::vector<Binding> ImportContext::import_branch(const Subgraph& graph, const std::vector<Binding>& inputs,
                                                  const std::string& where) {
  for (std::size_t i = 0; i < inputs.size(); ++i) state_.bindings[graph.inputs.at(i)] = inputs[i];
  for (const auto& [name, constant] : graph.constants) state_.bindings[name] = constant;
  state_.read.insert(graph.outputs.begin(), graph.outputs.end());
  for (const GraphNode& inside : graph.nodes) state_.read.insert(inside.inputs.begin(), inside.inputs.end());
  for (const GraphNode& inside : graph.nodes) {
    GraphNode node = inside;
    node.name = node_.name + " " + where + " " + inside.name;
    for (const std::string& input : inside.inputs)
      if (!input.empty() && !state_.bindings.contains(input))
        throw InputError("has node '" + inside.name + "' (" + inside.op_type + ") inside, which reads '" + input +
                         "', and nothing before it makes that.");
    state_.import_node(node);
  }
  std::vector<Binding> outputs;
  for (const std::string& output : graph.outputs) {
    const auto made = state_.bindings.find(output);
    if (made == state_.bindings.end()) throw InputError("gives '" + output + "', which nothing inside of it makes.");
    outputs.push_back(made->second);
  }
  return outputs;
}

void ImportContext::bind_stack(std::size_t index, const std::vector<Binding>& parts) {
  if (parts.empty()) throw InputError("takes no turn, so that output " + std::to_string(index + 1) + " has no shape.");
  const std::string base = node_.outputs.at(index) + " of turn ";
  auto axes = std::make_shared<Constant>();
  axes->is_float = false;
  axes->integers = {{1}, {0}};
  state_.bindings[base] = std::move(axes);
  GraphNode stack{node_.name + " stack", "Concat", {}, {node_.outputs.at(index)}, {}, {}};
  Attribute axis;
  axis.name = "axis";
  stack.attributes.push_back(axis);
  for (std::size_t turn = 0; turn < parts.size(); ++turn) {
    const std::string part = base + std::to_string(turn);
    state_.bindings[part + " alone"] = parts[turn];
    GraphNode lift{node_.name + " lift " + std::to_string(turn), "Unsqueeze", {part + " alone"}, {part}, {}, {}};
    if (opset() >= 13) {
      lift.inputs.push_back(base);
    } else {
      axis.name = "axes";
      axis.integers = {0};
      lift.attributes.push_back(axis);
    }
    state_.read.insert(part);
    state_.import_node(lift);
    stack.inputs.push_back(part);
  }
  state_.import_node(stack);
}

void ImportContext::set_integer(ValueId id, bool integer) {
  if (!folding_) state_.network.values[id].integer = integer;
}

}  // namespace tellegen::models::onnx
