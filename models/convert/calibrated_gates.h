#pragma once
// Gates for activations that no gate equals (GELU, the gate of MemGLU), fitted layer by layer to what the layer sees.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tellegen/models/gating/fit_error.h"
#include "tellegen/models/gating/threshold_gate.h"
#include "tellegen/models/network.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {

/// One gate for one activation.
struct CalibratedGate {
  std::size_t node = 0;    ///< index into Network::nodes
  std::string activation;  ///< name of the node
  Pointwise::Kind kind = Pointwise::Kind::gelu_erf;
  std::string function;  ///< "gelu (erf)"
  std::string model;     ///< "K = 2 at 1.702", which is not fitted, or how many numbers are: "K = 3, exact tails"
  gating::ThresholdGate gate;
  gating::FitError error;       ///< on the values that the activation sees
  std::int64_t parameters = 0;  ///< numbers that one gate, shared by the layer, adds: thresholds and sharpness
};

/// What the activations of that kind see in samples `first` .. `first + count - 1`, evenly spaced, some thousand values of
/// each node. Where each neuron has its own activation: the neurons that have this one.
std::map<std::size_t, std::vector<double>> inputs_of_inexact(const Network& network, const TestSet& set,
                                                             std::int64_t first, std::int64_t count);

/// Every model of every such activation, nodes in order, fitted to `inputs` by least rms error.
std::vector<CalibratedGate> calibrate_gates(const Network& network,
                                            const std::map<std::size_t, std::vector<double>>& inputs);

/// The network with these activations computed by the gates of one `model`; others stay.
Network with_calibrated(const Network& network, const std::vector<CalibratedGate>& gates, const std::string& model);

}  // namespace tellegen::models
