// Closed forms, symmetries and extremes of the transfer matrix.
#include <gtest/gtest.h>

#include "arrays.h"
#include "tellegen/circuits/crossbar/connectivity.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using namespace testing_support;

std::vector<double> transfer_of(const TestArray& array) { return collapse(array.wires, array.cell_S).transfer(); }

std::size_t at(std::int64_t row, std::int64_t column, std::int64_t width) {
  return static_cast<std::size_t>(row * width + column);
}

std::vector<double> transposed(const std::vector<double>& matrix, std::int64_t rows, std::int64_t columns) {
  std::vector<double> out(matrix.size());
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < columns; ++j) out[at(j, i, rows)] = matrix[at(i, j, columns)];
  }
  return out;
}

TEST(TransferLimits, WithoutAnyResistanceItIsTheConductanceMatrix) {
  TestArray array = plain_array(13, 21, 1);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 0;
  for (const Drive drive : {Drive::one_side, Drive::both_sides}) {
    for (const Sense sense : {Sense::one_end, Sense::both_ends, Sense::alternate}) {
      array.wires.drive = drive;
      array.wires.sense = sense;
      EXPECT_EQ(transfer_of(array), transposed(array.cell_S, 13, 21));
    }
  }
}

TEST(TransferLimits, WithoutWiresEachCellOfARowSharesTheDriver) {
  TestArray array = plain_array(6, 9, 1);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 0;
  array.wires.driver_ohm = 300;
  const std::vector<double> transfer = transfer_of(array);
  for (std::int64_t i = 0; i < 6; ++i) {
    double sum_S = 0;
    for (std::int64_t j = 0; j < 9; ++j) sum_S += array.cell_S[at(i, j, 9)];
    for (std::int64_t j = 0; j < 9; ++j) {
      const double expected = array.cell_S[at(i, j, 9)] / (1 + 300 * sum_S);
      EXPECT_NEAR(transfer[at(j, i, 6)], expected, 1e-15 * expected);
    }
  }
}

/// The formula of first order in all resistances.
std::vector<double> first_order(const TestArray& array) {
  const Wires& w = array.wires;
  const auto g = [&](std::int64_t i, std::int64_t j) { return array.cell_S[at(i, j, w.columns)]; };
  std::vector<double> out(array.cell_S.size());
  for (std::int64_t j = 0; j < w.columns; ++j) {
    for (std::int64_t k = 0; k < w.rows; ++k) {
      double loss = 0;
      for (std::int64_t l = 0; l < w.columns; ++l) {
        loss += g(k, j) * (w.driver_ohm + w.row_segment_ohm * static_cast<double>(1 + std::min(j, l))) * g(k, l);
      }
      for (std::int64_t i = 0; i < w.rows; ++i) {
        loss += g(i, j) * (w.sense_ohm + w.column_segment_ohm * static_cast<double>(w.rows - std::max(i, k))) * g(k, j);
      }
      out[at(j, k, w.rows)] = g(k, j) - loss;
    }
  }
  return out;
}

TEST(TransferLimits, SmallResistancesGiveTheIdealProductAtFirstOrder) {
  const auto with_scale = [](double scale) {
    TestArray array = plain_array(12, 10, 4);
    array.wires.row_segment_ohm = 0.5 * scale;
    array.wires.column_segment_ohm = 0.7 * scale;
    array.wires.driver_ohm = 5 * scale;
    array.wires.sense_ohm = 3 * scale;
    return array;
  };
  const TestArray coarse = with_scale(1);
  const TestArray fine = with_scale(0.5);
  const std::vector<double> ideal = transposed(coarse.cell_S, 12, 10);
  const double to_ideal = largest_difference(transfer_of(coarse), ideal) / largest_difference(transfer_of(fine), ideal);
  EXPECT_NEAR(to_ideal, 2, 0.05);
  const double to_formula = largest_difference(transfer_of(coarse), first_order(coarse)) /
                            largest_difference(transfer_of(fine), first_order(fine));
  EXPECT_NEAR(to_formula, 4, 0.1);
}

TEST(TransferLimits, UniformArrayLosesWhatAnIndependentProgramFinds) {
  const nlohmann::json rows = physics_data("crossbar_circuit.json")["uniform_array"];
  ASSERT_FALSE(rows.empty());
  for (const auto& each : rows) {
    TestArray array = plain_array(each["N"], each["N"], 1);
    array.wires.row_segment_ohm = array.wires.column_segment_ohm = each["r_per_cell"];
    const double g_S = each["G"];
    std::fill(array.cell_S.begin(), array.cell_S.end(), g_S);
    const std::vector<double> transfer = transfer_of(array);
    const auto [least, most] = std::minmax_element(transfer.begin(), transfer.end());
    EXPECT_NEAR(*least / g_S, each["T_min_over_G"].get<double>(), 1e-10);
    EXPECT_NEAR(*most / g_S, each["T_max_over_G"].get<double>(), 1e-10);
  }
}

