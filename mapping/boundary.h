#pragma once
// How values cross from layer to layer, edge by edge: what was asked for, what is taken, and why.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/units.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/models/network.h"

namespace tellegen::mapping {

/// One activation and one thing that reads it.
struct Edge {
  std::string activation;  ///< name of its node
  std::string function;    ///< "silu"
  std::string reader;      ///< name of the layer, or of what stands in the way
  Boundary asked = Boundary::digital;
  Boundary taken = Boundary::digital;
  std::string why;  ///< one sentence
  std::string unit =
      {};  ///< circuits between converters that compute it, "256 x memglu_pairs"; empty where there are none
};

/// A network whose activations stand in front of the products that take them by threshold gate, or belong to the products
/// whose ADCs compute them.
struct GatedNetwork {
  models::Network network;
  std::vector<Edge> edges;  ///< of all activations, in order; analog is still asked for, not yet taken
};

/// Whether any layer of `chip` asks for it.
bool asks_for(const ChipConfig& chip, Boundary boundary);

/// Moves activations in front of products, or joins them to those before, wherever `chip` asks for it and the site allows
/// it. Throws InputError where a
/// layer named in chip.edges does not exist, has no activation straight in front of it, or is named twice.
GatedNetwork gate_network(const models::Network& network, const ChipConfig& chip);

/// Sets the boundary, the front-end and the function of the ADCs of each layer of `plan`, and finishes `edges`: analog
/// only where nothing digital
/// stands between the two arrays. `largest` holds the largest |input| of each node of `gated`; a layer's own range is laid
/// on the range of its circuit. Empty: circuits are as they are. Throws InputError where the circuit cannot make the gate, RefusedError where it has no
/// room for it.
void place_boundaries(Plan& plan, const models::Network& gated, std::vector<Edge>& edges, const ChipConfig& chip,
                      Temperature temperature, std::span<const double> largest = {});

}  // namespace tellegen::mapping
