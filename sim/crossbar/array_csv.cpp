// Arrays and input vectors as lines of numbers.

#include <fmt/format.h>

#include <charconv>

#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_readers.h"

namespace tellegen::array {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<double> numbers(std::string_view line, const Place& start) {
  std::vector<double> out;
  std::size_t position = 0;
  while (true) {
    const std::size_t comma = std::min(line.find(',', position), line.size());
    const std::string_view field = trimmed(line.substr(position, comma - position));
    double value = 0;
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), value);
    if (error != std::errc() || end != field.data() + field.size()) {
      throw InputError({start.file, start.line, static_cast<int>(position) + 1},
                       fmt::format("'{}' is not a number. Write numbers with commas between them.", field));
    }
    out.push_back(value);
    if (comma == line.size()) return out;
    position = comma + 1;
  }
}

}  // namespace

std::vector<std::vector<double>> csv_numbers(const std::filesystem::path& file) {
  const std::string text = file_text(file);
  std::vector<std::vector<double>> out;
  int line_number = 0;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = trimmed(std::string_view(text).substr(start, end - start));
    start = end + 1;
    ++line_number;
    if (line.empty() || line[0] == '#') continue;
    const Place place{file.string(), line_number, 0};
    out.push_back(numbers(line, place));
    if (out.back().size() != out.front().size()) {
      throw InputError(place, fmt::format("the line has '{}' numbers; the first line has {}, and all need as many.",
                                          out.back().size(), out.front().size()));
    }
  }
  if (out.empty()) throw InputError({file.string()}, "the file holds no numbers. Write one line per row.");
  return out;
}

ArrayFile read_csv(const std::filesystem::path& file) {
  const std::vector<std::vector<double>> lines = csv_numbers(file);
  ArrayFile out;
  out.wires.rows = static_cast<std::int64_t>(lines.size());
  out.wires.columns = static_cast<std::int64_t>(lines.front().size());
  for (const std::vector<double>& line : lines) out.cell_S.insert(out.cell_S.end(), line.begin(), line.end());
  return out;
}

std::vector<std::vector<double>> read_voltages(const std::filesystem::path& file, std::int64_t rows) {
  std::vector<std::vector<double>> out = csv_numbers(file);
  if (static_cast<std::int64_t>(out.front().size()) != rows) {
    throw InputError(
        {file.string()},
        fmt::format("a line has '{}' voltages; the array has {} rows, and each needs one.", out.front().size(), rows));
  }
  return out;
}

}  // namespace tellegen::array
