// Capacitive tiles against ngspice's small-signal analysis.

#include <gtest/gtest.h>

#include <limits>

#include "../unit/charge/charge_arrays.h"
#include "live.h"

namespace tellegen::circuits {
namespace {

using testing_support::product;
using testing_support::random_charges;
using testing_support::TestCharges;
using testing_support::Uniform;

constexpr double tolerance = 1e-11;

TEST(ChargeDeck, SharingEqualsNgspiceInEveryTopology) {
  for (std::uint64_t seed = 1; seed <= 15; ++seed) {
    const TestCharges charges = random_charges(seed, true);
    NGSPICE_OR_SKIP(theirs, charge_deck(charges.array, charges.row_state, charges.row_V));
    const auto ours = product(ChargeTransfer(charges.array, charges.row_state).transfer(), charges.row_V);
    EXPECT_LE(relative_difference(ours, theirs), tolerance) << seed;
  }
}

TEST(ChargeDeck, AmplifiersEqualNgspice) {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const TestCharges charges = random_charges(seed, true);
    for (const double gain : {50.0, 1e4, std::numeric_limits<double>::infinity()}) {
      const ChargeAmplifier amplifier{15e-15, gain};
      NGSPICE_OR_SKIP(theirs, charge_deck(charges.array, charges.row_state, charges.row_V, amplifier));
      const auto ours = product(ChargeTransfer(charges.array, charges.row_state, amplifier).transfer(), charges.row_V);
      EXPECT_LE(relative_difference(ours, theirs), tolerance) << seed << ' ' << gain;
    }
  }
}

TEST(ChargeDeck, LargeTileEqualsNgspice) {
  Uniform uniform(9);
  ChargeArray array{32, 32, uniform.numbers(32 * 32, 0.2e-15, 2e-15), {}, uniform.numbers(32, 5e-15, 20e-15), 1e-15};
  const std::vector<double> row_V = uniform.numbers(32, -0.3, 0.3);
  NGSPICE_OR_SKIP(theirs, charge_deck(array, {}, row_V));
  EXPECT_LE(relative_difference(product(ChargeTransfer(array, {}).transfer(), row_V), theirs), tolerance);
}

TEST(ChargeDeck, RefusesNonsense) {
  const TestCharges charges = random_charges(1, false);
  EXPECT_THROW(charge_deck(charges.array, {}, {}), InputError);
}

}  // namespace
}  // namespace tellegen::circuits
