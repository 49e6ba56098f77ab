#pragma once
// Networks in HDF5, in the operators of ONNX: what any tool that writes arrays can write. README.md in this folder says
// how.

#include <filesystem>

#include "tellegen/models/network.h"
#include "tellegen/models/onnx/graph.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {

/// Reads and builds a network as import_onnx does, with the same operators, opsets, rewrites and refusals. Throws
/// InputError: no HDF5, damaged, another format, a dataset missing or of the wrong type, a line that is no node.
Network import_native(const std::filesystem::path& file, const ImportOptions& options = {});

namespace native {

/// The file as plain values.
onnx::Graph read_graph(const std::filesystem::path& file, const ImportOptions& options = {});

/// Writes what the output of `graph` needs; `source` names the file it came from in messages. The file appears whole or
/// not at all. Throws InputError: a tensor that cannot be used, a cycle, a missing initialiser, a file that cannot be written.
void write_graph(const onnx::Graph& graph, const std::filesystem::path& source, const std::filesystem::path& file);

}  // namespace native

}  // namespace tellegen::models
