#include "tellegen/circuits/crossbar/fast_variance.h"

#include <Eigen/Core>
#include <algorithm>
#include <cstdlib>
#include <memory>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

double squared(double x) { return x * x; }

/// Voltage of every cell per volt at every row: column by column, [columns][rows of inputs][rows of cells].
class CellVoltages {
 public:
  CellVoltages(const Wires& wires, std::span<const double> cell_S)
      : rows_(static_cast<std::size_t>(wires.rows)),
        per_volt_(static_cast<std::size_t>(wires.columns) * rows_ * rows_),
        squares_(cell_S.size()) {
    CollapseMemory memory;
    const Collapse collapsed(std::make_shared<const CollapsePlan>(wires), cell_S, memory, {.node_voltages = true});
    std::vector<double> row_V(rows_ * rows_);
    for (std::size_t i = 0; i < rows_; ++i) {
      if (wires.state(static_cast<std::int64_t>(i)) == RowState::driven) row_V[i * rows_ + i] = 1;
    }
    const std::vector<double> column_V(static_cast<std::size_t>(wires.columns) * rows_);
    collapsed.node_voltages(row_V, column_V, wires.rows,
                            [&](const LeafVoltages& leaf) { take(leaf, static_cast<std::size_t>(wires.columns)); });
  }

  /// [inputs][cells] of one column.
  const float* column(std::size_t j) const { return per_volt_.data() + j * rows_ * rows_; }
  /// Sum of squares over the inputs, by cell [rows][columns].
  double square(std::size_t cell) const { return squares_[cell]; }

 private:
  void take(const LeafVoltages& leaf, std::size_t columns) {
    std::size_t from = 0;
    for (auto k = static_cast<std::size_t>(leaf.cells.first_row); k < static_cast<std::size_t>(leaf.cells.last_row);
         ++k) {
      for (auto j = static_cast<std::size_t>(leaf.cells.first_column);
           j < static_cast<std::size_t>(leaf.cells.last_column); ++j, ++from) {
        float* to = per_volt_.data() + j * rows_ * rows_ + k;
        double sum = 0;
        for (std::size_t i = 0; i < rows_; ++i) {
          const double drop_V = leaf.row_node_V[from][i] - leaf.column_node_V[from][i];
          to[i * rows_] = static_cast<float>(drop_V);
          sum += squared(drop_V);
        }
        squares_[k * columns + j] = sum;
      }
    }
  }

  std::size_t rows_;
  std::vector<float> per_volt_;
  std::vector<double> squares_;
};

/// One line: its matrix Q, and the fit to it.
class LineFit {
 public:
  LineFit(const CellVoltages& voltages, const Adjoint& adjoint, std::span<const double> variance_S2)
      : voltages_(voltages),
        adjoint_(adjoint),
        variance_S2_(variance_S2),
        rows_(static_cast<std::size_t>(adjoint.rows())),
        columns_(static_cast<std::size_t>(adjoint.columns())),
        weighted_(rows_ * rows_),
        q_(rows_ * rows_) {}

  void fit(const OutputLine& line) {
    find_weights(line);
    std::fill(q_.begin(), q_.end(), 0.0F);
    add_column(line.plus, weights_plus_);
    if (line.minus >= 0) add_column(line.minus, weights_minus_);
    // Currents of a few microamperes, squared: far from 1, but not from the smallest float.
    find_factor();
  }
  double square(std::size_t row) const { return scale_ * diagonal_[static_cast<Eigen::Index>(row)]; }
  double shared(std::size_t row) const { return std::sqrt(scale_) * factor_[static_cast<Eigen::Index>(row)]; }

 private:
  /// Weights of the cells of the line's own columns. Cells of other columns, a thousandth of the sum or so, are taken
  /// into the nearer one, as if their voltages went the same way and differed only in size.
  void find_weights(const OutputLine& line) {
    weights_plus_.assign(rows_, 0);
    weights_minus_.assign(rows_, 0);
    const std::span<const double> plus = adjoint_.drops(line.plus);
    const std::span<const double> minus = line.minus < 0 ? std::span<const double>() : adjoint_.drops(line.minus);
    const auto plus_column = static_cast<std::size_t>(line.plus);
    const auto minus_column = static_cast<std::size_t>(std::max<std::int64_t>(line.minus, 0));
    for (std::size_t j = 0; j < columns_; ++j) {
      const bool to_minus = line.minus >= 0 && std::llabs(static_cast<std::int64_t>(j) - line.minus) <
                                                   std::llabs(static_cast<std::int64_t>(j) - line.plus);
      std::vector<double>& weights = to_minus ? weights_minus_ : weights_plus_;
      const std::size_t own = to_minus ? minus_column : plus_column;
      for (std::size_t k = 0; k < rows_; ++k) {
        const std::size_t cell = k * columns_ + j;
        const double own_square = voltages_.square(k * columns_ + own);
        if (own_square == 0) continue;
        weights[k] += squared(plus[cell] - (minus.empty() ? 0 : minus[cell])) * variance_S2_[cell] *
                      voltages_.square(cell) / own_square;
      }
    }
    scale_ = std::max(*std::max_element(weights_plus_.begin(), weights_plus_.end()),
                      *std::max_element(weights_minus_.begin(), weights_minus_.end()));
  }

