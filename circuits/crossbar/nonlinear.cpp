#include "tellegen/circuits/crossbar/nonlinear.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/circuits/crossbar/connectivity.h"
#include "tellegen/circuits/crossbar/line_system.h"
#include "tellegen/circuits/crossbar/nonlinear_kernels.h"

namespace tellegen::circuits {
namespace {

constexpr int most_newton_steps = 200;
constexpr int most_iterations = 10000;

class Newton {
 public:
  Newton(const Wires& wires, ArrayLaw law, std::span<const double> input_V)
      : wires_(wires),
        law_(std::move(law)),
        applied_V_(applied_voltages(wires, input_V)),
        system_(segments_of(wires)),
        row_V_(static_cast<std::size_t>(wires.rows * system_.stride())),
        column_V_(row_V_.size()),
        base_row_V_(row_V_.size()),
        base_column_V_(row_V_.size()),
        cell_A_(row_V_.size()),
        drop_V_(static_cast<std::size_t>(wires.columns)),
        output_A_(drop_V_.size()),
        sum_A_(drop_V_.size()) {
    const std::vector<double>& column_S = system_.segments().column_S;
    merged_columns_ = std::any_of(column_S.begin(), column_S.end(), [](double s_S) { return std::isinf(s_S); });
    find_isolated();
  }

  NonlinearOutcome solve(double tolerance) {
    if (const auto refusal = evaluate()) return *refusal;
    NonlinearSolution out;
    double linear_tolerance = 1e-2;
    double least_fall_W = std::numeric_limits<double>::infinity();
    int without_progress = 0;
    for (; out.newton_steps < most_newton_steps; ++out.newton_steps) {
      factor();
      if (out.newton_steps > 0) {
        out.remaining_A = remaining_A();
        if (out.remaining_A > tolerance * largest_output_A_ && linear_tolerance <= 1e-8) {
          out.remaining_A = std::min(out.remaining_A, last_change_A());
        }
        if (out.remaining_A <= tolerance * largest_output_A_) return finished(std::move(out));
        if (without_progress > 10) break;
      }
      out.iterations += find_direction(linear_tolerance);
      linear_tolerance = std::max(linear_tolerance * linear_tolerance, 1e-8);
      const double fall_W = fall();
      without_progress = fall_W < least_fall_W / 2 ? 0 : without_progress + 1;
      least_fall_W = std::min(least_fall_W, fall_W);
      last_output_A_ = output_A_;
      if (const auto refusal = step()) return *refusal;
    }
    return Refusal{fmt::format("The operating point of the non-linear array was not found in {} Newton steps: currents "
                               "that do not balance can still change an output by '{:.3g} A', {:.1e} of the largest.",
                               out.newton_steps, out.remaining_A, out.remaining_A / largest_output_A_),
                   "Allow a larger tolerance (rounding allows none below 1e-14), or check the law of the cells."};
  }

 private:
  /// Only a broken wire leaves nodes in the air that have cells. Those carry no current.
  void find_isolated() {
    if (wires_.broken.empty()) return;
    const auto cells = static_cast<std::size_t>(wires_.rows * wires_.columns);
    std::vector<double> current_A(cells), slope_S(cells);
    law_(0, std::vector<double>(cells), current_A, slope_S);
    isolated_row_.resize(cells);
    isolated_.resize(cells);
    for (const NodeName& node : connectivity(system_.segments(), slope_S, wires_).isolated) {
      const auto k = static_cast<std::size_t>(node.row * wires_.columns + node.column);
      isolated_[k] = 1;
      if (node.line == Line::row) isolated_row_[k] = 1;
    }
  }

  std::size_t at(std::int64_t i, std::int64_t j = 0) const {
    return static_cast<std::size_t>(i * system_.stride() + j);
  }

