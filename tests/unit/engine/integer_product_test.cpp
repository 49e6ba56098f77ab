// Integer weights, integer inputs, enough levels: every way to encode, slice and stream gives the integer product.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "engine_fixture.h"
#include "pixel_set.h"
#include "product_operation.h"
#include "tellegen/models/operation.h"

namespace tellegen::sim {
namespace {

constexpr std::int64_t kRows = 150, kOutputs = 9, kSamples = 7;

constexpr std::int64_t kSignedCode = 127, kUnsignedCode = 255;

/// Pixels (0 .. 255, as 0 .. 1) to signed inputs: pixel less 128, -127 .. 127, as -1 .. 1.
class Centre final : public models::Operation {
 public:
  std::string label() const override { return "centre"; }
  models::Shape output_shape(std::span<const models::Shape> inputs) const override { return inputs[0]; }
  models::Tensor run(std::span<const models::Tensor* const> inputs) const override {
    models::Tensor output = *inputs[0];
    for (float& x : output.data) x = (std::nearbyint(x * 255) - 128) / 127;
    return output;
  }
  std::string digital_unit() const override { return ""; }
};

struct Combination {
  const char* encoding;
  const char* subtract;
  int levels, slices;
  const char* streaming;
  int bits_per_slice;
  bool is_signed;
};

std::ostream& operator<<(std::ostream& out, const Combination& c) {
  return out << c.encoding << " " << c.subtract << " levels " << c.levels << " slices " << c.slices << " "
             << c.streaming << " " << c.bits_per_slice << (c.is_signed ? " signed" : " unsigned");
}

std::vector<Combination> all_combinations() {
  std::vector<Combination> all;
  const std::pair<const char*, const char*> encodings[] = {
      {"differential", "analog"}, {"differential", "digital"}, {"offset", "digital"}, {"unit_column", "digital"}};
  const std::pair<int, int> slicings[] = {{16, 1}, {256, 1}, {2, 8}, {4, 4}, {16, 2}, {3, 3}};
  const std::pair<const char*, int> streamings[] = {
      {"full", 1}, {"bit_serial", 1}, {"bit_serial", 2}, {"bit_serial", 4}};
  for (const auto& [encoding, subtract] : encodings) {
    for (const auto& [levels, slices] : slicings) {
      for (const auto& [streaming, bits] : streamings) {
        for (const bool is_signed : {false, true})
          all.push_back({encoding, subtract, levels, slices, streaming, bits, is_signed});
      }
    }
  }
  return all;
}

class IntegerCombination : public ::testing::TestWithParam<Combination> {
 protected:
  /// Largest weight that the encoding holds.
  std::int64_t largest_weight() const {
    const auto whole = static_cast<std::int64_t>(std::llround(std::pow(GetParam().levels, GetParam().slices))) - 1;
    return std::string(GetParam().encoding) == "differential" ? whole : whole / 2;
  }

  ExperimentConfig config(const std::string& g_min) const {
    const Combination& c = GetParam();
    ExperimentConfig config;
    const std::string yaml = std::string("network: {onnx: ") + kSource() + ", data: " + kSource() +
                             "}\nchip: {tile: {rows: 64, columns: 80, encoding: " + c.encoding +
                             ", subtract: " + c.subtract + ", cell_levels: " + std::to_string(c.levels) +
                             ", slices: " + std::to_string(c.slices) + "}, device: {model: ideal, g_min: " + g_min +
                             ", g_max: 25 uS}, dac: {bits: 8, streaming: " + c.streaming +
                             ", bits_per_slice: " + std::to_string(c.bits_per_slice) +
                             "}, adc: {bits: ideal}}\nevaluate: {precision: double, chips: 1}";
    read_config_text(yaml, "test.yaml", config);
    return config;
  }
  static std::string kSource() { return test::kSource + "/README.md"; }  // any file: nothing is loaded from it

