#pragma once
// ONNX files to networks.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

struct ImportOptions {
  /// False: dimension 0 is no batch, all shapes are fixed as declared (for tests of operators).
  bool batch = true;
  /// Sizes of dimensions that the file names instead of fixing ("sequence").
  std::map<std::string, std::int64_t> sizes;
  /// Inputs that get the same value always; one input stays free.
  std::map<std::string, Tensor> fixed;
  std::map<std::string, IntTensor> fixed_integers;
  /// The output to compute, where the file has several.
  std::string output;
};

/// Reads, checks, infers shapes, folds constants and BatchNorm. Throws InputError: not ONNX, truncated, unsupported
/// operator (names node, operator, opset, and the supported list), opset out of 9 .. 18, missing initialiser, wrong
/// shapes, cycles, NaN weights.
Network import_onnx(const std::filesystem::path& file, const ImportOptions& options = {});

/// "Conv (opset 1 to 18)" ... generated from the operator catalogue.
std::vector<std::string> supported_onnx_operators();

}  // namespace tellegen::models