  /// Currents, slopes and residuals at the present voltages; the latter two go to the line system.
  std::optional<Refusal> evaluate() {
    const auto columns = static_cast<std::size_t>(wires_.columns);
    double* slope_S = system_.cell_S();
    for (std::int64_t i = 0; i < wires_.rows; ++i) {
      const std::size_t start = at(i);
      const std::size_t first_cell = static_cast<std::size_t>(i) * columns;
      for (std::size_t j = 0; j < columns; ++j) {
        drop_V_[j] = applied_V_[static_cast<std::size_t>(i)] + row_V_[start + j] - column_V_[start + j];
      }
      law_(static_cast<std::int64_t>(first_cell), drop_V_, {&cell_A_[start], columns}, {slope_S + start, columns});
      for (std::size_t j = 0; j < columns; ++j) {
        if (!isolated_.empty() && isolated_[first_cell + j] != 0) {
          cell_A_[start + j] = 0;
          slope_S[start + j] = 0;
        }
        if (!(slope_S[start + j] >= 0) || !std::isfinite(slope_S[start + j]) || !std::isfinite(cell_A_[start + j])) {
          return Refusal{
              fmt::format(
                  "The cell in row {}, column {} has the current '{:.4g} A' and the slope '{:.4g} S' at {:.4g} V; "
                  "a current that rises with the voltage is needed.",
                  i, j, cell_A_[start + j], slope_S[start + j], drop_V_[j]),
              "Lower the input voltages, or use a cell law that rises."};
        }
      }
    }
    const Segments& segments = system_.segments();
    const nonlinear_kernels::Nodes nodes = {
        wires_.rows,   wires_.columns,   system_.stride(), segments.row_S.data(), segments.column_S.data(),
        row_V_.data(), column_V_.data(), cell_A_.data()};
    nonlinear_kernels::residuals(best_vector_unit(), nodes, system_.row_A(), system_.column_A());
    if (merged_columns_) merge_column_residuals();
    nonlinear_kernels::sum_columns(best_vector_unit(), nodes, system_.column_A(), output_A_.data(), sum_A_.data());
    column_residual_A_ = *std::max_element(sum_A_.begin(), sum_A_.end());
    const auto [lowest, highest] = std::minmax_element(output_A_.begin(), output_A_.end());
    largest_output_A_ = std::max(-*lowest, *highest);
    return std::nullopt;
  }

  /// Nodes without resistance between them are one node, and what arrives at a sense end leaves there.
  void merge_column_residuals() {
    const Segments& segments = system_.segments();
    for (std::int64_t j = 0; j < wires_.columns; ++j) {
      bool held = std::isinf(segments.column(0, j));
      for (std::int64_t i = 0; i < wires_.rows; ++i) {
        double& here_A = system_.column_A()[i * system_.stride() + j];
        if (held) here_A = 0;
        if (!std::isinf(segments.column(i + 1, j))) {
          held = false;
        } else if (i + 1 < wires_.rows) {
          system_.column_A()[(i + 1) * system_.stride() + j] += std::exchange(here_A, 0.0);
        } else {
          here_A = 0;
        }
      }
    }
  }

  /// The linear system at the present voltages, with the first guess of the correction.
  void factor() {
    system_.factor();
    gains_ = system_.gains();
    guess_V_ = system_.start();
  }

  /// How far outputs are from the end of Newton's step: the error of the rows is the guess and what its residual
  /// allows.
  double remaining_A() {
    const double row_error_V = guess_V_ + gains_.amplification * system_.residual_V();
    return *std::max_element(gains_.output_S.begin(), gains_.output_S.end()) * row_error_V + column_residual_A_;
  }

  /// What the last step has changed at the outputs, if it was a whole one. Newton's steps shrink quadratically, so what
  /// remains is far below it. Residuals cannot tell: in long lines their rounding adds up to more than the outputs
  /// would ever notice.
  double last_change_A() const {
    if (last_length_ < 1) return std::numeric_limits<double>::infinity();
    double change_A = 0;
    for (std::size_t j = 0; j < output_A_.size(); ++j) {
      change_A = std::max(change_A, std::fabs(output_A_[j] - last_output_A_[j]));
    }
    return change_A + 16 * std::numeric_limits<double>::epsilon() * largest_output_A_;
  }

  int find_direction(double linear_tolerance) {
    system_.iterate(linear_tolerance * guess_V_, most_iterations);
    system_.solve_columns();
    return system_.iterations();
  }

