// What people read when a model cannot be used: exact text.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

std::string message(const std::filesystem::path& file) {
  try {
    import_onnx(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The message without the path in front.
std::string fault(const std::filesystem::path& file) {
  const std::string text = message(file), place = file.string() + ": ";
  EXPECT_THAT(text, testing::StartsWith(place));
  return text.substr(std::min(place.size(), text.size()));
}
std::string fault(const OnnxBuilder& model) { return fault(model.file()); }

OnnxBuilder linear() {
  OnnxBuilder model({-1, 2});
  model.floats("w", {2, 3}, {1, 2, 3, 4, 5, 6}).node("MatMul", {"x", "w"}, "y", "fc");
  return model;
}

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

/// The weights of linear() in another file.
OnnxBuilder external(const std::string& location, const std::string& offset = "", const std::string& length = "") {
  OnnxBuilder model = linear();
  auto* tensor = model.wire().mutable_graph()->mutable_initializer(0);
  tensor->clear_float_data();
  tensor->clear_raw_data();
  tensor->set_data_location(1);
  const auto add = [tensor](const std::string& key, const std::string& value) {
    if (value.empty()) return;
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  return model;
}

std::string six_floats() {
  const std::vector<float> weights{1, 2, 3, 4, 5, 6};
  return {reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)};
}

TEST(ExternalData, IsReadFromBesideTheModel) {
  const std::string name = write_bytes("weights.bin", "xxxx" + six_floats()).filename().string();
  const Network network = import_onnx(external(name, "4", "24").file());
  EXPECT_EQ(execute(network, {{1, 2}, {1, 10}}).data, (std::vector<float>{41, 52, 63}));
  EXPECT_EQ(message(external(name, "4").file()), "no error") << "to the end of the file";
}

TEST(ExternalData, ThatIsMissingOrOutsideOrTooShort) {
  const std::string name = write_bytes("weights.bin", six_floats()).filename().string();
  EXPECT_EQ(
      fault(external("gone.bin")),
      "node 'fc' (MatMul) reads 'w', which keeps its data in 'gone.bin': there is no such file. Put it beside the "
      "model.");
  EXPECT_EQ(
      fault(external("")),
      "node 'fc' (MatMul) reads 'w', which keeps its data in another file that it does not name. Export the model "
      "again.");
  for (const char* outside : {"/etc/hostname", "../../etc/hostname", "../../../../../../etc/hostname"})
    EXPECT_EQ(fault(external(outside)), "node 'fc' (MatMul) reads 'w', which keeps its data in '" +
                                            std::string(outside) +
                                            "', outside of the model's folder. Put it beside the model.")
        << outside;
  EXPECT_EQ(fault(external(name, "8", "24")),
            "node 'fc' (MatMul) reads 'w', which keeps its data in '" + name +
                "', which has 24 bytes, fewer than the model says (offset '8', length '24'). Copy the file again.");
  EXPECT_THAT(fault(external(name, "99999999999999999999")), testing::HasSubstr("fewer than the model says"));
  EXPECT_THAT(fault(external(name, "0", "20")), testing::HasSubstr("claims shape '2x3' of float"));
}

TEST(ExternalData, ThroughALinkOutOfTheFolder) {
  const std::filesystem::path link = temporary_path("link.bin");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/etc/hostname", link);
  EXPECT_THAT(fault(external(link.filename().string())), testing::HasSubstr("outside of the model's folder"));
}

TEST(ImportError, TypesThatAreNoNumbers) {
  OnnxBuilder model = linear();
  model.wire().mutable_graph()->mutable_initializer(0)->set_data_type(8);
  EXPECT_EQ(fault(model),
            "node 'fc' (MatMul) reads 'w', which is of type 'string'; float, double, float16, int64, int32, int8, "
            "uint8 and bool are supported.");
}

/// Small files that claim gigabytes: refused, and nothing of that size is ever asked for (the process may not grow by
/// 256 MB).
class AbsurdClaim : public testing::Test {
 protected:
  static long peak_kB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }
  void TearDown() override { EXPECT_LT(peak_kB() - before_, 256 * 1024); }
  long before_ = peak_kB();
};

TEST_F(AbsurdClaim, OfAnInitialiser) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).floats("w", {2, 1LL << 28}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
            "node 'fc' (MatMul) reads 'w', which claims shape '2x268435456' of float, which is not what its data "
            "holds. The file is "
            "damaged: export the model again.");
  EXPECT_THAT(
      fault(OnnxBuilder({-1, 2}).floats("w", {1LL << 33, 1LL << 33}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
      testing::HasSubstr("claims shape '8589934592x8589934592' of float"));
  EXPECT_THAT(fault(OnnxBuilder({-1, 2}).floats("w", {-2, -1}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
              testing::HasSubstr("which is not what its data holds"));
}

TEST_F(AbsurdClaim, OfTheInput) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 1LL << 40, 1LL << 40}).node("Relu", {"x"}, "y")),
            "input 'x' would make a tensor of shape 'Nx1099511627776x1099511627776'; at most 268435456 elements per "
            "sample are supported.");
}

TEST_F(AbsurdClaim, OfPads) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 3, 3})
                      .floats("w", {1, 1, 1, 1}, {1})
                      .node("Conv", {"x", "w"}, "y", "c")
                      .attribute("pads", std::vector<std::int64_t>{60000, 60000, 60000, 60000})),
            "node 'c' (Conv) would make a tensor of shape 'Nx1x120003x120003'; at most 268435456 elements per sample "
            "are supported.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 3, 3})
                      .floats("w", {1, 1, 1, 1}, {1})
                      .node("Conv", {"x", "w"}, "y", "c")
                      .attribute("pads", std::vector<std::int64_t>{0, 0, 0, 1LL << 40})),
            "node 'c' (Conv) has pads '0x0x0x1099511627776'; four numbers from 0 to 65536 are allowed.");
}

TEST_F(AbsurdClaim, OfSizesThatAreComputed) {
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2})
                .integers("s", {1LL << 20, 1LL << 20})
                .node("ConstantOfShape", {"s"}, "c", "fill")
                .node("Add", {"x", "c"}, "y")),
      "node 'fill' (ConstantOfShape) would make a tensor of shape '1048576x1048576'; at most 268435456 elements per "
      "sample are supported.");
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 1}).integers("s", {1, 1LL << 40}).node("Expand", {"x", "s"}, "y", "wide")),
      "node 'wide' (Expand) would make a tensor of shape '1x1099511627776'; at most 268435456 elements per sample "
      "are supported.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 1})
                      .integers("many", {1LL << 40})
                      .integers("one", {1})
                      .integers("zero", {0})
                      .node("Range", {"zero", "many", "one"}, "r", "count")
                      .node("Cast", {"r"}, "f")
                      .attribute("to", 1)
                      .node("Add", {"x", "f"}, "y")),
            "node 'count' (Range) counts over the batch or too far.");
}

TEST_F(AbsurdClaim, OfConstantsThatAreCombined) {
  const std::vector<float> many(100000, 1);
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 1})
                      .floats("a", {100000, 1}, many)
                      .floats("b", {1, 100000}, many)
                      .node("Add", {"a", "b"}, "c", "sum")
                      .node("Add", {"x", "c"}, "y")),
            "node 'sum' (Add) would make a tensor of shape '100000x100000'; at most 268435456 elements per sample are "
            "supported.");
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
