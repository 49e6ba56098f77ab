// Wires in the chip: T in place of the ideal matrix, noise through the wires, energy of cells and wires.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/noise.h"
#include "tellegen/sim/engine/circuit_array.h"

namespace tellegen::sim {
namespace {

constexpr std::int64_t kRows = 16;
constexpr int kOutputs = 8;

mapping::Layout pairs() {
  return mapping::make_layout(mapping::EncodingConfig{}, kOutputs, Conductance::si(0), Conductance::si(100e-6));
}

std::vector<float> random_cells(std::uint32_t chip) {
  std::vector<float> cells(kRows * 2 * kOutputs);
  Stream(7, Purpose::test, {chip, 0, 0}).uniforms(0, cells);
  for (float& g : cells) g = 1e-6F + 99e-6F * g;
  return cells;
}

circuits::WireSettings wires(double ohm) {
  circuits::WireSettings settings;
  settings.row_wire = settings.column_wire = Resistance::si(ohm);
  return settings;
}

circuits::NodalSolution solve_nodal(const circuits::Wires& physical, const std::vector<double>& cells,
                                    const std::vector<double>& volts) {
  return circuits::NodalReference(physical, cells).solve(volts);
}

/// Currents of the pairs of a nodal solution.
std::vector<double> nodal_pairs(const circuits::WireSettings& settings, const std::vector<double>& cells,
                                const std::vector<double>& volts) {
  const mapping::Layout layout = pairs();
  const auto outputs = solve_nodal(settings.wires(kRows, layout.physical_columns), cells, volts).output_A;
  std::vector<double> currents;
  for (const mapping::Line& line : layout.lines) {
    currents.push_back(outputs[static_cast<std::size_t>(line.plus)] - outputs[static_cast<std::size_t>(line.minus)]);
  }
  return currents;
}

/// Variance of line j for drives u, as the array has it.
double variance_of(const circuits::Array<double>& array, std::size_t j, const std::vector<double>& u) {
  double squared = 0, shared = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    squared += u[i] * u[i] * array.variance_A2[i * kOutputs + j];
    shared += u[i] * array.shared_A[i * kOutputs + j];
  }
  return squared - shared * shared;
}

TEST(CircuitArray, MultipliesAsTheNodalEquationsDo) {
  const std::vector<float> cells = random_cells(0);
  std::vector<double> admittance;
  const auto array = CircuitArrays(wires(5)).make<double>(pairs(), kRows, cells, {}, 0.2, admittance);
  std::vector<double> drive(kRows), volts(kRows);
  for (std::size_t i = 0; i < drive.size(); ++i) {
    drive[i] = std::sin(1.0 + 3.0 * static_cast<double>(i));
    volts[i] = 0.2 * drive[i];
  }
  const std::vector<double> expected = nodal_pairs(wires(5), {cells.begin(), cells.end()}, volts);
  circuits::ArrayScratch<double> scratch;
  std::vector<double> got(kOutputs);
  circuits::read_currents(array, drive.data(), kRows, 1, Stream(1, Purpose::test, {}), 0, got.data(), scratch);
  for (std::size_t j = 0; j < got.size(); ++j) EXPECT_NEAR(got[j], expected[j], 1e-15);
  double power = 0;  // v_read^2 u' Y u is what the sources give
  for (std::size_t i = 0; i < drive.size(); ++i) {
    for (std::size_t l = 0; l < drive.size(); ++l) power += volts[i] * admittance[i * drive.size() + l] * volts[l];
  }
  const auto nodal =
      solve_nodal(wires(5).wires(kRows, 2 * kOutputs), std::vector<double>(cells.begin(), cells.end()), volts);
  EXPECT_NEAR(power, nodal.source_W, 1e-12 * nodal.source_W);
  EXPECT_NEAR(power, nodal.dissipated_W, 1e-12 * nodal.source_W);
}

/// Read noise of 5 % of each cell, seen at the pairs: against nodal equations with every cell drawn, for equal drives.
TEST(CircuitArray, NoiseIsWhatDrawnCellsGive) {
  constexpr int draws = 4000;
  const std::vector<float> cells = random_cells(1);
  std::vector<float> variance(cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) variance[k] = 0.0025F * cells[k] * cells[k];
  const circuits::WireSettings harsh = wires(40);
  std::vector<double> admittance;
  const auto array = CircuitArrays(harsh).make<double>(pairs(), kRows, cells, variance, 0.2, admittance);

  const std::vector<double> volts(kRows, 0.2);
  std::vector<double> sum(kOutputs), squares(kOutputs);
  for (int d = 0; d < draws; ++d) {
    std::vector<float> normal(cells.size());
    Stream(11, Purpose::test, {static_cast<std::uint32_t>(d), 0, 0}).normals(0, normal);
    std::vector<double> drawn(cells.size());
    for (std::size_t k = 0; k < cells.size(); ++k)
      drawn[k] = static_cast<double>(cells[k]) * (1 + 0.05 * static_cast<double>(normal[k]));
    const std::vector<double> currents = nodal_pairs(harsh, drawn, volts);
    for (std::size_t j = 0; j < sum.size(); ++j) {
      sum[j] += currents[j];
      squares[j] += currents[j] * currents[j];
    }
  }
  // 5.5 standard errors of a standard deviation (1 / sqrt(2 draws)), and 1 % for what is of second order in 5 % noise.
  const double tolerance = 5.5 / std::sqrt(2.0 * draws) + 0.01;
  int ideal_would_fail = 0;
  for (std::size_t j = 0; j < sum.size(); ++j) {
    const double drawn = spread_deviation(draws, sum[j], squares[j]);
    const double modelled = variance_of(array, j, std::vector<double>(kRows, 1.0));
    double ideal = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      const std::size_t pair = i * 2 * kOutputs + 2 * j;
      ideal += 0.04 * static_cast<double>(variance[pair] + variance[pair + 1]);
    }
    EXPECT_NEAR(drawn / std::sqrt(modelled), 1, tolerance) << "output " << j;
    if (std::abs(drawn / std::sqrt(ideal) - 1) > tolerance) ++ideal_would_fail;
  }
  EXPECT_EQ(ideal_would_fail, kOutputs) << "sensitivities without wires must not pass";
}

