#include "tellegen/circuits/front_end/pair_law.h"

#include <boost/math/tools/minima.hpp>
#include <numbers>

#include "gates.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mosfet.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::pair_vectors;

double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }

/// Largest distance from the weak-inversion sigmoid, found on the currents.
double deviation_from_sigmoid(double ic) {
  double largest = 0;
  for (const double share : test::grid(1e-6, 1 - 1e-6, 4001)) {
    largest = std::max(largest, std::abs(share - sigmoid(pair_voltage(share, ic))));
  }
  return largest;
}

TEST(PairLaw, EqualsTheVectorsInAllRegions) {
  int rows = 0;
  for (const auto& row : pair_vectors("diff_pair").at("rows")) {
    const double dv = row.at("dv"), ic = row.at("ICb");
    EXPECT_NEAR(pair_shares(dv, ic).one, row.at("I1_over_Ib").get<double>(), 1e-10) << dv << ' ' << ic;
    EXPECT_NEAR(pair_shares(-dv, ic).two, row.at("I1_over_Ib").get<double>(), 1e-10) << dv << ' ' << ic;
    ++rows;
  }
  EXPECT_EQ(rows, 72);
}

TEST(PairLaw, DeviationsFromSigmoidsEqualTheVectors) {
  for (const auto& row : pair_vectors("diff_pair_region_table")) {
    const double ic = row.at("ICb");
    EXPECT_NEAR(deviation_from_sigmoid(ic), row.at("max_dev_vs_weak_sigmoid").get<double>(), 1e-10) << ic;
    EXPECT_NEAR(pair_voltage(0.99, ic), row.at("dv_99pct").get<double>(), 1e-10 * pair_voltage(0.99, ic)) << ic;
    const NearestSigmoid best = nearest_sigmoid(ic);
    EXPECT_NEAR(best.sharpness, row.at("best_tau_rel").get<double>(), 2e-4 * best.sharpness) << ic;
    EXPECT_NEAR(best.deviation, row.at("max_dev_best_tau").get<double>(), 2e-3 * best.deviation) << ic;
    EXPECT_NEAR(4 * pair_slope(0, ic), row.at("tau_centre_rel").get<double>(), 1e-12) << ic;
  }
}

TEST(PairLaw, DepartsFromTheSigmoidInProportionToInversion) {
  EXPECT_NEAR(deviation_from_sigmoid(1e-3), 1.9e-4, 0.05e-4);
  const double per_ic = deviation_from_sigmoid(1e-5) / 1e-5;
  for (const double ic : {1e-4, 1e-3}) EXPECT_RELATIVE(deviation_from_sigmoid(ic) / ic, per_ic, 5e-3);
}

TEST(PairLaw, BecomesTheSquareLawInStrongInversion) {
  for (const auto& row : pair_vectors("diff_pair_strong").at("rows")) {
    const double ic = row.at("ICb"), xi = row.at("xi");
    const PairShares shares = pair_shares(row.at("dv"), ic);
    EXPECT_NEAR(shares.one - shares.two, row.at("all_region_dI_over_Ib").get<double>(), 1e-10);
    // What is left of weak inversion falls with the root of the current.
    EXPECT_NEAR(shares.one - shares.two, 2 * xi * std::sqrt(1 - xi * xi), 0.45 / std::sqrt(ic)) << ic << ' ' << xi;
  }
}

TEST(PairLaw, ForwardAndInverseUndoEachOther) {
  for (const double ic : {1e-9, 1e-3, 0.1, 1.0, 30.0, 1e4}) {
    for (const double share : {1e-12, 1e-4, 0.1, 0.3, 0.5, 0.77, 0.999}) {
      const PairShares shares = pair_shares(pair_voltage(share, ic), ic);
      EXPECT_NEAR(shares.one, share, 2e-13 * std::max(1.0, std::sqrt(ic))) << ic;
      EXPECT_NEAR(shares.one + shares.two, 1, 1e-15);
    }
  }
  // Small shares keep their own digits.
  EXPECT_RELATIVE(pair_shares(pair_voltage(1e-12, 0.1), 0.1).one, 1e-12, 1e-10);
}

TEST(PairLaw, IsMonotoneAndFiniteEverywhere) {
  for (const double ic : {0.0, 1e-12, 1e-2, 1.0, 1e3}) {
    double before = 0;
    for (const double dv : test::grid(-2000, 2000, 4001)) {
      const PairShares shares = pair_shares(dv, ic);
      EXPECT_TRUE(shares.one >= before && shares.one <= 1) << dv << ' ' << ic;
      before = shares.one;
    }
    EXPECT_EQ(pair_shares(0, ic).one, 0.5);
  }
}

TEST(PairLaw, SlopeIsTheDerivative) {
  for (const double ic : {0.0, 0.01, 1.0, 50.0}) {
    for (const double dv : {-3.0, 0.0, 0.7, 2.5}) {
      const double h = 1e-5;
      const double by_difference = (pair_shares(dv + h, ic).one - pair_shares(dv - h, ic).one) / (2 * h);
      EXPECT_NEAR(pair_slope(dv, ic), by_difference, 1e-9);
    }
  }
}

