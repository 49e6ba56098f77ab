// The matrix of a read against the phases, against the closed forms of one column, and against drawn noise.

#include "tellegen/circuits/crossbar/charge_transfer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "charge_arrays.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/crossbar/charge_phase.h"
#include "tellegen/devices/fecap/charge_read.h"

namespace tellegen::circuits {
namespace {

using testing_support::largest;
using testing_support::largest_difference;
using testing_support::product;
using testing_support::random_charges;
using testing_support::refusal_of;
using testing_support::TestCharges;
using testing_support::Uniform;

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ChargeTransfer, EqualsThePhasesInEveryTopology) {
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    const TestCharges charges = random_charges(seed, true);
    const ChargeTransfer transfer(charges.array, charges.row_state);
    ChargePhase phase;
    phase.row_state = charges.row_state;
    phase.row_V = charges.row_V;
    phase.injected_C = Uniform(seed).numbers(charges.array.columns, -1e-16, 1e-16);
    const auto exact_V = settle(charges.array, at_rest(charges.array), phase).state.column_V;
    std::vector<double> fast_V = product(transfer.transfer(), charges.row_V);
    const auto offset_V = transfer.offsets_V(phase.injected_C);
    for (std::size_t j = 0; j < fast_V.size(); ++j) fast_V[j] += offset_V[j];
    EXPECT_LE(largest_difference(fast_V, exact_V), 1e-12 * largest(exact_V)) << seed;
  }
}

TEST(ChargeTransfer, IsTheDevicesMatrixWhereAllRowsAreDriven) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const TestCharges charges = random_charges(seed, false);
    const auto wanted = devices::floating_column_transfer(charges.array.cell_F, charges.array.column_F);
    EXPECT_LE(largest_difference(ChargeTransfer(charges.array, {}).transfer(), wanted), 1e-15 * largest(wanted));
  }
}

/// The denominator depends on what is stored; a column's total takes it out again.
TEST(ChargeTransfer, TimesTheTotalsItIsTheProduct) {
  const TestCharges charges = random_charges(5, false);
  const ChargeArray& array = charges.array;
  const auto totals_F = column_totals_F(array);
  const auto read_V = product(ChargeTransfer(array, {}).transfer(), charges.row_V);
  for (std::int64_t j = 0; j < array.columns; ++j) {
    double charge_C = 0;
    for (std::int64_t i = 0; i < array.rows; ++i)
      charge_C += array.cell(i, j) * charges.row_V[static_cast<std::size_t>(i)];
    EXPECT_NEAR(read_V[static_cast<std::size_t>(j)] * totals_F[static_cast<std::size_t>(j)], charge_C, 1e-30);
  }
}

TEST(ChargeTransfer, AmplifiersEqualTheVectorsAndTheDevice) {
  const auto& vectors = devices::test::fecap_vectors("charge_mac");
  const ChargeArray array{4, 1, vectors.at("C_F"), {}, {vectors.at("C_par_F").get<double>()}, 0};
  const std::vector<double> row_V = vectors.at("V");
  const auto output_V = [&](double gain) {
    return product(ChargeTransfer(array, {}, ChargeAmplifier{10e-15, gain}).transfer(), row_V)[0];
  };
  EXPECT_RELATIVE(output_V(infinity), vectors.at("active_ideal_V").get<double>(), 1e-12);
  for (const auto& row : vectors.at("active_finite_gain")) {
    EXPECT_RELATIVE(output_V(row.at("A0")), row.at("V").get<double>(), 1e-12);
  }
  for (const double gain : {3.0, 1e4}) {
    EXPECT_RELATIVE(output_V(gain), devices::amplifier_voltage_V(array.cell_F, row_V, array.column_F[0], 10e-15, gain),
                    1e-13);
  }
}

/// A finite gain with coupled columns and floating rows: more gain, less of the others; the error falls as 1 / gain.
TEST(ChargeTransfer, AmplifiersBecomeIdealWithTheirGain) {
  const TestCharges charges = random_charges(3, true);
  const auto output_V = [&](double gain) {
    return product(ChargeTransfer(charges.array, charges.row_state, ChargeAmplifier{20e-15, gain}).transfer(),
                   charges.row_V);
  };
  const auto ideal_V = output_V(infinity);
  const double coarse_V = largest_difference(output_V(1e4), ideal_V);
  EXPECT_GT(coarse_V, 0);
  EXPECT_NEAR(coarse_V / largest_difference(output_V(1e5), ideal_V), 10, 0.01);
}

