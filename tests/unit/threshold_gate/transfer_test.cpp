// Transfer of whole gates: in double against the mathematics, in float against double.

#include <limits>
#include <numeric>

#include "gates.h"
#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

using test::room;

double sigmoid(double u) { return 1 / (1 + std::exp(-u)); }

GateFunction nested(GateFunction gate) {
  gate.form = GateForm::nested;
  return gate;
}

TEST(ThresholdGate, IsItsGateInWeakInversion) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(3.3);  // room for gates to be steered to the last millionth
  settings.reference.bits = 0;
  const auto xs = test::grid(-7.9, 7.9, 159);
  for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
    settings.signed_tail = way;
    for (const GateFunction& gate : {sigmoid_gate(), tanh_gate(), swish_gate(1), swish_gate(1.702), test::gelu_gate(),
                                     nested(test::gelu_gate())}) {
      const ThresholdGate circuit(settings, gate, room);
      EXPECT_LT(test::largest_difference(
                    xs, [&](double x) { return circuit.transfer(x); }, gate),
                2e-6)
          << static_cast<int>(way);
    }
  }
}

TEST(ThresholdGate, DepartsFromTheSigmoidAsTheBestSigmoidOfItsPairDoes) {
  GateSettings settings;
  settings.supply = Voltage::si(1.8);
  for (const double bias_A : {1e-8, 1e-7, 1e-6}) {
    settings.bias = Current::si(bias_A);
    const ThresholdGate circuit(settings, sigmoid_gate(), room);
    const double expected = nearest_sigmoid(circuit.design().ic_per_tail).deviation;
    const double found = test::largest_difference(
        test::grid(-7.9, 7.9, 3161), [&](double x) { return circuit.transfer(x); }, sigmoid);
    EXPECT_RELATIVE(found, expected, 0.01) << bias_A;
  }
}

TEST(ThresholdGate, ScaleIsTauThermalVoltages) {
  // Against the stored volts per unit at 300 K for four slope factors.
  for (const auto& row : test::pair_vectors("tg_scaling").at("rows")) {
    GateSettings settings = test::weak_settings();
    settings.transistor.card.slope = row.at("n");
    settings.supply = Voltage::si(3.3);
    settings.reference.bits = 0;
    const ThresholdGate circuit(settings, swish_gate(row.at("tau")), room);
    EXPECT_RELATIVE(circuit.design().pairs.front().volts_per_x, row.at("S_V_per_unit").get<double>(), 1e-6);
  }
}

TEST(ThresholdGate, AttenuationIsMadeUpForByTheScale) {
  GateSettings settings = test::weak_settings();
  const ThresholdGate whole(settings, sigmoid_gate(), room);
  settings.attenuation = 0.5;
  const ThresholdGate half(settings, sigmoid_gate(), room);
  EXPECT_RELATIVE(half.design().pairs.front().volts_per_x, 2 * whole.design().pairs.front().volts_per_x, 1e-12);
  EXPECT_NEAR(half.transfer(0.7), whole.transfer(0.7), 1e-12);
}

TEST(ThresholdGate, SoftReluErrsByW1OverEOverTau) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(3.3);
  for (const auto& row : test::pair_vectors("hard_gate_error").at("rows")) {
    settings.hard_sharpness = row.at("tau");
    const ThresholdGate circuit(settings, relu_gate(), room);
    const double reach = 4 / settings.hard_sharpness;
    const double found = test::largest_difference(
        test::grid(-reach, reach, 8001), [&](double x) { return circuit.transfer(x); },
        [](double x) { return std::max(x, 0.0); });
    // Two tails of full_scale stand against each other: their departure from the sigmoid is amplified by that.
    EXPECT_NEAR(found, row.at("max_err").get<double>(), 2e-6 + 1e-6 * found) << settings.hard_sharpness;
  }
}

TEST(ThresholdGate, ComparatorsMakeHardGates) {
  GateSettings settings;
  settings.compares = true;
  for (const GateFunction& gate : {relu_gate(), test::hard_tanh_gate(), nested(test::hard_tanh_gate())}) {
    const ThresholdGate circuit(settings, gate, room);
    EXPECT_LT(test::largest_difference(
                  test::grid(-7.9, 7.9, 1000), [&](double x) { return circuit.transfer(x); }, gate),
              1e-12);
  }
}

