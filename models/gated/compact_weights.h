#pragma once
// Weights of gated feed-forwards in few bits, with a correction of low rank: W ~ Q + A B. Q has whole numbers times one scale per
// group of inputs; A B is the best approximation of W - Q of its rank (singular value decomposition).

#include <cstdint>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

struct CompactWeights {
  int bits = 4;            ///< of a whole number: -(2^(bits-1) - 1) to 2^(bits-1) - 1
  std::int64_t group = 0;  ///< inputs of one output that share a scale, the largest |weight| of them; 0: all
  std::int64_t rank = 0;   ///< of the correction, at most the lesser dimension
};

/// What became of one matrix of `outputs` x `inputs`.
struct CompactMatrix {
  std::string name;  ///< of its node
  std::int64_t outputs = 0, inputs = 0;
  double error = 0;              ///< rms of the change over rms of the weights
  std::int64_t bits_before = 0;  ///< 32 for each weight
  std::int64_t bits_after = 0;   ///< numbers of Q, and 32 for each scale and each entry of A and B
};

struct CompactNetwork {
  Network network;
  std::vector<CompactMatrix> matrices;
};

/// Q + A B of a matrix [outputs][inputs], row-major.
std::vector<float> compact(std::span<const float> weights, std::int64_t outputs, const CompactWeights& form);
/// Bits that it takes.
std::int64_t compact_bits(std::int64_t outputs, std::int64_t inputs, const CompactWeights& form);

/// The network with the matrices of every gated feed-forward replaced; biases and all other layers stay.
CompactNetwork with_compact_weights(const Network& network, const CompactWeights& form);

}  // namespace tellegen::models
