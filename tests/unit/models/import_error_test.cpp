// What people read when a model cannot be used: exact text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "fault.h"

namespace tellegen::models {
namespace {

TEST(ImportError, MissingFile) {
  EXPECT_EQ(message("no/such/model.onnx"),
            "no/such/model.onnx: there is no such file. Check the path of the ONNX model.");
}

TEST(ImportError, NotARegularFile) {
  EXPECT_EQ(message("/dev/null"),
            "/dev/null: this is not a regular file; a device or a pipe cannot be read here. Check the path of the ONNX "
            "model.");
  EXPECT_EQ(message("/dev"), "/dev: this is a folder; a file is needed. Check the path of the ONNX model.");
}

TEST(ImportError, HugeWeights) {
  const auto with = [](float weight) {
    OnnxBuilder model({-1, 2});
    model.floats("w", {2, 2}, {1, 2, 3, weight}).node("MatMul", {"x", "w"}, "y", "fc");
    return message(model.file());
  };
  EXPECT_THAT(with(-3e38F),
              testing::EndsWith(": node 'fc' (MatMul) reads 'w', whose element 3 is '-3e+38'; at most 1e30 in "
                                "magnitude is allowed, so that sums stay finite. The file is damaged or the training "
                                "has diverged."));
  EXPECT_EQ(with(1e30F), "no error");
}

/// A pool with a 2x2 window on a 4x4 input.
OnnxBuilder pool(const std::string& op, const std::vector<std::int64_t>& pads) {
  OnnxBuilder model({-1, 1, 4, 4});
  model.node(op, {"x"}, "y", "pool").attribute("kernel_shape", std::vector<std::int64_t>{2, 2}).attribute("pads", pads);
  return model;
}

TEST(ImportError, PoolsThatSeeOnlyPadding) {
  EXPECT_EQ(fault(pool("MaxPool", {2, 0, 0, 0})),
            "node 'pool' (MaxPool) has a window of 2x2 that lies wholly in the padding at row 0 of the output, where "
            "nothing is to pool. Use pads below the kernel_shape.");
  EXPECT_EQ(fault(pool("AveragePool", {0, 0, 0, 2})),
            "node 'pool' (AveragePool) has a window of 2x2 that lies wholly in the padding at column 4 of the output, "
            "where nothing is to pool. Use pads below the kernel_shape.");
  EXPECT_EQ(message(pool("MaxPool", {1, 1, 1, 1}).file()), "no error");
  EXPECT_EQ(message(pool("AveragePool", {2, 2, 2, 2}).attribute("count_include_pad", 1).file()), "no error");
  // Holes of a dilation can straddle the input.
  OnnxBuilder straddling({-1, 1, 1, 1});
  straddling.node("MaxPool", {"x"}, "y", "pool")
      .attribute("kernel_shape", std::vector<std::int64_t>{2, 1})
      .attribute("dilations", std::vector<std::int64_t>{2, 1})
      .attribute("pads", std::vector<std::int64_t>{1, 0, 1, 0});
  EXPECT_EQ(fault(straddling),
            "node 'pool' (MaxPool) has a window of 2x1 that lies wholly in the padding at row 0 of the output, where "
            "nothing is to pool. Use pads below the kernel_shape.");
}

TEST(ImportError, EmptyFile) {
  EXPECT_EQ(fault(write_bytes("a.onnx", "")), "is empty. Export or copy the model again.");
}

TEST(ImportError, TextFile) {
  EXPECT_EQ(fault(write_bytes("a.onnx", "network:\n  onnx: model.onnx\n")),
            "is a text file that begins with 'network:', not an ONNX model. Give a file that was exported as ONNX.");
  EXPECT_EQ(fault(write_bytes("a.onnx",
                              "Br\xc3\xbc"
                              "cke " +
                                  std::string(100, 'x'))),
            "is a text file that begins with 'Br\xc3\xbc"
            "cke " +
                std::string(32, 'x') + "', not an ONNX model. Give a file that was exported as ONNX.");
}

TEST(ImportError, AnotherBinaryFile) {
  EXPECT_EQ(fault(write_bytes("a.onnx", std::string("\x89HDF\r\n\x1a\n\0\0", 10))),
            "is not an ONNX model. Give a file that was exported as ONNX.");
}

TEST(ImportError, TruncatedAnywhere) {
  const std::string bytes = linear().bytes();
  for (std::size_t size = 1; size < bytes.size(); ++size)
    EXPECT_THAT(
        fault(write_bytes("a.onnx", bytes.substr(0, size))),
        testing::AnyOf(
            testing::HasSubstr("is truncated"), "holds no graph. Export the model again.",
            "is written in ONNX opset '0'; 9 to 18 is supported. Export the model again with an opset in that range."))
        << size;
}

TEST(ImportError, TruncatedTrainedNetwork) {
  std::ifstream stream(TELLEGEN_SOURCE_DIR "/models/trained/lenet_mnist.onnx", std::ios::binary);
  std::string bytes(100000, '\0');
  ASSERT_TRUE(stream.read(bytes.data(), 100000));
  EXPECT_EQ(fault(write_bytes("a.onnx", bytes)),
            "is truncated: 'graph' should be 248383 bytes long, and 99975 are left. Copy the file again.");
}

TEST(ImportError, DamagedInside) {
  std::string bytes = linear().bytes();
  const std::size_t name = bytes.find("MatMul");
  bytes[name - 1] = '\x7f';  // the length of a text inside the graph
  EXPECT_EQ(fault(write_bytes("a.onnx", bytes)), "is damaged inside: protobuf cannot read it. Copy the file again.");
}

TEST(ImportError, OpsetOutOfRange) {
  const auto with_opset = [](int opset) { return fault(OnnxBuilder({-1, 2}, opset).node("Relu", {"x"}, "y")); };
  EXPECT_EQ(with_opset(8),
            "is written in ONNX opset '8'; 9 to 18 is supported. Export the model again with an opset in that range.");
  EXPECT_EQ(with_opset(19),
            "is written in ONNX opset '19'; 9 to 18 is supported. Export the model again with an opset in that range.");
}

TEST(ImportError, UnsupportedOperator) {
  const std::string text = fault(OnnxBuilder({-1, 2}).node("Relu", {"x"}, "h").node("Celu", {"h"}, "y", "act"));
  EXPECT_THAT(text,
              testing::StartsWith("node 'act' (Celu) is an operator of opset 13 that is not supported. Supported "
                                  "are: Abs (opset 9 to 18), Add (opset 9 to 18), AveragePool (opset 9 to 18), "));
  EXPECT_THAT(text, testing::HasSubstr(", HardSwish (opset 14 to 18), Identity (opset 9 to 18), "));
  EXPECT_THAT(text, testing::EndsWith(", Where (opset 9 to 18). Export the network with these."));
}

TEST(ImportError, OperatorOfALaterOpset) {
  EXPECT_THAT(fault(OnnxBuilder({-1, 2}, 13).node("HardSwish", {"x"}, "y")),
              testing::StartsWith("node 'HardSwish_0' (HardSwish) is an operator of opset 13 that is not supported."));
}

TEST(ImportError, OperatorOfAnotherDomain) {
  OnnxBuilder model = OnnxBuilder({-1, 2}).node("Relu", {"x"}, "y", "n");
  model.wire().mutable_graph()->mutable_node(0)->set_domain("com.vendor");
  EXPECT_THAT(fault(model),
              testing::StartsWith("node 'n' (com.vendor.Relu) is an operator of opset 13 that is not supported."));
}

TEST(ImportError, MissingInitialiser) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
            "node 'fc' (MatMul) reads 'w', which is no initialiser, no input and no node's output. The file lacks it: "
            "export the model again.");
}

