// Arrays as HDF5 datasets.

#include <fmt/format.h>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/crossbar/array_readers.h"

namespace tellegen::array {

ArrayFile read_hdf5(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  const std::vector<std::uint64_t> shape = reader.shape("conductance");
  if (shape.size() != 2) {
    throw InputError({file.string()},
                     fmt::format("conductance has '{}' dimensions; [rows][columns] is needed.", shape.size()));
  }
  ArrayFile out;
  out.wires.rows = static_cast<std::int64_t>(shape[0]);
  out.wires.columns = static_cast<std::int64_t>(shape[1]);
  out.cell_S = reader.doubles("conductance");
  if (!reader.has("voltage")) return out;
  const std::vector<std::uint64_t> vectors = reader.shape("voltage");
  if (vectors.empty() || vectors.size() > 2 || vectors.back() != shape[0]) {
    throw InputError({file.string()},
                     fmt::format("voltage does not end in a dimension of '{}', the rows of conductance; "
                                 "[vectors][rows] or [rows] is needed.",
                                 shape[0]));
  }
  const std::vector<double> all_V = reader.doubles("voltage");
  for (auto at = all_V.begin(); at != all_V.end(); at += out.wires.rows) {
    out.input_V.emplace_back(at, at + out.wires.rows);
  }
  return out;
}

}  // namespace tellegen::array
