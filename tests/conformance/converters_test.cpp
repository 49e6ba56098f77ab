// What every kind of converter must do, over all kinds, resolutions and ways to cut the range.

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/linearity.h"
#include "tellegen/circuits/cost/adc_cost.h"

namespace tellegen::circuits {
namespace {

const Stream mismatch(5, Purpose::mismatch, {});

struct Case {
  std::string kind;
  QuantiserKind quantiser;
  int bits;
};

bool is_staged(const std::string& kind) { return kind == "pipeline" || kind == "cyclic"; }

std::vector<Case> cases(bool staged) {
  std::vector<Case> all;
  for (const std::string& kind : adc_kinds()) {
    if (is_staged(kind) && !staged) continue;
    for (const QuantiserKind quantiser :
         {QuantiserKind::endpoint, QuantiserKind::mid_rise, QuantiserKind::sign_magnitude}) {
      for (const int bits : {1, 2, 3, 5, 8, 10}) {
        if (kind == "sense_amplifier" && bits != 1) continue;
        if (quantiser == QuantiserKind::sign_magnitude && bits == 1) continue;
        all.push_back({kind, quantiser, bits});
      }
    }
  }
  return all;
}

Quantiser ideal(const Case& c) {
  return {c.quantiser, {c.bits}, c.quantiser == QuantiserKind::sign_magnitude ? -1.0 : -0.3, 1.0};
}

AdcBank bank(const Case& c, const AdcErrors& errors) {
  return AdcBank({c.kind, errors, AdcCalibration::none, 1, 1}, ideal(c), mismatch);
}

/// Inputs over the range and beyond; the stride is irrational, so that none is a tie.
template <class Visit>
void sweep(const Visit& visit) {
  for (double x = -1.5 + 1e-4 * std::sqrt(2.0); x < 1.5; x += 3e-4 * std::sqrt(3.0)) visit(x);
}

std::string name_of(const testing::TestParamInfo<Case>& tested) {
  const Case& c = tested.param;
  const char* cut = c.quantiser == QuantiserKind::endpoint   ? "endpoint"
                    : c.quantiser == QuantiserKind::mid_rise ? "mid_rise"
                                                             : "sign_magnitude";
  return c.kind + "_" + cut + "_" + std::to_string(c.bits);
}

class MonotoneConverter : public testing::TestWithParam<Case> {};
class Converter : public testing::TestWithParam<Case> {};

TEST_P(Converter, WithoutErrorsItIsTheIdealQuantiser) {
  const AdcBank converter = bank(GetParam(), {});
  const Quantiser quantiser = ideal(GetParam());
  sweep([&](double x) {
    ASSERT_EQ(converter.code(x, 0, {}), quantiser.code(x)) << x;
    ASSERT_NEAR(converter.convert(x, 0, {}), quantiser.quantise(x), 1e-12) << x;
  });
}

TEST_P(Converter, WithoutErrorsItErrsByHalfAStepAtMost) {
  const AdcBank converter = bank(GetParam(), {});
  const Quantiser quantiser = ideal(GetParam());
  sweep([&](double x) {
    if (x < quantiser.low || x > quantiser.high) return;
    ASSERT_LE(std::abs(converter.convert(x, 0, {}) - x), quantiser.step() / 2 * (1 + 1e-9)) << x;
  });
}

TEST_P(Converter, ItHasAllItsCodesAndNoMore) {
  const AdcBank converter = bank(GetParam(), {});
  std::set<std::int64_t> codes;
  sweep([&](double x) { codes.insert(converter.code(x, 0, {})); });
  const std::int64_t all = std::int64_t{1} << GetParam().bits;
  EXPECT_EQ(static_cast<std::int64_t>(codes.size()),
            GetParam().quantiser == QuantiserKind::sign_magnitude ? all - 1 : all);
}

// Stated: a search, a count of thresholds and a counter cannot fall where the input grows, whatever the mismatch. Stages with
// a wrong ratio can.
TEST_P(MonotoneConverter, ItsCodeNeverFallsWhereTheInputGrows) {
  AdcErrors errors;
  errors.mismatch = 0.2;
  errors.offset = 1;
  errors.gain = 0.1;
  errors.curvature = 0.3;
  const AdcBank converter = bank(GetParam(), errors);
  std::int64_t last = std::numeric_limits<std::int64_t>::min();
  sweep([&](double x) {
    const std::int64_t code = converter.code(x, 0, {});
    ASSERT_GE(code, last) << x;
    last = code;
  });
}

INSTANTIATE_TEST_SUITE_P(AllKinds, Converter, testing::ValuesIn(cases(true)), name_of);
INSTANTIATE_TEST_SUITE_P(StatedKinds, MonotoneConverter, testing::ValuesIn(cases(false)), name_of);

TEST(StagedConverter, StagesWithAWrongRatioAreNotMonotone) {
  AdcErrors errors;
  errors.mismatch = 0.05;
  bool falls = false;
  for (std::uint64_t c = 0; c < 5; ++c) {
    const auto circuit = make_adc_circuit("pipeline", 10, errors, mismatch, c);
    std::int64_t last = 0;
    for (double q = 0.1; q < 1024; q += 0.31) {
      falls = falls || circuit->code(q, {}) < last;
      last = circuit->code(q, {});
    }
  }
  EXPECT_TRUE(falls);
}

}  // namespace
}  // namespace tellegen::circuits
