// Cells that do not follow Ohm's law, on a chip: against the law cell by cell, against the circuit, and what the whole
// chip makes of it.

#include <gtest/gtest.h>

#include <cmath>

#include "engine_fixture.h"
#include "tellegen/circuits/crossbar/nonlinear.h"
#include "tellegen/sim/engine/law_reads.h"
#include "tellegen/sim/engine/law_tile.h"

namespace tellegen::sim {
namespace {

constexpr std::int64_t kRows = 12, kCount = 7;
constexpr int kOutputs = 5;
constexpr double kReadV = 0.3;

/// `chip:` with a law, and random cells of a tile of it.
struct LawCase {
  mapping::ChipConfig chip;
  TileCells cells;
  std::vector<double> drives = std::vector<double>(kCount * kRows);

  explicit LawCase(const std::string& yaml, float read_noise = 0) {
    mapping::ChipFile file;
    read_config_text("chip: {dac: {v_read: 0.3 V}, " + yaml + "}", "test.yaml", file);
    chip = file.chip;
    cells.layout = mapping::make_layout({}, kOutputs, Conductance::si(50e-6), Conductance::si(225e-6));
    cells.rows = kRows;
    cells.read.mean_S.resize(static_cast<std::size_t>(kRows * cells.layout.physical_columns));
    Stream(1, Purpose::test, {}).uniforms(0, cells.read.mean_S);
    for (float& g_S : cells.read.mean_S) g_S = 50e-6F + 175e-6F * g_S;
    if (read_noise > 0) {
      for (const float g_S : cells.read.mean_S) cells.read.variance_S2.push_back(read_noise * read_noise * g_S * g_S);
    }
    for (std::size_t k = 0; k < drives.size(); ++k) drives[k] = std::sin(1.7 * static_cast<double>(k));
  }
  double cell(std::int64_t i, int column) const {
    return static_cast<double>(cells.read.mean_S[static_cast<std::size_t>(i * cells.layout.physical_columns + column)]);
  }
};

struct Currents {
  std::vector<double> line_A = std::vector<double>(kCount * kOutputs);
  double power_W = 0;
};

Currents currents(const LawCase& given, bool by_width = false, std::uint64_t seed = 1) {
  const auto tile = make_law_tile<double>(given.chip, given.cells);
  Currents out;
  LawScratch<double> scratch;
  out.power_W = law_currents(tile, given.cells.layout, {kReadV, by_width}, given.drives.data(), kRows, kRows, kCount,
                             Stream(seed, Purpose::read_noise, {}), 0, out.line_A.data(), scratch);
  return out;
}

/// The law cell by cell, in the order of the definition.
Currents cell_by_cell(const LawCase& given, bool by_width) {
  const devices::CellLaw law = given.chip.device.iv.make();
  Currents out;
  for (std::int64_t r = 0; r < kCount; ++r) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      const double u = given.drives[static_cast<std::size_t>(r * kRows + i)];
      const double volt = by_width ? std::copysign(kReadV, u) : u * kReadV;
      const double share = by_width ? std::fabs(u) : 1;
      for (int c = 0; c < given.cells.layout.physical_columns; ++c) {
        const double ampere =
            std::visit([&](const auto& known) { return known.current_A(given.cell(i, c), volt); }, law);
        out.power_W += share * volt * ampere;
        const int sign = c % 2 == 0 ? 1 : -1;
        out.line_A[static_cast<std::size_t>(r * kOutputs + c / 2)] += sign * share * ampere;
      }
    }
  }
  return out;
}

class EveryLaw : public testing::TestWithParam<const char*> {};

TEST_P(EveryLaw, WithoutWiresEachCellHasTheCurrentOfItsLaw) {
  const LawCase given(std::string("device: {iv: {law: ") + GetParam() + ", v0: 0.25 V}}");
  for (const bool by_width : {false, true}) {
    const Currents got = currents(given, by_width), expected = cell_by_cell(given, by_width);
    for (std::size_t k = 0; k < got.line_A.size(); ++k) EXPECT_NEAR(got.line_A[k], expected.line_A[k], 2e-7 * 300e-6);
    EXPECT_NEAR(got.power_W, expected.power_W, 1e-6 * expected.power_W);
  }
}

