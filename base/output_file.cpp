#include "tellegen/base/output_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <fstream>
#include <system_error>

#include "tellegen/base/error.h"
#include "tellegen/base/temporary_file.h"

namespace tellegen {

void write_text_file(const std::filesystem::path& file, std::string_view text) {
  TemporaryFile temporary(file);
  std::ofstream stream(temporary.path(), std::ios::binary);
  stream.write(text.data(), static_cast<std::streamsize>(text.size()));
  stream.close();
  if (!stream)
    throw InputError(
        fmt::format("{}: the file cannot be written ({}).", file.string(), std::generic_category().message(errno)));
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
