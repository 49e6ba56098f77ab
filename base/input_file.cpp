#include "tellegen/base/input_file.h"

#include <system_error>

namespace tellegen {

std::string not_a_file(const std::filesystem::path& file) {
  std::error_code error;
  switch (const auto status = std::filesystem::status(file, error); status.type()) {
    case std::filesystem::file_type::regular:
      return "";
    case std::filesystem::file_type::directory:
      return "this is a folder; a file is needed.";
    case std::filesystem::file_type::not_found:
      return "there is no such file.";
    case std::filesystem::file_type::none:
      return "the file cannot be reached (" + error.message() + ").";
    default:
      return "this is not a regular file; a device or a pipe cannot be read here.";
  }
}

}  // namespace tellegen
