#pragma once
// Where files of measured data are looked for.

#include <filesystem>

namespace tellegen::devices {

/// The first of `file`, in the working directory or in a folder above it; `file` itself where there is none.
std::filesystem::path located_data(const std::filesystem::path& file);

}  // namespace tellegen::devices
