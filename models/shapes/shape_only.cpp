#include "tellegen/models/shapes/shape_only.h"

#include "tellegen/base/error.h"

namespace tellegen::models {

Tensor ShapeOnlyOperation::run(std::span<const Tensor* const>) const {
  throw InputError("'" + form_.label + "' was read from shapes alone and has no numbers to run with.");
}

}  // namespace tellegen::models
