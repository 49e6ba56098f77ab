#pragma once
// Finds what people mean in what exporters write: activations, norms and rotary embeddings that are spelled out as
// arithmetic become one operation each, attention and gated feed-forwards are named. All of it is noted in
// Network::groups.

#include "tellegen/models/network.h"

namespace tellegen::models::onnx {

/// SiLU, swish, GELU (with erf or tanh), the gate of MemGLU, in any order of their factors.
void lift_activations(Network& network);
/// LayerNorm and RMSNorm, with the scale and shift behind them.
void lift_norms(Network& network);
/// x cos + rotated(x) sin, where rotated swaps the halves of the last dimension and turns the sign of the first.
void lift_rotary(Network& network);
/// Sums of activations of one value under masks of which each element has exactly one: one activation per element.
void lift_selections(Network& network);
/// Attention (causal where a mask says so) and GLU feed-forwards; nothing is replaced.
void name_groups(Network& network);

}  // namespace tellegen::models::onnx
