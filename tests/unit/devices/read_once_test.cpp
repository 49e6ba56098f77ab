#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

#include "tellegen/devices/conductance_device.h"

namespace tellegen::devices {
namespace {

constexpr ArrayAddress address{8, {1, 2, 0}};

std::vector<float> targets(const ConductanceDevice& device, std::size_t cells) {
  const double low_S = device.g_min().si(), step_S = (device.g_max().si() - low_S) / 999;
  std::vector<float> target_S(cells);
  for (std::size_t i = 0; i < cells; ++i) {
    target_S[i] = static_cast<float>(low_S + step_S * static_cast<double>(i % 1000));
  }
  return target_S;
}

/// Both ways to read, at an age, into memory that begins `offset` cells after where the allocator puts it.
void expect_same_bits(const ConductanceDevice& device, double age_s, std::size_t cells, std::size_t offset) {
  const Conditions conditions{Time::si(age_s), Temperature::si(310)};
  const Stream noise = address.stream(Purpose::read_noise);
  const auto programmed = device.program(targets(device, cells), address);
  std::vector<float> expected_S(cells), out_S(cells + offset);
  sample_read(device.read(programmed, conditions, address), noise, 0, expected_S);
  const std::span<float> once_S = std::span(out_S).subspan(offset);
  device.read_once(programmed, conditions, address, noise, once_S);
  EXPECT_TRUE(std::equal(once_S.begin(), once_S.end(), expected_S.begin()));
}

TEST(ReadOnce, GivesTheBitsOfReadAndSampleForEveryDevice) {
  for (const DeviceEntry& entry : device_catalog()) {
    SCOPED_TRACE(entry.name);
    const auto device = entry.defaults()->make();
    expect_same_bits(*device, 0, 2500, 0);
    expect_same_bits(*device, 3600, 2500, 1);
  }
}

// Arrays larger than the caches are written another way where reads have no noise.
TEST(ReadOnce, GivesTheSameBitsInLargeArrays) {
  const auto device = find_device("rram_milo").defaults()->make();
  constexpr std::size_t cells = (std::size_t{1} << 22) + 1003;
  expect_same_bits(*device, 3600, cells, 0);
  expect_same_bits(*device, 3600, cells, 1);
}

}  // namespace
}  // namespace tellegen::devices
