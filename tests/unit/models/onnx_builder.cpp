#include "onnx_builder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

namespace tellegen::models {

OnnxBuilder::OnnxBuilder(std::vector<std::int64_t> shape, int opset) {
  model_.set_ir_version(8);
  model_.add_opset_import()->set_version(opset);
  onnx_wire::ValueInfo& input = *model_.mutable_graph()->add_input();
  input.set_name("x");
  input.mutable_type()->mutable_tensor_type()->set_elem_type(1);
  for (const std::int64_t size : shape) {
    auto& dimension = *input.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim();
    if (size == -1)
      dimension.set_dim_param("N");
    else
      dimension.set_dim_value(size);
  }
  model_.mutable_graph()->add_output()->set_name("y");
}

OnnxBuilder& OnnxBuilder::node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output,
                               const std::string& name) {
  onnx_wire::Node& node = *model_.mutable_graph()->add_node();
  node.set_op_type(op);
  node.set_name(name);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return *this;
}

OnnxBuilder& OnnxBuilder::attribute(const std::string& name, std::int64_t value) {
  auto& nodes = *model_.mutable_graph()->mutable_node();
  onnx_wire::Attribute& attribute = *nodes[nodes.size() - 1].add_attribute();
  attribute.set_name(name);
  attribute.set_i(value);
  return *this;
}

OnnxBuilder& OnnxBuilder::attribute(const std::string& name, const std::vector<std::int64_t>& values) {
  auto& nodes = *model_.mutable_graph()->mutable_node();
  onnx_wire::Attribute& attribute = *nodes[nodes.size() - 1].add_attribute();
  attribute.set_name(name);
  for (const std::int64_t value : values) attribute.add_ints(value);
  return *this;
}

OnnxBuilder& OnnxBuilder::floats(const std::string& name, const std::vector<std::int64_t>& shape,
                                 const std::vector<float>& values) {
  onnx_wire::Tensor& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(1);
  for (const std::int64_t size : shape) tensor.add_dims(size);
  tensor.set_raw_data(values.data(), values.size() * sizeof(float));
  return *this;
}

OnnxBuilder& OnnxBuilder::integers(const std::string& name, const std::vector<std::int64_t>& values) {
  onnx_wire::Tensor& tensor = *model_.mutable_graph()->add_initializer();
  tensor.set_name(name);
  tensor.set_data_type(7);
  tensor.add_dims(static_cast<std::int64_t>(values.size()));
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return *this;
}

std::filesystem::path OnnxBuilder::file() const { return write_bytes("model.onnx", bytes()); }

namespace {

/// One folder per process, removed at its end.
struct TemporaryFolder {
  std::filesystem::path path =
      std::filesystem::path(testing::TempDir()) / ("tellegen_models_" + std::to_string(::getpid()));
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
};

}  // namespace

std::filesystem::path temporary_path(const std::string& name) {
  static const TemporaryFolder folder;
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  std::string unique = std::string(test->test_suite_name()) + "." + test->name();
  std::replace(unique.begin(), unique.end(), '/', '_');
  std::filesystem::create_directories(folder.path / unique);
  return folder.path / unique / name;
}

std::filesystem::path write_bytes(const std::string& name, const std::string& bytes) {
  const std::filesystem::path path = temporary_path(name);
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace tellegen::models
