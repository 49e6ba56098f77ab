// Softmax out of threshold gates: counts, order, errors of cells, sums.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <random>

#include "softmax_testing.h"
#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/softmax_counts.h"
#include "tellegen/circuits/front_end/softmax_order.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

using test::exact_softmax;
using test::made;
using test::vectors;

/// Softmax by an order of exact cells.
std::vector<double> by_order(const LseOrder& order, std::vector<double> values) {
  const std::size_t n = values.size();
  values.resize(order.values);
  for (const LseStep& step : order.steps) {
    const double a = values[step.a], b = values[step.b], top = std::max(a, b);
    values[step.out] = std::isinf(top) ? top : top + std::log1p(std::exp(-std::abs(a - b)));
  }
  std::vector<double> p;
  for (std::size_t k = 0; k < n; ++k) {
    const std::size_t at = order.exclusive[k];
    const double others = at == LseOrder::nothing ? -HUGE_VAL : values[at];
    p.push_back(std::isinf(values[k]) ? 0 : 1 / (1 + std::exp(others - values[k])));
  }
  return p;
}

TEST(LseOrder, TreeAndChainTake3nMinus6Cells) {
  for (std::size_t n = 1; n <= 200; ++n) {
    const auto cells = static_cast<std::size_t>(exclusive_lse_cells(static_cast<std::int64_t>(n)));
    EXPECT_EQ(tree_order(n).steps.size(), cells) << n;
    EXPECT_EQ(chain_order(n).steps.size(), cells) << n;
  }
  for (const auto& row : vectors("op_counts")) {
    EXPECT_EQ(exclusive_lse_cells(row.at("n")), row.at("lse2").get<std::int64_t>());
  }
}

TEST(LseOrder, DepthIsWhatCountsSay) {
  const auto depth = [](const LseOrder& order) {
    std::vector<std::int64_t> levels(order.values);
    for (const LseStep& step : order.steps) levels[step.out] = 1 + std::max(levels[step.a], levels[step.b]);
    return levels.empty() ? 0 : *std::max_element(levels.begin(), levels.end());
  };
  for (const std::size_t n : {3u, 4u, 5u, 8u, 64u, 100u, 256u}) {
    const auto inputs = static_cast<std::int64_t>(n);
    if ((n & (n - 1)) == 0) {
      EXPECT_EQ(depth(tree_order(n)), tree_depth(inputs)) << n;
    }
    EXPECT_LE(depth(tree_order(n)), tree_depth(inputs)) << n;
    EXPECT_EQ(depth(chain_order(n)), chain_depth(inputs)) << n;
  }
}

TEST(LseOrder, GivesTheStoredSoftmaxes) {
  for (const auto& row : vectors("softmax_cases")) {
    std::vector<double> z, p;
    for (const auto& one : row.at("z")) z.push_back(std::stod(one.get<std::string>()));
    for (const auto& one : row.at("p")) p.push_back(std::stod(one.get<std::string>()));
    for (const LseOrder& order : {tree_order(z.size()), chain_order(z.size())}) {
      const std::vector<double> got = by_order(order, z);
      for (std::size_t k = 0; k < z.size(); ++k) EXPECT_NEAR(got[k], p[k], 1e-12) << row.at("name");
    }
  }
}

TEST(AttentionCounts, AreTheClosedForms) {
  for (const std::int64_t length : {3, 17, 197, 1024}) {
    const AttentionCounts counts = causal_attention(length);
    EXPECT_EQ(counts.lse_cells, 3 * length * (length + 1) / 2 - 6 * length + 3);
    EXPECT_EQ(counts.gates, length * (length + 1) / 2);
  }
  EXPECT_EQ(causal_attention(1024).lse_cells, 1568259);
  // GPT-2: 12 layers of 12 heads over 1024 tokens; ViT-B/16: 12 of 12 over 197, every query sees all keys.
  EXPECT_NEAR(144.0 * static_cast<double>(causal_attention(1024).lse_cells), 2.258e8, 0.001e8);
  EXPECT_NEAR(144.0 * static_cast<double>(full_attention(197).lse_cells), 1.660e7, 0.002e7);
}

std::vector<double> random_row(std::size_t n, double scale) {
  std::mt19937_64 random(n);
  std::normal_distribution<double> draw(0, scale);
  std::vector<double> z(n);
  for (double& one : z) one = draw(random);
  return z;
}

