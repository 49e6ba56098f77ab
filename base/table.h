#pragma once
// Aligned text tables for terminals.

#include <string>
#include <vector>

namespace tellegen {

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::right;
  };
  explicit Table(std::vector<Column> columns);
  /// One cell per column.
  void row(std::vector<std::string> cells);
  /// A line across.
  void rule();
  std::string text() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;  ///< an empty row is a rule
};

}  // namespace tellegen
