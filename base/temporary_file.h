#pragma once
// Results are complete or absent: written beside their final name, then renamed.

#include <filesystem>
#include <string_view>

namespace tellegen {

/// A name beside `file` that nobody else uses; makes missing folders. Removes what stands there unless committed.
class TemporaryFile {
 public:
  /// Throws InputError where the folder cannot be made or the final name is a folder, a device or a pipe.
  explicit TemporaryFile(std::filesystem::path file);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::filesystem::path& path() const { return temporary_; }
  const std::filesystem::path& final_path() const { return final_; }
  /// Writes `bytes` as all of the content. Throws InputError with the system's reason: no space left, ...
  void write(std::string_view bytes) const;
  /// Renames to the final name, replacing an older file. Throws InputError.
  void commit();

 private:
  std::filesystem::path final_, temporary_;
  bool committed_ = false;
};

}  // namespace tellegen
