// The three MemGLU gates behind the interface of front-ends.

#include "tellegen/circuits/front_end/front_end.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/memglu_approximation.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/memglu_translinear.h"
#include "tellegen/circuits/front_end/tabulated_gate_kernels.h"
#include "tellegen/devices/memristor/branches.h"

namespace tellegen::circuits {
namespace {

struct File {
  FrontEndConfig front_end;
  void settings(Settings& v) { v.section("front_end", front_end, "the circuit"); }
};

std::unique_ptr<FrontEnd> made(const std::string& yaml, double amplitude = 1, double temperature_K = 300) {
  File file;
  read_config_text("front_end: {" + yaml + "}", "test.yaml", file);
  return file.front_end.make(tanh_sech_gate(amplitude), Temperature::si(temperature_K));
}

std::vector<float> grid() {
  std::vector<float> x;
  for (float at = -8; at <= 8; at += 0.0371f) x.push_back(at);
  return x;
}

TEST(TanhSechApproximation, HasTheErrorsOfItsFits) {
  const auto error = [](TanhSechForm form) {
    double worst = 0;
    for (double x = -8; x <= 8; x += 1e-3) {
      worst = std::max(worst, std::abs(tanh_sech_approximation(form, x) - devices::hyperbolic_gate(x)));
    }
    return worst;
  };
  EXPECT_NEAR(error(TanhSechForm::signed_pairs), 0.0026345, 5e-7);
  EXPECT_NEAR(error(TanhSechForm::telescoping), 0.0206932, 5e-7);
  EXPECT_NEAR(error(TanhSechForm::normalised), 0.0042970, 5e-7);
  EXPECT_NEAR(normalised.size / normalised.offset, 24, 0.1);
}

TEST(MemgluPairs, EqualTheirFormulasInWeakInversion) {
  for (const auto& [form, name] : enum_names(TanhSechForm{})) {
    const auto gate = made(std::string("circuit: memglu_pairs, form: ") + name + ", bias: 1e-17 A");
    for (double x = -8; x <= 8; x += 0.0625) {
      EXPECT_NEAR(gate->transfer(x), tanh_sech_approximation(form, x), 1e-8) << name << " " << x;
    }
  }
}

TEST(MemgluPairs, TailsThatCarryXAreSolvedAtThatX) {
  // 24 times 8 times 10 nA is near moderate inversion: the gate is softer far out than at its centre, and a design that
  // took one inversion for all x would not be.
  const auto gate = made("circuit: memglu_pairs, form: normalised, bias: 100 nA");
  const double near = gate->transfer(0.05) / tanh_sech_approximation(TanhSechForm::normalised, 0.05);
  const double far = gate->transfer(4) / tanh_sech_approximation(TanhSechForm::normalised, 4);
  EXPECT_NEAR(near, 1, 0.3);
  EXPECT_GT(far, 2 * near);
}

TEST(MemgluTranslinear, ScalesToAnyAmplitude) {
  const auto one = made("circuit: memglu_translinear, bias: 1e-17 A");
  const auto scaled = made("circuit: memglu_translinear, bias: 1e-17 A", 1.5868);
  const double peak = std::asinh(1.0);
  EXPECT_NEAR(one->transfer(peak), 0.5, 1e-8);
  EXPECT_NEAR(scaled->transfer(peak), 1.5868 / 2, 1e-8);
}

TEST(MemgluTranslinear, SharpensInTheColdUnlessVoltsFollowTemperature) {
  const auto slope = [](const FrontEnd& gate) { return (gate.transfer(1e-3) - gate.transfer(-1e-3)) / 2e-3; };
  const auto cold = made("circuit: memglu_translinear, bias: 1e-17 A", 1, 233.15);
  EXPECT_NEAR(slope(*cold), 300 / 233.15, 1e-5);
  const auto followed = made("circuit: memglu_translinear, bias: 1e-17 A, scaling: ptat", 1, 233.15);
  EXPECT_NEAR(slope(*followed), 1, 1e-5);
}

TEST(MemgluMemristor, TheDefaultIsRightToAThousandth) {
  const auto gate = made("circuit: memglu_memristor, bias: 1e-17 A");
  double worst = 0;
  for (double x = -8; x <= 8; x += 0.01) {
    worst = std::max(worst, std::abs(gate->transfer(x) - devices::hyperbolic_gate(x)));
  }
  EXPECT_NEAR(worst, 7.9e-4, 0.1e-4);
}

class EveryMemglu : public testing::TestWithParam<std::string> {
 protected:
  std::unique_ptr<FrontEnd> gate_ = made(GetParam());
};

TEST_P(EveryMemglu, TablesAreTheTransfer) {
  const std::vector<float> x = grid();
  std::vector<float> y(x.size());
  gate_->evaluate(x, {}, nullptr, 0, y);
  EXPECT_LE(gate_->table_error(), 2e-4);
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(y[i]), gate_->transfer(static_cast<double>(x[i])),
                1.01 * gate_->table_error() + 1e-6)
        << x[i];
  }
}

