#pragma once
// The list of numbers in HDF5: group /numbers, one column per field; inputs are flat with the index of their number.

#include <filesystem>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/report/number.h"

namespace tellegen::report {

void write_numbers(Hdf5Writer& file, const Numbers& numbers);
/// Throws InputError where a column is missing, or where the columns do not fit together; `path` is named in messages.
Numbers read_numbers(const Hdf5Reader& file, const std::filesystem::path& path);

}  // namespace tellegen::report
