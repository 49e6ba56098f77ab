#include "tellegen/base/table.h"

#include <algorithm>
#include <string_view>

#include "tellegen/base/error.h"

namespace tellegen {
namespace {

/// Characters that take a place on the screen: UTF-8 code points.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

constexpr std::size_t gap = 2;

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) { TELLEGEN_ASSERT(!columns_.empty()); }

void Table::row(std::vector<std::string> cells) {
  TELLEGEN_ASSERT(cells.size() == columns_.size());
  rows_.push_back(std::move(cells));
}

void Table::rule() { rows_.emplace_back(); }

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const Column& column : columns_) widths.push_back(width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::size_t total = gap * (columns_.size() - 1);
  for (const std::size_t w : widths) total += w;

  std::string result;
  const auto add_line = [&](auto&& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& text = cell(i);
      const std::string padding(widths[i] - width(text), ' ');
      if (i > 0) line.append(gap, ' ');
      line += columns_[i].align == Align::right ? padding + text : text + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + "\n";
  };
  add_line([&](std::size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& row : rows_) {
    if (row.empty())
      result += std::string(total, '-') + "\n";
    else
      add_line([&](std::size_t i) -> const std::string& { return row[i]; });
  }
  return result;
}

}  // namespace tellegen
