// Cells that are programmed pulse by pulse, as a conductance device.

#include "tellegen/devices/programming/write_verified.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

constexpr ArrayAddress address{7, {2, 5, 0}};
Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }

struct File {
  DeviceConfig device;
  void settings(Settings& v) { v.section("device", device, "the cells"); }
};

std::unique_ptr<ConductanceDevice> device(const std::string& settings) {
  File file;
  read_config_text("device: {model: write_verified" + settings + "}", "chip.yaml", file);
  return file.device.make();
}

std::vector<float> targets(const ConductanceDevice& device, std::size_t count) {
  std::vector<float> target_S(count);
  const double low_S = device.g_min().si(), range_S = device.g_max().si() - low_S;
  for (std::size_t i = 0; i < count; ++i) {
    target_S[i] = static_cast<float>(low_S + range_S * static_cast<double>(i) / static_cast<double>(count - 1));
  }
  return target_S;
}

class WriteVerified : public testing::Test {
 protected:
  // Files that a configuration names are looked for from the working directory up.
  void SetUp() override { std::filesystem::current_path(TELLEGEN_SOURCE_DIR); }
};

TEST_F(WriteVerified, IsTheSchemeOnTheCellsOfTheArray) {
  const auto d = device(", switching: {cell: 0.3, pulse: 0.2}");
  const auto target_S = targets(*d, 500);
  const ProgrammedCells programmed = d->program(target_S, address);
  // The same by hand.
  const std::shared_ptr<const MemristorModel> model = make_memristor("vteam");
  MemristorCells cells(model, 0.01, std::vector<double>(500, model->state().initial), {0.3, 0.2},
                       address.stream(Purpose::programming));
  ProgramSettings settings = around(find_memristor("vteam").pulses);
  settings.tolerance = 0.01 * (d->g_max() - d->g_min());
  settings.relative_tolerance = 0;
  const ProgramResult result = write_verify(cells, std::vector<double>(target_S.begin(), target_S.end()), settings,
                                            address.stream(Purpose::relaxation));
  std::uint64_t pulses = 0, reads = 0;
  for (std::size_t i = 0; i < 500; ++i) {
    ASSERT_EQ(programmed.g_S[i], static_cast<float>(result.g_S[i])) << i;
    pulses += result.pulses[i];
    reads += result.reads[i];
  }
  EXPECT_EQ(programmed.pulses.cells, 500u);
  EXPECT_EQ(programmed.pulses.pulses, pulses);
  EXPECT_EQ(programmed.pulses.reads, reads);
  EXPECT_EQ(programmed.pulses.unconverged, result.unconverged);
  EXPECT_EQ(programmed.pulses.energy_J, result.total_energy_J);
  EXPECT_EQ(programmed.pulses.time_s, result.total_time_s);
  EXPECT_EQ(programmed.pulses.longest_cell_s, result.longest_time_s);
}

TEST_F(WriteVerified, EveryMemristorBringsItsCellsWithinTolerance) {
  for (const std::string& name : memristor_names()) {
    const auto d = device(", memristor: {model: " + name + "}, switching: {cell: 0.2, pulse: 0.1}");
    const auto target_S = targets(*d, 2000);
    const ProgrammedCells programmed = d->program(target_S, address);
    const double tolerance_S = 0.01 * (d->g_max() - d->g_min()).si();
    std::size_t outside = 0;
    for (std::size_t i = 0; i < target_S.size(); ++i) {
      outside += std::abs(static_cast<double>(programmed.g_S[i] - target_S[i])) > tolerance_S * (1 + 1e-4);
    }
    EXPECT_EQ(outside, programmed.pulses.unconverged) << name;
    EXPECT_EQ(programmed.pulses.unconverged, 0u) << name;
  }
}

TEST_F(WriteVerified, MeasuredCurvesBringTheirCellsWithinTolerance) {
  const auto d = device(", cells: curves, switching: {cell: 0.2, pulse: 0.1}");
  const auto target_S = targets(*d, 500);
  const ProgrammedCells programmed = d->program(target_S, address);
  EXPECT_EQ(programmed.pulses.unconverged, 0u);
  EXPECT_GT(programmed.pulses.pulses, 500u);
  const double tolerance_S = 0.01 * (d->g_max() - d->g_min()).si();
  for (std::size_t i = 0; i < target_S.size(); ++i) {
    ASSERT_NEAR(programmed.g_S[i], target_S[i], tolerance_S * (1 + 1e-4)) << i;
  }
}

