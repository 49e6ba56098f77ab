// Noise at the input against closed forms, and noise of evaluated units against the formula.

#include "gates.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::room;

/// A bare pair of slope 1.37 with nothing but white noise of its own.
GateSettings bare(double bias_A) {
  GateSettings settings;
  settings.transistor.card.slope = 1.37;
  settings.transistor.card.flicker = devices::MatchingCoefficient::si(0);
  settings.transistor.width = settings.transistor.length = Length::si(10e-6);
  // A wide transistor, so that even 100 nA is weak inversion.
  settings.transistor.card.specific_current = Current::si(1e-3);
  settings.transistor.card.threshold = Voltage::si(0.6);
  settings.supply = Voltage::si(1.8);
  settings.bias = Current::si(bias_A);
  settings.output = GateOutput::direct;
  return settings;
}

TEST(GateNoise, WhiteNoiseInOneMegahertzEqualsTheVectors) {
  int rows = 0;
  for (const auto& row : test::pair_vectors("pair_input_noise").at("rows")) {
    GateSettings settings = bare(row.at("Ib"));
    settings.noise.bandwidth = Frequency::si(1e6);
    // tanh with tau = 1: both outputs are used, so that the tail's noise is common to them.
    GateFunction gate = tanh_gate();
    gate.sharpness = {1};
    const ThresholdGate circuit(settings, gate, room);
    EXPECT_RELATIVE(circuit.noise().white_x, row.at("sigma_x_in_1MHz_for_tau1").get<double>(), 1e-3);
    EXPECT_NEAR(circuit.noise().tail_x, 0, 1e-12);
    ++rows;
  }
  EXPECT_EQ(rows, 4);
  // As quoted: 0.036, 0.011, 0.0036 at 1, 10, 100 nA.
  const auto sigma_x = [](double bias_A) {
    GateSettings settings = bare(bias_A);
    settings.noise.bandwidth = Frequency::si(1e6);
    return ThresholdGate(settings, sigmoid_gate(), room).noise().white_x;
  };
  EXPECT_NEAR(sigma_x(1e-9), 0.036, 0.0005);
  EXPECT_NEAR(sigma_x(1e-8), 0.011, 0.0005);
  EXPECT_NEAR(sigma_x(1e-7), 0.0036, 0.00005);
}

TEST(GateNoise, AtItsOwnBandwidthTheBiasDropsOut) {
  // The band is that of the source node, g_ms / C: white noise becomes 2 n^2 kT/C at the gates, at any current.
  for (const double bias_A : {1e-10, 1e-8, 1e-7}) {
    const ThresholdGate circuit(bare(bias_A), sigmoid_gate(), room);
    const double charge_C = devices::elementary_charge_C, thermal_V = circuit.design().thermal_V;
    const double c_F = circuit.design().settings.loads.source.typical.si();
    const double volts = 1.37 * std::sqrt(2 * charge_C * thermal_V / c_F);
    EXPECT_RELATIVE(circuit.noise().white_x, volts / circuit.design().pairs.front().volts_per_x, 1e-3);
  }
  // The same with a band of g_m / (4 C), g_m = I_b / (2 n kT/q) of both outputs: n kT/C.
  for (const double bias_A : {1e-10, 1e-8, 1e-7}) {
    GateSettings settings = bare(bias_A);
    const double thermal_V = devices::thermal_voltage_V(300), c_F = 20e-15;
    settings.noise.bandwidth = Frequency::si(bias_A / (2 * 1.37 * thermal_V) / (4 * c_F));
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    const double volts = std::sqrt(1.37 * devices::boltzmann_J_per_K * 300 / c_F);
    EXPECT_RELATIVE(circuit.noise().white_x, volts / circuit.design().pairs.front().volts_per_x, 1e-3);
  }
}

TEST(GateNoise, FlickerGoesWithAreaAndTheLogarithmOfTheBand) {
  GateSettings settings;
  settings.noise.bandwidth = Frequency::si(1e6);
  const double wide = ThresholdGate(settings, sigmoid_gate(), room).noise().flicker_x;
  const double flicker_Vm = settings.transistor.card.flicker.si();
  const double area_m2 = (settings.transistor.width * settings.transistor.length).si();
  const ThresholdGate circuit(settings, sigmoid_gate(), room);
  EXPECT_RELATIVE(
      wide, flicker_Vm * std::sqrt(2 * std::log(1e6) / area_m2) / circuit.design().pairs.front().volts_per_x, 1e-9);
  settings.noise.lowest = Frequency::si(1e3);
  EXPECT_RELATIVE(ThresholdGate(settings, sigmoid_gate(), room).noise().flicker_x, wide / std::sqrt(2.0), 1e-9);
}

