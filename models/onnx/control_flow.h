#pragma once
// If and Loop where what they decide by is known at import: the branch that is taken, and a body once for each turn.

namespace tellegen::models::onnx {

class ImportContext;

void import_if(ImportContext& context);
void import_loop(ImportContext& context);

}  // namespace tellegen::models::onnx
