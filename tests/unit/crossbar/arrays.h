#pragma once
// Arrays to solve: reproducible random numbers, plain wires and every topology.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::testing_support {

/// splitmix64: the generator that the published operating points are drawn with.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : state_(seed) {}
  double operator()(double low, double high) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    z ^= z >> 31;
    return low + (high - low) * (static_cast<double>(z >> 11) * 0x1p-53);
  }
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return std::min(high, static_cast<std::int64_t>((*this)(static_cast<double>(low), static_cast<double>(high + 1))));
  }
  bool chance(double probability) { return (*this)(0, 1) < probability; }
  std::vector<double> numbers(std::int64_t count, double low, double high) {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& number : out) number = (*this)(low, high);
    return out;
  }

 private:
  std::uint64_t state_;
};

struct TestArray {
  circuits::Wires wires;
  std::vector<double> cell_S;
  std::vector<double> input_V;
};

/// 1 to 100 uS, 1 ohm per segment, driven from the left, sensed at the bottom.
inline TestArray plain_array(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Uniform uniform(seed);
  TestArray out;
  out.wires.rows = rows;
  out.wires.columns = columns;
  out.wires.row_segment_ohm = out.wires.column_segment_ohm = 1;
  out.cell_S = uniform.numbers(rows * columns, 1e-6, 1e-4);
  out.input_V = uniform.numbers(rows, -0.2, 0.2);
  return out;
}

inline void break_segments(circuits::Wires& wires, Uniform& uniform) {
  const std::int64_t count = uniform.integer(0, 4);
  for (std::int64_t k = 0; k < count; ++k) {
    if (uniform.chance(0.5)) {
      wires.broken.push_back(
          {circuits::Line::row, uniform.integer(0, wires.rows - 1),
           uniform.integer(0, wires.columns - (wires.drive == circuits::Drive::both_sides ? 0 : 1))});
    } else {
      const std::int64_t j = uniform.integer(0, wires.columns - 1);
      wires.broken.push_back(
          {circuits::Line::column, j,
           uniform.integer(wires.sensed_at_top(j) ? 0 : 1, wires.rows - (wires.sensed_at_bottom(j) ? 0 : 1))});
    }
  }
}

/// Any topology: all kinds of drive, sense, zero and different resistances, open and shorted cells, broken wires, idle
/// rows.
inline TestArray random_array(std::uint64_t seed) {
  Uniform uniform(seed);
  TestArray out = plain_array(uniform.integer(1, 40), uniform.integer(1, 40), seed + 1000);
  circuits::Wires& wires = out.wires;
  wires.drive = uniform.chance(0.5) ? circuits::Drive::one_side : circuits::Drive::both_sides;
  wires.sense = static_cast<circuits::Sense>(uniform.integer(0, 2));
  const auto resistance = [&](double zero) { return uniform.chance(zero) ? 0.0 : uniform(0.2, 20); };
  wires.row_segment_ohm = resistance(0.25);
  wires.column_segment_ohm = resistance(0.25);
  wires.driver_ohm = resistance(0.5) * 10;
  wires.sense_ohm = resistance(0.5) * 10;
  wires.access_ohm = uniform.chance(0.3) ? uniform(100, 5000) : 0;
  if (uniform.chance(0.4)) {
    for (std::int64_t i = 0; i < wires.rows; ++i) {
      wires.row_state.push_back(uniform.chance(0.7) ? circuits::RowState::driven
                                                    : static_cast<circuits::RowState>(uniform.integer(1, 2)));
    }
  }
  if (uniform.chance(0.5)) break_segments(wires, uniform);
  const double open = uniform.chance(0.5) ? 0.1 : 0;
  const double shorted = uniform.chance(0.5) ? 0.02 : 0;
  for (double& cell_S : out.cell_S) {
    if (uniform.chance(open)) cell_S = 0;
    if (uniform.chance(shorted)) cell_S = wires.access_ohm > 0 ? std::numeric_limits<double>::infinity() : 0.1;
  }
  return out;
}

inline double largest(const std::vector<double>& values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::abs(value));
  return out;
}

/// max |a - b|
inline double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double out = 0;
  for (std::size_t k = 0; k < a.size(); ++k) out = std::max(out, std::abs(a[k] - b[k]));
  return out;
}

/// matrix [rows][columns] times vector
inline std::vector<double> product(const std::vector<double>& matrix, const std::vector<double>& vector) {
  std::vector<double> out(matrix.size() / vector.size());
  for (std::size_t k = 0; k < matrix.size(); ++k) out[k / vector.size()] += matrix[k] * vector[k % vector.size()];
  return out;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < a.size(); ++k) sum += a[k] * b[k];
  return sum;
}

inline nlohmann::json physics_data(const std::string& name) {
  return nlohmann::json::parse(std::ifstream(std::string(TELLEGEN_SOURCE_DIR) + "/tests/data/physics/" + name));
}

/// A matrix of the data, row by row.
inline std::vector<double> flat(const nlohmann::json& matrix) {
  std::vector<double> out;
  for (const auto& row : matrix) {
    for (const auto& value : row) out.push_back(value.get<double>());
  }
  return out;
}

}  // namespace tellegen::testing_support
