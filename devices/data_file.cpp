#include "tellegen/devices/data_file.h"

#include <system_error>

namespace tellegen::devices {

std::filesystem::path located_data(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  if (file.is_absolute()) return file;
  std::error_code ignored;
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (fs::exists(folder / file, ignored)) return folder / file;
    if (folder == folder.root_path()) return file;
  }
}

}  // namespace tellegen::devices
