#pragma once
// Transposes that importers put around layers which want the batch in front: most of them undo each other.

#include "tellegen/models/network.h"

namespace tellegen::models::onnx {

/// Joins transposes that follow each other, lets those go that move only dimensions of one, and takes out those that
/// change nothing.
void simplify_layout(Network& network);

}  // namespace tellegen::models::onnx
