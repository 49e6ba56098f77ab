#include "tellegen/sim/report/output_folder.h"

#include <unistd.h>

#include <climits>
#include <cstdlib>
#include <string_view>
#include <system_error>

#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"

namespace tellegen::report {
namespace fs = std::filesystem;
namespace {

constexpr const char* kReplaced = ".replaced";  // folder in the stage: results of an earlier run, until all is moved

/// A folder that exists may be all that may be written to, or a file system of its own: then the stage is in it.
constexpr std::string_view kStageEnding = ".partial-XXXXXX";
constexpr std::size_t kLongestName = NAME_MAX - kStageEnding.size();

fs::path without_trailing_slash(const fs::path& folder) {
  const fs::path absolute = fs::absolute(folder).lexically_normal();
  return absolute.has_filename() ? absolute : absolute.parent_path();
}

/// What cannot be asked for counts as absent: writing there fails with a message of its own.
bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(fs::symlink_status(path, ignored));
}

bool is_folder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored);
}

std::vector<std::string> files_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& file : fs::directory_iterator(folder)) names.push_back(file.path().filename());
  return names;
}

/// Puts files in place of others, and back again.
class Exchange {
 public:
  Exchange(fs::path stage, fs::path folder) : stage_(std::move(stage)), folder_(std::move(folder)) {}
  void replace(const std::string& name) {
    if (is_there(folder_ / name)) {
      fs::rename(folder_ / name, stage_ / kReplaced / name);
      replaced_.push_back(name);
    }
    fs::rename(stage_ / name, folder_ / name);
    moved_.push_back(name);
  }
  void undo() noexcept {
    std::error_code ignored;  // there is nothing else to be tried
    for (const std::string& name : moved_) fs::rename(folder_ / name, stage_ / name, ignored);
    for (const std::string& name : replaced_) fs::rename(stage_ / kReplaced / name, folder_ / name, ignored);
  }

 private:
  fs::path stage_, folder_;
  std::vector<std::string> moved_, replaced_;
};

}  // namespace

OutputFolder::OutputFolder(const fs::path& folder) : folder_(without_trailing_slash(folder)) {
  require_writable(folder_);
  std::error_code failure;
  fs::create_directories(folder_.parent_path(), failure);
  std::string name = (is_folder(folder_) ? folder_ / "" : folder_).string() + std::string(kStageEnding);
  if (failure || mkdtemp(name.data()) == nullptr) {
    throw InputError({folder.string()}, "the output folder cannot be made. Choose another place with --out.");
  }
  stage_ = name;
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;  // a destructor has nobody to tell
  if (!stage_.empty()) fs::remove_all(stage_, ignored);
}

void OutputFolder::write(const std::string& name, const std::function<void(const fs::path&)>& writer) const {
  try {
    writer(staged(name));
  } catch (const InputError& error) {
    std::string message = error.what();
    const std::string stage = stage_.string();
    for (std::size_t at = message.find(stage); at != std::string::npos; at = message.find(stage, at))
      message.replace(at, stage.size(), folder_.string());
    throw InputError(message);
  }
}

void OutputFolder::write_text(const std::string& name, const std::string& text) const {
  write(name, [&text](const fs::path& file) { write_text_file(file, text); });
}

void OutputFolder::commit() {
  const std::vector<std::string> names = files_in(stage_);
  require_writable(folder_, names);
  Exchange exchange(stage_, folder_);
  const bool is_new = !is_there(folder_);
  try {
    fs::create_directories(folder_);
    fs::create_directory(stage_ / kReplaced);
    for (const std::string& name : names) exchange.replace(name);
  } catch (const fs::filesystem_error& error) {
    exchange.undo();
    std::error_code ignored;
    if (is_new) fs::remove(folder_, ignored);
    throw InputError({folder_.string()}, "results cannot be written here: " + error.code().message() +
                                             ". Earlier results are as they were. Choose another place with --out.");
  }
  std::error_code ignored;  // the results are in place; what is left is a temporary folder
  fs::remove_all(stage_, ignored);
  stage_.clear();
}

void require_writable(const fs::path& folder, const std::vector<std::string>& names) {
  const auto refuse = [&folder](const std::string& reason) {
    throw InputError({folder.string()},
                     "results cannot be written here: " + reason + " Choose another place with --out.");
  };
  const fs::path wanted = without_trailing_slash(folder);
  for (const fs::path& part : wanted) {
    if (part.native().size() > kLongestName)
      refuse("a name in it is longer than " + std::to_string(kLongestName) + " characters.");
  }
  fs::path existing = wanted;
  while (!is_there(existing)) existing = existing.parent_path();
  if (!is_folder(existing)) refuse("'" + existing.string() + "' is a file, not a folder.");
  if (access(existing.c_str(), W_OK | X_OK) != 0) refuse("no permission to write into '" + existing.string() + "'.");
  for (const std::string& name : names) {
    if (is_folder(wanted / name)) refuse("'" + (wanted / name).string() + "' is a folder, not a file. Remove it.");
  }
}

}  // namespace tellegen::report