/// Newton's method with hardly any wire is the same; with 5 ohm it is the operating point of the circuit.
TEST_P(EveryLaw, WithWiresReadsAreOperatingPointsOfTheCircuit) {
  const std::string law = std::string("device: {iv: {law: ") + GetParam() + ", v0: 0.25 V}}, crossbar: ";
  const Currents thin = currents(LawCase(law + "{fidelity: circuit, row_wire: 1e-6 ohm, column_wire: 1e-6 ohm}"));
  const LawCase given(law + "{fidelity: circuit, row_wire: 5 ohm, column_wire: 5 ohm}");
  const Currents ideal = cell_by_cell(given, false), got = currents(given);
  const int columns = given.cells.layout.physical_columns;
  const std::vector<double> cell_S(given.cells.read.mean_S.begin(), given.cells.read.mean_S.end());
  const auto array_law = circuits::array_law(given.chip.device.iv.make(), cell_S);
  double largest_change = 0;
  for (std::size_t r = 0; r < kCount; ++r) {
    std::vector<double> volts;
    for (std::size_t i = 0; i < kRows; ++i) volts.push_back(kReadV * given.drives[r * kRows + i]);
    const auto outcome =
        circuits::solve_nonlinear(given.chip.crossbar.wires.wires(kRows, columns), array_law, volts, 1e-12);
    const auto& output_A = std::get<circuits::NonlinearSolution>(outcome).nodes.output_A;
    for (std::size_t j = 0; j < kOutputs; ++j) {
      const std::size_t at = r * kOutputs + j;
      EXPECT_NEAR(thin.line_A[at], ideal.line_A[at], 1e-6 * 300e-6);
      EXPECT_NEAR(got.line_A[at], output_A[2 * j] - output_A[2 * j + 1], 1e-9 * 300e-6);
      largest_change = std::max(largest_change, std::fabs(got.line_A[at] - ideal.line_A[at]));
    }
  }
  EXPECT_GT(largest_change, 1e-6) << "5 ohm must be seen";
}

INSTANTIATE_TEST_SUITE_P(CellLaw, EveryLaw, testing::Values("sinh", "cubic", "milo"));

/// Rows that share a column are on together for the shorter of two pulses: charge against sums over many short steps.
TEST(CellLaw, PulsesOfSeveralWidthsThroughWiresAreIntegratedInTime) {
  LawCase given(
      "device: {iv: {law: sinh, v0: 0.1 V}}, crossbar: {fidelity: circuit, row_wire: 20 ohm, column_wire: 20 ohm}");
  for (double& u : given.drives) u = std::round(8 * u) / 8;
  const Currents got = currents(given, true);
  const std::vector<double> cell_S(given.cells.read.mean_S.begin(), given.cells.read.mean_S.end());
  const auto array_law = circuits::array_law(given.chip.device.iv.make(), cell_S);
  const circuits::Wires wires = given.chip.crossbar.wires.wires(kRows, given.cells.layout.physical_columns);
  for (std::size_t r = 0; r < kCount; ++r) {
    std::vector<double> charge(kOutputs);
    for (int step = 0; step < 8; ++step) {
      std::vector<double> volts;
      for (std::size_t i = 0; i < kRows; ++i) {
        const double u = given.drives[r * kRows + i];
        volts.push_back(8 * std::fabs(u) > step ? std::copysign(kReadV, u) : 0);
      }
      const auto outcome = circuits::solve_nonlinear(wires, array_law, volts, 1e-12);
      const auto& output_A = std::get<circuits::NonlinearSolution>(outcome).nodes.output_A;
      for (std::size_t j = 0; j < kOutputs; ++j) charge[j] += (output_A[2 * j] - output_A[2 * j + 1]) / 8;
    }
    for (std::size_t j = 0; j < kOutputs; ++j) EXPECT_NEAR(got.line_A[r * kOutputs + j], charge[j], 1e-9 * 1e-3);
  }
}

