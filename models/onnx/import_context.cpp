#include "tellegen/models/onnx/import_context.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "tellegen/base/error.h"

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
    if (has_input(index) && std::holds_alternative<ValueId>(binding(index))) folding_ = false;
}

const Binding& ImportContext::binding(std::size_t index) const {
  if (!has_input(index)) throw InputError("needs at least " + std::to_string(index + 1) + " inputs.");
  const auto found = state_.bindings.find(node_.inputs[index]);
  // The order of nodes guarantees that somebody made it; what has no binding is a second output that we do not compute.
  if (found == state_.bindings.end())
    throw InputError("reads '" + node_.inputs[index] + "', an optional output that is not supported.");
  return found->second;
}

bool ImportContext::is_constant(std::size_t index) const {
  return !folding_ && !std::holds_alternative<ValueId>(binding(index));
}

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

const Tensor& ImportContext::constant(std::size_t index) const {
  const Tensor& tensor = float_constant(index);
  const auto wrong = std::find_if(tensor.data.begin(), tensor.data.end(), [](float x) { return !std::isfinite(x); });
  if (wrong != tensor.data.end())
    throw InputError("reads '" + node_.inputs[index] + "', whose element " +
                     std::to_string(wrong - tensor.data.begin()) + " is '" + std::to_string(*wrong) +
                     "'; trained numbers must be finite. Export from a checkpoint that is.");
  const auto huge =
      std::find_if(tensor.data.begin(), tensor.data.end(), [](float x) { return std::abs(x) > kGreatest; });
  if (huge != tensor.data.end())
    throw InputError("reads '" + node_.inputs[index] + "', whose element " +
                     std::to_string(huge - tensor.data.begin()) + " is '" + short_text(*huge) +
                     "'; at most 1e30 in magnitude is allowed, so that sums stay finite. The file is damaged or the "
                     "training has diverged.");
  return tensor;
}

std::vector<std::int64_t> ImportContext::integers(std::size_t index) const {
  const Constant& constant = constant_binding(index);
  if (constant.is_float || constant.integers.shape.size() > 1)
    throw InputError("reads '" + node_.inputs[index] + "'; it must be a list of integers.");
  return constant.integers.data;
}

ValueId ImportContext::value(std::size_t index) {
  if (folding_) {
    constant(index);  // throws where it holds no usable floats
    return static_cast<ValueId>(index);
  }
  const auto* id = std::get_if<ValueId>(&binding(index));
  if (id == nullptr)
    throw InputError("reads the constant '" + node_.inputs[index] + "' where it needs a computed value.");
  return *id;
}

Shape ImportContext::shape(std::size_t index) const {
  if (const auto* id = std::get_if<ValueId>(&binding(index))) return state_.network.values[*id].shape;
  return constant_binding(index).shape();
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
  return attribute == nullptr ? otherwise : attribute->integers;
}

void ImportContext::check_attributes() const {
  for (const Attribute& attribute : node_.attributes)
    if (!known_.contains(attribute.name))
      throw InputError("has attribute '" + attribute.name + "', which is not supported.");
}

void check_size(const Shape& shape) {
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis == 0 && shape[axis] == -1) continue;  // the batch
    if (shape[axis] < 1)
      throw InputError("would make a tensor of shape '" + to_string(shape) + "'; dimensions must be at least 1.");
    if (__builtin_mul_overflow(elements, shape[axis], &elements) || elements > kMostElements)
      throw InputError("would make a tensor of shape '" + to_string(shape) + "'; at most " +
                       std::to_string(kMostElements) + " elements per sample are supported.");
  }
}

void ImportContext::emit(std::shared_ptr<const Operation> operation, const std::vector<ValueId>& inputs) {
  std::vector<Shape> shapes;
  shapes.reserve(inputs.size());
  for (const ValueId id : inputs)
    shapes.push_back(folding_ ? shape(static_cast<std::size_t>(id)) : state_.network.values[id].shape);
  Shape output = operation->output_shape(shapes);
  check_size(output);
  if (folding_) {
    emit_constant(*operation, inputs);
    return;
  }
  Network& network = state_.network;
  const auto id = static_cast<ValueId>(network.values.size());
  network.values.push_back({node_.outputs.at(0), std::move(output)});
  network.nodes.push_back({node_.name, std::move(operation), inputs, id, {node_.name, node_.op_type}, {}});
  state_.bindings[node_.outputs[0]] = id;
}

void ImportContext::emit_constant(const Operation& operation, const std::vector<ValueId>& inputs) {
  std::vector<const Tensor*> tensors;
  tensors.reserve(inputs.size());
  for (const ValueId id : inputs) tensors.push_back(&constant(static_cast<std::size_t>(id)));
  auto result = std::make_shared<Constant>();
  result->name = node_.outputs.at(0);
  result->floats = operation.run(tensors);
  state_.bindings[node_.outputs[0]] = std::shared_ptr<const Constant>(std::move(result));
}

void ImportContext::forward() { state_.bindings[node_.outputs.at(0)] = Binding(binding(0)); }

void ImportContext::bind_constant(std::shared_ptr<const Constant> constant) {
  state_.bindings[node_.outputs.at(0)] = std::move(constant);
}

}  // namespace tellegen::models::onnx
