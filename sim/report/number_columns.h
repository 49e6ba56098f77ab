#pragma once
// The list of numbers in HDF5: group /numbers, one column per field; inputs are flat with the index of their number.

#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/report/number.h"

namespace tellegen::report {

void write_numbers(Hdf5Writer& file, const Numbers& numbers);
/// Throws InputError where a column is missing.
Numbers read_numbers(const Hdf5Reader& file);

}  // namespace tellegen::report
