#pragma once
// The shipped language models and their windows.

#include <string>

#include "tellegen/models/onnx/import.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {

inline std::string models_folder() { return std::string(TELLEGEN_SOURCE_DIR) + "/models/"; }
inline Network trained(const std::string& name) { return import_onnx(models_folder() + "trained/" + name + ".onnx"); }
inline std::unique_ptr<TestSet> windows_for(const Network& network) {
  return load_test_set(models_folder() + "data/sotu_test.h5", network);
}

}  // namespace tellegen::models