TEST(ImportError, Cycle) {
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2})
                .node("Add", {"x", "c"}, "a", "first")
                .node("Relu", {"a"}, "b", "second")
                .node("Tanh", {"b"}, "c", "third")
                .node("Relu", {"c"}, "y", "last")),
      "the graph has a cycle: 'first' -> 'second' -> 'third' -> 'first'. A network must not read its own output.");
}

TEST(ImportError, SecondProducer) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Relu", {"x"}, "y", "a").node("Tanh", {"x"}, "y", "b")),
            "node 'b' (Tanh) makes 'y', which is made elsewhere already. Export the model again.");
}

TEST(ImportError, WeightsThatAreNotFinite) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  const auto with = [](float value) {
    return fault(OnnxBuilder({-1, 2}).floats("w", {2, 2}, {1, 2, value, 4}).node("MatMul", {"x", "w"}, "y", "fc"));
  };
  EXPECT_EQ(with(nan),
            "node 'fc' (MatMul) reads 'w', whose element 2 is 'nan'; trained numbers must be finite. Export from a "
            "checkpoint that is.");
  EXPECT_EQ(with(-infinity),
            "node 'fc' (MatMul) reads 'w', whose element 2 is '-inf'; trained numbers must be finite. Export from a "
            "checkpoint that is.");
}

TEST(ImportError, ShapesThatDoNotFit) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 4}).floats("w", {2, 3}, {1, 2, 3, 4, 5, 6}).node("MatMul", {"x", "w"}, "y", "fc")),
            "node 'fc' (MatMul) has weights for 2 inputs and an input of shape 'Nx4'.");
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2, 3, 3}).floats("w", {1, 1, 2, 2}, {1, 2, 3, 4}).node("Conv", {"x", "w"}, "y", "c")),
      "node 'c' (Conv) has weights for 1 channels and an input of shape 'Nx2x3x3'.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 3, 3})
                      .floats("w", {1, 1, 2, 4}, std::vector<float>(8, 1))
                      .node("Conv", {"x", "w"}, "y", "c")),
            "node 'c' (Conv) has a window of 2x4 that does not fit an input of shape 'Nx1x3x3'.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).floats("c", {3}, {1, 2, 3}).node("Add", {"x", "c"}, "y", "sum")),
            "node 'sum' (Add) cannot combine shapes 'Nx2' and '3'. Dimensions must be equal or 1, and the batch must "
            "stay one dimension.");
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2}).integers("s", {3, 4}).node("Reshape", {"x", "s"}, "y", "r")),
      "node 'r' (Reshape) reshapes 'Nx2' to '3x4'; the number of elements must stay, and samples must stay apart.");
}

