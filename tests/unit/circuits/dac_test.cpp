#include "tellegen/circuits/converter/dac.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace tellegen::circuits {
namespace {

using testing::StrEq;
using testing::ThrowsMessage;

Dac make(int bits, bool is_signed, Streaming streaming = Streaming::full, int bits_per_slice = 1) {
  Dac dac;
  dac.config.bits = {bits};
  dac.config.streaming = streaming;
  dac.config.bits_per_slice = bits_per_slice;
  dac.full_scale = 2.5;
  dac.is_signed = is_signed;
  return dac;
}

TEST(Dac, CodesRoundToEvenAndSaturate) {
  Dac dac = make(3, true);  // codes -3 .. 3
  dac.full_scale = 3;
  std::vector<float> values = {-9, -3, -2.5F, -1.5F, -0.5F, 0, 0.5F, 0.51F, 1.5F, 2.5F, 3, 3.01F};
  EXPECT_EQ(to_codes<float>(dac, values), 2);
  EXPECT_EQ(values, (std::vector<float>{-3, -3, -2, -2, 0, 0, 0, 1, 2, 2, 3, 3}));
  dac.is_signed = false;  // codes 0 .. 7
  values = {-1, 0, 3, 1.5F};
  EXPECT_EQ(to_codes<float>(dac, values), 1);
  EXPECT_EQ(values, (std::vector<float>{0, 0, 7, 4}));  // 3.5 to even
}

TEST(Dac, LargestCodes) {
  EXPECT_EQ(make(1, false).max_code(), 1);
  EXPECT_EQ(make(8, false).max_code(), 255);
  EXPECT_EQ(make(8, true).max_code(), 127);
  EXPECT_EQ(make(16, true).max_code(), 32767);
}

TEST(Dac, SlicesPerProduct) {
  EXPECT_EQ(make(8, false).slices(), 1);
  EXPECT_EQ(make(8, false, Streaming::bit_serial).slices(), 8);
  EXPECT_EQ(make(8, true, Streaming::bit_serial).slices(), 7);
  EXPECT_EQ(make(8, true, Streaming::bit_serial, 3).slices(), 3);
  EXPECT_EQ(make(0, true, Streaming::bit_serial).slices(), 1);
}

TEST(Dac, ASignedOneBitConverterIsRefused) {
  const char* message =
      "dac.bits = '1' cannot drive signed inputs: the sign takes the only bit. "
      "Use dac.bits: 2 or more, or a network whose inputs are never negative.";
  EXPECT_THAT([] { make(1, true).max_code(); }, ThrowsMessage<RefusedError>(StrEq(message)));
  std::vector<float> values = {0.5F};
  EXPECT_THAT([&] { to_codes<float>(make(1, true), values); }, ThrowsMessage<RefusedError>(StrEq(message)));
}

/// Every code comes back from its slices: x = sum over slices of slice_weight * drive, and drives stay within +-1.
template <class T>
void expect_slices_add_up(const Dac& dac) {
  const std::int64_t largest = dac.max_code();
  std::vector<T> codes;
  for (std::int64_t code = dac.is_signed ? -largest : 0; code <= largest; ++code) codes.push_back(static_cast<T>(code));
  std::vector<double> sum(codes.size());
  std::vector<T> drive(codes.size());
  for (int s = 0; s < dac.slices(); ++s) {
    slice_drive<T>(dac, codes, s, drive);
    for (std::size_t i = 0; i < codes.size(); ++i) {
      ASSERT_LE(std::abs(drive[i]), T(1));
      sum[i] += dac.slice_weight(s) * static_cast<double>(drive[i]);
    }
  }
  const double unit = dac.full_scale / static_cast<double>(largest);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    ASSERT_NEAR(sum[i], static_cast<double>(codes[i]) * unit, 4e-7 * dac.full_scale) << codes[i];
  }
}

TEST(Dac, SlicesAddUpToTheCode) {
  for (const int bits : {1, 2, 5, 8, 16}) {
    for (const bool is_signed : {false, true}) {
      if (bits == 1 && is_signed) continue;
      expect_slices_add_up<float>(make(bits, is_signed));
      for (const int per_slice : {1, 2, 3, 4}) {
        expect_slices_add_up<float>(make(bits, is_signed, Streaming::bit_serial, per_slice));
        expect_slices_add_up<double>(make(bits, is_signed, Streaming::bit_serial, per_slice));
      }
    }
  }
}

TEST(Dac, AnNBitConverterYieldsAtMostTwoToTheNDrives) {
  for (const int bits : {1, 2, 5}) {
    const Dac dac = make(bits, false);
    std::vector<float> values;
    for (int i = -100; i < 1000; ++i) values.push_back(0.004F * static_cast<float>(i));
    to_codes<float>(dac, values);
    std::vector<float> drive(values.size());
    slice_drive<float>(dac, values, 0, drive);
    std::sort(drive.begin(), drive.end());
    EXPECT_EQ(std::unique(drive.begin(), drive.end()) - drive.begin(), std::ptrdiff_t{1} << bits);
  }
}

TEST(Dac, IdealDrivesTheShareOfTheFullScale) {
  const Dac dac = make(0, true);
  std::vector<double> values = {-5, 1.25, 2.5};
  EXPECT_EQ(to_codes<double>(dac, values), 0);
  std::vector<double> drive(3);
  slice_drive<double>(dac, values, 0, drive);
  EXPECT_EQ(drive, (std::vector<double>{-2, 0.5, 1}));
  EXPECT_EQ(dac.slice_weight(0), 2.5);
}

TEST(DacConfig, AOneBitDriverTakesOneBitAtATime) {
  DacConfig config;
  EXPECT_THAT([&] { read_config_text("kind: one_bit\n", "chip.yaml", config); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:1:7: kind = 'one_bit' drives one bit at a time; set streaming: bit_serial "
                        "and bits_per_slice: 1, or use another kind.")));
  EXPECT_THAT([&] { read_config_text("kind: one_bit\nstreaming: bit_serial\nbits: ideal\n", "chip.yaml", config); },
              ThrowsMessage<ConfigError>(
                  StrEq("chip.yaml:3:7: bits = 'ideal' cannot be cut into single bits; use 1 to 16 bits with "
                        "kind 'one_bit'.")));
  read_config_text("kind: one_bit\nstreaming: bit_serial\nbits: 4\n", "chip.yaml", config);
  EXPECT_EQ(config.bits.bits, 4);
}

}  // namespace
}  // namespace tellegen::circuits
