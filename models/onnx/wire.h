#pragma once
// Why bytes are not an ONNX model. Protobuf only says yes or no; people need to know whether a download stopped half
// way.

#include <string>
#include <string_view>

namespace tellegen::models::onnx {

/// Walks the top level of the message without copying. Returns "" where it is whole, else a sentence about what is
/// wrong.
std::string wire_fault(std::string_view bytes);

}  // namespace tellegen::models::onnx
