// What the import understands beyond single operators: number formats, order, names, batches that the file fixes.

#include "tellegen/models/onnx/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/constant.h"

namespace tellegen::models {
namespace {

onnx_wire::Tensor wire(int type, std::vector<std::int64_t> shape) {
  onnx_wire::Tensor tensor;
  tensor.set_data_type(type);
  for (const std::int64_t size : shape) tensor.add_dims(size);
  return tensor;
}

template <class T>
onnx_wire::Tensor raw(int type, const std::vector<T>& values) {
  onnx_wire::Tensor tensor = wire(type, {static_cast<std::int64_t>(values.size())});
  tensor.set_raw_data(values.data(), values.size() * sizeof(T));
  return tensor;
}

TEST(ConvertTensor, ReadsRawNumbersOfEveryType) {
  EXPECT_EQ(onnx::convert_tensor(raw<float>(1, {1.5F, -2})).floats.data, (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(onnx::convert_tensor(raw<double>(11, {1.5, -2})).floats.data, (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(onnx::convert_tensor(raw<std::int64_t>(7, {1LL << 40, -2})).integers.data,
            (std::vector<std::int64_t>{1LL << 40, -2}));
  EXPECT_EQ(onnx::convert_tensor(raw<std::int32_t>(6, {7, -2})).integers.data, (std::vector<std::int64_t>{7, -2}));
  EXPECT_EQ(onnx::convert_tensor(raw<std::int8_t>(3, {7, -2})).integers.data, (std::vector<std::int64_t>{7, -2}));
  EXPECT_EQ(onnx::convert_tensor(raw<std::uint8_t>(2, {7, 254})).integers.data, (std::vector<std::int64_t>{7, 254}));
  EXPECT_EQ(onnx::convert_tensor(raw<std::uint8_t>(9, {1, 0})).integers.data, (std::vector<std::int64_t>{1, 0}));
}

/// 1, -2, the largest half, the least normal and the least subnormal half, infinity.
TEST(ConvertTensor, WidensHalfPrecision) {
  const std::vector<std::uint16_t> halves{0x3C00, 0xC000, 0x7BFF, 0x0400, 0x0001, 0x7C00, 0x8000};
  const auto floats = onnx::convert_tensor(raw(10, halves)).floats.data;
  EXPECT_EQ(floats, (std::vector<float>{1, -2, 65504, 0x1p-14F, 0x1p-24F, std::numeric_limits<float>::infinity(), 0}));
  EXPECT_TRUE(std::signbit(floats[6]));
  onnx_wire::Tensor field = wire(10, {2});
  field.add_int32_data(0x3C00);
  field.add_int32_data(0xC000);
  EXPECT_EQ(onnx::convert_tensor(field).floats.data, (std::vector<float>{1, -2}));
}

TEST(ConvertTensor, ReadsTypedFields) {
  onnx_wire::Tensor tensor = wire(11, {2, 1});
  tensor.add_double_data(0.25);
  tensor.add_double_data(3);
  const onnx::Constant constant = onnx::convert_tensor(tensor);
  EXPECT_EQ(constant.floats.shape, (Shape{2, 1}));
  EXPECT_EQ(constant.floats.data, (std::vector<float>{0.25F, 3}));
  onnx_wire::Tensor boolean = wire(9, {});
  boolean.add_int32_data(1);
  EXPECT_EQ(onnx::convert_tensor(boolean).integers.data, (std::vector<std::int64_t>{1}));
}

TEST(Import, PutsNodesInOrderAndLeavesOutWhatTheOutputDoesNotNeed) {
  const Network network = import_onnx(OnnxBuilder({-1, 2})
                                          .node("Relu", {"h"}, "y", "last")
                                          .node("NoSuchOperator", {"x"}, "unused", "idle")
                                          .node("Tanh", {"x"}, "h", "first")
                                          .file());
  ASSERT_EQ(network.nodes.size(), 2U);
  EXPECT_EQ(network.nodes[0].name, "first");
  EXPECT_EQ(network.nodes[1].name, "last");
  EXPECT_EQ(network.name, "model");
}

TEST(Import, NamesNodesThatHaveNoNameAndKeepsNamesUnique) {
  const Network network = import_onnx(OnnxBuilder({-1, 2})
                                          .node("Tanh", {"x"}, "a", "same")
                                          .node("Relu", {"a"}, "b")
                                          .node("Tanh", {"b"}, "y", "same")
                                          .file());
  EXPECT_EQ(network.nodes[0].name, "same");
  EXPECT_EQ(network.nodes[1].name, "Relu_1");
  EXPECT_EQ(network.nodes[2].name, "same#2");
}

TEST(Import, TakesAFixedBatchAsAnyBatch) {
  const Network network =
      import_onnx(OnnxBuilder({5, 2, 3}).integers("s", {5, 6}).node("Reshape", {"x", "s"}, "y").file());
  EXPECT_EQ(network.values[network.input].shape, (Shape{-1, 2, 3}));
  EXPECT_EQ(execute(network, {{1, 2, 3}, {1, 2, 3, 4, 5, 6}}).shape, (Shape{1, 6}));
}

TEST(Import, IgnoresInitialisersAmongTheInputs) {
  OnnxBuilder model = OnnxBuilder({-1, 2}).floats("w", {2, 1}, {1, 2}).node("MatMul", {"x", "w"}, "y");
  model.wire().mutable_graph()->add_input()->set_name("w");
  EXPECT_EQ(execute(import_onnx(model.file()), {{1, 2}, {3, 4}}).data, (std::vector<float>{11}));
}

TEST(Import, ReadsNewerVersionsOfTheContainer) {
  OnnxBuilder model = OnnxBuilder({-1, 2}, 18).node("Relu", {"x"}, "y");
  model.wire().set_ir_version(11);
  model.wire().add_opset_import()->set_domain("com.vendor");
  EXPECT_EQ(import_onnx(model.file()).opset, 18);
}

TEST(Import, RefusesTheSecondOutputOfAPool) {
  OnnxBuilder model({-1, 1, 4, 4});
  model.node("MaxPool", {"x"}, "p", "pool").attribute("kernel_shape", std::vector<std::int64_t>{2, 2});
  model.wire().mutable_graph()->mutable_node(0)->add_output("indices");
  model.node("Relu", {"indices"}, "y", "relu");
  try {
    import_onnx(model.file());
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                testing::EndsWith("node 'relu' (Relu) reads 'indices', an optional output that is not supported."));
  }
}

TEST(SupportedOperators, AreListedWithTheirOpsets) {
  EXPECT_THAT(supported_onnx_operators(), testing::Contains("Conv (opset 9 to 18)"));
  EXPECT_THAT(supported_onnx_operators(), testing::Contains("HardSwish (opset 14 to 18)"));
}

}  // namespace
}  // namespace tellegen::models
