#pragma once
// Which nodes of a file are needed, and in which order they can be computed.

#include <filesystem>
#include <vector>

#include "tellegen/models/onnx/graph.h"

namespace tellegen::models::onnx {

/// Indices of the nodes that the output depends on, each after the nodes it reads from, otherwise in file order.
/// Throws InputError: a value that nothing produces (a missing initialiser), a value that two nodes produce, a cycle.
std::vector<std::size_t> needed_nodes(const Graph& graph, const std::filesystem::path& file);

}  // namespace tellegen::models::onnx
