// Native network files written by hand, as users would, and what is wrong with them.

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>

#include "native_fixture.h"
#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"

namespace tellegen::models {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

/// y = relu(x w' + b) w2, changed by the tests.
struct Sample {
  std::string format = "tellegen network", input_type = "float", output = "y";
  std::int64_t version = 1, opset = 13;
  std::vector<std::int64_t> input_shape{-1, 2};
  std::vector<std::string> nodes{"h = Gemm(x, w, b, transB=1)", "a = Relu(h)", "y = MatMul(a, v)"};
  std::vector<float> w{1, 2, 3, 4, 5, 6}, b{-10, 0, 0.5F}, v{1, 1, 1};
  std::vector<std::uint64_t> w_shape{3, 2};

  void write(const std::filesystem::path& file) const {
    Hdf5Writer writer(file);
    writer.attribute("", "format", format);
    writer.attribute("", "version", version);
    writer.attribute("", "opset", opset);
    writer.attribute("", "input", std::string("x"));
    writer.attribute("", "input_type", input_type);
    writer.attribute("", "output", output);
    writer.write("input_shape", input_shape, {input_shape.size()});
    writer.write("nodes", nodes);
    writer.write("weights/w", w, w_shape);
    writer.write("weights/b", b, {3});
    writer.write("weights/v", v, {3, 1});
    writer.commit();
  }
};

class NativeFile : public testing::Test {
 protected:
  Network read(const Sample& sample) {
    sample.write(file_);
    return import_native(file_);
  }
  std::string message(const Sample& sample) {
    sample.write(file_);
    return message();
  }
  std::string message() {
    try {
      import_native(file_);
    } catch (const InputError& error) {
      const std::string text = error.what(), place = file_.string() + ": ";
      return text.starts_with(place) ? text.substr(place.size()) : text;
    }
    return "";
  }

  NativeFolder folder_;
  std::filesystem::path file_ = folder_.file("net.h5");
};

/// x = (1, 2): products 5, 11, 17 with biases -5, 11, 17.5, behind the ReLU 0, 11, 17.5.
TEST_F(NativeFile, OfAFewLinesIsANetwork) {
  const Network network = read(Sample{});
  EXPECT_EQ(network.name, "net");
  EXPECT_EQ(parameter_count(network), 12);
  EXPECT_EQ(network.nodes[0].name, "Gemm_0");
  const Tensor output = execute(network, Tensor{{1, 2}, {1, 2}});
  EXPECT_EQ(output.data, (std::vector<float>{28.5F}));
}

TEST_F(NativeFile, NodesOfOneNameAreToldApart) {
  Sample sample;
  sample.nodes = {"same: h = Gemm(x, w, b, transB=1)", "same: a = Relu(h)", "same: y = MatMul(a, v)"};
  const Network network = read(sample);
  ASSERT_EQ(network.nodes.size(), 3U);
  EXPECT_EQ(network.nodes[0].name, "same");
  EXPECT_EQ(network.nodes[1].name, "same#2");
  EXPECT_EQ(network.nodes[2].name, "same#3");
}

/// A slash in the name of a constant becomes a point; the input has that name already.
TEST_F(NativeFile, WritesConstantsUnderNamesOfTheirOwn) {
  Sample{}.write(file_);
  onnx::Graph graph = native::read_graph(file_, {});
  auto constant = graph.constants.extract("w");
  constant.key() = "w/1";
  graph.constants.insert(std::move(constant));
  graph.input = "w.1";
  graph.nodes[0].inputs[0] = "w.1";
  graph.nodes[0].inputs[1] = "w/1";
  const std::filesystem::path written = folder_.file("written.h5");
  native::write_graph(graph, file_, written);
  EXPECT_EQ(execute(import_native(written), Tensor{{1, 2}, {1, 2}}).data, (std::vector<float>{28.5F}));
}

TEST_F(NativeFile, OfAnotherKindIsRefused) {
  Sample sample;
  sample.format = "other";
  EXPECT_EQ(message(sample), "attribute 'format' = 'other'; 'tellegen network' is needed.");
  sample = {};
  sample.version = 2;
  EXPECT_EQ(message(sample), "is of version '2' of the format; 1 is supported.");
  sample = {};
  sample.opset = 8;
  EXPECT_EQ(message(sample), "attribute 'opset' is no whole number from 9 to 18.");
  sample = {};
  sample.input_type = "text";
  EXPECT_EQ(message(sample), "attribute 'input_type' = 'text'; float and integer are allowed.");
}

TEST_F(NativeFile, IsCheckedAsOnnxIs) {
  Sample sample;
  sample.nodes = {"h = Gemm(x, w, b, transB=1)", "y = MatMul(h, z)"};
  EXPECT_THAT(message(sample), StartsWith("node 'MatMul_1' (MatMul) reads 'z', which is no initialiser"));
  sample.nodes = {"h = Add(x, y)", "y = Relu(h)"};
  EXPECT_THAT(message(sample), StartsWith("the graph has a cycle: "));
  sample.nodes = {"y = Gemm(x, w, b)"};
  EXPECT_EQ(
      message(sample),
      "node 'Gemm_0' (Gemm) has a bias of shape '3' and 2 outputs; one number, or one for each output, is supported.");
  sample.nodes = {"y = Celu(x)"};
  EXPECT_THAT(message(sample), StartsWith("node 'Celu_0' (Celu) is an operator of opset 13 that is not supported."));
  sample.nodes = {"y = Softmax(x, axis=0.5)"};
  EXPECT_EQ(message(sample), "node 'Softmax_0' (Softmax) has attribute 'axis' = '0.5'; a whole number is needed.");
  sample = {};
  sample.w[3] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(message(sample), StartsWith("node 'Gemm_0' (Gemm) reads 'w', whose element 3 is 'nan'"));
  sample = {};
  sample.output = "z";
  EXPECT_EQ(message(sample), "the output 'z' is no node's output. Export the model again.");
  sample = {};
  sample.input_shape = {-1, std::int64_t{1} << 40};
  EXPECT_THAT(message(sample), HasSubstr("elements per sample are supported."));
}

TEST_F(NativeFile, NamesTheLineThatIsWrong) {
  Sample sample;
  sample.nodes[1] = "a = Relu(h";
  EXPECT_EQ(message(sample),
            "nodes[1] = 'a = Relu(h' has the end of the line where ')' is needed. A node reads "
            "'y = Op(a, b, key=1)'.");
  sample.nodes[1] = "a = Constant(value=@w3)";
  EXPECT_EQ(message(sample),
            "nodes[1] = 'a = Constant(value=@w3)' reads '@w3', which is in neither weights nor integers.");
}

TEST_F(NativeFile, ThatIsMissingOrTruncatedIsRefused) {
  EXPECT_EQ(message(), "there is no such file. Check the path of the network.");
  std::ofstream(file_) << "this is no HDF5 file";
  EXPECT_NE(message(), "");
  Sample{}.write(file_);
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_NE(message(), "");
}

/// Changed bytes are read or refused, never worse.
TEST_F(NativeFile, ThatIsDamagedIsReadOrRefused) {
  Sample{}.write(file_);
  std::string bytes(std::filesystem::file_size(file_), '\0');
  std::ifstream(file_, std::ios::binary).read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  std::mt19937 generator(7);
  int refused = 0;
  for (int trial = 0; trial < 60; ++trial) {
    std::string damaged = bytes;
    for (int change = 0; change < 8; ++change) damaged[generator() % damaged.size()] = static_cast<char>(generator());
    std::ofstream(file_, std::ios::binary) << damaged;
    try {
      import_native(file_);
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace tellegen::models
