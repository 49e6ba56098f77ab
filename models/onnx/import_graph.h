#pragma once
// From a graph of ONNX operators to a network, whatever kind of file the graph stood in.

#include <filesystem>

#include "tellegen/models/network.h"
#include "tellegen/models/onnx/graph.h"

namespace tellegen::models::onnx {

/// As import_onnx; `file` names the graph in messages.
Network import_graph(const Graph& graph, const ImportOptions& options, const std::filesystem::path& file);

/// Adds the constants that `options` gives in place of inputs.
void fix_inputs(Graph& graph, const ImportOptions& options);

}  // namespace tellegen::models::onnx
