#include "tellegen/models/operators/constant.h"

#include <memory>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models {

void import_constant(onnx::ImportContext& context) {
  if (const onnx::Attribute* value = context.find("value"); value != nullptr && value->tensor) {
    context.bind_constant(value->tensor);
    return;
  }
  auto constant = std::make_shared<onnx::Constant>();
  if (const onnx::Attribute* number = context.find("value_float")) {
    constant->floats = {{}, {number->number}};
  } else if (const onnx::Attribute* numbers = context.find("value_floats")) {
    constant->floats = {{static_cast<std::int64_t>(numbers->numbers.size())}, numbers->numbers};
  } else if (const onnx::Attribute* integer = context.find("value_int")) {
    constant->is_float = false;
    constant->integers = {{}, {integer->integer}};
  } else if (const onnx::Attribute* integers = context.find("value_ints")) {
    constant->is_float = false;
    constant->integers = {{static_cast<std::int64_t>(integers->integers.size())}, integers->integers};
  } else {
    throw InputError("has no value; value, value_float, value_floats, value_int and value_ints are supported.");
  }
  context.bind_constant(std::move(constant));
}

}  // namespace tellegen::models
