#pragma once
// ONNX tensors to ours: the one place that knows how numbers are packed in the file.

#include <filesystem>
#include <string>

#include "tellegen/models/onnx/graph.h"

namespace tellegen::onnx_wire {
class Tensor;
}

namespace tellegen::models::onnx {

inline constexpr int kFloatType = 1, kBoolType = 9;

/// "float", "int64", ... of ONNX's TensorProto.DataType.
std::string type_name(int data_type);
/// int64, int32, int8, uint8 and bool.
bool is_integer_type(int data_type);

/// float, double and float16 become floats; int64, int32, uint8, int8 and bool become integers. Never throws for what
/// is in the file: what cannot be read (claims more elements than there are bytes, external data that are missing, strings) is a
/// Constant with a refusal.
/// External data are read from files in `folder`, which must hold them.
Constant convert_tensor(const onnx_wire::Tensor& wire, const std::filesystem::path& folder = {});

}  // namespace tellegen::models::onnx
