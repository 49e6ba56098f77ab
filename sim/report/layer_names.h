#pragma once
// Layer names that are short, and safe in ids, HDF5 paths and CSV.

#include <string>
#include <vector>

namespace tellegen::report {

/// One id per layer name, unique, of letters, digits, '_' and '-': "/conv1/Conv" -> "conv1", "/3/body/body.0/Conv" ->
/// "conv3_body_0". Exporters name a node by the path of its module and its operator; the operator goes, unless the rest
/// would begin with a digit, and a folder that the next one repeats ("body/body.0") goes. Equal results get "_2", "_3".
/// "all" stands for every layer and is not given out.
std::vector<std::string> layer_ids(const std::vector<std::string>& names);

}  // namespace tellegen::report