TEST(ThresholdGate, StackedAndSeparatePairsAreTheTwoFormsOfTheirGates) {
  GateSettings settings = test::weak_settings();
  settings.supply = Voltage::si(3.3);
  settings.reference.bits = 0;
  const auto& stored = test::pair_vectors("k3_partitions");
  for (std::size_t k = 0; k < 3; ++k) {
    // One gate at a time, as the function whose branch k is the constant 1.
    GateFunction gate;
    gate.slopes = {0, 0, 0};
    gate.constants = {0, 0, 0};
    gate.constants[k] = 1;
    gate.thresholds = stored.at("theta").get<std::vector<double>>();
    gate.sharpness = {stored.at("tau"), stored.at("tau")};
    const ThresholdGate separate(settings, gate, room), stacked(settings, nested(gate), room);
    for (const auto& row : stored.at("rows")) {
      EXPECT_NEAR(separate.transfer(row.at("x")), row.at("diff")[k].get<double>(), 2e-6);
      EXPECT_NEAR(stacked.transfer(row.at("x")), row.at("nested")[k].get<double>(), 2e-6);
    }
  }
}

struct Design {
  const char* name;
  GateSettings settings;
  GateFunction gate;
};
std::vector<Design> designs() {
  GateSettings base;
  base.supply = Voltage::si(1.8);
  std::vector<Design> out;
  for (const double bias_A : {1e-9, 1e-7, 2e-6}) {
    base.bias = Current::si(bias_A);
    out.push_back({"sigmoid", base, sigmoid_gate()});
    out.push_back({"tanh", base, tanh_gate()});
    for (const SignedTail way : {SignedTail::two_pair, SignedTail::class_ab, SignedTail::gilbert}) {
      base.signed_tail = way;
      out.push_back({"silu", base, swish_gate(1)});
      out.push_back({"gelu", base, test::gelu_gate()});
      out.push_back({"nested gelu", base, nested(test::gelu_gate())});
    }
  }
  base.compares = true;
  out.push_back({"hard tanh", base, test::hard_tanh_gate()});
  return out;
}

TEST(ThresholdGate, ArraysEqualTheDoubleTransferWithinTheStatedError) {
  const auto xs = test::grid(-12, 12, 5003);
  std::vector<float> x(xs.begin(), xs.end()), y(x.size());
  for (const Design& d : designs()) {
    const ThresholdGate circuit(d.settings, d.gate, room);
    circuit.evaluate(x, {}, nullptr, 0, y);
    const double error = circuit.table_error();
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(y[i] - circuit.transfer(x[i])));
    EXPECT_LE(worst, error) << d.name;
    // The statement is worth something: within a factor of what is found, and below a thousandth of full scale.
    EXPECT_LT(error, 1e-3 * 8) << d.name;
  }
}

TEST(ThresholdGate, ErrorsActAsTheyAreNamed) {
  GateSettings settings;
  const ThresholdGate circuit(settings, sigmoid_gate(), room);
  UnitErrors errors{3, std::vector<float>(9)};
  errors.plane(0)[0] = 0.3f;   // threshold
  errors.plane(1)[1] = 0.1f;   // sharpness
  errors.plane(2)[2] = -0.2f;  // gain
  const std::vector<float> x{1, 1, 1};
  std::vector<float> y(3);
  circuit.evaluate(x, errors, nullptr, 0, y);
  EXPECT_NEAR(y[0], circuit.transfer(0.7), 1e-5);
  EXPECT_NEAR(y[1], circuit.transfer(1.1), 1e-5);
  EXPECT_NEAR(y[2], 0.8 * circuit.transfer(1), 3e-4);
}

TEST(ThresholdGate, TwoPairResidualIsTheBiasTimesTheDifferenceOfGates) {
  GateSettings settings = test::weak_settings();
  settings.signed_tail = SignedTail::two_pair;
  const ThresholdGate circuit(settings, swish_gate(1), room);
  UnitErrors errors{1, std::vector<float>(6)};
  errors.plane(0)[0] = 0.05f;
  const std::vector<float> x{0.5f};
  std::vector<float> y(1);
  circuit.evaluate(x, errors, nullptr, 0, y);
  const double shifted = sigmoid(0.45), gate = sigmoid(0.5);
  EXPECT_NEAR(y[0], (0.5 + 8) * shifted - 8 * gate, 5e-5);
}

