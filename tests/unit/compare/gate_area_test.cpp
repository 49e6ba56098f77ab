// What an allowed error costs in transistor area, through the whole of `compare`.

#include <gtest/gtest.h>

#include "small_comparison.h"

namespace tellegen::compare {
namespace {

struct Gate {
  const char* name;
  Function function;
  const char* option;
};

class UntrimmedGate : public ::testing::TestWithParam<Gate> {};

// Pelgrom: deviations go as one over the square root of the area.
TEST_P(UntrimmedGate, TakesFourTimesTheAreaForHalfTheError) {
  ComparisonConfig config = small(GetParam().option, "errors: [0.02, 0.01, 0.005]");
  config.layers[0].function = GetParam().function;
  const Comparison found = run(config);
  ASSERT_EQ(found.rows.size(), 3u);
  for (std::size_t e = 0; e < 2; ++e) {
    const Row &loose = found.rows[e], &tight = found.rows[e + 1];
    ASSERT_TRUE(loose.comparable() && tight.comparable()) << tight.resized.why;
    EXPECT_NEAR(tight.resized.sizes.area / loose.resized.sizes.area, 4, 0.25);
    EXPECT_GT(tight.cost.area_m2.typical, loose.cost.area_m2.typical);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, UntrimmedGate,
    ::testing::Values(
        Gate{"SiluBehindADac", Function::silu,
             "  - {name: gate, path: tg_after_dac, front_end: {circuit: differential_pair, scale_mismatch: "
             "0, reference: {bits: 0}}}\n"},
        Gate{"SigmoidAnalog", Function::sigmoid,
             "  - {name: gate, path: analog, amplifier_residual: 0.1, front_end: {circuit: "
             "differential_pair, scale_mismatch: 0, reference: {bits: 0}}}\n"}),
    [](const auto& tested) { return std::string(tested.param.name); });

}  // namespace
}  // namespace tellegen::compare
