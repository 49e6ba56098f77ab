#pragma once
// Inside base only: what an HDF5 file holds, read by the library in this process. On a damaged file the library can
// crash: Hdf5Reader uses this in a process apart.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace tellegen::detail {

/// The functions of Hdf5Reader, with the same messages. `file` must be a regular file.
class Hdf5Content {
 public:
  explicit Hdf5Content(const std::filesystem::path& file);
  ~Hdf5Content();
  Hdf5Content(const Hdf5Content&) = delete;
  Hdf5Content& operator=(const Hdf5Content&) = delete;

  bool has(const std::string& path) const;
  std::vector<std::string> children(const std::string& path) const;
  std::vector<std::uint64_t> shape(const std::string& path) const;
  std::vector<double> doubles(const std::string& path) const;
  std::vector<std::int64_t> integers(const std::string& path) const;
  std::vector<std::uint8_t> bytes(const std::string& path) const;
  std::vector<std::string> strings(const std::string& path) const;
  std::string text_attribute(const std::string& path, const std::string& name) const;
  double number_attribute(const std::string& path, const std::string& name) const;

 private:
  std::filesystem::path path_;
  std::int64_t file_ = -1;
};

}  // namespace tellegen::detail
