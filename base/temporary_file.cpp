#include "tellegen/base/temporary_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "tellegen/base/error.h"

namespace tellegen {

TemporaryFile::TemporaryFile(std::filesystem::path file) : final_(std::move(file)) {
  static std::atomic<int> count = 0;
  const std::filesystem::path folder = final_.has_parent_path() ? final_.parent_path() : std::filesystem::path(".");
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder)) {
    throw InputError(
        fmt::format("{}: the folder cannot be made{}.", folder.string(), error ? " (" + error.message() + ")" : ""));
  }
  if (!final_.has_filename() || std::filesystem::is_directory(final_)) {
    throw InputError(fmt::format("{}: this is a folder; a result needs the name of a file.", final_.string()));
  }
  temporary_ = folder / fmt::format(".{}.{}-{}.tmp", final_.filename().string(), getpid(), count++);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void TemporaryFile::commit() {
  TELLEGEN_ASSERT(!committed_);
  std::error_code error;
  std::filesystem::rename(temporary_, final_, error);
  if (error) throw InputError(fmt::format("{}: the file cannot be written ({}).", final_.string(), error.message()));
  committed_ = true;
}

}  // namespace tellegen
