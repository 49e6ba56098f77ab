#pragma once
// Small ONNX files for tests, written through the product's own schema. What the format means is tested with files from
// the onnx package (tests/data/onnx); this builder serves for files that no exporter would write.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "onnx_lite.pb.h"

namespace tellegen::models {

class OnnxBuilder {
 public:
  /// A model that reads "x" of `shape` (-1: free) and makes "y".
  explicit OnnxBuilder(std::vector<std::int64_t> shape, int opset = 13);
  OnnxBuilder& node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output,
                    const std::string& name = "");
  OnnxBuilder& attribute(const std::string& name, std::int64_t value);  ///< of the last node
  OnnxBuilder& attribute(const std::string& name, const std::vector<std::int64_t>& values);
  OnnxBuilder& floats(const std::string& name, const std::vector<std::int64_t>& shape,
                      const std::vector<float>& values);
  OnnxBuilder& integers(const std::string& name, const std::vector<std::int64_t>& values);
  /// For all that the functions above do not offer.
  onnx_wire::Model& wire() { return model_; }
  std::string bytes() const { return model_.SerializeAsString(); }
  /// Writes the model to a file of this test's own and returns its path.
  std::filesystem::path file() const;

 private:
  onnx_wire::Model model_;
};

/// A path in the test's temporary folder, unique to the running test.
std::filesystem::path temporary_path(const std::string& name);
std::filesystem::path write_bytes(const std::string& name, const std::string& bytes);

}  // namespace tellegen::models
