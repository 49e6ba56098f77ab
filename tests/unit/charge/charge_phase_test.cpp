// Charge is kept, energy is not made, reads in several phases do what they are for.

#include "tellegen/circuits/crossbar/charge_phase.h"

#include <gtest/gtest.h>

#include "charge_arrays.h"
#include "tellegen/devices/fecap/charge_read.h"

namespace tellegen::circuits {
namespace {

using testing_support::largest;
using testing_support::largest_difference;
using testing_support::random_charges;
using testing_support::refusal_of;
using testing_support::TestCharges;
using testing_support::Uniform;

ChargePhase evaluate(const TestCharges& charges) {
  ChargePhase out;
  out.row_state = charges.row_state;
  out.row_V = charges.row_V;
  return out;
}

std::vector<std::uint8_t> all_held(const ChargeArray& array) {
  return std::vector<std::uint8_t>(static_cast<std::size_t>(array.columns), 1);
}

TEST(ChargePhase, OneColumnEqualsTheVectors) {
  const auto& vectors = devices::test::fecap_vectors("charge_mac");
  ChargeArray array{4, 1, vectors.at("C_F"), {}, {vectors.at("C_par_F").get<double>()}, 0};
  ChargePhase phase;
  phase.row_V = vectors.at("V").get<std::vector<double>>();
  const ChargeStep shared = settle(array, at_rest(array), phase);
  EXPECT_RELATIVE(shared.state.column_V[0], vectors.at("passive_share_V").get<double>(), 1e-12);
  phase.held = {1};
  const ChargeStep held = settle(array, at_rest(array), phase);
  EXPECT_RELATIVE(-held.column_C[0], vectors.at("Q_C").get<double>(), 1e-12);
  EXPECT_RELATIVE(held.source_J, vectors.at("energy_per_read_J").get<double>(), 1e-12);
  EXPECT_RELATIVE(held.dissipated_J(), held.source_J / 2, 1e-12);
}

TEST(ChargePhase, FloatingColumnsEqualTheVectors) {
  const auto& vectors = devices::test::fecap_vectors("capacitive_crossbar_floating_columns");
  ChargeArray array{3, 2, testing_support::flat(vectors.at("C")), {}, vectors.at("C_par"), 0};
  ChargePhase phase;
  phase.row_V = vectors.at("V_rows").get<std::vector<double>>();
  const ChargeStep step = settle(array, at_rest(array), phase);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_RELATIVE(step.state.column_V[j], vectors.at("V_cols")[j].get<double>(), 1e-12);
  }
}

/// The charge of every floating line, counted capacitance by capacitance.
TEST(ChargePhase, FloatingLinesKeepTheirCharge) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const TestCharges charges = random_charges(seed, true);
    const ChargeArray& array = charges.array;
    const ChargeStep step = settle(array, at_rest(array), evaluate(charges));
    const auto& row_V = step.state.row_V;
    const auto& column_V = step.state.column_V;
    for (std::int64_t j = 0; j < array.columns; ++j) {
      const double v_V = column_V[static_cast<std::size_t>(j)];
      double charge_C = array.column_to_ground(j) * v_V;
      for (std::int64_t i = 0; i < array.rows; ++i)
        charge_C += array.cell(i, j) * (v_V - row_V[static_cast<std::size_t>(i)]);
      for (const std::int64_t other : {j - 1, j + 1}) {
        if (other >= 0 && other < array.columns) {
          charge_C += array.neighbour_F * (v_V - column_V[static_cast<std::size_t>(other)]);
        }
      }
      EXPECT_NEAR(charge_C, 0, 1e-29) << seed;
    }
    for (std::int64_t i = 0; i < array.rows; ++i) {
      const double v_V = row_V[static_cast<std::size_t>(i)];
      double charge_C = array.row_to_ground(i) * v_V;
      for (std::int64_t j = 0; j < array.columns; ++j)
        charge_C += array.cell(i, j) * (v_V - column_V[static_cast<std::size_t>(j)]);
      const RowState state = charges.row_state[static_cast<std::size_t>(i)];
      EXPECT_NEAR(step.row_C[static_cast<std::size_t>(i)], state == RowState::floating ? 0 : charge_C, 1e-29) << seed;
      if (state == RowState::grounded) {
        EXPECT_EQ(v_V, 0);
      } else if (state == RowState::floating) {
        EXPECT_NEAR(charge_C, 0, 1e-29) << seed;
      }
    }
  }
}

