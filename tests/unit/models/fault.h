#pragma once
// The message of a model that is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx_builder.h"
#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {

inline std::string message(const std::filesystem::path& file) {
  try {
    import_onnx(file);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

/// The message without the path in front.
inline std::string fault(const std::filesystem::path& file) {
  const std::string text = message(file), place = file.string() + ": ";
  EXPECT_THAT(text, testing::StartsWith(place));
  return text.substr(std::min(place.size(), text.size()));
}
inline std::string fault(const OnnxBuilder& model) { return fault(model.file()); }

inline OnnxBuilder linear() {
  OnnxBuilder model({-1, 2});
  model.floats("w", {2, 3}, {1, 2, 3, 4, 5, 6}).node("MatMul", {"x", "w"}, "y", "fc");
  return model;
}

}  // namespace tellegen::models
