#pragma once
// What the float network multiplies where both factors are computed: largest values, and whether tokens look ahead.

#include <cstdint>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/tensor.h"

namespace tellegen::sim {

/// Of one node, over the calibration samples.
struct WrittenInputs {
  std::vector<double> largest;  ///< [heads]: |value| of the second factor
  /// No token takes anything from a later one: the first factor is zero right of its diagonal (below 1e-20). Of queries x keys: the
  /// weights that become of it are.
  bool causal = false;
  void widen(const WrittenInputs& other);
};

/// Of one batch, factors [batch, heads, m, k] and [batch, heads, k, n] (any number of dimensions for the heads).
WrittenInputs written_inputs(const models::Tensor& first, const models::Tensor& second);

/// Gives queries x keys what was found of the weights behind them. `written` per node; empty where there is no product.
void share_causality(const models::Network& network, std::vector<WrittenInputs>& written);

}  // namespace tellegen::sim
