#include "tellegen/circuits/crossbar/read_waveform.h"

#include <gtest/gtest.h>

#include <string>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(ReadWaveform, PulsesBeginTogetherAndEndByWidth) {
  const auto steps = pulse_widths(std::vector{0.1, -0.2, 0.3}, std::vector{3e-9, 1e-9, 0.0});
  ASSERT_EQ(steps.size(), 4);
  EXPECT_EQ(steps[0].time_s, 0);
  EXPECT_EQ(steps[0].voltage_V, 0.1);
  EXPECT_EQ(steps[1].row, 1);
  EXPECT_EQ(steps[2].time_s, 1e-9);
  EXPECT_EQ(steps[2].row, 1);
  EXPECT_EQ(steps[2].voltage_V, 0);
  EXPECT_EQ(steps[3].time_s, 3e-9);
  EXPECT_EQ(steps[3].row, 0);
}

TEST(ReadWaveform, BitsComeLeastFirst) {
  // 6 = 110: low, high, high, then back to 0 V.
  const auto steps = bit_serial(std::vector<std::int64_t>{6}, 3, 0.2, 1e-9);
  ASSERT_EQ(steps.size(), 2);
  EXPECT_DOUBLE_EQ(steps[0].time_s, 1e-9);
  EXPECT_EQ(steps[0].voltage_V, 0.2);
  EXPECT_DOUBLE_EQ(steps[1].time_s, 3e-9);
  EXPECT_EQ(steps[1].voltage_V, 0);
}

TEST(ReadWaveform, ShiftAndAddWeighsWindows) {
  EXPECT_EQ(shift_and_add(std::vector{1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, 3), (std::vector{27.0, 34.0}));
}

TEST(ReadWaveform, RefusesNonsense) {
  EXPECT_EQ(message_of([] {
              pulse_widths(std::vector{0.1, 0.1}, std::vector{1e-9, -2e-9});
            }),
            "The pulse width of row 1 is '-2e-09 s'; a finite time of 0 s or more is needed.");
  EXPECT_EQ(message_of([] {
              pulse_widths(std::vector{0.1, 0.1}, std::vector{1e-9});
            }),
            "Pulse widths are given for '1' rows; one for each of the 2 amplitudes is needed.");
  EXPECT_EQ(message_of([] {
              bit_serial(std::vector<std::int64_t>{3, 8}, 3, 0.1, 1e-9);
            }),
            "The code of row 1 is '8'; 3 bits hold codes 0 to 7.");
  EXPECT_EQ(message_of([] { bit_serial(std::vector<std::int64_t>{0}, 0, 0.1, 1e-9); }),
            "The inputs have '0' bits; 1 to 32 are possible.");
  EXPECT_EQ(message_of([] { bit_serial(std::vector<std::int64_t>{0}, 1, 0.1, 0); }),
            "The time per bit is '0 s'; a finite time above 0 s is needed.");
}

}  // namespace
}  // namespace tellegen::circuits
