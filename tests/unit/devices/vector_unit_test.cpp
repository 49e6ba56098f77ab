#include <gtest/gtest.h>

#include <vector>

#include "tellegen/devices/pcm_device.h"
#include "tellegen/devices/pcm_joshi.h"

namespace tellegen::devices {
namespace {

/// Programming, drift and read variance of the Joshi law, with the vector unit chosen by hand.
std::vector<std::vector<float>> run_on(VectorUnit unit) {
  constexpr std::size_t cells = 4099;
  std::vector<float> target_S(cells), programmed_S(cells), mean_S(cells), amplitude(cells), variance_S2(cells);
  const ArrayAddress address{5, {}};
  for (std::size_t i = 0; i < cells; ++i) target_S[i] = 25e-6f * static_cast<float>(i) / static_cast<float>(cells);
  address.stream(Purpose::programming).normals(0, programmed_S);
  address.stream(Purpose::drift).normals(0, mean_S);
  run_kernel<PcmProgram<JoshiLaw>>(unit, target_S.data(), cells, 25e-6f, programmed_S.data());
  for (float& g_S : programmed_S) g_S = std::max(g_S, 0.0f);
  run_kernel<PcmDrift<JoshiLaw>>(unit, programmed_S.data(), cells, 25e-6f, 8.4f, mean_S.data(), amplitude.data());
  run_kernel<PcmReadVariance>(unit, amplitude.data(), mean_S.data(), cells, 26.0f, variance_S2.data());
  return {programmed_S, mean_S, variance_S2};
}

TEST(DeviceKernels, GiveTheSameBitsOnEveryVectorUnit) {
  const auto baseline = run_on(VectorUnit::baseline);
  int compared = 0;
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    ++compared;
    EXPECT_EQ(run_on(unit), baseline);
  }
  EXPECT_GE(compared, 1);
}

}  // namespace
}  // namespace tellegen::devices