TEST_P(EveryMemglu, EnergyOfTheSupplyIsAccountedFor) {
  for (const double before : {-3.0, 0.0, 2.0}) {
    for (const double x : {-1.0, 0.3, 5.0}) {
      const EnergyBook book = gate_->energy(before, x, gate_->cost().evaluation_s);
      EXPECT_GT(book.supply_J(), 0);
      EXPECT_LE(book.imbalance(), 1e-9) << before << " to " << x;
    }
  }
}

TEST_P(EveryMemglu, CutsOfABatchChangeNothing) {
  const auto units = std::int64_t{5};
  const Stream mismatch(7, Purpose::mismatch, {}), noise(7, Purpose::read_noise, {});
  const UnitErrors errors = gate_->sample(mismatch, 0, units);
  std::vector<float> x = grid();
  x.resize(x.size() / 5 * 5);
  std::vector<float> whole(x.size()), parts(x.size());
  gate_->evaluate(x, errors, &noise, 100, whole);
  const std::size_t cut = 35;
  gate_->evaluate(std::span(x).first(cut), errors, &noise, 100, std::span(parts).first(cut));
  gate_->evaluate(std::span(x).subspan(cut), errors, &noise, 100 + cut, std::span(parts).subspan(cut));
  EXPECT_EQ(whole, parts);
  std::vector<float> same = x;
  gate_->evaluate(same, errors, &noise, 100, same);
  EXPECT_EQ(whole, same);
}

TEST_P(EveryMemglu, ErrorsAndNoiseScatterAsTheySay) {
  const auto units = std::int64_t{40000};
  const UnitErrors errors = gate_->sample(Stream(3, Purpose::mismatch, {}), 0, units);
  const auto& planes = gate_->error_planes();
  for (std::size_t k = 0; k < planes.size(); ++k) {
    double mean = 0, squares = 0, fourth = 0;
    for (const float value : errors.plane(k)) mean += static_cast<double>(value) / units;
    for (const float value : errors.plane(k)) {
      const double off = (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
      squares += off / units;
      fourth += off * off / units;
    }
    // Four standard errors of a standard deviation, whatever the distribution.
    const double standard_error = std::sqrt((fourth / (squares * squares) - 1) / (4 * units));
    EXPECT_NEAR(std::sqrt(squares) / planes[k].deviation, 1, 4 * standard_error) << planes[k].name;
  }
  std::vector<float> x(static_cast<std::size_t>(units), 0.4f), y(x.size());
  const Stream noise(4, Purpose::read_noise, {});
  gate_->evaluate(x, {}, &noise, 0, y);
  const double mean = gate_->transfer(0.4);
  double squares = 0;
  for (const float one : y) squares += (static_cast<double>(one) - mean) * (static_cast<double>(one) - mean);
  EXPECT_NEAR(std::sqrt(squares / units), gate_->output_noise(0.4), 0.0142 * gate_->output_noise(0.4));
}

INSTANTIATE_TEST_SUITE_P(MemGlu, EveryMemglu,
                         testing::Values("circuit: memglu_translinear", "circuit: memglu_memristor",
                                         "circuit: memglu_pairs", "circuit: memglu_pairs, form: telescoping",
                                         "circuit: memglu_pairs, form: normalised"));

class TranslinearMismatch : public testing::TestWithParam<double> {};

TEST_P(TranslinearMismatch, PlanesStandForEveryTransistor) {
  // 29 transistors of each of 20000 gates, solved, against the three numbers per gate that a layer keeps.
  GateBias bias;
  bias.mosfet.width = Length::si(GetParam());
  bias.mosfet.length = Length::si(GetParam());
  const BiasedTransistor transistor(bias, Temperature::si(300));
  const TransistorSpread one = transistor_spread(bias, transistor, 0.5 * transistor.tail);
  const std::int64_t gates = 20000;
  const auto count = static_cast<std::size_t>(gates);
  const std::string side = format(bias.mosfet.width);
  const auto gate = made("circuit: memglu_translinear, mosfet: {width: " + side + ", length: " + side + "}");
  const UnitErrors errors = gate->sample(Stream(11, Purpose::mismatch, {}), 0, gates);
  std::vector<float> draws(2 * translinear_transistors);
  const Stream stream(12, Purpose::mismatch, {});
  for (const double x : {0.0, 0.5, 1.5}) {
    std::vector<float> at(count, static_cast<float>(x)), y(count);
    gate->evaluate(at, errors, nullptr, 0, y);
    const double nominal = gate->transfer(x);
    double by_planes = 0, by_transistors = 0;
    for (std::size_t u = 0; u < count; ++u) {
      stream.normals(u * draws.size(), draws);
      TranslinearTransistors parts;
      for (std::size_t k = 0; k < translinear_transistors; ++k) {
        parts[k] = {one.shift * static_cast<double>(draws[2 * k]),
                    1 + one.size * static_cast<double>(draws[2 * k + 1])};
      }
      const double full = 2 * translinear_gate(2 * x, transistor.tail, parts).i_out / transistor.tail;
      by_transistors += (full - nominal) * (full - nominal);
      by_planes += std::pow(static_cast<double>(y[u]) - nominal, 2);
    }
    // Two standard deviations of 20000 samples each: 4 sqrt(2) / sqrt(2 n) = 2.8 % where they are normal; lognormal
    // ones of the smallest transistors scatter about three times as much.
    EXPECT_NEAR(std::sqrt(by_planes / by_transistors), 1, GetParam() > 5e-6 ? 0.028 : 0.09) << x;
  }
}
INSTANTIATE_TEST_SUITE_P(Sizes, TranslinearMismatch, testing::Values(20e-6, 1.5e-6));

TEST(Memglu, OtherGatesAreRefused) {
  File file;
  read_config_text("front_end: {circuit: memglu_pairs}", "test.yaml", file);
  try {
    file.front_end.make(swish_gate(1), Temperature::si(300));
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "front_end.circuit = 'memglu_pairs' makes the gate tanh(x) sech(x) only; allowed for other gates: "
                 "differential_pair, comparator.");
  }
}