/// For unequal drives the variance is approximate: how far from the exact first-order one, over random inputs, at 1
/// ohm.
TEST(CircuitArray, NoiseOfUnequalDrivesIsNearTheExactOne) {
  const std::vector<float> cells = random_cells(2);
  std::vector<float> variance(cells.size());
  for (std::size_t k = 0; k < cells.size(); ++k) variance[k] = 0.0025F * cells[k] * cells[k];
  std::vector<double> admittance;
  const auto array = CircuitArrays(wires(1)).make<double>(pairs(), kRows, cells, variance, 1.0, admittance);
  const std::vector<double> exact_cells(cells.begin(), cells.end());
  const auto physical = wires(1).wires(kRows, 2 * kOutputs);
  const circuits::Adjoint adjoint(physical, exact_cells);
  double worst = 0;
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    std::vector<float> uniform(kRows);
    Stream(5, Purpose::test, {trial, 0, 0}).uniforms(0, uniform);
    const std::vector<double> volts(uniform.begin(), uniform.end());
    const auto nodes = solve_nodal(physical, exact_cells, volts);
    for (std::size_t j = 0; j < kOutputs; ++j) {
      double exact = 0;
      for (std::size_t k = 0; k < cells.size(); ++k) {
        const double drop = nodes.row_node_V[k] - nodes.column_node_V[k];
        const double s = (adjoint.drops(static_cast<std::int64_t>(2 * j))[k] -
                          adjoint.drops(static_cast<std::int64_t>(2 * j + 1))[k]) *
                         drop;
        exact += s * s * static_cast<double>(variance[k]);
      }
      worst = std::max(worst, std::abs(std::sqrt(variance_of(array, j, volts) / exact) - 1));
    }
  }
  EXPECT_LT(worst, 0.001);
}

const std::string kWired = R"(
chip:
  tile: {rows: 64, columns: 64}
  device: {model: pcm_joshi}
  crossbar: {fidelity: circuit}
evaluate: {samples: 256, chips: 2, calibration_samples: 64}
)";

TEST(CircuitChip, TendsToTheFunctionalOneAtFirstOrder) {
  const auto error_of = [](const char* ohm) {
    const RunResult wired = Session(test::kCosts)
                                .run(test::experiment("lenet_fashion", kWired,
                                                      {{"chip.device.model", "ideal"},
                                                       {"chip.dac.bits", "ideal"},
                                                       {"chip.adc.bits", "ideal"},
                                                       {"chip.crossbar.row_wire", ohm},
                                                       {"chip.crossbar.column_wire", ohm},
                                                       {"evaluate.chips", "1"},
                                                       {"evaluate.precision", "double"}}));
    return std::sqrt(wired.chips[0].signals[0].error / wired.chips[0].signals[0].signal);
  };
  const double one = error_of("0.1 ohm"), tenth = error_of("0.01 ohm");
  EXPECT_NEAR(one / tenth, 10, 0.3);
  EXPECT_LT(error_of("0 ohm"), 1e-5);
}

TEST(CircuitChip, MoreResistanceIsWorse) {
  double last = 1e9;
  for (const char* ohm : {"0 ohm", "0.5 ohm", "2 ohm", "10 ohm"}) {
    const RunResult result =
        Session(test::kCosts)
            .run(test::experiment(
                "lenet_fashion", kWired,
                {{"chip.device.model", "ideal"}, {"chip.crossbar.row_wire", ohm}, {"chip.crossbar.column_wire", ohm}}));
    for (const LayerSignal& signal : result.chips[0].signals) EXPECT_GT(signal.snr_dB(), 0) << ohm;
    const double snr = result.chips[0].signals.back().snr_dB();
    EXPECT_LT(snr, last - 1) << ohm;
    last = snr;
  }
}

TEST(CircuitChip, WithoutResistanceItIsTheFunctionalChip) {
  const Overrides none{{"chip.crossbar.row_wire", "0 ohm"}, {"chip.crossbar.column_wire", "0 ohm"}};
  const RunResult wired = Session(test::kCosts).run(test::experiment("lenet_fashion", kWired, none));
  const RunResult plain =
      Session(test::kCosts).run(test::experiment("lenet_fashion", kWired, {{"chip.crossbar.fidelity", "functional"}}));
  for (std::size_t l = 0; l < plain.plan.layers.size(); ++l) {
    EXPECT_NEAR(wired.events[l].cell_energy_J, plain.events[l].cell_energy_J, 1e-5 * plain.events[l].cell_energy_J);
  }
  EXPECT_NEAR(wired.accuracy.mean, plain.accuracy.mean, 0.01);
}

}  // namespace
}  // namespace tellegen::sim
