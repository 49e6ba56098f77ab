#include "tellegen/circuits/crossbar/wires.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "../base/message_of.h"
#include "arrays.h"
#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

using testing_support::message_of;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string refusal(const Wires& wires) {
  return message_of<InputError>([&] { check(wires); });
}

Wires small() {
  Wires wires;
  wires.rows = 2;
  wires.columns = 3;
  wires.row_segment_ohm = 2;
  wires.column_segment_ohm = 4;
  wires.driver_ohm = 8;
  wires.sense_ohm = 16;
  return wires;
}

TEST(Wires, OutermostSegmentsCarryTheTerminalResistance) {
  const Segments one = segments_of(small());
  EXPECT_EQ(one.row_S, (std::vector<double>{0.1, 0.5, 0.5, 0, 0.1, 0.5, 0.5, 0}));
  EXPECT_EQ(one.column_S, (std::vector<double>{0, 0, 0, 0.25, 0.25, 0.25, 0.05, 0.05, 0.05}));
  Wires wires = small();
  wires.drive = Drive::both_sides;
  wires.sense = Sense::both_ends;
  const Segments both = segments_of(wires);
  EXPECT_EQ(both.row_S, (std::vector<double>{0.1, 0.5, 0.5, 0.1, 0.1, 0.5, 0.5, 0.1}));
  EXPECT_EQ(both.column_S, (std::vector<double>{0.05, 0.05, 0.05, 0.25, 0.25, 0.25, 0.05, 0.05, 0.05}));
}

TEST(Wires, AlternateSensingTakesOddColumnsAtTheTop) {
  Wires wires = small();
  wires.sense = Sense::alternate;
  EXPECT_EQ(segments_of(wires).column_S, (std::vector<double>{0, 0.05, 0, 0.25, 0.25, 0.25, 0.05, 0, 0.05}));
}

TEST(Wires, FloatingRowsBrokenSegmentsAndZeroResistance) {
  Wires wires = small();
  wires.row_segment_ohm = 0;
  wires.row_state = {RowState::driven, RowState::floating};
  wires.broken = {{Line::row, 0, 2}, {Line::column, 1, 2}};
  const Segments segments = segments_of(wires);
  EXPECT_EQ(segments.row_S, (std::vector<double>{0.125, infinity, 0, 0, 0, infinity, infinity, 0}));
  EXPECT_EQ(segments.column(2, 1), 0);
}

TEST(Wires, AccessResistanceIsInSeriesWithTheCell) {
  Wires wires = small();
  wires.access_ohm = 1000;
  const std::vector<double> cells = {1e-3, 0, infinity, 1e-3, 1e-3, 1e-3};
  const std::vector<double> branches = branch_conductances(wires, cells);
  EXPECT_DOUBLE_EQ(branches[0], 0.5e-3);
  EXPECT_EQ(branches[1], 0);
  EXPECT_DOUBLE_EQ(branches[2], 1e-3);
}

TEST(Wires, IdleRowsAreAtZeroVolt) {
  Wires wires = small();
  wires.row_state = {RowState::grounded, RowState::driven};
  EXPECT_EQ(applied_voltages(wires, std::vector<double>{0.1, 0.2}), (std::vector<double>{0, 0.2}));
}

TEST(Wires, HardlyAnyResistanceIsNone) {
  Wires wires = small();
  wires.row_segment_ohm = 1e-31;
  EXPECT_TRUE(std::isinf(segments_of(wires).row(0, 1)));
}

TEST(Wires, RefusesWhatMakesNoSense) {
  Wires wires = small();
  wires.rows = 0;
  EXPECT_EQ(refusal(wires), "The array is '0 x 3'; at least one row and one column are needed.");
  wires = small();
  wires.row_segment_ohm = -1;
  EXPECT_EQ(refusal(wires),
            "The resistance of a row segment is '-1 ohm'; a finite resistance of 0 ohm or more is needed. Give an open "
            "wire as a "
            "broken segment.");
  wires = small();
  wires.sense_ohm = nan_value;
  EXPECT_EQ(refusal(wires),
            "The sense resistance is 'nan ohm'; a finite resistance of 0 ohm or more is needed. Give an open wire as a "
            "broken "
            "segment.");
  wires = small();
  wires.access_ohm = infinity;
  EXPECT_EQ(refusal(wires),
            "The access resistance is 'inf ohm'; a finite resistance of 0 ohm or more is needed. Give an open wire as "
            "a broken "
            "segment.");
  wires = small();
  wires.row_state = {RowState::driven};
  EXPECT_EQ(refusal(wires), "States are given for '1' rows; one for each of the 2 rows is needed, or none.");
}

TEST(Wires, RefusesBrokenSegmentsThatDoNotExist) {
  Wires wires = small();
  wires.broken = {{Line::row, 2, 0}};
  EXPECT_EQ(refusal(wires), "A broken segment is in row '2'; this array has rows 0 to 1.");
  wires.broken = {{Line::row, 1, 3}};
  EXPECT_EQ(refusal(wires), "The broken segment of row 1 is '3'; this row has segments 0 to 2.");
  wires.drive = Drive::both_sides;
  EXPECT_EQ(refusal(wires), "(nothing was thrown)");
  wires.broken = {{Line::column, 2, 0}};
  EXPECT_EQ(refusal(wires), "The broken segment of column 2 is '0'; this column has segments 1 to 2.");
}

TEST(Wires, RefusesCellsAndVoltagesThatMakeNoSense) {
  const Wires wires = small();
  std::vector<double> cells(6, 1e-6);
  const auto refused = [&] { return message_of<InputError>([&] { branch_conductances(wires, cells); }); };
  cells[5] = -1e-6;
  EXPECT_EQ(refused(), "The cell in row 1, column 2 has the conductance '-1e-06 S'; 0 S (open) or more is needed.");
  cells[5] = nan_value;
  EXPECT_EQ(refused(), "The cell in row 1, column 2 has the conductance 'nan S'; 0 S (open) or more is needed.");
  cells[5] = infinity;
  EXPECT_EQ(refused(),
            "The cell in row 1, column 2 has the conductance 'inf S': a short without resistance, which can close a "
            "loop of zero "
            "resistance between a driver and 0 V. Give the short or its access transistor a resistance.");
  cells[5] = 1e31;
  EXPECT_TRUE(
      refused().starts_with("The cell in row 1, column 2 has the conductance '1e+31 S': a short without resistance"));
  cells.pop_back();
  EXPECT_EQ(refused(), "'5' conductances are given; an array of 2 x 3 needs 6.");
  const auto refused_V = [&](const std::vector<double>& input_V) {
    return message_of<InputError>([&] { applied_voltages(wires, input_V); });
  };
  EXPECT_EQ(refused_V({1}), "'1' input voltages are given; an array of 2 rows needs 2.");
  EXPECT_EQ(refused_V({1, infinity}), "The input voltage of row 1 is 'inf V'; a finite number is needed.");
}

}  // namespace
}  // namespace tellegen::circuits