TEST_F(WriteVerified, DefaultsFollowTheCells) {
  const auto low = device(", memristor: {model: hp, r_on: 1 kohm}"), high = device(", memristor: {model: hp}");
  EXPECT_LT(low->g_max(), high->g_max());
  EXPECT_NEAR(low->g_max().si(), 0.1 / 16e3 + 0.9 / 1e3, 1e-9);  // a tenth below the largest conductance
  const auto curves = device(", cells: curves");
  EXPECT_NEAR(curves->g_min().si(), 19e-6, 1e-12);
  EXPECT_NEAR(curves->g_max().si(), 91e-6, 1e-12);
}

TEST_F(WriteVerified, OpenLoopDoesNotReadAndMissesMore) {
  const std::string spread = ", switching: {cell: 0.2, pulse: 0.2}";
  const auto closed = device(spread), open = device(spread + ", scheme: open_loop");
  const auto target_S = targets(*closed, 2000);
  const auto with = closed->program(target_S, address), without = open->program(target_S, address);
  EXPECT_EQ(without.pulses.reads, 0u);
  EXPECT_GT(without.pulses.unconverged, 1000u);
  EXPECT_EQ(with.pulses.unconverged, 0u);
}

TEST_F(WriteVerified, StuckCellsTakeNoPulses) {
  const auto d = device(", stuck_on: 1");
  const auto programmed = d->program(targets(*d, 100), address);
  EXPECT_EQ(programmed.pulses.cells, 0u);
  EXPECT_EQ(programmed.pulses.pulses, 0u);
  for (const float g_S : programmed.g_S) EXPECT_EQ(g_S, static_cast<float>(d->g_max().si()));
}

TEST_F(WriteVerified, AnAgeThatTheMemristorForgetsWithinIsRefused) {
  const auto d = device(", memristor: {model: knowm}");
  const auto programmed = d->program(targets(*d, 10), address);
  EXPECT_NO_THROW(d->read(programmed, after(0), address));
  try {
    d->read(programmed, after(86400), address);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(
        error.what(),
        "device.age = '1 day' is longer than the cells remember: by its equations the memristor moves by up to "
        "0.28 of its range per second without voltage; allowed: up to 3.6 ms.");
    EXPECT_NO_THROW(d->read(programmed, after(3.6e-3), address));
  }
  // The end that forgets faster counts: here the upper one.
  const auto falls = device(", memristor: {model: knowm, v_off: 0.1 V}");
  const auto fallen = falls->program(targets(*falls, 10), address);
  EXPECT_NO_THROW(falls->read(fallen, after(4.5e-6), address));
  EXPECT_THROW(falls->read(fallen, after(7e-6), address),
               InputError);  // 1 / (1 + e^(0.1 / 0.02585)) / 100 us per second
  EXPECT_NO_THROW(device("")->read(device("")->program(targets(*d, 0), address), after(86400), address));
}

TEST_F(WriteVerified, RefusesARangeThatTheCellsDoNotHave) {
  try {
    device(", g_max: 30 mS");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "device.g_max = '30 mS' is outside what a cell can be brought to; allowed: 1 mS to 20 mS.");
  }
}

TEST_F(WriteVerified, ItsPageNamesEveryMemristorWhoseSettingsItDoesNotList) {
  const std::string page = write_verified_entry().equations;
  for (const std::string& name : memristor_names()) {
    EXPECT_NE(page.find(name == "vteam" ? "memristor.model is vteam unless set" : " " + name), std::string::npos)
        << name;
  }
}

TEST_F(WriteVerified, AnArrayOf150By150TakesLessThanASecond) {
  const auto d = device(", switching: {cell: 0.2, pulse: 0.1}");
  const auto target_S = targets(*d, 150 * 150);
  const auto start = std::chrono::steady_clock::now();
  const auto programmed = d->program(target_S, address);
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0);
  EXPECT_EQ(programmed.pulses.unconverged, 0u);
}

}  // namespace
}  // namespace tellegen::devices
