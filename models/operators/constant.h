#pragma once
// ONNX Constant: a tensor written into the graph.

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

void import_constant(onnx::ImportContext& context);

}  // namespace tellegen::models
