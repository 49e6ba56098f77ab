// Measured pulse-response curves: reading them, walking along them, programming with them.

#include "tellegen/devices/programming/measured_cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/devices/programming/programming.h"

namespace tellegen::devices {
namespace {

const Stream stream(5, Purpose::test, {});

/// Saturating curves between 10 and 50 uS.
PulseResponse saturating() {
  PulseResponse response{{}, {}, 1.2, -1.1, 1e-7};
  for (int n = 0; n <= 50; ++n) {
    const double share = (1 - std::exp(-n / 15.0)) / (1 - std::exp(-50 / 15.0));
    response.raising_S.push_back(10e-6 + 40e-6 * share);
    response.lowering_S.push_back(50e-6 - 40e-6 * share);
  }
  return response;
}

TEST(MeasuredCells, FollowTheCurves) {
  const PulseResponse response = saturating();
  MeasuredCells cells(response, 0.1, {10e-6, 50e-6}, {}, stream);
  const std::uint32_t both[2] = {0, 1};
  const double v[2] = {1.2, -1.1}, width[2] = {1e-7, 1e-7};
  for (std::size_t n = 1; n <= 50; ++n) {
    double energy_J[2] = {0, 0}, g_S[2];
    cells.apply({both, v, width}, energy_J);
    cells.conductances(both, g_S);
    EXPECT_NEAR(g_S[0], response.raising_S[n], 1e-15) << n;
    EXPECT_NEAR(g_S[1], response.lowering_S[n], 1e-15) << n;
    EXPECT_NEAR(energy_J[0], 1.44e-7 * 0.5 * (response.raising_S[n - 1] + response.raising_S[n]), 1e-24);
  }
  double energy_J[2] = {0, 0}, g_S[2];
  cells.apply({both, v, width}, energy_J);
  cells.conductances(both, g_S);
  EXPECT_DOUBLE_EQ(g_S[0], 50e-6) << "the curve ends here";
  EXPECT_DOUBLE_EQ(g_S[1], 10e-6);
}

TEST(MeasuredCells, HalfTheWidthIsHalfAPulse) {
  const PulseResponse response = saturating();
  MeasuredCells cells(response, 0.1, {10e-6}, {}, stream);
  const std::uint32_t cell[1] = {0};
  const double v[1] = {1.2}, width[1] = {0.5e-7};
  double energy_J[1] = {0}, g_S[1];
  cells.apply({cell, v, width}, energy_J);
  cells.conductances(cell, g_S);
  EXPECT_NEAR(g_S[0], 0.5 * (response.raising_S[0] + response.raising_S[1]), 1e-15);
}

TEST(MeasuredCells, DriveWriteVerifyAndOpenLoop) {
  std::vector<double> target_S;
  for (int i = 0; i < 200; ++i) target_S.push_back(14e-6 + 30e-6 * i / 199);
  ProgramSettings settings = around({1.2, -1.1, 1e-7, 0.1});
  MeasuredCells cells(saturating(), 0.1, std::vector<double>(200, 30e-6), {.cell = 0.3, .pulse = 0.1}, stream);
  const ProgramResult result = write_verify(cells, target_S, settings, stream);
  EXPECT_EQ(result.unconverged, 0u);
  for (std::size_t i = 0; i < 200; ++i)
    EXPECT_LE(std::abs(result.g_S[i] - target_S[i]), 0.01 * target_S[i] * (1 + 1e-12));
  MeasuredCells blind(saturating(), 0.1, std::vector<double>(200, 10e-6), {}, stream);
  const ProgramResult open = program_open_loop(blind, target_S, settings);
  // Without spread the error is at most half a pulse, 2.8 uS / 2 where the curve is steepest.
  for (std::size_t i = 0; i < 200; ++i) EXPECT_LE(std::abs(open.g_S[i] - target_S[i]), 1.4e-6);
}

/// Reads `text` from a file, or the message without the folder.
std::string message(const std::string& text, PulseResponse& response) {
  const auto path = std::filesystem::temp_directory_path() / "tellegen_pulse_curves.csv";
  std::ofstream(path) << text;
  try {
    read_pulse_curves(path, response);
    return "";
  } catch (const InputError& error) {
    const std::string all = error.what();
    return all.substr(all.find("tellegen_pulse"));
  }
}

TEST(PulseCurves, AreRead) {
  PulseResponse response;
  ASSERT_EQ(message("# remark\npulse,raising_S,lowering_S\n0,1e-5,5e-5\n1,2e-5,4e-5\n2,2.5e-5,3.5e-5\n", response), "");
  EXPECT_EQ(response.raising_S, (std::vector<double>{1e-5, 2e-5, 2.5e-5}));
  EXPECT_EQ(response.lowering_S, (std::vector<double>{5e-5, 4e-5, 3.5e-5}));
}

TEST(PulseCurves, SayWhatIsWrong) {
  PulseResponse r;
  const std::string head = "pulse,raising_S,lowering_S\n";
  EXPECT_EQ(message("a,b,c\n", r),
            "tellegen_pulse_curves.csv:1: 'a,b,c' must be the header 'pulse,raising_S,lowering_S'.");
  EXPECT_EQ(message(head + "0,1e-5\n", r),
            "tellegen_pulse_curves.csv:2: '0,1e-5' needs three finite numbers separated by commas: "
            "pulse,raising_S,lowering_S.");
  EXPECT_EQ(message(head + "0,1e-5,nan\n", r),
            "tellegen_pulse_curves.csv:2: '0,1e-5,nan' needs three finite numbers separated by commas: "
            "pulse,raising_S,lowering_S.");
  EXPECT_EQ(message(head + "1,1e-5,2e-5\n", r),
            "tellegen_pulse_curves.csv:2: pulse '1' must be 0: pulses count up from 0 without gaps.");
  EXPECT_EQ(message(head + "0,2e-5,5e-5\n1,1e-5,4e-5\n", r),
            "tellegen_pulse_curves.csv:3: raising_S '1e-05' must be above the line before ('2e-05'); average repeated "
            "measurements first.");
  EXPECT_EQ(message(head + "0,1e-5,4e-5\n1,2e-5,4e-5\n", r),
            "tellegen_pulse_curves.csv:3: lowering_S '4e-05' must be below the line before ('4e-05'); average repeated "
            "measurements first.");
  EXPECT_EQ(message(head + "0,-1e-5,4e-5\n", r),
            "tellegen_pulse_curves.csv:2: a conductance is negative; conductances must be at least 0 S.");
  EXPECT_EQ(message(head + "0,1e-5,4e-5\n", r),
            "tellegen_pulse_curves.csv: holds 1 lines of data; at least 2 are needed, under the header "
            "'pulse,raising_S,lowering_S'.");
}

}  // namespace
}  // namespace tellegen::devices