TEST(ChargeTransfer, NoiseEqualsTheVectors) {
  const auto& vectors = devices::test::fecap_vectors("charge_mac");
  const ChargeArray array{4, 1, vectors.at("C_F"), {}, {vectors.at("C_par_F").get<double>()}, 0};
  EXPECT_RELATIVE(ChargeTransfer(array, {}).reset_noise_V(300)[0], vectors.at("ktc_passive_Vrms").get<double>(), 1e-12);
  EXPECT_RELATIVE(ChargeTransfer(array, {}, ChargeAmplifier{10e-15, infinity}).reset_noise_V(300)[0],
                  vectors.at("ktc_Cf_Vrms").get<double>(), 1e-12);
}

/// Equipartition: in a stored energy of sum K_ab v_a v_b / 2 the covariance is kT K^-1. K is read off the phases: the
/// charge that holding columns at voltages takes.
TEST(ChargeTransfer, NoiseIsThatOfTheStoredEnergy) {
  const TestCharges charges = random_charges(12, true);
  const ChargeArray& array = charges.array;
  const auto columns = static_cast<std::size_t>(array.columns);
  constexpr double thermal_J = 1.380649e-23 * 300;
  const auto covariance_V2 = ChargeTransfer(array, charges.row_state).reset_covariance_V2(300);
  ChargePhase phase;
  phase.row_state = charges.row_state;
  phase.row_V.assign(static_cast<std::size_t>(array.rows), 0);
  phase.held.assign(columns, 1);
  for (std::size_t a = 0; a < columns; ++a) {
    phase.column_V.assign(columns, 0);
    phase.column_V[a] = 1;
    const auto k_F = settle(array, at_rest(array), phase).column_C;
    for (std::size_t b = 0; b < columns; ++b) {
      double sum = 0;
      for (std::size_t c = 0; c < columns; ++c) sum += k_F[c] * covariance_V2[c * columns + b];
      EXPECT_NEAR(sum / thermal_J, a == b ? 1 : 0, 1e-12);
    }
  }
}

/// Energies drawn from the noise: half of kT for each column, whatever the capacitances are.
TEST(ChargeTransfer, DrawnNoiseStoresHalfOfKtPerColumn) {
  const TestCharges charges = random_charges(2, false);
  const ChargeArray& array = charges.array;
  const auto noise_V = ChargeTransfer(array, {}).reset_noise_V(300);
  constexpr int draws = 4000;
  std::vector<float> normals(noise_V.size() * draws);
  Stream(4, Purpose::test, {}).normals(0, normals);
  double energy_J = 0;
  ChargeState state = at_rest(array);
  for (std::size_t k = 0; k < normals.size(); k += noise_V.size()) {
    for (std::size_t j = 0; j < noise_V.size(); ++j)
      state.column_V[j] = noise_V[j] * static_cast<double>(normals[k + j]);
    energy_J += stored_energy_J(array, state) / draws;
  }
  const double columns = static_cast<double>(array.columns);
  const double wanted_J = columns * 1.380649e-23 * 300 / 2;
  EXPECT_NEAR(energy_J / wanted_J, 1, 4.5 * std::sqrt(2 / (columns * draws)));
}

TEST(ChargeTransfer, RefusesNonsense) {
  const ChargeArray array{1, 2, {1e-15, 0}, {}, {}, 0};
  EXPECT_EQ(refusal_of([&] { ChargeTransfer(array, {}); }),
            "Column 1 floats and has no capacitance to ground or to anything that is held; give it one.");
  EXPECT_EQ(refusal_of([&] {
              ChargeTransfer(array, {}, ChargeAmplifier{0, 100});
            }),
            "The feedback of the charge amplifier is '0 F'; a finite capacitance above 0 F is needed.");
  EXPECT_EQ(refusal_of([&] {
              ChargeTransfer(array, {}, ChargeAmplifier{1e-15, -1});
            }),
            "The gain of the charge amplifier is '-1'; a gain above 0 is needed.");
  const ChargeArray one{1, 1, {1e-15}, {}, {}, 0};
  EXPECT_EQ(refusal_of([&] {
              ChargeTransfer(one, {}).offsets_V(std::vector{0.0, 0.0});
            }),
            "Charges are given for '2' columns; this array has 1.");
}

}  // namespace
}  // namespace tellegen::circuits
