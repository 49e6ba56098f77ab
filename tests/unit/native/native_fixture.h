#pragma once
// A folder for native network files that goes with the test.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/native/native_file.h"

namespace tellegen::models {

class NativeFolder {
 public:
  NativeFolder() : path_(std::filesystem::path(testing::TempDir()) / ("native_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path_);
  }
  ~NativeFolder() { std::filesystem::remove_all(path_); }
  NativeFolder(const NativeFolder&) = delete;
  NativeFolder& operator=(const NativeFolder&) = delete;
  std::filesystem::path file(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace tellegen::models
