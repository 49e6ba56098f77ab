// The node tests of the ONNX standard for every supported operator: passed, or refused for a reason that is listed.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

struct Skip {
  const char* pattern;  ///< of the case's name: a regular expression for the whole
  const char* refusal;  ///< part of what the import says
};
constexpr Skip kSkips[] = {
    {"cast.*_to_BFLOAT16.*", "makes numbers of type 'bfloat16'"},
    {"cast(like)?_(BFLOAT16|DOUBLE|FLOAT16)_to_.*|(max|min)_(float16|float64|int16|uint16|uint32|uint64)",
     "; float and integers are supported."},
    {".*_uint8|clip_default_int8_.*|(max|min)_int(8|32|64)|pow_types_(float|int(32|64)_.*)|edge_pad|reflect_pad",
     "which holds integers; floats are needed."},
    {".*training.*", "is in training mode."},
    // What depends on sizes alone must be known when the network is read.
    {"(blackman|hamming|hann)window_.*|range_.*|constantofshape_.*", "it must be a constant."},
    {"constant", "the graph has 0 inputs"},
    {"shape.*", "does not depend on the input"},
    {"maxpool_with_argmax_2d_precomputed_strides", "has storage_order '1'; 0 is supported."},
};

/// Half precision is computed in float: right to the rounding that a Cast would make.
double tolerance(const std::string& name) { return name.find("_to_FLOAT16") == std::string::npos ? 1e-5 : 0x1p-11; }

Shape read_shape(const Hdf5Reader& reader, const std::string& path) {
  std::istringstream text(reader.text_attribute(path, "shape"));
  Shape shape;
  for (std::string size; std::getline(text, size, ',');) shape.push_back(std::stoll(size));
  return shape;
}

class NodeCase {
 public:
  NodeCase(const Hdf5Reader& reader, const std::string& name) : reader_(reader), name_(name) {
    options_.batch = false;
    options_.output = reader.text_attribute(name + "/output", "name");
    const std::vector<std::uint8_t> bytes = reader.bytes(name + "/model");
    file_ = write_bytes("node.onnx", {bytes.begin(), bytes.end()});
    for (int number = 0; reader.has(input(number)); ++number) read_input(number);
  }

  /// Throws InputError where the import refuses.
  Tensor run() const { return execute(import_onnx(file_, options_), free_); }

  Tensor expected() const {
    const std::vector<double> values = reader_.doubles(name_ + "/output");
    return {read_shape(reader_, name_ + "/output"), {values.begin(), values.end()}};
  }

 private:
  std::string input(int number) const { return name_ + "/input_" + std::to_string(number); }

  /// The first input that is no list of integers stays free.
  void read_input(int number) {
    const std::string path = input(number), name = reader_.text_attribute(path, "name");
    const Shape shape = read_shape(reader_, path);
    const bool floats = reader_.text_attribute(path, "kind") == "float";
    const std::vector<double> values = reader_.doubles(path);
    if (free_.data.empty() && (floats || number == 0)) {
      free_ = {shape, {values.begin(), values.end()}};
    } else if (floats) {
      options_.fixed[name] = {shape, {values.begin(), values.end()}};
    } else {
      options_.fixed_integers[name] = {shape, reader_.integers(path)};
    }
  }

  const Hdf5Reader& reader_;
  std::string name_;
  ImportOptions options_;
  std::filesystem::path file_;
  Tensor free_;
};

const Skip* skip_of(const std::string& name) {
  for (const Skip& skip : kSkips)
    if (testing::Matches(testing::MatchesRegex(skip.pattern))(name)) return &skip;
  return nullptr;
}

/// Within rounding of sums of some hundred floats; the standard itself allows 1e-3.
void expect_equal(const Tensor& got, const Tensor& wanted, double relative) {
  ASSERT_EQ(got.shape, wanted.shape);
  for (std::size_t i = 0; i < wanted.data.size(); ++i) {
    if (got.data[i] != wanted.data[i]) {
      ASSERT_NEAR(got.data[i], wanted.data[i], 1e-6 + relative * std::abs(wanted.data[i])) << i;
    }
  }
}

TEST(OnnxNodeTests, PassOrAreRefusedForAReason) {
  const Hdf5Reader reader(TELLEGEN_SOURCE_DIR "/tests/data/onnx_node/node_tests.h5");
  int passed = 0, refused = 0;
  for (const std::string& name : reader.children("")) {
    SCOPED_TRACE(name);
    const NodeCase node(reader, name);
    const Skip* skip = skip_of(name);
    try {
      const Tensor result = node.run();
      EXPECT_EQ(skip, nullptr) << "is refused no longer: take it off the list";
      expect_equal(result, node.expected(), tolerance(name));
      ++passed;
    } catch (const InputError& error) {
      ++refused;
      if (skip == nullptr)
        ADD_FAILURE() << error.what();
      else
        EXPECT_THAT(error.what(), testing::HasSubstr(skip->refusal));
    }
  }
  RecordProperty("passed", passed);
  RecordProperty("refused", refused);
  EXPECT_GT(passed, 3 * refused);
}

}  // namespace
}  // namespace tellegen::models
