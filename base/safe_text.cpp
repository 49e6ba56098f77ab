#include "tellegen/base/safe_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tellegen {
namespace {

constexpr std::size_t kLongestName = 100;

/// What a first byte announces: how many bytes follow, and the least code point that needs as many.
struct Sequence {
  std::size_t more;
  char32_t bits, least;
};

Sequence announced_by(unsigned char first) {
  if (first < 0x80) return {0, first, 0};
  if (first >= 0xC2 && first < 0xE0) return {1, first & 0x1FU, 0x80};
  if (first >= 0xE0 && first < 0xF0) return {2, first & 0x0FU, 0x800};
  if (first >= 0xF0 && first < 0xF5) return {3, first & 0x07U, 0x10000};
  return {0, 0, 1};  // no first byte: below the least
}

/// Bytes of the printable character that `text` begins with; 0 where there is none.
std::size_t printable_character(std::string_view text) {
  const Sequence sequence = announced_by(static_cast<unsigned char>(text.front()));
  if (text.size() <= sequence.more) return 0;
  char32_t code = sequence.bits;
  for (std::size_t i = 1; i <= sequence.more; ++i) {
    const unsigned char byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte & 0x3FU);
  }
  const bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  return code < sequence.least || code > 0x10FFFF || control || surrogate ? 0 : sequence.more + 1;
}

bool is_ascii_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool is_name_character(char c) { return is_ascii_letter_or_digit(c) || c == '.' || c == '_' || c == '-' || c == ' '; }

}  // namespace

bool is_printable(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = printable_character(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::string printable(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = printable_character(text);
    if (length == 0) {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

bool is_file_name(std::string_view text) {
  return text.size() <= kLongestName && std::ranges::all_of(text, is_name_character) &&
         std::ranges::any_of(text, is_ascii_letter_or_digit);
}

std::string file_name_of(std::string_view text) {
  std::string name(text.substr(0, kLongestName));
  std::ranges::replace_if(
      name, [](char c) { return !is_name_character(c); }, '_');
  return is_file_name(name) ? name : "unnamed";
}

}  // namespace tellegen
