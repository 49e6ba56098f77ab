// Activations by circuits between converters, value by value.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/random.h"
#include "unit_fixture.h"

namespace tellegen::sim {
namespace {

using models::Tensor;

/// [samples, 128, 256], normal with deviation 2.
Tensor inputs(std::int64_t samples) {
  Tensor x{{samples, 128, 256}, std::vector<float>(static_cast<std::size_t>(samples) * 128 * 256)};
  Stream(7, Purpose::test, {0, 0, 0}).normals(0, x.data);
  for (float& one : x.data) one *= 2;
  return x;
}

Tensor outputs(const test::OneUnit& one, const Tensor& x, std::uint64_t first = 0, std::uint32_t chip = 0) {
  ProgrammedUnit programmed = program_unit(one.place(chip));
  calibrate_unit(programmed, one.place(chip), inputs(2));
  UnitEvents events;
  return run_unit(programmed, one.place(chip), x, first, x.shape[0], events);
}

double rms(const Tensor& a, const Tensor& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) squares += std::pow(static_cast<double>(a.data[i] - b.data[i]), 2);
  return std::sqrt(squares / static_cast<double>(a.data.size()));
}

TEST(GateUnit, IdealOnesAreTheActivationItself) {
  const test::OneUnit one("lm_memglu",
                          test::kIdealConverters + "analog_units: {fidelity: ideal, gate: {circuit: memglu_pairs}}");
  const Tensor x = inputs(2), y = outputs(one, x), expected = test::exactly(one, x);
  for (std::size_t i = 0; i < y.data.size(); ++i) ASSERT_NEAR(y.data[i], expected.data[i], 2e-6);
}

TEST(GateUnit, NominalOnesAreTheCircuitsTransfer) {
  for (const std::string circuit : {"memglu_translinear", "memglu_memristor", "memglu_pairs"}) {
    const test::OneUnit one(
        "lm_memglu", test::kIdealConverters + "analog_units: {fidelity: nominal, gate: {circuit: " + circuit + "}}");
    const circuits::FrontEnd& front_end = *one.unit().groups[0].circuit;
    const Tensor x = inputs(1), y = outputs(one, x);
    const double bound = front_end.table_error() + 2e-6;
    for (std::size_t i = 0; i < y.data.size(); i += 17)
      ASSERT_NEAR(y.data[i], front_end.transfer(static_cast<double>(x.data[i])), bound)
          << circuit << " at " << x.data[i];
  }
}

/// The whole path with errors and noise is one call of the circuit for units in the order of the neurons.
TEST(GateUnit, IsItsCircuitWithTheErrorsAndNoiseOfItsPlace) {
  const test::OneUnit one("lm_memglu", test::kIdealConverters + "analog_units: {gate: {circuit: memglu_pairs}}");
  const Tensor x = inputs(2), y = outputs(one, x, 5, 1);
  const circuits::FrontEnd& front_end = *one.unit().groups[0].circuit;
  const auto node = static_cast<std::uint32_t>(one.unit().node);
  const Stream mismatch(one.config.evaluate.seed, Purpose::mismatch, {1, node, 100'000}),
      noise(one.config.evaluate.seed, Purpose::front_end_noise, {1, node, 100'000});
  std::vector<float> expected(x.data.size());
  front_end.evaluate(x.data, front_end.sample(mismatch, 0, 256), &noise, 5 * 128 * 256, expected);
  for (std::size_t i = 0; i < y.data.size(); ++i) ASSERT_NEAR(y.data[i], expected[i], 2e-6);
}

TEST(GateUnit, SamplesHaveTheirNoiseInAnyBatch) {
  const test::OneUnit one("lm_memglu", "analog_units: {gate: {circuit: memglu_pairs}}");
  const Tensor x = inputs(3), whole = outputs(one, x, 4);
  const auto size = static_cast<std::ptrdiff_t>(128 * 256);
  for (std::ptrdiff_t s = 0; s < 3; ++s) {
    const Tensor part{{1, 128, 256}, {x.data.begin() + s * size, x.data.begin() + (s + 1) * size}};
    const Tensor y = outputs(one, part, static_cast<std::uint64_t>(4 + s));
    EXPECT_TRUE(std::equal(y.data.begin(), y.data.end(), whole.data.begin() + s * size));
  }
}

TEST(GateUnit, ChipsDiffer) {
  const test::OneUnit one("lm_memglu", "analog_units: {gate: {circuit: memglu_pairs}}");
  const Tensor x = inputs(1);
  EXPECT_GT(rms(outputs(one, x, 0, 0), outputs(one, x, 0, 1)), 0.05);
}

TEST(GateUnit, TrimmingTakesMismatchAway) {
  const auto error = [](const std::string& more) {
    const test::OneUnit one("lm_memglu",
                            test::kIdealConverters + "analog_units: {gate: {circuit: memglu_translinear" + more + "}}");
    const Tensor x = inputs(1);
    return rms(outputs(one, x), test::exactly(one, x));
  };
  EXPECT_GT(error(""), 8 * error(", trim: {bits: 6}"));
}

/// n bits with sign on the whole range: steps of full scale / (2^(n - 1) - 1), errors uniform within half of one.
TEST(GateUnit, ConvertersHaveTheirSteps) {
  const test::OneUnit one(
      "lm_memglu",
      "dac: {bits: ideal}, adc: {bits: 6, range: {method: max}}, analog_units: {fidelity: ideal, gate: "
      "{circuit: memglu_pairs}}");
  const Tensor x = inputs(1), y = outputs(one, x), expected = test::exactly(one, x);
  const float peak = *std::max_element(expected.data.begin(), expected.data.end());
  const double step = static_cast<double>(peak) / 31;
  for (std::size_t i = 0; i < y.data.size(); ++i) {
    const double codes = static_cast<double>(y.data[i]) / step;
    ASSERT_NEAR(codes, std::nearbyint(codes), 1e-2);
    ASSERT_NEAR(y.data[i], expected.data[i], 0.51 * step);
  }
}

TEST(GateUnit, FillsTheRangeOfCircuitsThatCarryX) {
  const test::OneUnit one("lm_swiglu",
                          "analog_units: {fidelity: nominal, gate: {circuit: differential_pair, full_scale: 4}}");
  mapping::Plan plan = one.planned.plan;
  plan.analog_units.clear();
  std::vector<mapping::Edge> edges = one.planned.edges;
  const std::vector<double> largest(one.planned.workload->network.nodes.size(), 16.0);
  mapping::place_analog_units(plan, one.planned.workload->network, edges, one.config.chip, Temperature::si(300),
                              largest);
  const mapping::UnitGroup& group = plan.analog_units[0].groups[0];
  EXPECT_NEAR(group.x_scale, group.circuit->limits().x_high / 16, 1e-12);
  EXPECT_NEAR(group.circuit->transfer(2 * group.x_scale), 2 / (1 + std::exp(-2.0)), 0.05);
  const UnitPlace place{plan.analog_units[0], one.node(), one.config, 0};
  ProgrammedUnit programmed = program_unit(place);
  const Tensor x = inputs(1), expected = test::exactly(one, x);
  calibrate_unit(programmed, place, x);
  UnitEvents events;
  EXPECT_LT(rms(run_unit(programmed, place, x, 0, 1, events), expected), 0.1);
}

TEST(GateUnit, CountsWhatHappens) {
  const test::OneUnit one("lm_polyglu_alpha_frozen", "analog_units: {gate: {circuit: differential_pair}}");
  ProgrammedUnit programmed = program_unit(one.place());
  const Tensor x = inputs(2);
  calibrate_unit(programmed, one.place(), x);
  UnitEvents events;
  run_unit(programmed, one.place(), x, 0, 2, events);
  EXPECT_EQ(events.drives, x.size());
  EXPECT_EQ(events.evaluations, x.size());
  EXPECT_EQ(events.conversions, x.size());
  EXPECT_TRUE(digital_work_beside(one.unit(), events).empty());
}

}  // namespace
}  // namespace tellegen::sim
