#include "tellegen/circuits/crossbar/noise.h"

#include <gmock/gmock.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "random_arrays.h"
#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using testing::largest;
using testing::largest_difference;
using testing::TestArray;

std::vector<double> flat(const nlohmann::json& value) {
  if (value.is_number()) return {value.get<double>()};
  std::vector<double> out;
  for (const nlohmann::json& part : value) {
    const std::vector<double> more = flat(part);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

nlohmann::json vectors() {
  return nlohmann::json::parse(std::ifstream(TELLEGEN_SOURCE_DIR "/tests/data/physics/crossbar_noise.json"));
}

Wires wires_of(const nlohmann::json& j, std::size_t rows, std::size_t columns) {
  Wires out;
  out.rows = static_cast<std::int64_t>(rows);
  out.columns = static_cast<std::int64_t>(columns);
  out.row_segment_ohm = j["rw"];
  out.column_segment_ohm = j["cw"];
  out.driver_ohm = j["Rs"];
  out.sense_ohm = j["Rt"];
  return out;
}

std::vector<double> drops_of(const TestArray& array) {
  const NodalSolution solution = LineSolver(array.wires, array.cell_S).solve(array.input_V, 1e-13).nodes;
  std::vector<double> out(solution.row_node_V);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] -= solution.column_node_V[k];
  return out;
}

TEST(Noise, SensitivitiesAreThoseOfAnIndependentAnalysis) {
  for (const nlohmann::json& j : vectors()["cases"]) {
    TestArray array;
    array.wires = wires_of(j, j["m"], j["n"]);
    array.cell_S = flat(j["G_S"]);
    array.input_V = flat(j["V"]);
    const std::vector<double> expected = flat(j["dI_dG"]);
    const std::vector<double> got = Adjoint(array.wires, array.cell_S).sensitivities(drops_of(array));
    EXPECT_LE(largest_difference(got, expected), 1e-12 * largest(expected));
  }
}

TEST(Noise, CovarianceAndThermalNoiseAreThoseOfAnIndependentAnalysis) {
  const nlohmann::json j = vectors()["noise"];
  TestArray array;
  array.cell_S = flat(j["G"]);
  array.input_V = flat(j["V"]);
  array.wires = wires_of(j, 8, 6);
  std::vector<double> variance_S2;
  for (const double g_S : array.cell_S) variance_S2.push_back(std::pow(0.5e-6 + 0.02 * g_S, 2));
  const Adjoint adjoint(array.wires, array.cell_S);
  const std::vector<double> drop_V = drops_of(array);
  const std::vector<double> expected = flat(j["cov_first_order"]);
  const std::vector<double> got = adjoint.covariance(drop_V, variance_S2);
  EXPECT_LE(largest_difference(got, expected), 1e-11 * largest(expected));
  const std::vector<double> variances = adjoint.variances(drop_V, variance_S2);
  for (std::size_t a = 0; a < 6; ++a) EXPECT_NEAR(variances[a], got[a * 6 + a], 1e-13 * variances[a]);

  const std::vector<double> thermal = flat(vectors()["thermal"]["S_A2_per_Hz_300K"]);
  for (std::size_t a = 0; a < 6; ++a) {
    EXPECT_NEAR(thermal_noise_A2_per_Hz(adjoint.output_conductances_S()[a], 300), thermal[a], 1e-11 * thermal[a]);
  }
}

class NoiseTopology : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(NoiseTopology, AdjointIsTheFiniteDifference) {
  for (TestArray array : testing::array_of_each_topology(GetParam() + 40)) {
    if (array.name == "all cells shorted") continue;  // differences of outputs that hardly exist
    SCOPED_TRACE(array.name);
    const std::vector<double> s_V = Adjoint(array.wires, array.cell_S).sensitivities(drops_of(array));
    const std::size_t cells = array.cell_S.size();
    for (std::size_t k = 0; k < cells; k += 1 + cells / 6) {
      const double g_S = array.cell_S[k];
      const double h_S = g_S > 0 ? 1e-3 * g_S : 1e-8;
      // Open cells have no neighbour below; one-sided of second order there.
      const double points[2] = {g_S > 0 ? g_S - h_S : h_S, g_S > 0 ? g_S + h_S : 2 * h_S};
      std::vector<double> at[3];
      at[2] = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
      for (int p = 0; p < 2; ++p) {
        array.cell_S[k] = points[p];
        at[p] = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
      }
      array.cell_S[k] = g_S;
      const double scale_V = largest(s_V);
      for (std::size_t j = 0; j < at[0].size(); ++j) {
        const double difference_V =
            g_S > 0 ? (at[1][j] - at[0][j]) / (2 * h_S) : (4 * at[0][j] - at[1][j] - 3 * at[2][j]) / (2 * h_S);
        EXPECT_NEAR(s_V[j * cells + k], difference_V, 1e-6 * scale_V) << "cell " << k << ", output " << j;
      }
    }
  }
}

TEST_P(NoiseTopology, OutputConductanceIsThePortNetworks) {
  for (const TestArray& array : testing::array_of_each_topology(GetParam() + 60)) {
    SCOPED_TRACE(array.name);
    const std::vector<double> got = Adjoint(array.wires, array.cell_S).output_conductances_S();
    const std::vector<double> matrix = collapse(array.wires, array.cell_S).output_admittance();
    for (std::size_t j = 0; j < got.size(); ++j) {
      EXPECT_NEAR(got[j], matrix[j * got.size() + j], 1e-11 * largest(got)) << j;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, NoiseTopology, ::testing::Values(1, 2));

TEST(Noise, AdjointAgreesWithCentralDifferencesToSevenDigits) {
  TestArray array = testing::plain_array(12, 10, 70);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 10;
  const std::vector<double> s_V = Adjoint(array.wires, array.cell_S).sensitivities(drops_of(array));
  for (std::size_t k = 0; k < 120; k += 7) {
    const double g_S = array.cell_S[k];
    const double h_S = 1e-8;
    array.cell_S[k] = g_S + h_S;
    const std::vector<double> above = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    array.cell_S[k] = g_S - h_S;
    const std::vector<double> below = NodalReference(array.wires, array.cell_S).solve(array.input_V).output_A;
    array.cell_S[k] = g_S;
    for (std::size_t j = 0; j < 10; ++j) {
      EXPECT_NEAR(s_V[j * 120 + k], (above[j] - below[j]) / (2 * h_S), 1e-7 * largest(array.input_V));
    }
  }
}

TEST(Noise, MonteCarloThroughTheReferenceHasThisCovarianceAndNotTheIdealOne) {
  // Wires of 20 ohm: neighbours matter. 5 % noise in 3000 arrays; the standard deviation of a sampled covariance is
  // sqrt((C_aa C_bb + C_ab^2) / n).
  constexpr int samples = 3000;
  TestArray array = testing::plain_array(8, 6, 71);
  array.wires.row_segment_ohm = array.wires.column_segment_ohm = 20;
  array.wires.sense_ohm = 400;
  std::vector<double> variance_S2;
  for (const double g_S : array.cell_S) variance_S2.push_back(std::pow(0.05 * g_S, 2));
  const std::vector<double> expected = Adjoint(array.wires, array.cell_S).covariance(drops_of(array), variance_S2);
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::vector<double> sum(6), products(36);
  for (int n = 0; n < samples; ++n) {
    std::vector<double> cell_S = array.cell_S;
    for (double& g_S : cell_S) g_S *= 1 + 0.05 * normal(engine);
    const std::vector<double> out = NodalReference(array.wires, cell_S).solve(array.input_V).output_A;
    for (std::size_t a = 0; a < 6; ++a) {
      sum[a] += out[a];
      for (std::size_t b = 0; b < 6; ++b) products[a * 6 + b] += out[a] * out[b];
    }
  }
  double worst = 0;
  double worst_ideal = 0;
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < 6; ++b) {
      const double got = products[a * 6 + b] / samples - sum[a] * sum[b] / samples / samples;
      const double c = expected[a * 6 + b];
      const double deviation = std::sqrt((expected[a * 7] * expected[b * 7] + c * c) / samples);
      double ideal = 0;
      for (std::size_t i = 0; a == b && i < 8; ++i) ideal += std::pow(array.input_V[i], 2) * variance_S2[i * 6 + a];
      worst = std::max(worst, std::fabs(got - c) / deviation);
      worst_ideal = std::max(worst_ideal, std::fabs(got - ideal) / deviation);
    }
  }
  EXPECT_LT(worst, 4.5);  // of 21 covariances: error rate below 2e-4
  EXPECT_GT(worst_ideal, 9);
}

}  // namespace
}  // namespace tellegen::circuits