TEST(SoftmaxTg, CellErrorsAddUpAlongTheWay) {
  // In weak inversion a cell is wrong by at most 4.03e-4; a tree of 512 by 16 of them.
  for (const std::size_t n : {3u, 8u, 512u}) {
    const std::vector<double> z = random_row(n, 2), ideal = exact_softmax(z);
    for (const char* circuit : {"softmax_tree", "softmax_chain"}) {
      const auto tg = made(std::string("circuit: ") + circuit + ", bias: 1e-17 A, input_range: 16");
      const std::vector<double> p = tg->row(z);
      const auto inputs = static_cast<std::int64_t>(n);
      const double depth = static_cast<double>(circuit[8] == 't' ? tree_depth(inputs) : chain_depth(inputs));
      double worst = 0;
      for (std::size_t k = 0; k < n; ++k) worst = std::max(worst, std::abs(p[k] - ideal[k]));
      // |dp| <= p (1 - p) |d theta| <= |d theta| / 4, and 3e-6 of the table.
      EXPECT_LE(worst, depth * 4.03e-4 / 4 + 3e-6) << circuit << " " << n;
      const double sum = std::accumulate(p.begin(), p.end(), 0.0);
      EXPECT_NE(sum, 1);
      EXPECT_NEAR(sum, 1, depth * 4.03e-4 + 1e-3) << circuit << " " << n;
    }
  }
}

TEST(SoftmaxTg, EdgesAndMasks) {
  for (const char* name : {"circuit: softmax_tree", "circuit: softmax_chain"}) {
    const auto circuit = made(name);
    std::vector<float> one(1), p(12);
    circuit->evaluate(std::vector<float>{3.25f}, 1, {}, {}, nullptr, 0, one);
    EXPECT_EQ(one[0], 1);
    const std::vector<float> z{1, 2, 9, 3, 1, 2, 9, 3, 1, 2, 9, 3};
    const std::vector<unsigned char> masked{0, 0, 1, 0, 1, 0, 1, 1, 1, 1, 1, 1};
    circuit->evaluate(z, 4, masked, {}, nullptr, 0, p);
    const std::vector<double> rest = circuit->row(std::vector<double>{1, 2, 3});
    EXPECT_NEAR(static_cast<double>(p[0]), rest[0], 1e-3) << name;
    EXPECT_EQ(p[2], 0);
    EXPECT_NEAR(static_cast<double>(p[3]), rest[2], 1e-3) << name;
    EXPECT_EQ(p[5], 1);
    for (const std::size_t k : {4u, 6u, 7u, 8u, 9u, 10u, 11u}) EXPECT_EQ(p[k], 0) << k;
  }
}

TEST(SoftmaxTg, AnOffsetOfAGateMovesItAlone) {
  const auto circuit = made("circuit: softmax_tree");
  const std::vector<float> z{0.3f, -1.2f, 2.0f, 0.7f};
  SoftmaxErrors errors = circuit->sample(Stream(1, Purpose::mismatch, {}), 4);
  ASSERT_EQ(errors.cells.units, 6);
  ASSERT_EQ(errors.outputs.units, 4);
  std::fill(errors.cells.values.begin(), errors.cells.values.end(), 0.0f);
  errors.outputs.values = {0, 0.5f, 0, 0};
  std::vector<float> p(4), nominal(4);
  circuit->evaluate(z, 4, {}, errors, nullptr, 0, p);
  circuit->evaluate(z, 4, {}, {}, nullptr, 0, nominal);
  EXPECT_LT(p[1], 0.7f * nominal[1]);
  for (const std::size_t k : {0u, 2u, 3u}) EXPECT_EQ(p[k], nominal[k]);
}

TEST(SoftmaxTg, MismatchOfCellsBreaksTheSum) {
  const auto circuit = made("circuit: softmax_tree");
  const SoftmaxErrors errors = circuit->sample(Stream(1, Purpose::mismatch, {}), 64);
  const std::vector<double> z = random_row(64, 2);
  const std::vector<float> zf(z.begin(), z.end());
  std::vector<float> p(64);
  circuit->evaluate(zf, 64, {}, errors, nullptr, 0, p);
  const double sum = std::accumulate(p.begin(), p.end(), 0.0);
  // Ten millivolts of 36 per unit of z, on every cell and gate.
  EXPECT_GT(std::abs(sum - 1), 0.01);
}

TEST(SoftmaxTg, ErrorsScatterAsTheySay) {
  const auto circuit = made("circuit: softmax_tree, mosfet: {width: 4 um, length: 1 um}, bias: 1 nA");
  // sky130 in weak inversion: 11.1 mV um for a pair over sqrt(W L), in n kT/q of 300 K.
  const double offset_x = 11.1e-3 / 2 / (1.3738 * devices::thermal_voltage_V(300));
  EXPECT_NEAR(circuit->output_planes()[0].deviation, offset_x, 0.005 * offset_x);
  EXPECT_NEAR(circuit->cell_planes()[0].deviation, offset_x, 0.005 * offset_x);
  EXPECT_NEAR(circuit->cell_planes()[1].deviation, offset_x / 0.98434, 0.005 * offset_x);
  // A threshold difference is as much of the current of a mirror.
  EXPECT_NEAR(circuit->cell_planes()[2].deviation, offset_x, 0.01 * offset_x);
  const SoftmaxErrors errors = circuit->sample(Stream(1, Purpose::mismatch, {}), 20000);
  const auto scatter = [](std::span<const float> values) {
    double squares = 0;
    for (const float value : values) squares += static_cast<double>(value) * static_cast<double>(value);
    return std::sqrt(squares / static_cast<double>(values.size()));
  };
  EXPECT_NEAR(scatter(errors.outputs.plane(0)) / circuit->output_planes()[0].deviation, 1, 0.02);
  for (std::size_t plane = 0; plane < 3; ++plane) {
    EXPECT_NEAR(scatter(errors.cells.plane(plane)) / circuit->cell_planes()[plane].deviation, 1, 0.012) << plane;
  }
}

