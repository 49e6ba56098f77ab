#include "tellegen/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tellegen {

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

int edit_distance(const std::string& a, const std::string& b) {
  // Levenshtein, one row at a time.
  std::vector<int> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 0; i < a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i) + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const int substituted = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substituted, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row[b.size()];
}

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("{}:{}: internal check failed: {}", file, line, condition));
}

}  // namespace tellegen