TEST(Memglu, NoHeadroomIsSaid) {
  try {
    made("circuit: memglu_translinear, supply: 0.7 V");
    FAIL();
  } catch (const RefusedError& error) {
    EXPECT_NE(std::string(error.what()).find("The translinear gate has no headroom"), std::string::npos)
        << error.what();
  }
}

TEST(CurveTable, SameBitsOnEveryVectorUnit) {
  CurveTable table{-4, 4, 64, {}};
  for (int k = 0; k < 512; ++k) {
    const float at = static_cast<float>(k);
    table.pieces.push_back({std::sin(0.1f * at), std::cos(0.2f * at), 0.01f, -0.003f});
  }
  std::vector<float> x, shift, gain, first;
  for (int i = 0; i < 251; ++i) {
    x.push_back(0.04f * static_cast<float>(i) - 5);
    shift.push_back(0.001f * static_cast<float>(i % 7));
    gain.push_back(0.01f * static_cast<float>(i % 5));
  }
  for (const VectorUnit unit : vector_units) {
    if (!is_supported(unit)) continue;
    std::vector<float> sum(x.size());
    add_curve(table, true, 1.5f, x, shift, gain, sum, unit);
    if (first.empty()) first = sum;
    EXPECT_EQ(sum, first);
  }
}

TEST(MemgluConfigs, FilesLoadAsTheDefaultsAndNameTheirSource) {
  for (const char* name : {"memglu_translinear", "memglu_memristor", "memglu_pairs"}) {
    const auto path = std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/circuits" / (std::string(name) + ".yaml");
    std::ifstream text(path);
    std::string first;
    ASSERT_TRUE(std::getline(text, first)) << path;
    EXPECT_TRUE(first.starts_with("# ") && first.size() > 40) << path;
    File file, smallest;
    read_config(path, file);
    read_config_text(find_front_end(name).smallest_yaml, "smallest.yaml", smallest);
    EXPECT_EQ(write_config(file), write_config(smallest));
    EXPECT_EQ(file.front_end.circuit, name);
  }
}

}  // namespace
}  // namespace tellegen::circuits
