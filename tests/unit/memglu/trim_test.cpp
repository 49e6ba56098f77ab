// Trimming of the MemGLU gates: what is left of the errors of units, where they are measured and elsewhere.

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/unit_trim.h"

namespace tellegen::circuits {
namespace {

struct File {
  FrontEndConfig front_end;
  void settings(Settings& v) { v.section("front_end", front_end, "the circuit"); }
};

std::unique_ptr<FrontEnd> made(const std::string& yaml, double temperature_K = 300) {
  File file;
  read_config_text("front_end: {circuit: " + yaml + "}", "test.yaml", file);
  return file.front_end.make(tanh_sech_gate(1), Temperature::si(temperature_K));
}

constexpr std::int64_t kUnits = 4000;
const std::array kCircuits{"memglu_translinear", "memglu_memristor", "memglu_pairs", "memglu_pairs, form: normalised"};

UnitErrors errors_of(const FrontEnd& gate) { return gate.sample(Stream(5, Purpose::mismatch, {0, 0, 0}), 0, kUnits); }

/// Root mean square over units of circuit(x) - nominal circuit(x), at x = 0.7.
double scatter(const FrontEnd& gate) {
  const std::vector<float> x(kUnits, 0.7F);
  std::vector<float> y(kUnits);
  gate.evaluate(x, errors_of(gate), nullptr, 0, y);
  const double nominal = gate.transfer(0.7);
  double squares = 0;
  for (const float one : y) squares += std::pow(static_cast<double>(one) - nominal, 2);
  return std::sqrt(squares / kUnits);
}

TEST(UnitTrimming, LeavesHalfAStepOfItsDacs) {
  const std::optional<UnitTrim> trim{UnitTrim{}};  // 5 bits, 3 sigmas
  const TrimmedDeviation same{0.2, 0.2, 1};
  const double half_step = 3 * 0.2 / 31;
  for (double draw = -3; draw <= 3; draw += 0.01) EXPECT_LE(std::abs(same.left_of(draw, trim)), half_step * 1.000001);
  EXPECT_NEAR(same.left_of(4, trim), 0.2, 1e-12) << "beyond the range the rest stays";
  EXPECT_DOUBLE_EQ(same.left_of(1.5, std::nullopt), 0.3);
}

TEST(UnitTrimming, ACorrectionKeepsItsVoltsWhereTheErrorMoved) {
  const std::optional<UnitTrim> trim{UnitTrim{}};
  const TrimmedDeviation hot{0.3, 0.2, 0.75};
  const double half_step = 3 * 0.2 / 31;
  EXPECT_NEAR(hot.left_of(1, trim), 0.3 - 0.75 * 0.2, 0.75 * half_step);
}

/// Uniform errors within half a step are left: 1 / sqrt(3) of half a step, of each plane.
TEST(UnitTrimming, BringsEveryPlaneToTheRestOfItsDac) {
  for (const std::string circuit : {"memglu_memristor", "memglu_pairs"}) {
    const auto trimmed = made(circuit + ", trim: {bits: 6, range_sigmas: 4}");
    const UnitErrors errors = errors_of(*trimmed);
    for (std::size_t k = 0; k < trimmed->error_planes().size(); ++k) {
      double squares = 0;
      for (const float one : errors.plane(k)) squares += static_cast<double>(one) * static_cast<double>(one);
      const double expected = trimmed->error_planes()[k].deviation * 4 / 63 / std::sqrt(3.0);
      EXPECT_NEAR(std::sqrt(squares / kUnits), expected, 0.05 * expected) << circuit << ", plane " << k;
    }
  }
}

TEST(UnitTrimming, TakesScatterAwayWhereItIsMeasured) {
  for (const std::string circuit : kCircuits) {
    const double plain = scatter(*made(circuit)), trimmed = scatter(*made(circuit + ", trim: {bits: 6}"));
    EXPECT_LT(trimmed, plain / 10) << circuit;
    EXPECT_GT(trimmed, plain / 1000) << circuit;
  }
}

TEST(UnitTrimming, SetsItselfWhereItIsMeasured) {
  for (const std::string circuit : kCircuits) {
    const double plain = scatter(*made(circuit, 398)),
                 at_300 = scatter(*made(circuit + ", trim: {bits: 10, range_sigmas: 5}", 398)),
                 hot = scatter(*made(circuit + ", trim: {bits: 10, range_sigmas: 5, measured_at: 398 K}", 398));
    EXPECT_LT(at_300, plain / 2) << circuit;
    EXPECT_LT(hot, plain / 50) << circuit;
    // Trims of tail currents are shares, and errors of mirrors move away from them; the loops of the translinear gate are
    // trimmed by voltages, and the memristor's gain is taken to be the same at all temperatures.
    if (circuit.starts_with("memglu_pairs")) {
      EXPECT_GT(at_300, 2 * hot) << circuit;
    } else {
      EXPECT_LT(at_300, 2 * hot) << circuit;
    }
  }
}

/// An offset in volts is less of x where a unit of x is more volts, and its correction is too.
TEST(UnitTrimming, OfVoltsFollowsAScaleThatFollowsTemperature) {
  for (const std::string circuit : {"memglu_translinear", "memglu_memristor"}) {
    const std::string trimmed = circuit + ", scaling: ptat, trim: {bits: 10, range_sigmas: 5";
    EXPECT_LT(scatter(*made(trimmed + "}", 398)), 2 * scatter(*made(trimmed + ", measured_at: 398 K}", 398)))
        << circuit;
  }
}

TEST(UnitTrimming, NoBitsAreNoTrimming) {
  for (const std::string circuit : kCircuits) {
    EXPECT_EQ(errors_of(*made(circuit)).values, errors_of(*made(circuit + ", trim: {bits: 0}")).values) << circuit;
  }
}

TEST(UnitTrimming, TakesArea) {
  for (const std::string circuit : kCircuits) {
    const auto plain = made(circuit), six = made(circuit + ", trim: {bits: 6}");
    const auto dacs = static_cast<double>(six->error_planes().size());
    EXPECT_NEAR(six->cost().area_m2.typical - plain->cost().area_m2.typical, dacs * 6 * 4e-12, 1e-15) << circuit;
    EXPECT_NEAR(six->cost().area_m2.high - plain->cost().area_m2.high, dacs * 6 * 10e-12, 1e-15) << circuit;
  }
}

}  // namespace
}  // namespace tellegen::circuits
