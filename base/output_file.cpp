#include "tellegen/base/output_file.h"

#include "tellegen/base/temporary_file.h"

namespace tellegen {

void write_text_file(const std::filesystem::path& file, std::string_view text) {
  TemporaryFile temporary(file);
  temporary.write(text);
  temporary.commit();
}

std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"') result += '"';
    result += c;
  }
  return result + "\"";
}

}  // namespace tellegen
