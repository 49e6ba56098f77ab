#pragma once
// Rewrites that leave the mathematics as it is and make the network what hardware sees.

#include "tellegen/models/network.h"

namespace tellegen::models::onnx {

/// A scale and shift per channel (BatchNorm, an added bias) right after a matrix operation goes into its weights and
/// bias. Others stay as operations. Sums are formed in double.
void fold_affine(Network& network);

}  // namespace tellegen::models::onnx
