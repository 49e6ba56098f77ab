#pragma once
// A network's activations as threshold gates in front of products: site by site, what is possible and what it takes.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/models/gating/threshold_gate.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// One activation and one thing that reads it.
struct ConversionSite {
  std::string activation;  ///< name of its node
  std::string function;    ///< "silu"
  std::string reader;      ///< name of the product, or of what stands in the way
  bool legal = false;      ///< whether the activation may stand in front of it
  std::string why;         ///< one sentence
  /// Nothing where no single gate of K branches is that function.
  std::optional<models::gating::ThresholdGate> gate;
  double error = 0;             ///< largest |gate - function| on [-8, 8]; 0 where it is exact
  std::int64_t parameters = 0;  ///< numbers that one shared gate adds to the layer: thresholds and sharpness (TG_A)
};

/// All activations in order. Those inside of layers with a state are not among them: their sums never leave the layer.
std::vector<ConversionSite> conversion_sites(const models::Network& network);

}  // namespace tellegen::mapping
