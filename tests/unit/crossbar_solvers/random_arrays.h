#pragma once
// Arrays to test solvers with: every topology, random sizes and conductances.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits::testing {

struct TestArray {
  std::string name;
  Wires wires;
  std::vector<double> cell_S;
  std::vector<double> input_V;
};

class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : engine_(seed) {}
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  std::int64_t integer(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  std::vector<double> uniforms(std::int64_t count, double low, double high) {
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& value : out) value = uniform(low, high);
    return out;
  }

 private:
  std::mt19937_64 engine_;
};

/// 1 ohm wires, 1 to 100 uS, 0 to 0.2 V.
inline TestArray plain_array(std::int64_t rows, std::int64_t columns, std::uint64_t seed) {
  Numbers numbers(seed);
  TestArray out;
  out.name = "plain " + std::to_string(rows) + " x " + std::to_string(columns);
  out.wires.rows = rows;
  out.wires.columns = columns;
  out.wires.row_segment_ohm = 1;
  out.wires.column_segment_ohm = 1;
  out.cell_S = numbers.uniforms(rows * columns, 1e-6, 1e-4);
  out.input_V = numbers.uniforms(rows, 0, 0.2);
  return out;
}

/// One array per topology of wires.h, shapes random.
inline std::vector<TestArray> array_of_each_topology(std::uint64_t seed) {
  Numbers numbers(seed);
  std::vector<TestArray> out;
  const auto add = [&](const char* name, const auto& change) {
    TestArray array = plain_array(numbers.integer(2, 40), numbers.integer(2, 40), seed + out.size());
    array.name = name;
    array.wires.row_segment_ohm = numbers.uniform(0.1, 20);
    array.wires.column_segment_ohm = numbers.uniform(0.1, 20);
    change(array);
    out.push_back(array);
  };
  add("plain", [](TestArray&) {});
  add("terminals and access", [](TestArray& a) {
    a.wires.driver_ohm = 50;
    a.wires.sense_ohm = 100;
    a.wires.access_ohm = 3000;
  });
  add("driven from both sides", [](TestArray& a) { a.wires.drive = Drive::both_sides; });
  add("sensed at both ends", [](TestArray& a) { a.wires.sense = Sense::both_ends; });
  add("sensed at alternate ends", [](TestArray& a) { a.wires.sense = Sense::alternate; });
  add("idle rows", [](TestArray& a) {
    for (std::int64_t i = 0; i < a.wires.rows; ++i) a.wires.row_state.push_back(static_cast<RowState>(i % 3));
  });
  add("all rows but one floating", [](TestArray& a) {
    a.wires.row_state.assign(static_cast<std::size_t>(a.wires.rows), RowState::floating);
    a.wires.row_state[0] = RowState::driven;
  });
  add("open cells", [](TestArray& a) {
    for (std::size_t k = 0; k < a.cell_S.size(); k += 2) a.cell_S[k] = 0;
  });
  add("shorted cells", [](TestArray& a) {
    for (std::size_t k = 0; k < a.cell_S.size(); k += 7) a.cell_S[k] = 0.1;
  });
  add("broken wires", [](TestArray& a) {
    a.wires.broken = {{Line::row, 0, 1}, {Line::row, 1, 0}, {Line::column, 0, 1}, {Line::column, 1, a.wires.rows}};
  });
  add("cells in the air", [](TestArray& a) {
    a.wires.broken = {{Line::row, 0, 1}};
    for (std::int64_t j = 1; j < a.wires.columns; ++j) a.wires.broken.push_back({Line::column, j, 1});
  });
  add("row wires without resistance", [](TestArray& a) { a.wires.row_segment_ohm = 0; });
  add("column wires without resistance", [](TestArray& a) { a.wires.column_segment_ohm = 0; });
  add("wires without resistance behind terminals", [](TestArray& a) {
    a.wires.row_segment_ohm = 0;
    a.wires.column_segment_ohm = 0;
    a.wires.driver_ohm = 70;
    a.wires.sense_ohm = 30;
    a.wires.drive = Drive::both_sides;
    a.wires.sense = Sense::both_ends;
  });
  add("no resistance at all", [](TestArray& a) {
    a.wires.row_segment_ohm = 0;
    a.wires.column_segment_ohm = 0;
  });
  add("six decades", [&numbers](TestArray& a) {
    for (double& g_S : a.cell_S) g_S = std::pow(10, numbers.uniform(-9, -3));
  });
  add("one row", [&numbers](TestArray& a) {
    a.cell_S.resize(static_cast<std::size_t>(a.wires.columns));
    a.wires.rows = 1;
    a.input_V = numbers.uniforms(1, 0.1, 0.2);
  });
  add("one column", [](TestArray& a) {
    a.cell_S.resize(static_cast<std::size_t>(a.wires.rows));
    a.wires.columns = 1;
  });
  add("all cells shorted", [](TestArray& a) { std::fill(a.cell_S.begin(), a.cell_S.end(), 1.0); });
  add("signed inputs", [&numbers](TestArray& a) { a.input_V = numbers.uniforms(a.wires.rows, -0.2, 0.2); });
  return out;
}

inline double largest(std::span<const double> values) {
  double out = 0;
  for (const double value : values) out = std::max(out, std::fabs(value));
  return out;
}
inline double largest_difference(std::span<const double> a, std::span<const double> b) {
  double out = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t k = 0; k < a.size() && k < b.size(); ++k) out = std::max(out, std::fabs(a[k] - b[k]));
  return out;
}

}  // namespace tellegen::circuits::testing
