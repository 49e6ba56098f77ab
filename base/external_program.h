#pragma once
// Other people's programs: run, with what they say kept in a file.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tellegen {

/// Runs arguments[0], found on PATH, and waits for it. It reads nothing; all it prints goes to the file `words`. Its exit code (-1: ended
/// by a signal), or nothing where there is no such program. Throws std::runtime_error where it cannot be started.
std::optional<int> run_external(const std::vector<std::string>& arguments, const std::filesystem::path& words);

/// All bytes of a file; "" where it cannot be read.
std::string bytes_of(const std::filesystem::path& file);

}  // namespace tellegen