/// Inputs and outputs exchanged: turned over the falling diagonal, so that row wires become column wires.
TEST(TransferLimits, ReciprocityTransposesWithSwappedResistances) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Uniform uniform(seed);
    TestArray array = plain_array(uniform.integer(1, 30), uniform.integer(1, 30), seed);
    Wires& w = array.wires;
    w.row_segment_ohm = uniform(0.1, 5);
    w.column_segment_ohm = uniform(0.1, 5);
    w.driver_ohm = uniform(0, 100);
    w.sense_ohm = uniform(0, 100);
    TestArray turned = array;
    std::swap(turned.wires.rows, turned.wires.columns);
    std::swap(turned.wires.row_segment_ohm, turned.wires.column_segment_ohm);
    std::swap(turned.wires.driver_ohm, turned.wires.sense_ohm);
    for (std::int64_t i = 0; i < w.rows; ++i) {
      for (std::int64_t j = 0; j < w.columns; ++j) {
        turned.cell_S[at(w.columns - 1 - j, w.rows - 1 - i, w.rows)] = array.cell_S[at(i, j, w.columns)];
      }
    }
    const std::vector<double> transfer = transfer_of(array);
    const std::vector<double> other = transfer_of(turned);
    for (std::int64_t i = 0; i < w.rows; ++i) {
      for (std::int64_t j = 0; j < w.columns; ++j) {
        const double expected = transfer[at(j, i, w.rows)];
        EXPECT_NEAR(other[at(w.rows - 1 - i, w.columns - 1 - j, w.columns)], expected, 1e-13 * expected);
      }
    }
  }
}

/// Rows may change places where column wires have no resistance, columns where row wires have none.
TEST(TransferLimits, LinesOnPerfectWiresMayChangePlaces) {
  TestArray array = plain_array(20, 15, 2);
  array.wires.column_segment_ohm = 0;
  array.wires.sense_ohm = 20;
  TestArray moved = array;
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int64_t j = 0; j < 15; ++j) moved.cell_S[at((7 * i + 3) % 20, j, 15)] = array.cell_S[at(i, j, 15)];
  }
  const std::vector<double> transfer = transfer_of(array);
  const std::vector<double> other = transfer_of(moved);
  for (std::int64_t i = 0; i < 20; ++i) {
    for (std::int64_t j = 0; j < 15; ++j) {
      EXPECT_NEAR(other[at(j, (7 * i + 3) % 20, 20)], transfer[at(j, i, 20)], 1e-13 * transfer[at(j, i, 20)]);
    }
  }
}

TEST(TransferLimits, MillionToOneConductances) {
  for (const double wire_ohm : {1e-3, 1.0, 1e3}) {
    TestArray array = plain_array(40, 30, 3);
    Uniform uniform(4);
    for (double& cell_S : array.cell_S) cell_S = 1e-3 * std::pow(10.0, uniform(-6, 0));
    array.wires.row_segment_ohm = array.wires.column_segment_ohm = wire_ohm;
    const std::vector<double> reference = NodalReference(array.wires, array.cell_S).transfer();
    EXPECT_LT(largest_difference(transfer_of(array), reference), 1e-12 * largest(reference)) << wire_ohm;
  }
}

TEST(TransferLimits, AllOpenArrayGivesNothing) {
  TestArray array = plain_array(10, 12, 1);
  std::fill(array.cell_S.begin(), array.cell_S.end(), 0);
  EXPECT_EQ(transfer_of(array), std::vector<double>(120, 0.0));
  const NodalSolution solution = NodalReference(array.wires, array.cell_S).solve(array.input_V);
  EXPECT_EQ(solution.output_A, std::vector<double>(12, 0.0));
  EXPECT_EQ(
      warnings(connectivity(segments_of(array.wires), array.cell_S, array.wires)),
      std::vector<std::string>{"Outputs without a path to a driven row give 0 A: columns 0, 1, 2, 3, 4 and 7 more."});
}

TEST(TransferLimits, AllShortArrayIsLimitedByItsWires) {
  TestArray array = plain_array(20, 20, 1);
  std::fill(array.cell_S.begin(), array.cell_S.end(), 1e3);
  const std::vector<double> reference = NodalReference(array.wires, array.cell_S).transfer();
  EXPECT_LT(largest_difference(transfer_of(array), reference), 1e-12 * largest(reference));
  const PortNetwork ports = collapse(array.wires, array.cell_S);
  const std::vector<double> all_V(20, 1.0);
  const double total_A = dot(all_V, product(ports.transfer(), all_V));
  EXPECT_LT(total_A, 10) << "20 row and 20 column ends of 1 ohm in series";
  EXPECT_GT(total_A, 1);
}

}  // namespace
}  // namespace tellegen::circuits
