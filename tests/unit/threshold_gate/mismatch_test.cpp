// Units differ as Pelgrom's law says, and trimming leaves what its steps and range say.

#include <numeric>

#include "gates.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::room;

constexpr std::int64_t pairs = 10000;
const Stream made(11, Purpose::mismatch, {});

double deviation(std::span<const float> values) {
  double sum = 0, squares = 0;
  for (const float v : values) {
    sum += v;
    squares += double{v} * v;
  }
  const double n = static_cast<double>(values.size());
  return std::sqrt((squares - sum * sum / n) / (n - 1));
}

/// Half of the 99.9 % interval of a standard deviation of normal draws, relative.
double interval(std::int64_t n) { return 3.29 / std::sqrt(2.0 * static_cast<double>(n)); }

GateSettings sky130() {
  GateSettings settings;
  settings.transistor = devices::MosfetConfig(devices::find_mosfet("sky130_nfet_01v8"));
  return settings;
}

TEST(GateMismatch, UntrimmedThresholdsScatterAsPelgromPredicts) {
  for (const GateSettings& settings : {sky130(), GateSettings{}}) {
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    // By hand: A_VT of the pair at its own inversion over the root of the area, and beta at the weak-inversion g_m / I.
    const ThresholdDesign& d = circuit.design();
    const double ic = d.ic_at_threshold(d.pairs.front()), efficiency = 2 / (1 + std::sqrt(1 + 4 * ic));
    const double area_m2 = (settings.transistor.width * settings.transistor.length).si();
    const double threshold_V = devices::matching_coefficient_Vm(settings.transistor.card, ic) / std::sqrt(area_m2);
    const double beta = settings.transistor.card.a_beta.si() / std::sqrt(area_m2);
    const double volts = settings.transistor.card.slope * devices::thermal_voltage_V(300);
    const double offset_V = std::hypot(threshold_V, volts / efficiency * beta);
    const double predicted = offset_V / d.pairs.front().volts_per_x;
    EXPECT_RELATIVE(circuit.error_planes().front().deviation, predicted, 1e-9);
    EXPECT_RELATIVE(deviation(circuit.sample(made, 0, pairs).plane(0)), predicted, interval(pairs));
  }
}

TEST(GateMismatch, WeaklyInvertedSky130PairScattersByTheStoredFigure) {
  // 10.7 to 11.0 mV um at a unit of 35.4 mV: 0.30 units of x at 1 um^2, 0.030 at 100 um^2.
  for (const auto& [area_um2, expected] : {std::pair{1.0, 0.30}, {10.0, 0.096}, {100.0, 0.030}}) {
    GateSettings settings = sky130();
    settings.bias = Current::si(1e-10);
    settings.transistor.width = settings.transistor.length = std::sqrt(area_um2) * units::um;
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    EXPECT_RELATIVE(circuit.error_planes().front().deviation, expected, 0.05);
  }
}

// Scatter of the output itself, by evaluating each unit around its threshold.
TEST(GateMismatch, OutputsOfUnitsScatterByTheSlopeTimesTheThreshold) {
  const ThresholdGate circuit(sky130(), sigmoid_gate(), room);
  UnitErrors errors = circuit.sample(made, 0, pairs);
  std::ranges::fill(errors.plane(1), 0.0f);
  std::ranges::fill(errors.plane(2), 0.0f);
  std::vector<float> x(pairs, 0.0f), y(pairs);
  circuit.evaluate(x, errors, nullptr, 0, y);
  // To first order; sigma(theta) = 0.21 makes the sigmoid's bend worth -sigma^2 / 4 of it.
  const double theta = circuit.error_planes().front().deviation;
  EXPECT_RELATIVE(deviation(y), theta / 4 * (1 - theta * theta / 4), 0.02 + interval(pairs));
}

TEST(GateMismatch, TrimmedThresholdsAreUniformWithinAStepAndClipBeyondTheRange) {
  for (const int bits : {3, 5, 8}) {
    for (const double sigmas : {1.0, 2.0, 3.0}) {
      GateSettings settings = sky130();
      settings.trim.emplace();
      settings.trim->bits = bits;
      settings.trim->range_sigmas = sigmas;
      const ThresholdGate trimmed(settings, sigmoid_gate(), room);
      settings.trim.reset();
      const ThresholdGate bare(settings, sigmoid_gate(), room);
      const UnitErrors after = trimmed.sample(made, 0, pairs), before = bare.sample(made, 0, pairs);
      const double sigma = bare.error_planes().front().deviation, range = sigmas * sigma;
      const double step = 2 * range / ((1 << bits) - 1);
      double squares = 0;
      std::int64_t clipped = 0, inside = 0;
      for (std::size_t u = 0; u < pairs; ++u) {
        const double left = after.plane(0)[u], offset = before.plane(0)[u];
        if (std::abs(offset) > range + step / 2) {
          ++clipped;
          EXPECT_NEAR(left, offset - std::copysign(range, offset), 1e-6);
        } else {
          ++inside;
          squares += left * left;
          EXPECT_LE(std::abs(left), step / 2 * (1 + 1e-4));
        }
      }
      // The clipped fraction is that of a normal distribution, within 3.3 of its own deviations.
      const double fraction = std::erfc((range + step / 2) / sigma / std::sqrt(2.0));
      EXPECT_NEAR(static_cast<double>(clipped) / pairs, fraction, 3.3 * std::sqrt(fraction / pairs) + 1e-4);
      // Steps are fine against sigma from 5 bits on: uniform residuals, step / sqrt(12), whose relative scatter is
      // sqrt(1/5 n).
      if (bits >= 5) {
        EXPECT_RELATIVE(std::sqrt(squares / static_cast<double>(inside)), step / std::sqrt(12.0),
                        3.3 / std::sqrt(5.0 * pairs));
      }
    }
  }
}