TEST(ThresholdGate, ResultDoesNotDependOnHowABatchIsCut) {
  GateSettings settings;
  settings.noise.bandwidth = Frequency::si(1e6);
  const Stream noise(3, Purpose::front_end_noise, {}), made(3, Purpose::mismatch, {});
  for (const bool compares : {false, true}) {
    settings.compares = compares;
    const ThresholdGate circuit(settings, compares ? test::hard_tanh_gate() : test::gelu_gate(), room);
    constexpr std::size_t units = 300, samples = 7;
    const UnitErrors errors = circuit.sample(made, 0, units);
    std::vector<float> x(units * samples), whole(x.size()), cut(x.size());
    Stream(1, Purpose::test, {}).normals(0, x);
    circuit.evaluate(x, errors, &noise, 1000, whole);
    for (const std::size_t block : {1u, 2u, 4u}) {
      for (std::size_t s = 0; s < samples; s += block) {
        const std::size_t first = s * units, size = std::min(block, samples - s) * units;
        circuit.evaluate(std::span(x).subspan(first, size), errors, &noise, 1000 + first,
                         std::span(cut).subspan(first, size));
      }
      EXPECT_EQ(whole, cut) << block;
    }
    // In place.
    std::vector<float> place = x;
    circuit.evaluate(place, errors, &noise, 1000, place);
    EXPECT_EQ(whole, place);
  }
}

TEST(ThresholdGate, EveryVectorUnitGivesTheSameBits) {
  const PairTable table(0.3);
  const kernels::TableView view{table.cells().data(), static_cast<float>(table.rows_per_w())};
  constexpr std::int64_t count = 251;
  std::vector<float> x(count), errors(3 * count);
  Stream(2, Purpose::test, {}).normals(0, x);
  Stream(2, Purpose::test, {}).normals(7777, errors);
  for (float& e : errors) e *= 0.1f;
  for (float& value : x) value *= 4;
  kernels::PairConstants pair{};
  pair.signal_low = -8, pair.signal_high = 8, pair.gate_low = -10, pair.gate_high = 10;
  pair.theta = 0.2f, pair.dv_per_x = 1.5f, pair.tail_constant = 8, pair.tail_slope = 1, pair.four_ic = 0.05f;
  pair.weight = 2, pair.pedestal = 0.5f, pair.partition = 1e-4f, pair.gate_variance = 1e-4f, pair.tail_white = 1e-5f;
  const kernels::PairErrors of_units{errors.data(), errors.data() + count, errors.data() + 2 * count};
  std::vector<float> first_y, first_variance;
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    std::vector<float> y(count), variance(count);
    kernels::add_pair(unit, pair, view, of_units, x.data(), count, y.data(), variance.data());
    if (first_y.empty()) {
      first_y = y;
      first_variance = variance;
    }
    EXPECT_EQ(first_y, y);
    EXPECT_EQ(first_variance, variance);
  }
}

TEST(ThresholdGate, NotANumberStaysOneAndLeadsNowhereElse) {
  const ThresholdGate circuit(GateSettings{}, swish_gate(1), room);
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
  const std::vector<float> x{nan, infinite, -infinite, 1e30f};
  std::vector<float> y(x.size());
  circuit.evaluate(x, {}, nullptr, 0, y);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_NEAR(y[1], 8, 0.01);
  EXPECT_NEAR(y[2], 0, 0.01);
  EXPECT_EQ(y[1], y[3]);
}

TEST(ThresholdGate, GatesThatAreNotForThisCircuitAreRefused) {
  const auto message = [](const GateSettings& settings, const GateFunction& gate) {
    try {
      ThresholdGate circuit(settings, gate, room);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  GateSettings comparing;
  comparing.compares = true;
  EXPECT_EQ(message(comparing, sigmoid_gate()), "A comparator makes hard gates only; give the gate the kernel 'hard'.");
  GateFunction gate = sigmoid_gate();
  gate.kernel = GateKernel::erf;
  EXPECT_EQ(message({}, gate),
            "A differential pair makes logistic gates, and hard ones by a large sharpness; fit the gate to logistic "
            "sigmoids first.");
  gate = test::gelu_gate();
  gate.form = GateForm::normalised;
  EXPECT_EQ(message({}, gate),
            "A threshold gate of differential pairs can be of difference or nested form; normalised gates need "
            "source-coupled transistors and tanh-sech gates a circuit of their own.");
  GateFunction line;
  line.slopes = {1};
  line.constants = {0};
  line.thresholds = line.sharpness = {};
  EXPECT_EQ(message({}, line), "The gate is a straight line; it needs no front-end.");
  gate = sigmoid_gate();
  gate.sharpness = {0};
  EXPECT_EQ(message({}, gate), "The sharpness of a gate is '0'; it must be finite and above 0.");
}

}  // namespace
}  // namespace tellegen::circuits
