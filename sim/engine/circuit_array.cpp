#include "tellegen/sim/engine/circuit_array.h"

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/fast_variance.h"
#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/noise.h"

namespace tellegen::sim {
namespace {

using mapping::Layout;
using mapping::Line;

/// Relative to the largest output: far below the noise that it weighs.
constexpr double kSolveTolerance = 1e-9;
constexpr std::int64_t kMostDrawnCells = 64 * 64;

/// Variances of the lines for any drives: a product with the squares of the drives, less the square of another one.
template <class T>
void set_variances(const circuits::Wires& wires, const Layout& layout, std::span<const double> cell_S,
                   std::span<const float> variance_S2, double v_read_V, circuits::Array<T>& array) {
  std::vector<circuits::OutputLine> lines;
  for (const Line& line : layout.lines) lines.push_back({line.plus, line.minus});
  const std::vector<double> cell_variance_S2(variance_S2.begin(), variance_S2.end());
  const circuits::FastVariance fast(wires, cell_S, circuits::Adjoint(wires, cell_S), cell_variance_S2, lines);
  for (const double squared : fast.squares())
    array.variance_A2.push_back(static_cast<T>(v_read_V * v_read_V * squared));
  for (const double shared : fast.shared()) array.shared_A.push_back(static_cast<T>(v_read_V * shared));
}

}  // namespace

CellNoise CircuitArrays::cell_noise(const Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                                    std::span<const float> variance_S2, double v_read_V) {
  const std::int64_t columns = layout.physical_columns;
  if (rows * columns > kMostDrawnCells) {
    throw RefusedError(
        {"chip.crossbar.read_noise = 'exact' draws every cell for every read, which is for tiles of at most 64 x 64 "
         "cells.",
         "Use 'fast', or smaller tiles."});
  }
  const circuits::Wires wires = settings_.wires(rows, columns);
  const std::vector<double> cell_S(mean_S.begin(), mean_S.end());
  const std::size_t cells = cell_S.size();
  CellNoise noise;
  noise.drops.resize(cells * static_cast<std::size_t>(rows));
  circuits::LineSolver solver(wires, cell_S);
  for (std::size_t i = 0; i < static_cast<std::size_t>(rows); ++i) {
    std::vector<double> one(static_cast<std::size_t>(rows), 0.0);
    one[i] = 1;
    const circuits::NodalSolution nodes = solver.solve(one, kSolveTolerance).nodes;
    for (std::size_t k = 0; k < cells; ++k) {
      noise.drops[k * static_cast<std::size_t>(rows) + i] = nodes.row_node_V[k] - nodes.column_node_V[k];
    }
  }
  const circuits::Adjoint adjoint(wires, cell_S);
  for (const Line& line : layout.lines) {
    const std::span<const double> plus = adjoint.drops(line.plus);
    const std::span<const double> minus = line.minus < 0 ? std::span<const double>() : adjoint.drops(line.minus);
    for (std::size_t k = 0; k < cells; ++k) {
      const double sensitivity = plus[k] - (minus.empty() ? 0.0 : minus[k]);
      noise.line_A.push_back(sensitivity * v_read_V * std::sqrt(static_cast<double>(variance_S2[k])));
    }
  }
  return noise;
}

std::shared_ptr<const circuits::CollapsePlan> CircuitArrays::plan(std::int64_t rows, std::int64_t columns) {
  auto& kept = plans_[{rows, columns}];
  if (!kept) kept = std::make_shared<circuits::CollapsePlan>(settings_.wires(rows, columns));
  return kept;
}

template <class T>
circuits::Array<T> CircuitArrays::make(const Layout& layout, std::int64_t rows, std::span<const float> mean_S,
                                       std::span<const float> variance_S2, double v_read_V,
                                       std::vector<double>& admittance_S) {
  const std::int64_t columns = layout.physical_columns;
  const std::vector<double> cell_S(mean_S.begin(), mean_S.end());
  const circuits::Collapse collapsed(plan(rows, columns), cell_S, memory_);
  const std::vector<double> transfer_S = collapsed.ports().transfer();
  admittance_S = collapsed.ports().input_admittance();

  circuits::Array<T> array;
  array.rows = rows;
  array.lines = static_cast<std::int64_t>(layout.lines.size());
  array.current_A.resize(static_cast<std::size_t>(rows * array.lines));
  array.row_power_W.resize(static_cast<std::size_t>(rows));
  for (std::int64_t i = 0; i < rows; ++i) {
    double row_S = 0;
    for (std::int64_t l = 0; l < rows; ++l) row_S += admittance_S[static_cast<std::size_t>(i * rows + l)];
    array.row_power_W[static_cast<std::size_t>(i)] = v_read_V * v_read_V * row_S;
    for (std::size_t j = 0; j < layout.lines.size(); ++j) {
      const Line& line = layout.lines[j];
      double g_S = transfer_S[static_cast<std::size_t>(line.plus * rows + i)];
      if (line.minus >= 0) g_S -= transfer_S[static_cast<std::size_t>(line.minus * rows + i)];
      array.current_A[static_cast<std::size_t>(i * array.lines) + j] = static_cast<T>(v_read_V * g_S);
    }
  }
  if (!variance_S2.empty()) {
    set_variances(settings_.wires(rows, columns), layout, cell_S, variance_S2, v_read_V, array);
  }
  return array;
}

template circuits::Array<float> CircuitArrays::make<float>(const Layout&, std::int64_t, std::span<const float>,
                                                           std::span<const float>, double, std::vector<double>&);
template circuits::Array<double> CircuitArrays::make<double>(const Layout&, std::int64_t, std::span<const float>,
                                                             std::span<const float>, double, std::vector<double>&);

}  // namespace tellegen::sim