/// Drawn cells (milo) and closed form (sinh): the deviation of a line is that of the current of its cells.
TEST(CellLaw, ReadNoiseIsThatOfTheCellsAtTheirVoltage) {
  constexpr int draws = 3000;
  for (const char* name : {"sinh", "milo"}) {
    const LawCase given(std::string("device: {iv: {law: ") + name + ", v0: 0.25 V}}", 0.03F);
    const devices::CellLaw law = given.chip.device.iv.make();
    std::vector<double> sum(kOutputs), squares(kOutputs), expected(kOutputs);
    for (std::uint64_t seed = 0; seed < draws; ++seed) {
      const Currents got = currents(given, false, 100 + seed);
      for (std::size_t j = 0; j < kOutputs; ++j) {
        sum[j] += got.line_A[j];
        squares[j] += got.line_A[j] * got.line_A[j];
      }
    }
    for (std::int64_t i = 0; i < kRows; ++i) {
      for (int c = 0; c < 2 * kOutputs; ++c) {
        const double g_S = given.cell(i, c), v_V = kReadV * given.drives[static_cast<std::size_t>(i)];
        const auto at = [&](double s) { return std::visit([&](const auto& l) { return l.current_A(s, v_V); }, law); };
        const double slope_V = (at(1.001 * g_S) - at(0.999 * g_S)) / (0.002 * g_S);
        expected[static_cast<std::size_t>(c / 2)] += std::pow(slope_V * 0.03 * g_S, 2);
      }
    }
    for (std::size_t j = 0; j < kOutputs; ++j) {
      const double got = (squares[j] - sum[j] * sum[j] / draws) / (draws - 1);
      // 5.5 standard errors of a variance, and 1 % for what is of second order in 3 % noise.
      EXPECT_NEAR(got / expected[j], 1, 5.5 * std::sqrt(2.0 / draws) + 0.01) << name << " " << j;
    }
  }
}

const std::string kChip = R"(
chip: {device: {model: ideal}, dac: {bits: 8}, adc: {bits: ideal}, drift_compensation: none}
evaluate: {samples: 64, chips: 1, calibration_samples: 64, precision: double}
)";

RunResult run(const Overrides& overrides) {
  return Session(test::kCosts).run(test::experiment("mlp_mnist", kChip, overrides));
}

/// One height of all pulses sees one conductance: the law changes the energy and nothing else.
TEST(CellLaw, BitsAndPulseWidthsDoNotSeeTheLaw) {
  for (const Overrides& form : {Overrides{{"chip.dac.streaming", "bit_serial"}}, Overrides{{"chip.dac.kind", "pwm"}}}) {
    Overrides bent = form;
    bent.insert(bent.end(), {{"chip.device.iv.law", "sinh"}, {"chip.device.iv.v0", "0.1 V"}});
    const RunResult straight = run(form), curved = run(bent);
    EXPECT_EQ(straight.chips[0].predictions, curved.chips[0].predictions);
    const double more = 0.1 * std::sinh(2.0) / 0.2;  // current at v_read over Ohm's
    for (std::size_t l = 0; l < straight.events.size(); ++l) {
      const LayerSignal &a = straight.chips[0].signals[l], &b = curved.chips[0].signals[l];
      EXPECT_NEAR(b.error, a.error, 1e-6 * a.signal);
      EXPECT_NEAR(curved.events[l].cell_energy_J, more * straight.events[l].cell_energy_J,
                  1e-5 * curved.events[l].cell_energy_J);
    }
  }
}

TEST(CellLaw, HeightsOfPulsesDoSeeTheLaw) {
  const auto first_snr = [](const Overrides& overrides) { return run(overrides).chips[0].signals[0].snr_dB(); };
  const double straight = first_snr({});
  const double little = first_snr({{"chip.device.iv.law", "sinh"}, {"chip.device.iv.v0", "0.5 V"}});
  const double much = first_snr({{"chip.device.iv.law", "sinh"}, {"chip.device.iv.v0", "0.1 V"}});
  EXPECT_GT(straight, little + 10);
  EXPECT_GT(little, much + 10);
  // A chip whose fidelity is ideal is mathematics: no law.
  EXPECT_NEAR(first_snr({{"chip.device.iv.law", "sinh"}, {"chip.crossbar.fidelity", "ideal"}}), straight, 1e-9);
}

}  // namespace
}  // namespace tellegen::sim
