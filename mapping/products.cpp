#include "tellegen/mapping/products.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::mapping {
namespace {

using models::Recurrent;

/// How many entries of a dimension belong to one input of the network.
std::int64_t per_input(std::int64_t dimension) { return models::is_batch(dimension) ? -dimension : dimension; }

Product plain(const models::Node& node, const models::MatrixOperation& operation, const models::Shape& input) {
  Product product;
  product.operation = &operation;
  product.name = node.name;
  product.label = operation.label();
  product.positions = per_input(input.at(0)) * operation.positions(input);
  return product;
}

/// The sums that a recurrent node reads are [batch, steps, ...], or [1, batch, ...] where the batch is time: either way
/// each of them takes one product with a state.
Product of_state(const models::Node& node, const Recurrent& recurrent, std::size_t matrix, const models::Shape& sums) {
  const bool several = recurrent.matrices().size() > 1;
  Product product;
  product.matrix = matrix;
  product.operation = recurrent.matrices()[matrix].get();
  product.name = several ? fmt::format("{} state {}", node.name, matrix + 1) : node.name + " state";
  product.label = recurrent.label() + " state";
  product.positions = per_input(sums.at(0)) * per_input(sums.at(1));
  return product;
}

}  // namespace

std::vector<Product> products_of(const models::Network& network) {
  std::vector<Product> products;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const models::Node& node = network.nodes[index];
    const auto* const matrix = dynamic_cast<const models::MatrixOperation*>(node.operation.get());
    const auto* const recurrent = dynamic_cast<const Recurrent*>(node.operation.get());
    if (matrix == nullptr && recurrent == nullptr) continue;
    const models::Shape& input = network.values.at(static_cast<std::size_t>(node.inputs.at(0))).shape;
    const std::size_t before = products.size();
    if (matrix != nullptr) products.push_back(plain(node, *matrix, input));
    for (std::size_t m = 0; recurrent != nullptr && m < recurrent->matrices().size(); ++m)
      products.push_back(of_state(node, *recurrent, m, input));
    for (std::size_t p = before; p < products.size(); ++p) products[p].node = index;
  }
  return products;
}

const models::MatrixOperation& product_operation(const models::Network& network, std::size_t node,
                                                 std::optional<std::size_t> matrix) {
  const models::Operation& operation = *network.nodes.at(node).operation;
  if (!matrix) return dynamic_cast<const models::MatrixOperation&>(operation);
  return *dynamic_cast<const Recurrent&>(operation).matrices()[*matrix];
}

}  // namespace tellegen::mapping
