#pragma once
// Text results (CSV, JSON): complete or absent.

#include <filesystem>
#include <string_view>

namespace tellegen {

/// Writes `text` to a temporary name beside `file` and renames. Makes missing folders. Throws InputError where the
/// place cannot be written.
void write_text_file(const std::filesystem::path& file, std::string_view text);

/// One CSV field, quoted where needed (RFC 4180).
std::string csv_field(std::string_view text);

}  // namespace tellegen
