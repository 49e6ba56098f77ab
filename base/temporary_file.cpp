#include "tellegen/base/temporary_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>

#include "tellegen/base/error.h"

namespace tellegen {

namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

[[noreturn]] void cannot_write(const std::filesystem::path& file, const std::error_code& reason) {
  throw InputError(fmt::format("{}: the file cannot be written ({}).", file.string(), reason.message()));
}

}  // namespace

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
  const std::filesystem::file_type there = std::filesystem::status(final_, error).type();
  if (there != std::filesystem::file_type::regular && there != std::filesystem::file_type::not_found) {
    throw InputError(
        fmt::format("{}: this is a device or a pipe, which a result would take the place of; give the name of a file.",
                    final_.string()));
  }
  temporary_ = folder / fmt::format(".{}.{}-{}.tmp", final_.filename().string(), getpid(), count++);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void TemporaryFile::write(std::string_view bytes) const {
  // Not a std::ofstream: it does not say why it failed.
  std::FILE* file = std::fopen(temporary_.c_str(), "wb");
  if (file == nullptr) cannot_write(final_, last_error());
  const bool written = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size() && std::fflush(file) == 0;
  const std::error_code reason = last_error();
  if (std::fclose(file) != 0) cannot_write(final_, last_error());
  if (!written) cannot_write(final_, reason);
}

void TemporaryFile::commit() {
  TELLEGEN_ASSERT(!committed_);
  std::error_code error;
  std::filesystem::rename(temporary_, final_, error);
  if (error) cannot_write(final_, error);
  committed_ = true;
}

}  // namespace tellegen
