#pragma once
// What files compute from shapes and constants while they are read: Shape, ConstantOfShape, Expand, Range, Cast, Trilu.

namespace tellegen::models {

namespace onnx {
class ImportContext;
}

void import_shape(onnx::ImportContext& context);
void import_constant_of_shape(onnx::ImportContext& context);
void import_expand(onnx::ImportContext& context);
void import_range(onnx::ImportContext& context);
void import_cast(onnx::ImportContext& context);
void import_trilu(onnx::ImportContext& context);

}  // namespace tellegen::models
