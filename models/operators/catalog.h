#pragma once
// The list of all ONNX operators that can be imported. A new operator is a file pair here and a line in catalog.cpp.

#include <span>

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

struct OperatorEntry {
  const char* name;  ///< as ONNX writes it
  int first_opset;   ///< the first opset that has it; the import understands every later one up to onnx::kGreatestOpset
  const char* sentence;  ///< what it does, and what is refused
  void (*import)(onnx::ImportContext& context);
};

std::span<const OperatorEntry> operator_catalog();

}  // namespace tellegen::models
