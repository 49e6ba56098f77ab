#pragma once
// Who runs a network on one batch in one thread, and how long it takes them.

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "tellegen/models/network.h"
#include "tellegen/models/test_set.h"

namespace tellegen::bench {

struct Runs {
  std::vector<double> times_s;  ///< processor time of each run
  std::vector<float> output;    ///< of the last one
};

/// A network of the zoo with the test set it is judged by.
struct Contest {
  Contest(const char* name, const char* data);
  std::filesystem::path model;
  models::Network network;
  std::unique_ptr<models::TestSet> set;
};

/// The executor of this program, for about `seconds`, after one run to warm up.
Runs run_executor(const Contest& contest, const models::Tensor& batch, double seconds);

/// ONNX Runtime in a process of its own; nothing where node or onnxruntime-node is missing.
std::optional<Runs> run_onnx_runtime(const Contest& contest, const models::Tensor& batch, double seconds);

}  // namespace tellegen::bench
