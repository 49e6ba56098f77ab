// Amplifiers behind lines: their errors, laid on the full scale of the lines.

#include "tellegen/sim/engine/line_amplifiers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace tellegen::sim {
namespace {

/// -5 V/A with errors of every kind; full scale 2 A, so 10 V at the output.
class Amplifier final : public circuits::Crossing {
 public:
  const char* input_unit() const override { return "A"; }
  const char* output_unit() const override { return "V"; }
  double full_scale() const override { return 2; }
  double ideal(double input) const override { return -5 * input; }
  double transfer(double input) const override { return ideal(input); }
  const circuits::CrossingErrors& errors() const override { return errors_; }
  const circuits::FrontEndCost& cost() const override { return cost_; }
  circuits::EnergyBook energy(double, double, double) const override { return {}; }

 private:
  circuits::CrossingErrors errors_{.gain_error = 0.02,
                                   .gain_deviation = 0.01,
                                   .offset = 0.3,
                                   .offset_deviation = 0.05,
                                   .noise = 0.04,
                                   .bandwidth_Hz = 1e6,
                                   .input_ohm = 0};
  circuits::FrontEndCost cost_;
};

constexpr std::size_t kLines = 3, kReads = 4;
constexpr double kFullScaleA = 1e-6, kAPerV = kFullScaleA / 10;

TEST(LineAmplifiers, HaveTheErrorsOfTheirCircuitAtTheFullScaleOfTheirLines) {
  const Stream mismatch(7, Purpose::mismatch, {1, 2, 3}), noise(7, Purpose::converter_noise, {1, 2, 3});
  const LineAmplifiers made = make_line_amplifiers(Amplifier(), kFullScaleA, kLines, mismatch);
  std::vector<float> drawn(2 * kLines), noisy(kReads * kLines);
  mismatch.normals(0, drawn);
  constexpr std::uint64_t kFirst = 120;
  noise.normals(kFirst, noisy);

  std::vector<double> currents, expected;
  std::int64_t clipped = 0;
  for (std::size_t i = 0; i < kReads * kLines; ++i) {
    const std::size_t j = i % kLines;
    currents.push_back(kFullScaleA * (0.21 * static_cast<double>(i) - 1.2));
    const double wanted_A = (1.02 + 0.01 * static_cast<double>(drawn[j])) * currents[i] +
                            (0.3 + 0.05 * static_cast<double>(drawn[kLines + j])) * kAPerV;
    const double limited_A = std::clamp(wanted_A, -kFullScaleA, kFullScaleA);
    clipped += wanted_A != limited_A ? 1 : 0;
    expected.push_back(limited_A + 0.04 * kAPerV * static_cast<double>(noisy[i]));
  }
  std::vector<float> scratch;
  EXPECT_EQ(amplify<double>(made, currents, noise, kFirst, scratch), clipped);
  EXPECT_GT(clipped, 1);
  EXPECT_LT(clipped, 8);
  for (std::size_t i = 0; i < currents.size(); ++i) EXPECT_NEAR(currents[i], expected[i], 1e-6 * kFullScaleA) << i;
}

}  // namespace
}  // namespace tellegen::sim
