#pragma once
// The window of a layer.

#include "tellegen/models/operators/window.h"
#include "tellegen/models/shapes/shape_layer.h"

namespace tellegen::models {

/// Throws InputError that continues "layer 'name' (op) ..." where a size is 0.
Window window_of(const ShapeLayer& layer);

}  // namespace tellegen::models