TEST(PairLaw, TwoTransistorsWithThatSourceVoltageCarryTheTail) {
  const devices::Mosfet transistor(1.4, 0.5e-6, 0.45, test::room);
  for (const double tail_A : {1e-9, 1e-7, 1e-5}) {
    const double ic = tail_A / (2 * 0.5e-6), thermal_V = transistor.thermal_voltage_V();
    for (const double dv : {-4.0, 0.0, 2.0}) {
      const double reference_V = 0.7, gate_V = reference_V + dv * 1.4 * thermal_V;
      const double source_V = (reference_V - 0.45) / 1.4 - thermal_V * source_depth(dv, ic);
      const double one_A = transistor.current_A(gate_V, source_V, 5),
                   two_A = transistor.current_A(reference_V, source_V, 5);
      EXPECT_RELATIVE(one_A + two_A, tail_A, 1e-12);
      EXPECT_NEAR(one_A / tail_A, pair_shares(dv, ic).one, 1e-12);
    }
  }
}

/// The slope of the sigmoid nearest in the sense of least squares on the points of a simulated sweep, and the largest
/// deviation from it.
struct Fit {
  double volts = 0, deviation = 0;
};
template <class Share>
Fit least_squares_sigmoid(const Share& share, double guess_V) {
  const auto sweep_V = test::grid(-0.4, 0.4, 201);
  std::vector<double> measured;
  for (const double v : sweep_V) measured.push_back(share(v));
  const auto squares = [&](double volts) {
    double sum = 0;
    for (std::size_t k = 0; k < sweep_V.size(); ++k) {
      const double off = measured[k] - sigmoid(sweep_V[k] / volts);
      sum += off * off;
    }
    return sum;
  };
  Fit fit;
  fit.volts = boost::math::tools::brent_find_minima(squares, 0.5 * guess_V, 2 * guess_V, 50).first;
  for (std::size_t k = 0; k < sweep_V.size(); ++k) {
    fit.deviation = std::max(fit.deviation, std::abs(measured[k] - sigmoid(sweep_V[k] / fit.volts)));
  }
  return fit;
}

// What is stored of the simulated pairs are slope at the centre, best sigmoid and distance from it, and the (n, IC) of a
// fit of all currents with its residual. Two numbers go in, three of the simulator must come out.
TEST(PairLaw, SlopeAndIcOfSimulatedPairsGiveTheirCurrentsWithinTheStoredResiduals) {
  int pairs = 0;
  const double thermal_V = devices::thermal_voltage_V(300);
  for (const auto& device : pair_vectors("ngspice_pairs")) {
    for (const auto& row : device.at("pair")) {
      const double n = row.at("n_all_region_fit"), ic = row.at("ICb_all_region_fit");
      const double residual = row.at("max_dev_all_region");
      EXPECT_LE(residual, 1e-3);
      const auto share = [&](double v) { return pair_shares(v / (n * thermal_V), ic).one; };
      const Fit fit = least_squares_sigmoid(share, n * thermal_V);
      // A sigmoid moves by at most 0.224 for a relative change of its slope.
      const double slope_tolerance = 2 * residual / 0.224;
      EXPECT_RELATIVE(fit.volts / thermal_V, row.at("n_eff_best_sigmoid").get<double>(), slope_tolerance)
          << device.at("device");
      EXPECT_NEAR(fit.deviation, row.at("max_dev_best_sigmoid").get<double>(), residual) << device.at("device");
      // Centre slope by the same central difference as in the simulation. A departure as high as the residual that peaks
      // half of n kT/q from the centre has the slope pi residual / (n kT/q) there.
      const double slope_per_V = (share(0.004) - share(-0.004)) / 0.008;
      EXPECT_NEAR(slope_per_V, row.at("centre_slope_per_V").get<double>(),
                  std::numbers::pi * residual / (n * thermal_V))
          << device.at("device");
      ++pairs;
    }
  }
  EXPECT_EQ(pairs, 12);
}

// The other way round: (n, IC) from the simulated best slope and the simulated distance from it, no fit of ours.
TEST(PairLaw, BestSlopeAndShapeOfSimulatedPairsBelongToOneInversion) {
  const double thermal_V = devices::thermal_voltage_V(300);
  for (const auto& device : pair_vectors("ngspice_pairs")) {
    for (const auto& row : device.at("pair")) {
      const double shape = row.at("max_dev_best_sigmoid"), slope_n = row.at("n_eff_best_sigmoid");
      // Shape alone fixes the inversion coefficient, and slope then n.
      double low = 1e-5, high = 100;
      for (int step = 0; step < 25; ++step) {
        const double ic = std::sqrt(low * high);
        const double n = slope_n * nearest_sigmoid(ic).sharpness;
        const Fit fit =
            least_squares_sigmoid([&](double v) { return pair_shares(v / (n * thermal_V), ic).one; }, n * thermal_V);
        (fit.deviation < shape ? low : high) = ic;
      }
      const double n = slope_n * nearest_sigmoid(low).sharpness;
      const double slope_per_V = pair_slope(0, low) / (n * thermal_V);
      EXPECT_RELATIVE(slope_per_V, row.at("centre_slope_per_V").get<double>(), 0.012) << device.at("device") << row;
    }
  }
}

TEST(PairLaw, NoiseOfABalancedPairFallsFromPartitionToThermal) {
  EXPECT_EQ(balanced_noise_factor(0), 1);
  EXPECT_NEAR(balanced_noise_factor(1e-6), 1, 1e-5);
  // Strong inversion: S_I = 4 kT (2/3) n g_m of each side, g_m = 2 I / (n v_p) = I / (n kT/q sqrt(ic)): 4/3 / sqrt(ic).
  EXPECT_RELATIVE(balanced_noise_factor(1e6), 4.0 / 3 / 1e3, 2e-3);
}

}  // namespace
}  // namespace tellegen::circuits
