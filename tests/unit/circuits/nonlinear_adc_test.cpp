// Converters that compute an activation function, turning points included.

#include "tellegen/circuits/converter/nonlinear_adc.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::StrEq;
using testing::ThrowsMessage;

const std::vector<ActivationFunction> functions = {ActivationFunction::sigmoid, ActivationFunction::tanh,
                                                   ActivationFunction::silu, ActivationFunction::gelu,
                                                   ActivationFunction::tanh_sech};

/// A fine grid, each turning point, and its neighbourhood.
std::vector<double> inputs(ActivationFunction function) {
  std::vector<double> all;
  for (int i = -6000; i <= 6000; ++i) all.push_back(i * 1e-3);
  for (const double at : turning_points(function)) {
    for (const double by : {-1e-2, -1e-4, -1e-8, 0.0, 1e-8, 1e-4, 1e-2}) all.push_back(at + by);
  }
  return all;
}

TEST(ActivationFunction, TurningPointsAreWhereTheDerivativeVanishes) {
  EXPECT_THAT(turning_points(ActivationFunction::sigmoid), IsEmpty());
  EXPECT_THAT(turning_points(ActivationFunction::silu), ElementsAre(testing::DoubleNear(-1.2784645427610738, 1e-14)));
  EXPECT_THAT(turning_points(ActivationFunction::gelu), ElementsAre(testing::DoubleNear(-0.7517915246935645, 1e-14)));
  EXPECT_THAT(turning_points(ActivationFunction::tanh_sech),
              ElementsAre(testing::DoubleNear(-std::asinh(1.0), 1e-15), testing::DoubleNear(std::asinh(1.0), 1e-15)));
  // tanh sech has its extrema of 1/2 there.
  EXPECT_NEAR(evaluate(ActivationFunction::tanh_sech, std::asinh(1.0)), 0.5, 1e-15);
}

TEST(ActivationFunction, DerivativesAreThoseOfTheFunctions) {
  for (const ActivationFunction f : activation_functions()) {
    for (double x = -5; x <= 5; x += 0.37) {
      const double h = 1e-5, slope = (evaluate(f, x + h) - evaluate(f, x - h)) / (2 * h);
      EXPECT_NEAR(derivative(f, x), slope, 1e-8 * std::max(1.0, std::abs(slope)));
    }
  }
}

TEST(NonlinearAdc, CountingIsRightToHalfAStepEverywhere) {
  for (const ActivationFunction function : functions) {
    for (const int bits : {1, 2, 4, 5, 8, 10}) {
      NonlinearAdcDesign design{function, NonlinearMethod::count, bits, 0, -6, 6};
      const NonlinearAdc adc(design);
      for (const double x : inputs(function)) {
        ASSERT_LE(std::abs(adc.convert(x) - evaluate(function, x)), adc.local_step(x) / 2 + 1e-13)
            << static_cast<int>(function) << " " << bits << " " << x;
      }
    }
  }
}

TEST(NonlinearAdc, ATableIsRightToHalfItsLocalStepEverywhere) {
  for (const ActivationFunction function : functions) {
    for (const int bits : {4, 8}) {
      for (const int input_bits : {4, 6, 9}) {
        const NonlinearAdc adc({function, NonlinearMethod::table, bits, input_bits, -6, 6});
        for (const double x : inputs(function)) {
          ASSERT_LE(std::abs(adc.convert(x) - evaluate(function, x)), adc.local_step(x) / 2 + 1e-13) << x;
        }
      }
    }
  }
}

// A monotone function takes 2^bits - 1 thresholds and stores nothing; a function that turns takes a threshold and a direction
// more for every code it passes again.
TEST(NonlinearAdc, StepsAndStoredBits) {
  const NonlinearAdc sigmoid({ActivationFunction::sigmoid, NonlinearMethod::count, 8, 0, -8, 8});
  EXPECT_EQ(sigmoid.steps(), 255);
  EXPECT_EQ(sigmoid.stored_bits(), 0);
  EXPECT_FALSE(sigmoid.counts_down());
  const NonlinearAdc silu({ActivationFunction::silu, NonlinearMethod::count, 8, 0, -8, 8});
  const double step = (8 / (1 + std::exp(-8.0)) + 0.27846454276107374) / 255;
  const double at_low = 0.27846454276107374 - 8 / (1 + std::exp(8.0));  // above the least value
  EXPECT_EQ(silu.steps(), 255 + static_cast<int>(std::floor(at_low / step + 0.5)));
  EXPECT_EQ(silu.stored_bits(), silu.steps());
  EXPECT_TRUE(silu.counts_down());
  const NonlinearAdc table({ActivationFunction::silu, NonlinearMethod::table, 8, 6, -8, 8});
  EXPECT_EQ(table.steps(), 63);
  EXPECT_EQ(table.stored_bits(), 64 * 8);
}

TEST(NonlinearAdc, ReferenceErrorsShowInTheOutputInProportionToTheSlope) {
  const NonlinearAdc adc({ActivationFunction::tanh, NonlinearMethod::count, 10, 0, -4, 4});
  const double error_x = 0.01;
  double steep = 0, flat = 0;
  for (std::uint32_t chip = 0; chip < 20; ++chip) {
    // A ramp of 1023 steps of 8 / 1023 whose middle is off by error_x.
    const double unit = 8.0 / 1023, mismatch = error_x / unit / std::sqrt(512.0);
    const NonlinearAdc off = adc.with_ramp_mismatch(mismatch, unit, Stream(chip, Purpose::mismatch, {}), 0);
    for (double x = -0.2; x < 0.2; x += 0.003) steep = std::max(steep, std::abs(off.convert(x) - std::tanh(x)));
    for (double x = 3.0; x < 3.4; x += 0.003) flat = std::max(flat, std::abs(off.convert(x) - std::tanh(x)));
  }
  EXPECT_GT(steep, 0.5 * error_x);
  EXPECT_LT(steep, 6 * error_x);
  EXPECT_LT(flat, 0.3 * steep);
}

TEST(NonlinearAdc, ImpossibleDesignsAreRefused) {
  EXPECT_THAT(
      [] {
        NonlinearAdc({ActivationFunction::tanh, NonlinearMethod::count, 8, 0, 2, 1});
      },
      ThrowsMessage<InputError>(
          StrEq("a non-linear ADC from 2 to 1 with 8 output bits cannot be made; the range must ascend, and bits are "
                "1 to 16.")));
  EXPECT_THAT(
      [] {
        NonlinearAdc({ActivationFunction::tanh, NonlinearMethod::table, 8, 17, 1, 2});
      },
      ThrowsMessage<InputError>(
          StrEq("a non-linear ADC from 1 to 2 with 8 output bits and 17 input bits cannot be made; the range must "
                "ascend, and bits are 1 to 16.")));
}

}  // namespace
}  // namespace tellegen::circuits
