// The resolved configuration as YAML: block mappings, lists of scalars in one line.

#include <fmt/format.h>

#include "tellegen/base/config.h"

namespace tellegen::detail {
namespace {

constexpr std::string_view letters_and_digits = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/// Whether YAML reads `text` back as it stands, inside a list too. Errs on the side of quotes.
bool plain(const std::string& text) {
  if (text.empty() || text == "null" || text == "Null" || text == "NULL" || text.back() == ' ') return false;
  const bool signed_number = text.size() > 1 && text[0] == '-' && text[1] >= '0' && text[1] <= '9';
  const std::string starts = std::string(letters_and_digits) + "_./(";
  if (!signed_number && starts.find(text[0]) == std::string::npos) return false;
  return text.find_first_not_of(std::string(letters_and_digits) + " _./()+-*^=") == std::string::npos &&
         text != "..." && !text.starts_with("... ");
}

std::string scalar(const std::string& text) {
  if (plain(text)) return text;
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      result += fmt::format("\\{}", c);
    else if (byte < 0x20 || byte == 0x7f)
      result += fmt::format("\\x{:02x}", byte);
    else
      result += c;
  }
  return result + "\"";
}

std::string list_text(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "" : ", ") + scalar(item);
  return "[" + text + "]";
}

}  // namespace

void ConfigWriter::line(const std::string& text) {
  std::string indent(static_cast<std::size_t>(depth_) * 2, ' ');
  if (item_start_) indent.replace(indent.size() - 2, 2, "- ");
  item_start_ = false;
  text_ += indent + text + "\n";
}

void ConfigWriter::visit(const Setting& setting) { line(setting.name + ": " + scalar(setting.write())); }

void ConfigWriter::choice(const char* name, std::string& value, std::span<const std::string>, const char*) {
  line(std::string(name) + ": " + scalar(value));
}

void ConfigWriter::free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                            const char* help) {
  enter(name, help);
  for (const auto& [key, texts] : value) line(scalar(key) + ": " + list_text(texts));
  leave();
}

void ConfigWriter::enter(const char* name, const char*) {
  line(std::string(name) + ":");
  ++depth_;
  starts_.push_back(text_.size());
}

void ConfigWriter::leave() {
  --depth_;
  // An absent or empty mapping: "name:" alone would read as present, so the line goes.
  if (text_.size() == starts_.back()) {
    text_.pop_back();
    text_.erase(text_.rfind('\n') + 1);  // npos + 1 is 0: the first line
  }
  starts_.pop_back();
}

void ConfigWriter::visit_list(const char* name, const char*, std::size_t size, std::function<void(std::size_t)>,
                              std::function<Setting(std::size_t)> element) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < size; ++i) items.push_back(element(i).write());
  line(std::string(name) + ": " + list_text(items));
}

void ConfigWriter::visit_sections(const char* name, const char*, std::size_t size, std::function<void(std::size_t)>,
                                  std::function<void(std::size_t, Settings&)> element) {
  if (size == 0) return line(std::string(name) + ": []");
  line(std::string(name) + ":");
  depth_ += 2;
  for (std::size_t i = 0; i < size; ++i) {
    item_start_ = true;
    element(i, *this);
    if (item_start_) line("{}");  // an item without settings still counts
  }
  depth_ -= 2;
}

}  // namespace tellegen::detail
