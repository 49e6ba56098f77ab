#include "tellegen/circuits/crossbar/connectivity.h"

#include <gtest/gtest.h>

#include "arrays.h"

namespace tellegen::circuits {
namespace {

using testing_support::plain_array;
using testing_support::TestArray;

Connectivity of(const TestArray& array) {
  return connectivity(segments_of(array.wires), branch_conductances(array.wires, array.cell_S), array.wires);
}

TEST(Connectivity, NothingToSayOfAWholeArray) {
  const Connectivity whole = of(plain_array(5, 4, 1));
  EXPECT_TRUE(whole.isolated.empty());
  EXPECT_TRUE(whole.cut_off_outputs.empty());
  EXPECT_TRUE(warnings(whole).empty());
}

TEST(Connectivity, OpenColumnIsCutOff) {
  TestArray array = plain_array(3, 4, 1);
  for (std::size_t i = 0; i < 3; ++i) array.cell_S[i * 4 + 2] = 0;
  const Connectivity cut = of(array);
  EXPECT_TRUE(cut.isolated.empty());
  EXPECT_EQ(cut.cut_off_outputs, std::vector<std::int64_t>{2});
  EXPECT_EQ(warnings(cut), std::vector<std::string>{"Outputs without a path to a driven row give 0 A: columns 2."});
}

TEST(Connectivity, BrokenWiresLeaveAnIslandOfARowAndAColumnPiece) {
  TestArray array = plain_array(2, 2, 1);
  array.cell_S = {1e-5, 1e-5, 1e-5, 0};
  array.wires.broken = {{Line::row, 0, 1}, {Line::column, 1, 1}};
  const Connectivity cut = of(array);
  EXPECT_EQ(warnings(cut),
            (std::vector<std::string>{"Nodes without a path to any driver or sense end are left out: w(0,1), "
                                      "b(0,1).",
                                      "Outputs without a path to a driven row give 0 A: columns 1."}));
}

TEST(Connectivity, GroundedRowsDoNotDrive) {
  TestArray array = plain_array(2, 2, 1);
  array.cell_S = {1e-5, 0, 0, 1e-5};
  array.wires.row_state = {RowState::driven, RowState::grounded};
  EXPECT_EQ(of(array).cut_off_outputs, std::vector<std::int64_t>{1});
}

TEST(Connectivity, FloatingRowWithoutCellsIsIsolatedAndLongListsAreCut) {
  TestArray array = plain_array(1, 8, 1);
  array.wires.row_state = {RowState::floating};
  array.cell_S.assign(8, 0);
  EXPECT_EQ(
      warnings(of(array)),
      (std::vector<std::string>{"Nodes without a path to any driver or sense end are left out: w(0,0), w(0,1), w(0,2), "
                                "w(0,3), w(0,4) and 3 more.",
                                "Outputs without a path to a driven row give 0 A: columns 0, 1, 2, 3, 4 and 3 more."}));
}

}  // namespace
}  // namespace tellegen::circuits
