// Read noise of every cell through the wires, seen at the outputs of a network on a chip: the whole covariance, against nodal equations in
// which every cell is drawn.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine_fixture.h"
#include "pixel_set.h"
#include "product_operation.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"

namespace tellegen::sim {
namespace {

constexpr std::int64_t kRows = 16, kOutputs = 8, kReads = 4000;

/// One layer, and kReads times the same image.
Workload workload() {
  std::vector<float> uniform(kRows + kRows * kOutputs);
  Stream(3, Purpose::test, {}).uniforms(0, uniform);
  std::vector<float> weights;
  for (std::int64_t i = 0; i < kRows * kOutputs; ++i)
    weights.push_back(uniform[static_cast<std::size_t>(kRows + i)]);  // of one sign, so that correlations add up
  Workload work;
  models::Dataset data;
  data.sample_shape = {kRows};
  data.labels.assign(kReads, 0);
  for (std::int64_t read = 0; read < kReads; ++read) {
    for (std::int64_t i = 0; i < kRows; ++i) {
      data.pixels.push_back(i == 0 ? 255 : static_cast<std::uint8_t>(40 + 200 * uniform[static_cast<std::size_t>(i)]));
    }
  }
  work.data = test::pixels(std::move(data));
  work.network.values = {{"x", {-1, kRows}}, {"y", {-1, kOutputs}}};
  work.network.nodes.push_back(
      {"product", std::make_shared<test::Product>(weights, kOutputs), {0}, 1, {"product", "MatMul"}, {}});
  work.network.input = 0;
  work.network.output = 1;
  work.samples = kReads;
  work.inputs = {{1.0, false}};
  return work;
}

ExperimentConfig config() {
  ExperimentConfig config;
  const std::string any = test::kSource + "/README.md";
  const std::string chip =
      "tile: {rows: 16, columns: 16}, device: {model: generic, g_min: 1 uS, g_max: 100 uS, read_noise: {proportional: "
      "0.05}}, "
      "crossbar: {fidelity: circuit, row_wire: 40 ohm, column_wire: 40 ohm, driver: 5 kohm, read_noise: exact}, "
      "dac: {bits: ideal}, adc: {bits: ideal}";
  read_config_text("network: {onnx: " + any + ", data: " + any + "}\nchip: {" + chip +
                       "}\nevaluate: {precision: double, calibration_samples: 1}",
                   "test.yaml", config);
  return config;
}

struct Moments {
  std::vector<double> sum = std::vector<double>(kOutputs), product = std::vector<double>(kOutputs * kOutputs);
  int count = 0;
  void add(const std::vector<double>& y) {
    ++count;
    for (std::size_t a = 0; a < kOutputs; ++a) {
      sum[a] += y[a];
      for (std::size_t b = 0; b < kOutputs; ++b) product[a * kOutputs + b] += y[a] * y[b];
    }
  }
  double covariance(std::size_t a, std::size_t b) const {
    return (product[a * kOutputs + b] - sum[a] * sum[b] / count) / (count - 1);
  }
};

/// What the chip should do: every cell drawn, nodal equations solved, currents scaled to outputs as the chip does.
Moments nodal_monte_carlo(const Workload& work, const ExperimentConfig& config, const ProgrammedChip<double>& chip,
                          std::vector<double>& ideal_variance) {
  const ProgrammedLayer<double>& layer = chip.layers[0];
  const mapping::Layout& layout = layer.tiles[0].layout;
  const auto device = config.chip.device.make();
  const auto& operation = dynamic_cast<const test::Product&>(*work.network.nodes[0].operation);
  const std::vector<float> cells = mapping::encode(config.chip.tile.encoding, layout, operation.weights(), kRows,
                                                   layer.scales, device->g_min(), device->g_max());
  const circuits::Wires wires = config.chip.crossbar.wires.wires(kRows, layout.physical_columns);
  const models::Tensor image = work.data.batch(0, 1);
  std::vector<double> volts, to_output;
  for (const float x : image.data) volts.push_back(0.2 * static_cast<double>(x));
  for (std::size_t n = 0; n < kOutputs; ++n) to_output.push_back(layer.scales[n] * layout.lines[n].factor / 0.2);

  ideal_variance.assign(kOutputs, 0);
  for (std::size_t i = 0; i < kRows; ++i) {
    for (std::size_t n = 0; n < kOutputs; ++n) {
      for (const int column : {layout.lines[n].plus, layout.lines[n].minus}) {
        const double g = static_cast<double>(
            cells[i * static_cast<std::size_t>(layout.physical_columns) + static_cast<std::size_t>(column)]);
        ideal_variance[n] += std::pow(to_output[n] * volts[i] * 0.05 * g, 2);
      }
    }
  }
  Moments moments;
  for (std::uint32_t draw = 0; draw < kReads; ++draw) {
    std::vector<float> normal(cells.size());
    Stream(99, Purpose::test, {draw, 0, 0}).normals(0, normal);
    std::vector<double> drawn(cells.size());
    for (std::size_t k = 0; k < cells.size(); ++k)
      drawn[k] = static_cast<double>(cells[k]) * (1 + 0.05 * static_cast<double>(normal[k]));
    const std::vector<double> currents = circuits::NodalReference(wires, drawn).solve(volts).output_A;
    std::vector<double> y;
    for (std::size_t n = 0; n < kOutputs; ++n) {
      const mapping::Line& line = layout.lines[n];
      y.push_back(to_output[n] *
                  (currents[static_cast<std::size_t>(line.plus)] - currents[static_cast<std::size_t>(line.minus)]));
    }
    moments.add(y);
  }
  return moments;
}

TEST(WireNoise, WholeCovarianceAtTheOutputsIsThatOfDrawnCells) {
  const ExperimentConfig settings = config();
  const Workload work = workload();
  const auto plan = std::get<mapping::Plan>(mapping::plan_greedy(work.network, settings.chip));
  auto chip = program<double>(work, plan, settings, 0);
  calibrate(chip, work, plan, settings);
  const models::Tensor logits = infer_logits(chip, work, plan, settings, 0, kReads);
  Moments got;
  for (std::int64_t read = 0; read < kReads; ++read) {
    got.add({logits.data.begin() + read * kOutputs, logits.data.begin() + (read + 1) * kOutputs});
  }
  std::vector<double> ideal_variance;
  const Moments expected = nodal_monte_carlo(work, settings, chip, ideal_variance);
  int ideal_fails = 0, correlated = 0;
  for (std::size_t a = 0; a < kOutputs; ++a) {
    const double means = std::sqrt((got.covariance(a, a) + expected.covariance(a, a)) / kReads);
    EXPECT_NEAR(got.sum[a] / kReads, expected.sum[a] / kReads, 5.5 * means + 2e-3 * std::abs(expected.sum[a] / kReads));
    for (std::size_t b = 0; b <= a; ++b) {
      const double c = expected.covariance(a, b);
      const double scale = std::sqrt(expected.covariance(a, a) * expected.covariance(b, b));
      const double error =
          5.5 * std::sqrt(2 * (scale * scale + c * c) / kReads) + 0.01 * scale;  // 1 %: second order in 5 % noise
      EXPECT_NEAR(got.covariance(a, b), c, error) << a << " " << b;
      if (std::abs((a == b ? ideal_variance[a] : 0) - c) > error) ++ideal_fails;
      if (a != b && std::abs(c) > error) ++correlated;
    }
  }
  EXPECT_GE(ideal_fails, kOutputs) << "sensitivities without wires must not pass";
  EXPECT_GT(correlated, 0) << "wires must be long enough for outputs to be correlated";
}

}  // namespace
}  // namespace tellegen::sim
