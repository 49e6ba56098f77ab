// Plain RC lines, whose modes and Elmore time are known.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "../crossbar/arrays.h"
#include "tellegen/circuits/crossbar/settling.h"

namespace tellegen::circuits {
namespace {

struct Line {
  Wires wires;
  std::vector<double> cell_S;
  NodeCapacitance capacitance;
};

/// One row whose end is looked at through a cell that takes no current worth mentioning: the output follows the voltage
/// at the end of the row.
Line observed_line(std::int64_t segments, double segment_ohm, double driver_ohm, double node_F) {
  Line out;
  out.wires.rows = 1;
  out.wires.columns = segments;
  out.wires.row_segment_ohm = segment_ohm;
  out.wires.driver_ohm = driver_ohm;
  out.capacitance.row_F = node_F;
  out.cell_S.assign(static_cast<std::size_t>(segments), 0);
  out.cell_S.back() = 1e-18;
  return out;
}

ModalResponse modes_of(const Line& line) {
  return std::get<ModalResponse>(modal_response(line.wires, line.cell_S, line.capacitance));
}

TEST(LineSettling, EqualsTheVectors) {
  const auto vectors = testing_support::physics_data("line_settling.json");
  ASSERT_EQ(vectors.at("rows").size(), 3);
  for (const auto& row : vectors.at("rows")) {
    const Line line = observed_line(row.at("N"), row.at("r"), row.at("Rs"), row.at("c_F"));
    const double elmore_s = row.at("elmore_s");
    const double slowest_s = row.at("slowest_tau_s");
    EXPECT_NEAR(slowest_time_bound_s(line.wires, line.cell_S, line.capacitance) / elmore_s, 1, 1e-12);
    const ModalResponse response = modes_of(line);
    EXPECT_NEAR(response.time_constants_s()[0] / slowest_s, 1, 1e-10);
    EXPECT_NEAR(half_step_time_s(elmore_s, 8) / row.at("elmore*(B+1)ln2_8b").get<double>(), 1, 1e-12);
    EXPECT_NEAR(half_step_time_s(slowest_s, 8) / row.at("slowest_tau*(B+1)ln2_8b").get<double>(), 1, 1e-12);
    const double settled_A = response.transfer_S().back();
    for (const int bits : {6, 8}) {
      const double on_grid_s = row.at("t_settle_half_LSB_" + std::to_string(bits) + "b");
      const double grid_s = 12 * slowest_s / 2000;
      const double time_s = response.settling_time_s(std::vector{1.0}, std::ldexp(settled_A, -(bits + 1)));
      EXPECT_GE(time_s, on_grid_s * (1 - 1e-12)) << line.wires.columns << ' ' << bits;
      EXPECT_LE(time_s, on_grid_s + grid_s) << line.wires.columns << ' ' << bits;
    }
  }
}

/// A uniform line without driver resistance: tau_k = r c / (4 sin^2 [(2k - 1) pi / (2 (2N + 1))]).
TEST(LineSettling, UniformLineHasItsKnownModes) {
  constexpr int segments = 20;
  const ModalResponse response = modes_of(observed_line(segments, 3, 0, 2e-15));
  ASSERT_EQ(response.time_constants_s().size(), segments);
  for (int k = 1; k <= segments; ++k) {
    const double sine = std::sin((2 * k - 1) * std::numbers::pi / (2 * (2 * segments + 1)));
    EXPECT_NEAR(response.time_constants_s()[static_cast<std::size_t>(k - 1)] / (3 * 2e-15 / (4 * sine * sine)), 1,
                1e-12);
  }
}

/// One node: the charge of one capacitance through one resistance.
TEST(LineSettling, OneNodeChargesExponentially) {
  Line line = observed_line(1, 1000, 500, 2e-15);
  line.cell_S = {1e-3};
  const double tau_s = 2e-15 / (1.0 / 1500 + 1e-3);
  const double settled_A = 0.1 / 2500;
  const ModalResponse response = modes_of(line);
  EXPECT_NEAR(response.time_constants_s()[0] / tau_s, 1, 1e-14);
  const std::vector<VoltageStep> steps{{0, 0, 0.1}};
  for (const double time_s : {0.0, 0.3e-12, 1e-12, 20e-12}) {
    EXPECT_NEAR(response.currents_A(steps, time_s)[0], settled_A * -std::expm1(-time_s / tau_s), 1e-14 * settled_A);
  }
  const double tolerance_A = settled_A / 1000;
  EXPECT_NEAR(response.settling_time_s(std::vector{0.1}, tolerance_A) / (tau_s * std::log(1000)), 1, 1e-11);
  EXPECT_EQ(response.settling_time_s(std::vector{0.1}, 2 * settled_A), 0);
}

TEST(LineSettling, RefusesNonsense) {
  const Line line = observed_line(4, 1, 0, 1e-15);
  const auto message = [&](const NodeCapacitance& capacitance) {
    try {
      slowest_time_bound_s(line.wires, line.cell_S, capacitance);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message({-1e-15, 0}),
            "The capacitance of a row node is '-1e-15 F'; a finite capacitance of 0 F or more is needed.");
  EXPECT_EQ(message({0, std::numeric_limits<double>::quiet_NaN()}),
            "The capacitance of a column node is 'nan F'; a finite capacitance of 0 F or more is needed.");
  const ModalResponse response = modes_of(line);
  EXPECT_THROW(response.settling_time_s(std::vector{1.0}, 0), InputError);
  EXPECT_THROW(response.currents_A(std::vector<VoltageStep>{{0, 1, 0.1}}, 1e-9), InputError);
  EXPECT_THROW(response.currents_A(std::vector<VoltageStep>{{1e-12, 0, 0.1}, {0, 0, 0.2}}, 1e-9), InputError);
}

TEST(LineSettling, ManyNodesAreRefused) {
  Line line = observed_line(2100, 1, 1, 1e-15);
  const auto outcome = modal_response(line.wires, line.cell_S, line.capacitance);
  ASSERT_TRUE(std::holds_alternative<Refusal>(outcome));
  EXPECT_EQ(std::get<Refusal>(outcome).reason,
            "All modes of an array with 2100 nodes are asked for; dense eigenvalues are computed for at most 2048 "
            "nodes.");
}

}  // namespace
}  // namespace tellegen::circuits
