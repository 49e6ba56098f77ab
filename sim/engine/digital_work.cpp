#include "tellegen/sim/engine/digital_work.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/matrix_product.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::sim {
namespace {

using models::RecurrentForm;

/// Operations per element of the state and step. Each gate adds its product with the input to its product with the
/// state; the arrays' own additions are counted where they happen.
struct PerElement {
  std::int64_t multiplications = 0, additions = 0;
  std::vector<std::int64_t> activations;  ///< as RecurrentForm::activations, of one direction
};
PerElement per_element(RecurrentForm::Cell cell) {
  switch (cell) {
    case RecurrentForm::Cell::lstm:
      return {3, 4 + 1, {3, 1, 1}};  // c = f c + i g, h = o tanh(c)
    case RecurrentForm::Cell::gru:
      return {3, 3 + 2, {2, 1}};  // h = (1 - z) n + z h, r scales the state or its product
    case RecurrentForm::Cell::rnn:
      return {0, 1, {1}};
  }
  TELLEGEN_ASSERT(false);
  return {};
}

std::map<std::string, std::int64_t> recurrent_work(const models::Recurrent& recurrent, const models::Tensor& output) {
  const RecurrentForm& form = recurrent.form();
  const std::int64_t steps = output.shape[1] - (form.gives_final_states ? 2 : 0);
  const std::int64_t elements = output.shape[0] * steps * form.hidden;  // of one direction
  const PerElement counts = per_element(form.cell);
  std::map<std::string, std::int64_t> work;
  for (std::size_t a = 0; a < form.activations.size(); ++a)
    work[form.activations[a].digital_unit()] += elements * counts.activations[a % counts.activations.size()];
  work["multiply"] += elements * form.directions() * counts.multiplications;
  work["add"] += elements * form.directions() * counts.additions;
  return work;
}

}  // namespace

std::map<std::string, std::int64_t> digital_work(const models::Network& network, const models::Node& node,
                                                 const models::Tensor& output) {
  if (const auto* recurrent = dynamic_cast<const models::Recurrent*>(node.operation.get()))
    return recurrent_work(*recurrent, output);
  if (dynamic_cast<const models::MatrixProduct*>(node.operation.get()) != nullptr) {
    const std::int64_t terms = network.values[static_cast<std::size_t>(node.inputs[0])].shape.back();
    TELLEGEN_ASSERT(terms > 0);
    return {{"multiply", output.size() * terms}, {"add", output.size() * (terms - 1)}};
  }
  const std::string unit = node.operation->digital_unit();
  if (unit.empty()) return {};
  return {{unit, output.size()}};
}

std::vector<std::size_t> digital_owners(const models::Network& network, const mapping::Plan& plan) {
  std::map<std::size_t, std::size_t> layer_of_node;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) layer_of_node[plan.layers[l].node] = l;
  std::vector<std::size_t> of_value(network.values.size(), 0), of_node(network.nodes.size(), 0);
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    const models::Node& node = network.nodes[n];
    std::size_t owner = 0;
    for (const models::ValueId input : node.inputs) owner = std::max(owner, of_value[static_cast<std::size_t>(input)]);
    if (const auto found = layer_of_node.find(n); found != layer_of_node.end()) owner = found->second;
    of_node[n] = owner;
    of_value[static_cast<std::size_t>(node.output)] = owner;
  }
  return of_node;
}

std::int64_t buffer_bits(const mapping::ChipConfig& chip) { return chip.dac.bits.ideal() ? 16 : chip.dac.bits.bits; }

}  // namespace tellegen::sim