  void add_column(std::int64_t column, const std::vector<double>& weights) {
    if (scale_ == 0) return;
    const float* voltages = voltages_.column(static_cast<std::size_t>(column));
    root_.resize(rows_);
    for (std::size_t k = 0; k < rows_; ++k) root_[k] = static_cast<float>(std::sqrt(weights[k] / scale_));
    for (std::size_t i = 0; i < rows_; ++i) {
      for (std::size_t k = 0; k < rows_; ++k) weighted_[i * rows_ + k] = root_[k] * voltages[i * rows_ + k];
    }
    const auto n = static_cast<std::int64_t>(rows_);
    multiply_transposed(n, n, n, weighted_.data(), n, weighted_.data(), n, 1.0F, q_.data(), n);
  }

  /// Largest negative part of Q outside its diagonal as -x x'; the diagonal is what makes Q's own right. Power
  /// iteration, the diagonal being moved after every few steps.
  void find_factor() {
    const auto n = static_cast<Eigen::Index>(rows_);
    const Eigen::Map<const Eigen::MatrixXf> q(q_.data(), n, n);
    const Eigen::VectorXf own = q.diagonal();
    Eigen::VectorXf diagonal = own;
    Eigen::VectorXf direction = Eigen::VectorXf::Ones(n);
    float strength = 0;
    constexpr int moves = 5;
    constexpr int steps = 3;
    for (int move = 0; move < moves; ++move) {
      for (int step = 0; step < steps; ++step) {
        const Eigen::VectorXf next = q * direction - diagonal.cwiseProduct(direction);
        strength = direction.dot(next) / direction.squaredNorm();
        if (next.squaredNorm() == 0) break;
        direction = next.normalized();
      }
      if (!(strength < 0)) {
        strength = 0;
        break;
      }
      diagonal = own - strength * direction.cwiseAbs2();
    }
    diagonal_ = own - strength * direction.cwiseAbs2();
    factor_ = std::sqrt(-strength) * direction;
    if (factor_.sum() < 0) factor_ = -factor_;
  }

  const CellVoltages& voltages_;
  const Adjoint& adjoint_;
  std::span<const double> variance_S2_;
  std::size_t rows_, columns_;
  std::vector<double> weights_plus_, weights_minus_;
  double scale_ = 0;
  std::vector<float> root_, weighted_, q_;
  Eigen::VectorXf diagonal_, factor_;
};

}  // namespace

FastVariance::FastVariance(const Wires& wires, std::span<const double> cell_S, const Adjoint& adjoint,
                           std::span<const double> variance_S2, std::span<const OutputLine> lines)
    : rows_(wires.rows), lines_(lines.empty() ? wires.columns : static_cast<std::int64_t>(lines.size())) {
  TELLEGEN_ASSERT(static_cast<std::int64_t>(variance_S2.size()) == rows_ * wires.columns);
  TELLEGEN_ASSERT(adjoint.rows() == rows_ && adjoint.columns() == wires.columns);
  const auto count = static_cast<std::size_t>(lines_);
  squares_.resize(static_cast<std::size_t>(rows_) * count);
  shared_.resize(squares_.size());
  const CellVoltages voltages(wires, cell_S);
  LineFit fit(voltages, adjoint, variance_S2);
  for (std::size_t j = 0; j < count; ++j) {
    fit.fit(lines.empty() ? OutputLine{static_cast<std::int64_t>(j), -1} : lines[j]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(rows_); ++k) {
      squares_[k * count + j] = fit.square(k);
      shared_[k * count + j] = fit.shared(k);
    }
  }
}

std::vector<double> FastVariance::variances(std::span<const double> input_V) const {
  const std::int64_t batch = static_cast<std::int64_t>(input_V.size()) / rows_;
  TELLEGEN_ASSERT(static_cast<std::int64_t>(input_V.size()) == batch * rows_);
  std::vector<double> squares_V2(input_V.begin(), input_V.end());
  for (double& value : squares_V2) value = squared(value);
  std::vector<double> out(static_cast<std::size_t>(batch * lines_));
  std::vector<double> shared_A(out.size());
  multiply(batch, lines_, rows_, squares_V2.data(), rows_, squares_.data(), lines_, 0, out.data(), lines_);
  multiply(batch, lines_, rows_, input_V.data(), rows_, shared_.data(), lines_, 0, shared_A.data(), lines_);
  // Inputs that leave nothing at all are where an approximation could fall below 0.
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = std::max(0.0, out[k] - squared(shared_A[k]));
  return out;
}

}  // namespace tellegen::circuits
