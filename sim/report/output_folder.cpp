#include "tellegen/sim/report/output_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "tellegen/base/error.h"

namespace tellegen::report {
namespace fs = std::filesystem;
namespace {

fs::path without_trailing_slash(const fs::path& folder) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder) : folder_(without_trailing_slash(folder)) {
  require_writable(folder_);
  std::error_code failure;
  fs::create_directories(folder_.parent_path(), failure);
  std::string name = folder_.string() + ".partial-XXXXXX";
  if (failure || mkdtemp(name.data()) == nullptr) {
    throw InputError({folder.string()}, "the output folder cannot be made. Choose another place with --out.");
  }
  stage_ = name;
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;  // a destructor has nobody to tell
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
}

void OutputFolder::commit() {
  fs::create_directories(folder_);
  for (const fs::directory_entry& file : fs::directory_iterator(stage_)) {
    fs::rename(file.path(), folder_ / file.path().filename());
  }
  fs::remove(stage_);
  stage_.clear();
}

void require_writable(const fs::path& folder) {
  fs::path existing = without_trailing_slash(folder);
  while (!fs::exists(existing)) existing = existing.parent_path();
  if (!fs::is_directory(existing)) {
    throw InputError({folder.string()}, "results cannot be written here: '" + existing.string() +
                                            "' is a file, not a folder. Choose another place with --out.");
  }
  if (access(existing.c_str(), W_OK | X_OK) != 0) {
    throw InputError({folder.string()}, "results cannot be written here: no permission to write into '" +
                                            existing.string() + "'. Choose another place with --out.");
  }
}

}  // namespace tellegen::report
