#pragma once
// The products with constant weights that a network asks for: what arrays can compute.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/operation.h"

namespace tellegen::mapping {

/// One matrix: of a matrix operation, or one that a layer with a state multiplies its states by, step after step.
struct Product {
  std::size_t node = 0;               ///< index into Network::nodes
  std::optional<std::size_t> matrix;  ///< number of the recurrent node's matrix; nothing where the node is the product
  const models::MatrixOperation* operation = nullptr;  ///< owned by the network
  std::string name;                                    ///< unique: of the node, or of the node and its matrix
  std::string label;                                   ///< "conv 3x3", "lstm state"
  std::int64_t positions = 1;                          ///< products per input of the network, all steps together
};

/// In the order of the nodes, matrices of one node in theirs.
std::vector<Product> products_of(const models::Network& network);

/// The operation of one of them. `matrix` as in Product.
const models::MatrixOperation& product_operation(const models::Network& network, std::size_t node,
                                                 std::optional<std::size_t> matrix);

}  // namespace tellegen::mapping
