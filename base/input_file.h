#pragma once
// Files that a user names: is this one that can be read?

#include <filesystem>
#include <string>

namespace tellegen {

/// Why `file` is not a regular file, to stand after its name: "there is no such file.", "this is a folder; a file is
/// needed.", ...; "" where it is one.
std::string not_a_file(const std::filesystem::path& file);

}  // namespace tellegen
