#include "tellegen/sim/crossbar/array_file.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_readers.h"
#include "tellegen/sim/crossbar/json_node.h"

namespace tellegen::array {

std::string file_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  if (!in || !(text << in.rdbuf())) {
    throw InputError({file.string()}, "the file cannot be read. Check the name and the permissions.");
  }
  return text.str();
}

ArrayFile read_array_file(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError({file.string()}, "there is no such file. Check the name.");
  }
  const std::string kind = file.extension().string();
  if (is_tree_file(file)) return read_json(file);
  if (kind == ".csv") return read_csv(file);
  if (kind == ".h5" || kind == ".hdf5") return read_hdf5(file);
  throw InputError({file.string()},
                   fmt::format("the name ends in '{}'; an array is read from .json, .yaml, .csv, .h5 or .hdf5.", kind));
}

}  // namespace tellegen::array
