#pragma once
// How much a network has to do for one input, whatever does it: products with constant weights, products of computed
// values, functions.

#include <cstdint>
#include <map>
#include <string>

#include "tellegen/models/network.h"

namespace tellegen::models {

struct WorkCount {
  std::int64_t parameters = 0;        ///< as parameter_count
  std::int64_t matrix_weights = 0;    ///< in matrices that arrays can hold; a shared one counts each time
  std::int64_t static_products = 0;   ///< multiply-accumulates with these
  std::int64_t dynamic_products = 0;  ///< multiply-accumulates of two computed values (attention)
  /// Numbers that each function makes: activations, those inside of layers with a state, softmax, pools, products of two
  /// computed values element by element. By name, as reports write it.
  std::map<std::string, std::int64_t> evaluations;
};

/// Of attention that is known to be causal only what a token sees counts: T (T + 1) / 2 of T x T scores.
WorkCount count_work(const Network& network);

/// Multiply-accumulates of one node that multiplies two computed matrices; 0 for every other.
std::int64_t dynamic_products(const Network& network, const Node& node);

}  // namespace tellegen::models
