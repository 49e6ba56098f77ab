#pragma once
// A short run of a real network, shared by the tests of one program.

#include <filesystem>
#include <string>

#include "tellegen/sim/engine/run.h"

namespace tellegen::report {

inline std::filesystem::path source_file(const std::string& path) {
  return std::filesystem::path(TELLEGEN_SOURCE_DIR) / path;
}

inline sim::ExperimentConfig short_experiment(const Overrides& more = {}) {
  Overrides overrides = {{"evaluate.samples", "48"},
                         {"evaluate.chips", "2"},
                         {"evaluate.batch", "16"},
                         {"evaluate.calibration_samples", "16"},
                         {"evaluate.snr_samples", "16"}};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return sim::read_experiment(source_file("configs/experiments/lenet_mnist.yaml"), overrides);
}

inline sim::RunResult real_run(const Overrides& more = {}, int threads = 1) {
  sim::Session session(source_file("configs/costs"), threads);
  return session.run(short_experiment(more));
}

/// A folder of its own for one test, removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "tellegen-test-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace tellegen::report
