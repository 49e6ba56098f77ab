#pragma once
// One node of a native network file as a line of text: "h = Gemm(x, w1, b1, transB=1)".

#include <functional>
#include <string>
#include <string_view>

#include "tellegen/models/onnx/graph.h"

namespace tellegen::models::native {

/// Gives the tensor of the dataset that "@name" names; throws InputError where there is none.
using FindTensor = std::function<std::shared_ptr<const onnx::Constant>(const std::string& name)>;
/// Gives the name of the dataset that a tensor is kept in.
using NameTensor = std::function<std::string(const std::shared_ptr<const onnx::Constant>& tensor)>;

/// Reads "name: y, z = Op(a, _, b, key=1, list=[1, 2], text='NOTSET', value=@dataset)". The name may be left out and is
/// then empty; "_" stands for an input or output that is left out. Throws InputError that continues "nodes[3] = '...' ...".
onnx::GraphNode parse_node(std::string_view text, const FindTensor& find);

/// The line of a node; reading it gives the same node.
std::string node_text(const onnx::GraphNode& node, const NameTensor& name);

}  // namespace tellegen::models::native