TEST(ImportError, AnythingThatMixesSamples) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 3, 2}).integers("s", {3, -1, 2}).node("Reshape", {"x", "s"}, "y", "r")),
            "node 'r' (Reshape) reshapes 'Nx3x2' to '3xNx2'; the number of elements must stay, and samples must stay "
            "apart.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Softmax", {"x"}, "y", "s").attribute("axis", 0)),
            "node 's' (Softmax) works along axis '0', the batch; samples must stay apart.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("ReduceMean", {"x"}, "y", "m")),
            "node 'm' (ReduceMean) works along axis '0', the batch; samples must stay apart.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).integers("i", {0}).node("Gather", {"x", "i"}, "y", "g")),
            "node 'g' (Gather) works along axis '0', the batch; samples must stay apart.");
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2}).node("Transpose", {"x"}, "t").node("MatMul", {"t", "x"}, "y", "m")),
      "node 'm' (MatMul) multiplies shapes '2xN' and 'Nx2'; it sums over the batch, and samples must stay apart.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Transpose", {"x"}, "t").node("MatMul", {"x", "t"}, "y", "m")),
            "node 'm' (MatMul) multiplies shapes 'Nx2' and '2xN'; samples must stay apart.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Transpose", {"x"}, "y", "t")),
            "the output 'y' has shape '2xN'; its first dimension must be the batch. Export the network so.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).integers("s", {-1}).node("Reshape", {"x", "s"}, "y", "r")),
            "the output 'y' has shape '2N'; its first dimension must be the batch. Export the network so.");
}

TEST(ImportError, AttributeThatNobodyKnows) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Relu", {"x"}, "y", "r").attribute("leak", 1)),
            "node 'r' (Relu) has attribute 'leak', which is not supported.");
}

TEST(ImportError, TrainingMode) {
  OnnxBuilder model({-1, 2}, 15);
  for (const char* name : {"g", "b", "m", "v"}) model.floats(name, {2}, {1, 1});
  model.node("BatchNormalization", {"x", "g", "b", "m", "v"}, "y", "bn").attribute("training_mode", 1);
  EXPECT_EQ(fault(model), "node 'bn' (BatchNormalization) is in training mode. Export the network for inference.");
}

TEST(ImportError, InputsAndOutputs) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2, -1}).node("Relu", {"x"}, "y")),
            "input 'x' has shape 'Nx2xN'; the batch and at least one further dimension, which must be fixed, are "
            "needed. Export with "
            "fixed sizes.");
  OnnxBuilder two = linear();
  two.wire().mutable_graph()->add_output()->set_name("z");
  EXPECT_EQ(fault(two), "the graph has 2 outputs; networks with one are supported.");
  OnnxBuilder integers = linear();
  integers.wire().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(7);
  EXPECT_EQ(fault(integers), "node 'fc' (MatMul) reads 'x', which holds integers; floats are needed.");
  integers.wire().mutable_graph()->mutable_input(0)->mutable_type()->mutable_tensor_type()->set_elem_type(8);
  EXPECT_EQ(fault(integers), "input 'x' is of type 'string'; float and integers are supported.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).floats("c", {2}, {1, 2}).node("Relu", {"c"}, "y")),
            "the output 'y' does not depend on the input 'x'.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).node("Relu", {"x"}, "z")),
            "the output 'y' is no node's output. Export the model again.");
}

TEST(ImportError, TypesThatAreNoNumbers) {
  OnnxBuilder model = linear();
  model.wire().mutable_graph()->mutable_initializer(0)->set_data_type(8);
  EXPECT_EQ(fault(model),
            "node 'fc' (MatMul) reads 'w', which is of type 'string'; float, double, float16, int64, int32, int8, "
            "uint8 and bool are supported.");
}

/// Whatever bytes arrive: an InputError or a network, never anything else.
TEST(ImportError, NoByteOfAFileCrashesTheReader) {
  const std::string bytes = OnnxBuilder({-1, 1, 4, 4})
                                .floats("w", {2, 1, 3, 3}, std::vector<float>(18, 1))
                                .integers("s", {0, -1})
                                .node("Conv", {"x", "w"}, "h")
                                .attribute("pads", std::vector<std::int64_t>{1, 1, 1, 1})
                                .node("Reshape", {"h", "s"}, "y")
                                .bytes();
  int networks = 0;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int flip : {0x01, 0x08, 0x80, 0xFF}) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ flip);
      const auto file = write_bytes("a.onnx", changed);
      try {
        import_onnx(file);
        ++networks;
      } catch (const InputError&) {
      }
    }
  }
  EXPECT_GT(networks, 0);
}

}  // namespace
}  // namespace tellegen::models
