#pragma once
// How much of the inputs and of the energy of gated feed-forwards lies beyond a threshold, while the network runs.

#include <string>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/models/gating/memglu.h"
#include "tellegen/models/network.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {

/// Sums over all elements of a layer; shares are of the elements whose gate input g is in the region.
struct TailStatistics {
  std::string name, function;  ///< as in GatedLayer
  double occupancy = 0;        ///< share of the inputs
  double gate_energy = 0;      ///< share of the sum of phi(g)^2
  double product_energy = 0;   ///< share of the sum of (phi(g) up)^2
  double input_rms = 0;        ///< of g
  double gate_rms = 0;         ///< of phi(g)
};

/// One entry per gated feed-forward, over the first `evaluation.samples` of `set`. The region is g >= threshold, or |g| >= threshold.
/// The same for any number of threads.
std::vector<TailStatistics> tail_statistics(const Network& network, const TestSet& set, const Evaluation& evaluation,
                                            gating::TailRegion region, double threshold = gating::kMemgluPeak);

}  // namespace tellegen::models