TEST(GateMismatch, TrimmingAtRoomLeavesTheDriftOfBeta) {
  GateSettings settings;
  settings.transistor.card.a_beta = Length::si(5e-8);
  settings.trim.emplace();
  settings.trim->bits = 12;
  settings.trim->range_sigmas = 6;  // nothing clips
  settings.supply = Voltage::si(1.8);
  const auto left = [&](double kelvin) {
    return deviation(ThresholdGate(settings, sigmoid_gate(), Temperature::si(kelvin)).sample(made, 0, pairs).plane(0));
  };
  // beta's share of the offset goes as T: what trimming took away at 300 K is off by (T - 300) / 300 of it.
  const ThresholdGate room_gate(settings, sigmoid_gate(), room);
  const double beta_x = room_gate.mismatch().pairs().front().beta_V / room_gate.design().pairs.front().volts_per_x;
  EXPECT_LT(left(300), 0.005 * beta_x);
  EXPECT_RELATIVE(left(390), 0.3 * beta_x, 0.03);
}

TEST(GateMismatch, GainTrimmingLeavesItsStep) {
  GateSettings settings;
  settings.trim.emplace();
  settings.trim->gain_bits = 6;
  settings.trim->range_sigmas = 4;
  const ThresholdGate circuit(settings, sigmoid_gate(), room);
  const double step = 2 * 4 * circuit.error_planes()[2].deviation / 63;
  EXPECT_RELATIVE(deviation(circuit.sample(made, 0, pairs).plane(2)), step / std::sqrt(12.0), 0.03);
}

TEST(GateMismatch, GainsTrimmedAtRoomDriftAsMirrorsDo) {
  GateSettings settings;
  settings.supply = Voltage::si(1.8);
  settings.trim.emplace();
  settings.trim->gain_bits = 12;
  settings.trim->range_sigmas = 6;
  settings.transistor.card.a_beta = Length::si(0);
  settings.output = GateOutput::direct;  // the tail's mirror alone
  const ThresholdGate at_room(settings, sigmoid_gate(), room), hot(settings, sigmoid_gate(), Temperature::si(375));
  const double before = at_room.error_planes()[2].deviation, after = hot.error_planes()[2].deviation;
  // In weak inversion a threshold difference is worth dV_T / (n kT/q) of current.
  EXPECT_RELATIVE(after, before * 300 / 375, 0.03);
  EXPECT_RELATIVE(deviation(hot.sample(made, 0, pairs).plane(2)), before - after, 0.02);
}

TEST(GateMismatch, CurrentsPastThePairsAreTrimmedToo) {
  GateSettings settings;
  settings.signed_tail = SignedTail::gilbert;
  const ThresholdGate bare(settings, swish_gate(1), room);
  ASSERT_EQ(bare.error_planes().back().name, "base: gain");
  const double untrimmed = bare.error_planes().back().deviation;
  EXPECT_RELATIVE(deviation(bare.sample(made, 0, pairs).plane(6)), untrimmed, interval(pairs));
  settings.trim.emplace();
  settings.trim->range_sigmas = 4;
  const ThresholdGate trimmed(settings, swish_gate(1), room);
  EXPECT_RELATIVE(deviation(trimmed.sample(made, 0, pairs).plane(6)), 2 * 4 * untrimmed / 31 / std::sqrt(12.0), 0.03);
}

TEST(GateMismatch, HalfTheErrorTakesFourTimesTheArea) {
  GateSettings settings = sky130();
  const auto sized = [&](double error) {
    settings.threshold_error = error;
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    EXPECT_RELATIVE(circuit.error_planes().front().deviation, error, 1e-9);
    EXPECT_RELATIVE(deviation(circuit.sample(made, 0, pairs).plane(0)), error, interval(pairs));
    return circuit.cost().areas.front().area_m2.typical;
  };
  const double area_m2 = sized(0.1);
  EXPECT_RELATIVE(sized(0.05), 4 * area_m2, 1e-9);
  EXPECT_RELATIVE(sized(0.025), 16 * area_m2, 1e-9);
}

TEST(GateMismatch, DrawsBelongToTheirUnitAndAreIndependent) {
  const ThresholdGate circuit(sky130(), swish_gate(1), room);
  const UnitErrors all = circuit.sample(made, 0, 1000), some = circuit.sample(made, 400, 100);
  ASSERT_EQ(circuit.error_planes().size(), 6u);
  for (std::size_t k = 0; k < 6; ++k) {
    for (std::size_t u = 0; u < 100; ++u) EXPECT_EQ(all.plane(k)[400 + u], some.plane(k)[u]);
  }
  // Planes are uncorrelated within 3.3 deviations of a correlation of 1000 draws.
  for (std::size_t a = 0; a < 6; ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      const double sum = std::inner_product(all.plane(a).begin(), all.plane(a).end(), all.plane(b).begin(), 0.0);
      EXPECT_LT(std::abs(sum) / 1000 / deviation(all.plane(a)) / deviation(all.plane(b)), 3.6 / std::sqrt(1000.0));
    }
  }
}

TEST(TrimDac, CorrectsToTheNearestStep) {
  const TrimDac dac{2, 3};  // -3, -1, 1, 3
  EXPECT_EQ(dac.step(), 2);
  EXPECT_EQ(dac.correction(0.9), 1);
  EXPECT_EQ(dac.correction(-2.1), -3);
  EXPECT_EQ(dac.correction(9), 3);
  EXPECT_FALSE(dac.clips(3.9));
  EXPECT_TRUE(dac.clips(-4.1));
  EXPECT_EQ((TrimDac{5, 0}.correction(1)), 0);
}

}  // namespace
}  // namespace tellegen::circuits
