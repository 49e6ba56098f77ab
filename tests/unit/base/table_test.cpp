#include "tellegen/base/table.h"

#include <gtest/gtest.h>

namespace tellegen {
namespace {

using Align = Table::Align;

TEST(Table, AlignsColumnsAndLeavesNoBlanksAtTheEnd) {
  Table table({{"layer", Align::left}, {"tiles"}, {"note", Align::left}});
  table.row({"conv1", "2", ""});
  table.row({"a longer name", "1024", "x"});
  table.rule();
  table.row({"total", "1026", "yy"});
  EXPECT_EQ(table.text(),
            "layer          tiles  note\n"
            "conv1              2\n"
            "a longer name   1024  x\n"
            "--------------------------\n"
            "total           1026  yy\n");
}

TEST(Table, CountsCharactersNotBytes) {
  Table table({{"t", Align::left}, {"v"}});
  table.row({"\u00b5\u03a9", "1"});  // two characters in four bytes
  table.row({"abc", "2"});
  EXPECT_EQ(table.text(), "t    v\n\u00b5\u03a9   1\nabc  2\n");
}

TEST(Table, RefusesRowsOfAnotherLength) {
  Table table({{"a"}, {"b"}});
  EXPECT_THROW(table.row({"1"}), std::logic_error);
  EXPECT_THROW(Table({}), std::logic_error);
}

}  // namespace
}  // namespace tellegen