  /// Random pixels and weights; extremes occur in every row of inputs and every column of weights.
  Workload workload() const {
    const Stream stream(42, Purpose::test, {0, 0, 0});
    std::vector<float> uniform(kSamples * kRows + kOutputs * kRows);
    stream.uniforms(0, uniform);
    Workload work;
    models::Dataset data;
    data.sample_shape = {kRows};
    data.labels.assign(kSamples, 0);
    for (std::int64_t i = 0; i < kSamples * kRows; ++i) {
      data.pixels.push_back(
          static_cast<std::uint8_t>(1 + static_cast<int>(uniform[static_cast<std::size_t>(i)] * 254.99F)));
      if (i % kRows == 0) data.pixels.back() = 255;
    }
    work.data = test::pixels(std::move(data));
    const double w_max = static_cast<double>(largest_weight());
    std::vector<float> weights(kOutputs * kRows);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      const double u = static_cast<double>(uniform[kSamples * kRows + i]);
      weights[i] = static_cast<float>(std::nearbyint((2 * u - 1) * w_max));
      if (i % kRows == 3) weights[i] = static_cast<float>(i % 2 == 0 ? w_max : -w_max);
    }
    const bool is_signed = GetParam().is_signed;
    work.network.values = {{"pixels", {-1, kRows}}, {"x", {-1, kRows}}, {"y", {-1, kOutputs}}};
    if (is_signed) work.network.nodes.push_back({"centre", std::make_shared<Centre>(), {0}, 1, {"centre", "Sub"}, {}});
    work.network.nodes.push_back({"product",
                                  std::make_shared<test::Product>(weights, kOutputs),
                                  {is_signed ? 1 : 0},
                                  2,
                                  {"product", "MatMul"},
                                  {}});
    work.network.input = 0;
    work.network.output = 2;
    work.samples = kSamples;
    work.inputs.resize(work.network.nodes.size());
    work.inputs.back() = {1.0, is_signed};
    return work;
  }

  /// Gives every tile a converter whose codes are the integers, where 16 bits hold them; else leaves it ideal.
  static void make_lossless(ProgrammedChip<double>& chip, const ExperimentConfig& config) {
    const auto device = config.chip.device.make();
    const circuits::Dac& dac = chip.layers[0].dac;
    const bool full = dac.slices() == 1;
    const double drive_codes = full ? static_cast<double>(dac.max_code()) : std::pow(2, dac.config.bits_per_slice) - 1;
    const double levels = config.chip.tile.encoding.cell_levels - 1;
    const double unit_A =
        config.chip.dac.v_read.si() * (device->g_max().si() - device->g_min().si()) / levels / drive_codes;
    const double needed = drive_codes * levels * 64;
    for (ProgrammedTile<double>& tile : chip.layers[0].tiles) {
      if (needed > 32767) continue;
      circuits::AdcConfig adc = config.chip.adc;
      adc.bits.bits = static_cast<int>(std::ceil(std::log2(needed + 1))) + 1;
      adc.quantiser = circuits::QuantiserKind::sign_magnitude;
      tile.adc = circuits::make_adc(adc, (std::pow(2, adc.bits.bits - 1) - 1) * unit_A, true);
    }
  }

  void expect_integers(const ExperimentConfig& config, bool lossless_adc) const {
    const Workload work = workload();
    const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(work.network, config.chip));
    mapping::check_conservation(plan, work.network, config.chip);
    auto chip = program<double>(work, plan, config, 0);
    calibrate(chip, work, plan, config);
    if (lossless_adc) make_lossless(chip, config);
    const models::Tensor got = infer_logits(chip, work, plan, config, 0, kSamples);
    const auto& operation = dynamic_cast<const test::Product&>(*work.network.nodes.back().operation);
    const models::Tensor inputs = work.data.batch(0, kSamples);
    const std::int64_t max_code = GetParam().is_signed ? kSignedCode : kUnsignedCode;
    for (std::int64_t sample = 0; sample < kSamples; ++sample) {
      for (std::int64_t n = 0; n < kOutputs; ++n) {
        std::int64_t expected = 0;
        for (std::int64_t i = 0; i < kRows; ++i) {
          const std::int64_t pixel = std::llround(255 * inputs.data[static_cast<std::size_t>(sample * kRows + i)]);
          const std::int64_t x = GetParam().is_signed ? pixel - 128 : pixel;
          expected +=
              x * std::llround(static_cast<double>(operation.weights()[static_cast<std::size_t>(n * kRows + i)]));
        }
        const double raw = static_cast<double>(got.data[static_cast<std::size_t>(sample * kOutputs + n)]) *
                           static_cast<double>(max_code);
        EXPECT_LT(std::abs(raw - static_cast<double>(expected)), 0.25) << "sample " << sample << " output " << n;
        EXPECT_EQ(std::llround(raw), expected);
      }
    }
  }
};

TEST_P(IntegerCombination, IdealAdcGivesTheIntegerProduct) { expect_integers(config("0.5 uS"), false); }
TEST_P(IntegerCombination, LosslessAdcGivesTheIntegerProduct) { expect_integers(config("0 uS"), true); }

INSTANTIATE_TEST_SUITE_P(Mappings, IntegerCombination, ::testing::ValuesIn(all_combinations()));

}  // namespace
}  // namespace tellegen::sim