TEST(ChargePhase, HeatIsNeverNegative) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const TestCharges charges = random_charges(seed, true);
    const ChargeArray& array = charges.array;
    Uniform uniform(seed);
    std::vector<ChargePhase> phases;
    for (int k = 0; k < 4; ++k) {
      ChargePhase phase = evaluate(charges);
      phase.row_V = uniform.numbers(array.rows, -0.3, 0.3);
      phase.column_V = uniform.numbers(array.columns, -0.1, 0.1);
      for (std::int64_t j = 0; j < array.columns; ++j) phase.held.push_back(uniform.chance(0.3) ? 1 : 0);
      phases.push_back(phase);
    }
    double stored_J = 0;
    ChargeStep last;
    for (const ChargeStep& step : settle_all(array, phases)) {
      EXPECT_GE(step.dissipated_J(), -1e-12 * std::abs(step.source_J)) << seed;
      stored_J += step.stored_J;
      last = step;
    }
    EXPECT_RELATIVE(stored_J, stored_energy_J(array, last.state), 1e-10);
  }
}

/// Reset, open (the switches put in charge), evaluate: the difference of the last two is free of what the switches did.
TEST(ChargePhase, CorrelatedDoubleSamplingRemovesInjection) {
  TestCharges charges = random_charges(7, false);
  const ChargeArray& array = charges.array;
  ChargePhase reset, open, read = evaluate(charges);
  reset.row_V = open.row_V = std::vector<double>(charges.row_V.size());
  reset.held = all_held(array);
  reset.column_V.assign(reset.held.size(), 0.2);
  open.injected_C = Uniform(3).numbers(array.columns, -2e-16, 0);
  const auto steps = settle_all(array, std::vector{reset, open, read});
  const auto clean = settle(array, at_rest(array), read);
  std::vector<double> difference_V;
  for (std::size_t j = 0; j < reset.held.size(); ++j) {
    difference_V.push_back(steps[2].state.column_V[j] - steps[1].state.column_V[j]);
  }
  EXPECT_GT(largest_difference(steps[1].state.column_V, reset.column_V), 1e-4);
  EXPECT_LE(largest_difference(difference_V, clean.state.column_V), 1e-14);
}

/// Two columns with 1:1 capacitance that are connected again and again give binary weights: the serial charge DAC.
TEST(ChargePhase, ConnectedColumnsShareTheirCharge) {
  ChargeArray array{1, 2, {0, 0}, {}, {10e-15, 10e-15}, 0};
  double wanted_V = 0;
  std::vector<ChargePhase> phases;
  for (const int bit : {1, 0, 1, 1}) {
    ChargePhase load, share;
    load.row_V = share.row_V = {0};
    load.held = {1, 0};
    load.column_V = {0.8 * bit, 0};
    share.group = {5, 5};
    phases.push_back(load);
    phases.push_back(share);
    wanted_V = (wanted_V + 0.8 * bit) / 2;
  }
  const auto steps = settle_all(array, phases);
  EXPECT_NEAR(steps.back().state.column_V[0], wanted_V, 1e-15);
  EXPECT_EQ(steps.back().state.column_V[0], steps.back().state.column_V[1]);
}

TEST(ChargePhase, RefusesNonsense) {
  const ChargeArray array{2, 2, {1e-15, 0, 1e-15, 0}, {}, {}, 0};
  ChargePhase phase;
  phase.row_V = {0.1};
  const auto message = [&] { return refusal_of([&] { settle(array, at_rest(array), phase); }); };
  EXPECT_EQ(message(), "A phase gives '1' row voltages; 2 are needed.");
  phase.row_V = {0.1, 0.2};
  EXPECT_EQ(message(),
            "Column 1 floats and has no capacitance to ground or to anything that is held; give it one, or hold it.");
  phase.held = {0, 1};
  phase.group = {1, 1};
  EXPECT_EQ(message(),
            "Column 1 is connected to others of group '1', and one of them is held; only floating columns can be "
            "connected.");
  phase.group.clear();
  phase.row_state = {RowState::floating, RowState::floating};
  EXPECT_EQ(message(),
            "Row 0 floats and has no capacitance to ground or to anything that is held; give it one, or hold it.");
  phase.row_state = {RowState::floating};
  EXPECT_EQ(message(), "States are given for '1' rows; one for each of the 2 rows is needed, or none.");
}

}  // namespace
}  // namespace tellegen::circuits
