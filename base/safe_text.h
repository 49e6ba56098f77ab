#pragma once
// Texts of a user's files - names above all - before they are printed, stored or become part of a path.

#include <string>
#include <string_view>

namespace tellegen {

/// Whether `text` is UTF-8 without control characters (C0, DEL, C1).
bool is_printable(std::string_view text);
/// `text` with "\xHH" in place of each byte that keeps it from being printable.
std::string printable(std::string_view text);

/// Whether `text` can name a file or a folder everywhere: 1 to 100 characters out of ASCII letters, digits, '.', '_',
/// '-' and spaces, with at least one letter or digit; so neither ".." nor a path.
bool is_file_name(std::string_view text);
/// `text` made into a name of that kind: what is not allowed becomes '_'.
std::string file_name_of(std::string_view text);

}  // namespace tellegen
