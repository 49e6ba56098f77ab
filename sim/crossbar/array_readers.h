#pragma once
// The readers behind read_array_file, one per kind of file.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/sim/crossbar/array_file.h"

namespace tellegen::array {

ArrayFile read_json(const std::filesystem::path& file);
ArrayFile read_csv(const std::filesystem::path& file);
ArrayFile read_hdf5(const std::filesystem::path& file);

/// Numbers of a CSV file, line by line; empty lines and lines that start with # are left out. Throws InputError.
std::vector<std::vector<double>> csv_numbers(const std::filesystem::path& file);
/// The whole file. Throws InputError where it cannot be read.
std::string file_text(const std::filesystem::path& file);

}  // namespace tellegen::array
