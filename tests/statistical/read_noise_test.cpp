// Read noise at the outputs: against its closed form, and against a simulation that draws every cell at every read.
// The family of all outputs errs with probability 1e-6 (Bonferroni), mean and variance each.

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "limits.h"
#include "tellegen/circuits/crossbar/array.h"

namespace tellegen::circuits {
namespace {

using testing_support::chi_squared_limits;
using testing_support::normal_limit;

constexpr std::int64_t rows = 24, lines = 8;
constexpr double family_rate = 1e-6;
constexpr double rate = family_rate / lines;
/// The variance of n draws spreads by sqrt(2 / n): 2^18 draws make 1 % of the deviation (2 % of the variance) 7.2
/// standard errors, and the limit of one output is at 5.3.
constexpr std::int64_t reads = std::int64_t{1} << 18;

std::vector<double> drive_pattern() {
  std::vector<double> drive;
  for (std::int64_t i = 0; i < rows; ++i) drive.push_back(std::sin(0.9 * static_cast<double>(i) + 0.2));
  return drive;
}

Array<float> sample_array() {
  Array<float> array{rows, lines, {}, {}, {}};
  for (std::int64_t cell = 0; cell < rows * lines; ++cell) {
    const double current_A = 4e-6 * std::cos(1.3 * static_cast<double>(cell));
    const double deviation_A = 1e-7 * (1.2 + std::sin(2.1 * static_cast<double>(cell)));
    array.current_A.push_back(static_cast<float>(current_A));
    array.variance_A2.push_back(static_cast<float>(deviation_A * deviation_A));
  }
  return array;
}

/// Mean and variance of each line in closed form.
struct Line {
  double mean_A = 0, variance_A2 = 0;
};
std::vector<Line> closed_form(const Array<float>& array) {
  const std::vector<double> drive = drive_pattern();
  std::vector<Line> result(lines);
  for (std::int64_t i = 0; i < rows; ++i) {
    const double u = drive[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < lines; ++j) {
      const auto cell = static_cast<std::size_t>(i * lines + j);
      result[static_cast<std::size_t>(j)].mean_A += u * static_cast<double>(array.current_A[cell]);
      result[static_cast<std::size_t>(j)].variance_A2 += u * u * static_cast<double>(array.variance_A2[cell]);
    }
  }
  return result;
}

/// Sums over reads of the deviation from the closed-form mean, and of its square.
struct Sums {
  std::vector<double> first = std::vector<double>(lines), second = std::vector<double>(lines);
  void add(std::size_t line, double deviation_A) {
    first[line] += deviation_A;
    second[line] += deviation_A * deviation_A;
  }
};

/// Whether every line has the mean and `deviation_factor` times the deviation of the closed form.
bool agrees(const Sums& sums, const std::vector<Line>& expected, double deviation_factor) {
  const double n = static_cast<double>(reads);
  for (std::size_t j = 0; j < expected.size(); ++j) {
    const double variance_A2 = expected[j].variance_A2 * deviation_factor * deviation_factor;
    const double z = sums.first[j] / std::sqrt(n * variance_A2);
    const double chi_squared = (sums.second[j] - sums.first[j] * sums.first[j] / n) / variance_A2;
    if (std::abs(z) > normal_limit(rate) || !chi_squared_limits(n - 1, rate).holds(chi_squared)) return false;
  }
  return true;
}

/// One normal per output, as the product code does it.
Sums output_referred(const Array<float>& array, const std::vector<Line>& expected) {
  constexpr std::int64_t at_once = 480;
  const std::vector<double> drive = drive_pattern();
  std::vector<float> drives;
  for (std::int64_t r = 0; r < at_once; ++r) drives.insert(drives.end(), drive.begin(), drive.end());
  std::vector<float> currents(at_once * lines);
  ArrayScratch<float> scratch;
  const Stream noise(31, Purpose::read_noise, {});
  Sums sums;
  for (std::int64_t first = 0; first < reads; first += at_once) {
    const std::int64_t part = std::min(at_once, reads - first);
    read_currents(array, drives.data(), rows, part, noise, static_cast<std::uint64_t>(first), currents.data(), scratch);
    for (std::size_t k = 0; k < static_cast<std::size_t>(part * lines); ++k) {
      sums.add(k % lines, static_cast<double>(currents[k]) - expected[k % lines].mean_A);
    }
  }
  return sums;
}

/// The independent way: every cell is drawn at every read, in double.
Sums cell_by_cell(const Array<float>& array, const std::vector<Line>& expected) {
  const std::vector<double> drive = drive_pattern();
  const Stream draws(32, Purpose::test, {});
  std::vector<float> normals(rows * lines);
  Sums sums;
  for (std::int64_t r = 0; r < reads; ++r) {
    draws.normals(static_cast<std::uint64_t>(r) * normals.size(), normals);
    std::vector<double> current_A(lines);
    for (std::size_t cell = 0; cell < normals.size(); ++cell) {
      const double deviation_A = std::sqrt(static_cast<double>(array.variance_A2[cell]));
      current_A[cell % lines] += drive[cell / lines] * (static_cast<double>(array.current_A[cell]) +
                                                        deviation_A * static_cast<double>(normals[cell]));
    }
    for (std::size_t j = 0; j < lines; ++j) sums.add(j, current_A[j] - expected[j].mean_A);
  }
  return sums;
}

TEST(ReadNoise, AtTheOutputsFollowsTheClosedForm) {
  const Array<float> array = sample_array();
  const std::vector<Line> expected = closed_form(array);
  const Sums sums = output_referred(array, expected);
  EXPECT_TRUE(agrees(sums, expected, 1.0));
  EXPECT_FALSE(agrees(sums, expected, 1.01));  // enough draws to see an error of 1 % in the deviation
  EXPECT_FALSE(agrees(sums, expected, 0.99));
}

TEST(ReadNoise, CellByCellSimulationFollowsTheClosedForm) {
  const Array<float> array = sample_array();
  const std::vector<Line> expected = closed_form(array);
  const Sums sums = cell_by_cell(array, expected);
  EXPECT_TRUE(agrees(sums, expected, 1.0));
  EXPECT_FALSE(agrees(sums, expected, 1.01));
  EXPECT_FALSE(agrees(sums, expected, 0.99));
}

/// The two ways against each other, without the closed form: means by z, variances by the normal limit of log(s1^2 /
/// s2^2), whose variance is 4 / n.
TEST(ReadNoise, BothWaysAgree) {
  const Array<float> array = sample_array();
  const std::vector<Line> expected = closed_form(array);
  const Sums a = output_referred(array, expected), b = cell_by_cell(array, expected);
  const double n = static_cast<double>(reads);
  for (std::size_t j = 0; j < static_cast<std::size_t>(lines); ++j) {
    const double variance_a = a.second[j] / n - std::pow(a.first[j] / n, 2),
                 variance_b = b.second[j] / n - std::pow(b.first[j] / n, 2);
    EXPECT_LT(std::abs(a.first[j] - b.first[j]) / n, normal_limit(rate) * std::sqrt((variance_a + variance_b) / n))
        << j;
    EXPECT_LT(std::abs(std::log(variance_a / variance_b)), normal_limit(rate) * std::sqrt(4 / n)) << j;
  }
}

/// Lines share their drives but not their draws.
TEST(ReadNoise, LinesAreIndependent) {
  const Array<float> array = sample_array();
  const std::vector<Line> expected = closed_form(array);
  const std::vector<double> drive = drive_pattern();
  const std::vector<float> row(drive.begin(), drive.end());
  std::vector<float> currents(lines);
  ArrayScratch<float> scratch;
  constexpr int draws = 20000;
  std::vector<double> products(lines * lines);
  for (int r = 0; r < draws; ++r) {
    read_currents(array, row.data(), rows, 1, Stream(33, Purpose::read_noise, {}), static_cast<std::uint64_t>(r),
                  currents.data(), scratch);
    std::vector<double> z(lines);
    for (std::size_t j = 0; j < z.size(); ++j)
      z[j] = (static_cast<double>(currents[j]) - expected[j].mean_A) / std::sqrt(expected[j].variance_A2);
    for (std::size_t j = 0; j < z.size(); ++j) {
      for (std::size_t k = 0; k < j; ++k) products[j * z.size() + k] += z[j] * z[k];
    }
  }
  constexpr double pairs = lines * (lines - 1) / 2.0;
  for (const double product : products)
    EXPECT_LT(std::abs(product), normal_limit(family_rate / pairs) * std::sqrt(double{draws}));
}

}  // namespace
}  // namespace tellegen::circuits