TEST(SoftmaxTg, NoiseIsThatOfTheLastPair) {
  // Weak inversion without flicker and excess: two transistors at I_b / 2, 8 q B / I_b in (n kT/q)^2.
  const auto circuit = made("circuit: softmax_tree, bias: 1 pA, mosfet: {flicker: 0 mV*um, white_excess: 1}");
  const double band_Hz = 0.5 * 3.14159265358979 * circuit->cost(1).bandwidth_Hz;
  const double noise_x = std::sqrt(8 * devices::elementary_charge_C * band_Hz / 1e-12);
  const std::vector<double> z{0.3, -1.2, 2.0, 0.7}, p = circuit->row(z), noise = circuit->output_noise(z);
  for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(noise[k], p[k] * (1 - p[k]) * noise_x, 1e-3 * noise[k]);
}

TEST(SoftmaxTg, NoiseDrawsScatterAsTheySay) {
  const auto circuit = made("circuit: softmax_chain");
  constexpr std::size_t rows = 20000;
  const std::vector<double> z{0.3, -1.2, 2.0, 0.7};
  std::vector<float> in, p(4 * rows), last(4);
  for (std::size_t r = 0; r < rows; ++r) in.insert(in.end(), z.begin(), z.end());
  const Stream noise(2, Purpose::read_noise, {});
  circuit->evaluate(in, 4, {}, {}, &noise, 0, p);
  const std::vector<double> mean = circuit->row(z), sigma = circuit->output_noise(z);
  for (std::size_t k = 0; k < 4; ++k) {
    double squares = 0;
    for (std::size_t r = 0; r < rows; ++r) squares += std::pow(static_cast<double>(p[4 * r + k]) - mean[k], 2);
    EXPECT_NEAR(std::sqrt(squares / rows) / sigma[k], 1, 0.03) << k;
  }
  circuit->evaluate(std::span(in).first(4), 4, {}, {}, &noise, rows - 1, last);
  EXPECT_TRUE(std::equal(last.begin(), last.end(), p.end() - 4));
}

class EverySoftmax : public testing::TestWithParam<std::string> {};

TEST_P(EverySoftmax, EnergyCostAndFloor) {
  const auto circuit = find_softmax(GetParam()).defaults()->make(Temperature::si(300));
  const std::vector<double> z{0.3, -1.2, 2.0, 0.7, -0.5}, before{0, 1, 0, -2, 0};
  for (const std::size_t n : {1u, 2u, 5u}) {
    const FrontEndCost cost = circuit->cost(n);
    EXPECT_GT(cost.energy_J.low, 0);
    EXPECT_LE(cost.energy_J.low, cost.energy_J.typical);
    EXPECT_LE(cost.energy_J.typical, cost.energy_J.high);
    EXPECT_GT(cost.area_m2.typical, 0);
    EXPECT_FALSE(cost.assumptions.empty());
    const EnergyBook book = circuit->energy(std::span(before).first(n), std::span(z).first(n), cost.evaluation_s);
    EXPECT_LE(book.imbalance(), 1e-9) << n;
    EXPECT_GT(circuit->floor(n), 0);
  }
  EXPECT_GT(circuit->cost(64).energy_J.typical, 2 * circuit->cost(8).energy_J.typical);
}

TEST_P(EverySoftmax, FileLoadsAsTheDefaultsAndNamesItsSource) {
  const auto path = std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/circuits" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first;
  ASSERT_TRUE(std::getline(text, first)) << path;
  EXPECT_TRUE(first.starts_with("# ") && first.size() > 40);
  test::File file, smallest, again;
  read_config(path, file);
  read_config_text(find_softmax(GetParam()).smallest_yaml, "smallest.yaml", smallest);
  const std::string resolved = write_config(file);
  EXPECT_EQ(resolved, write_config(smallest));
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  EXPECT_EQ(file.softmax.circuit, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Softmax, EverySoftmax, testing::ValuesIn(softmax_names()));

}  // namespace
}  // namespace tellegen::circuits
