#pragma once
// Where the files are that come with the program.

#include <filesystem>

namespace tellegen::cli {

/// Folder `configs` with the cost tables, the first that exists of: the environment variable TELLEGEN_CONFIGS; configs/
/// in the working directory or in a folder above it; configs/ of the source tree the program was built from. Throws
/// InputError.
std::filesystem::path configs_folder();

}  // namespace tellegen::cli
