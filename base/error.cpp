#include "tellegen/base/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace tellegen {

std::string to_string(const Place& place) {
  if (place.line == 0) return place.file;
  if (place.column == 0) return fmt::format("{}:{}", place.file, place.line);
  return fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

int edit_distance(const std::string& a, const std::string& b) {
  // Levenshtein plus swapped neighbours (optimal string alignment), three rows at a time.
  std::vector<int> two_above, above, row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    two_above = std::exchange(above, row);
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), above[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], two_above[j - 2] + 1);
    }
  }
  return row[b.size()];
}

void assertion_failed(const char* condition, const char* file, int line) {
  throw std::logic_error(fmt::format("{}:{}: internal check failed: {}", file, line, condition));
}

}  // namespace tellegen