/// Mean and standard deviation of many noisy evaluations at one x.
void expect_noise_at(const ThresholdGate& circuit, double x) {
  constexpr std::size_t draws = 40000;
  std::vector<float> in(draws, static_cast<float>(x)), out(draws);
  const Stream noise(5, Purpose::front_end_noise, {});
  circuit.evaluate(in, {}, &noise, 0, out);
  double sum = 0, squares = 0;
  const double nominal = circuit.transfer(x);
  for (const float y : out) {
    const double off = y - nominal;
    sum += off;
    squares += off * off;
  }
  const double sigma = circuit.output_noise(x), n = draws;
  EXPECT_GT(sigma, 1e-5);
  EXPECT_NEAR(sum / n, 0, 3.3 * sigma / std::sqrt(n) + circuit.table_error());
  EXPECT_RELATIVE(std::sqrt(squares / n), sigma, 3.3 / std::sqrt(2 * n)) << x;
}

TEST(GateNoise, EvaluatedUnitsScatterByTheStatedAmount) {
  GateSettings settings;
  settings.noise.bandwidth = Frequency::si(1e7);
  settings.supply = Voltage::si(1.8);
  GateFunction nested = test::gelu_gate();
  nested.form = GateForm::nested;
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    settings.signed_tail = way;
    for (const GateFunction& gate : {sigmoid_gate(), tanh_gate(), swish_gate(1), test::gelu_gate(), nested}) {
      const ThresholdGate circuit(settings, gate, room);
      for (const double x : {-2.0, 0.3, 3.0}) expect_noise_at(circuit, x);
    }
  }
}

/// The reference goes through the attenuator like x does: at the output it is slope times what it is at the input.
TEST(GateNoise, OfTheReferenceIsAttenuatedLikeTheInput) {
  GateSettings settings;
  settings.reference.hold = Capacitance::si(1e-18);  // so small that nothing else counts
  for (const double attenuation : {1.0, 0.5}) {
    settings.attenuation = attenuation;
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    const double slope = (circuit.transfer(1e-3) - circuit.transfer(-1e-3)) / 2e-3;
    EXPECT_RELATIVE(circuit.output_noise(0), slope * circuit.noise().reference_x, 1e-2) << attenuation;
  }
}

/// Far out one transistor carries all of the tail, and the table's rounding must not give the other less than nothing.
TEST(GateNoise, SteeredPairsHaveFiniteNoise) {
  GateSettings settings;
  settings.transistor.card = devices::find_mosfet("sky130_nfet_01v8").card;
  settings.bias = Current::si(1e-6);
  for (const double sharpness : {1.0, 2.0, 4.0, 20.0}) {
    GateFunction gate = swish_gate(sharpness);
    gate.slopes = {0, sharpness};
    const ThresholdGate circuit(settings, gate, Temperature::si(233.15));
    std::vector<float> x, y;
    for (int i = 0; i <= 4000; ++i) x.push_back(static_cast<float>(i - 2000) / 150);
    y.resize(x.size());
    const Stream noise(1, Purpose::front_end_noise, {});
    circuit.evaluate(x, {}, &noise, 0, y);
    for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(std::isfinite(y[i])) << sharpness << " at " << x[i];
  }
}

TEST(GateNoise, AttenuationTakesTheReferenceOfAComparatorAlong) {
  GateSettings settings;
  settings.compares = true;
  settings.noise.bandwidth = Frequency::si(1e6);
  const auto variance_V2 = [&](double attenuation) {
    settings.attenuation = attenuation;
    const ThresholdGate circuit(settings, relu_gate(), room);
    const double volts = circuit.noise().white_x * circuit.design().pairs.front().volts_per_x;
    return volts * volts;
  };
  // Before the attenuator the comparator's own noise is four times as large for a half; that of the reference stays.
  const double hold_V2 = devices::boltzmann_J_per_K * 300 / settings.reference.hold.si();
  EXPECT_RELATIVE((4 * variance_V2(1) - variance_V2(0.5)) / 3, hold_V2, 1e-9);
}

TEST(GateNoise, ComparatorsDecideByTheirNoiseNearTheThreshold) {
  GateSettings settings;
  settings.compares = true;
  settings.noise.bandwidth = Frequency::si(1e6);
  GateFunction gate = sigmoid_gate();
  gate.kernel = GateKernel::hard;
  const ThresholdGate circuit(settings, gate, room);
  const double jitter_x = circuit.noise().white_x;
  ASSERT_GT(jitter_x, 1e-3);
  constexpr std::size_t draws = 40000;
  std::vector<float> in(draws, static_cast<float>(0.5 * jitter_x)), out(draws);
  const Stream noise(6, Purpose::front_end_noise, {});
  circuit.evaluate(in, {}, &noise, 0, out);
  double ones = 0;
  for (const float y : out) ones += y > 0.5f ? 1 : 0;
  const double expected = std::erfc(-0.5 / std::sqrt(2.0)) / 2;
  EXPECT_NEAR(ones / draws, expected, 3.3 * std::sqrt(expected * (1 - expected) / draws));
}

}  // namespace
}  // namespace tellegen::circuits
