#pragma once
// Words for a terminal.

#include <string>
#include <vector>

namespace tellegen::cli {

/// "a, b, c".
std::string joined(const std::vector<std::string>& words);
/// `text` in lines of at most 96 characters, indented by two.
std::string paragraph(const std::string& text);

}  // namespace tellegen::cli
