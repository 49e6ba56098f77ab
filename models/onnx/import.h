#pragma once
// ONNX files to networks.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

/// Reads, checks, infers shapes, folds constants and BatchNorm. Throws InputError: not ONNX, truncated, unsupported
/// operator (names node, operator, opset, and the supported list), opset out of 9 .. 18, missing initialiser, wrong
/// shapes, cycles, NaN weights.
Network import_onnx(const std::filesystem::path& file);

/// "Conv (opset 1 to 18)" ... generated from the operator catalogue.
std::vector<std::string> supported_onnx_operators();

}  // namespace tellegen::models