  /// Residual times direction: the fall of the co-content per unit step.
  double fall() {
    return nonlinear_kernels::two_products(best_vector_unit(), static_cast<std::int64_t>(row_V_.size()),
                                           system_.row_A(), system_.row_V(), system_.column_A(), system_.column_V());
  }

  std::optional<Refusal> step() {
    constexpr int most_halvings = 60;
    const double start_fall = fall();
    std::optional<Refusal> refusal;
    std::swap(row_V_, base_row_V_);
    std::swap(column_V_, base_column_V_);
    last_length_ = 1;
    for (int halving = 0; halving < most_halvings; ++halving, last_length_ /= 2) {
      for (std::size_t k = 0; k < row_V_.size(); ++k) {
        row_V_[k] = base_row_V_[k] + last_length_ * system_.row_V()[k];
        column_V_[k] = base_column_V_[k] + last_length_ * system_.column_V()[k];
      }
      refusal = evaluate();
      if (refusal) continue;
      // Past the minimum the co-content rises: not by more than half of what it fell here. Rounding may blur that at
      // the end, where the whole step is as good as any.
      const bool near_the_end = std::fabs(start_fall) <= 1e-20 * std::fabs(first_fall_);
      if (near_the_end || fall() >= -0.5 * start_fall) break;
    }
    if (first_fall_ == 0) first_fall_ = start_fall;
    return refusal;
  }

  NodalSolution outcome() const {
    const auto columns = static_cast<std::size_t>(wires_.columns);
    NodalSolution out;
    for (std::vector<double>* values : {&out.row_node_V, &out.column_node_V, &out.cell_A}) {
      values->resize(static_cast<std::size_t>(wires_.rows) * columns);
    }
    std::size_t k = 0;
    for (std::int64_t i = 0; i < wires_.rows; ++i) {
      const std::size_t start = at(i);
      for (std::size_t j = 0; j < columns; ++j, ++k) {
        const bool in_air = !isolated_row_.empty() && isolated_row_[k] != 0;
        out.row_node_V[k] = in_air ? 0 : applied_V_[static_cast<std::size_t>(i)] + row_V_[start + j];
        out.column_node_V[k] = column_V_[start + j];
        out.cell_A[k] = cell_A_[start + j];
      }
    }
    complete(out, system_.segments(), applied_V_);
    return out;
  }

  NonlinearOutcome finished(NonlinearSolution out) const {
    out.nodes = outcome();
    return out;
  }

  Wires wires_;
  ArrayLaw law_;
  std::vector<double> applied_V_;
  LineSystem system_;
  LineGains gains_;
  // Padded like the arrays of the line system.
  std::vector<double> row_V_, column_V_;            ///< row nodes: missing from the voltage applied to the row
  std::vector<double> base_row_V_, base_column_V_;  ///< where the present step starts
  std::vector<double> cell_A_;
  double column_residual_A_ = 0;  ///< largest sum of residual sizes over a column
  double largest_output_A_ = 0;
  std::vector<double> drop_V_, output_A_, sum_A_;      ///< [columns], scratch
  std::vector<std::uint8_t> isolated_row_, isolated_;  ///< [rows][columns]; empty: none
  bool merged_columns_ = false;
  double guess_V_ = 0;
  double first_fall_ = 0;
  double last_length_ = 0;             ///< of a step: 1 is the whole one
  std::vector<double> last_output_A_;  ///< [columns], before it
};

}  // namespace

NonlinearOutcome solve_nonlinear(const Wires& wires, const ArrayLaw& law, std::span<const double> input_V,
                                 double tolerance) {
  check(wires);
  if (wires.access_ohm == 0) return Newton(wires, law, input_V).solve(tolerance);
  const double access_S = 1 / wires.access_ohm;
  const ArrayLaw access = same_everywhere([access_S](double drop_V) {
    return OperatingPoint{access_S * drop_V, access_S};
  });
  return Newton(wires, in_series(law, access), input_V).solve(tolerance);
}

}  // namespace tellegen::circuits
