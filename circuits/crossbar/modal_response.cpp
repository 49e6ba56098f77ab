// All modes of a crossbar with capacitance: the dense part of settling.h.

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "tellegen/circuits/crossbar/rc_network.h"
#include "tellegen/circuits/crossbar/settling.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(const std::vector<NetworkEntry>& entries, std::int64_t rows, std::int64_t columns) {
  MatrixXd out = MatrixXd::Zero(rows, columns);
  for (const NetworkEntry& entry : entries) out(entry.row, entry.column) += entry.value_S;
  return out;
}

/// The equations of the nodes that have a capacitance; those without one follow at once and are eliminated.
struct Reduced {
  VectorXd capacitance_F;
  MatrixXd a, b, d;
};

Reduced reduced(const RcNetwork& network) {
  std::vector<Eigen::Index> slow, fast;
  for (std::int64_t n = 0; n < network.unknowns; ++n) {
    (network.capacitance_F[static_cast<std::size_t>(n)] > 0 ? slow : fast).push_back(n);
  }
  const MatrixXd a = dense(network.conductance, network.unknowns, network.unknowns);
  const MatrixXd b = dense(network.from_driver, network.unknowns, network.inputs);
  const MatrixXd d = dense(network.to_sense, network.outputs, network.unknowns);
  const Eigen::Map<const VectorXd> capacitance_F(network.capacitance_F.data(), network.unknowns);
  Reduced out{capacitance_F(slow), a(slow, slow), b(slow, Eigen::all), d(Eigen::all, slow)};
  if (fast.empty() || slow.empty()) return out;
  const Eigen::LLT<MatrixXd> llt(MatrixXd(a(fast, fast)));
  TELLEGEN_ASSERT(llt.info() == Eigen::Success);
  const MatrixXd follow = llt.solve(MatrixXd(a(fast, slow)));
  out.a -= a(slow, fast) * follow;
  out.b -= follow.transpose() * b(fast, Eigen::all);
  out.d -= d(Eigen::all, fast) * follow;
  return out;
}

void copy_row_major(const MatrixXd& from, std::vector<double>& to) {
  to.resize(static_cast<std::size_t>(from.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(to.data(), from.rows(),
                                                                                     from.cols()) = from;
}

/// A sum of fading exponentials, sum_m a_m exp(-t / tau_m).
class FadingSum {
 public:
  FadingSum(std::span<const double> time_constants_s, std::vector<double> amplitude)
      : tau_s_(time_constants_s), amplitude_(std::move(amplitude)) {}

  /// The last time at which the sum is `tolerance` or more away from 0; 0 where it never is.
  double last_above_s(double tolerance) const {
    if (tau_s_.empty() || envelope(0) < tolerance) return 0;
    double high_s = tau_s_[0];
    while (envelope(high_s) >= tolerance) high_s *= 2;
    return std::max(last_between_s(0, high_s, tolerance), 0.0);
  }

 private:
  double value(double time_s) const {
    double sum = 0;
    for (std::size_t m = 0; m < tau_s_.size(); ++m) sum += amplitude_[m] * std::exp(-time_s / tau_s_[m]);
    return sum;
  }
  /// Falls, and changes by at least as much as the sum does.
  double envelope(double time_s) const {
    double sum = 0;
    for (std::size_t m = 0; m < tau_s_.size(); ++m) sum += std::fabs(amplitude_[m]) * std::exp(-time_s / tau_s_[m]);
    return sum;
  }
  /// -1 where the sum is below the tolerance everywhere between; it is at high_s.
  double last_between_s(double low_s, double high_s, double tolerance) const {
    if (std::fabs(value(high_s)) + envelope(low_s) - envelope(high_s) < tolerance) return -1;
    constexpr double resolution = 1e-12;
    if (high_s - low_s <= resolution * high_s) return high_s;
    const double middle_s = low_s + (high_s - low_s) / 2;
    const double later_s = last_between_s(middle_s, high_s, tolerance);
    if (later_s >= 0) return later_s;
    if (std::fabs(value(middle_s)) >= tolerance) return middle_s;
    return last_between_s(low_s, middle_s, tolerance);
  }

  std::span<const double> tau_s_;
  std::vector<double> amplitude_;
};

double checked_time(double time_s, double not_before_s, const char* what) {
  if (!(time_s >= not_before_s) || std::isinf(time_s)) {
    throw InputError(
        fmt::format("{} is at '{} s'; a finite time, not before {} s, is needed.", what, time_s, not_before_s));
  }
  return time_s;
}

}  // namespace

/// The state of an array on its way through a waveform.
class ModalResponse::Walk {
 public:
  Walk(const ModalResponse& response, std::span<const VoltageStep> steps)
      : response_(response),
        steps_(steps),
        modes_(response.time_constants_s_.size()),
        rows_(static_cast<std::size_t>(response.wires_.rows)),
        columns_(static_cast<std::size_t>(response.wires_.columns)),
        input_V_(rows_),
        deviation_(modes_),
        flux_Vs_(rows_),
        deviation_s_(modes_) {}

  /// Charge of each output from where the walk stands until `end_s`, which is where it stands then.
  std::vector<double> charge_until(double end_s) {
    std::fill(flux_Vs_.begin(), flux_Vs_.end(), 0);
    std::fill(deviation_s_.begin(), deviation_s_.end(), 0);
    for (; next_ < steps_.size() && steps_[next_].time_s <= end_s; ++next_) {
      advance(checked_time(steps_[next_].time_s, now_s_, "An input step"));
      take(steps_[next_]);
    }
    advance(end_s);
    return outputs(flux_Vs_, deviation_s_);
  }
  std::vector<double> currents_A() const { return outputs(input_V_, deviation_); }

 private:
  /// Inputs stay as they are until `time_s`.
  void advance(double time_s) {
    const double span_s = time_s - now_s_;
    now_s_ = time_s;
    if (span_s == 0) return;
    for (std::size_t i = 0; i < rows_; ++i) flux_Vs_[i] += input_V_[i] * span_s;
    for (std::size_t m = 0; m < modes_; ++m) {
      const double tau_s = response_.time_constants_s_[m];
      const double faded = std::expm1(-span_s / tau_s);
      deviation_s_[m] -= deviation_[m] * tau_s * faded;
      deviation_[m] += deviation_[m] * faded;
    }
  }

  void take(const VoltageStep& step) {
    const Wires& wires = response_.wires_;
    if (step.row < 0 || step.row >= wires.rows || !std::isfinite(step.voltage_V)) {
      throw InputError(fmt::format("An input step sets row '{}' to '{} V'; rows are 0 to {} and voltages finite.",
                                   step.row, step.voltage_V, wires.rows - 1));
    }
    if (wires.state(step.row) != RowState::driven) return;
    const auto i = static_cast<std::size_t>(step.row);
    const double change_V = step.voltage_V - input_V_[i];
    input_V_[i] = step.voltage_V;
    for (std::size_t m = 0; m < modes_; ++m) deviation_[m] -= response_.from_input_[m * rows_ + i] * change_V;
  }

  std::vector<double> outputs(const std::vector<double>& inputs, const std::vector<double>& modes) const {
    std::vector<double> out(columns_);
    for (std::size_t j = 0; j < columns_; ++j) {
      for (std::size_t i = 0; i < rows_; ++i) out[j] += response_.transfer_S_[j * rows_ + i] * inputs[i];
      for (std::size_t m = 0; m < modes_; ++m) out[j] += response_.to_output_[j * modes_ + m] * modes[m];
    }
    return out;
  }

  const ModalResponse& response_;
  std::span<const VoltageStep> steps_;
  std::size_t next_ = 0;
  double now_s_ = 0;
  std::size_t modes_, rows_, columns_;
  std::vector<double> input_V_, deviation_;    ///< now; amplitudes of the modes less their settled ones
  std::vector<double> flux_Vs_, deviation_s_;  ///< their integrals since the window began
};

std::vector<double> ModalResponse::currents_A(std::span<const VoltageStep> steps, double time_s) const {
  Walk walk(*this, steps);
  (void)walk.charge_until(checked_time(time_s, 0, "The current"));
  return walk.currents_A();
}

std::vector<double> ModalResponse::charges_C(std::span<const VoltageStep> steps,
                                             std::span<const double> window_end_s) const {
  Walk walk(*this, steps);
  std::vector<double> out;
  double start_s = 0;
  for (const double end_s : window_end_s) {
    const std::vector<double> charge_C = walk.charge_until(checked_time(end_s, start_s, "The end of a window"));
    out.insert(out.end(), charge_C.begin(), charge_C.end());
    start_s = end_s;
  }
  return out;
}

double ModalResponse::settling_time_s(std::span<const double> input_V, double tolerance_A) const {
  if (!(tolerance_A > 0)) {
    throw InputError(fmt::format("The tolerance of settling is '{} A'; a current above 0 A is needed.", tolerance_A));
  }
  const std::vector<double> applied_V = applied_voltages(wires_, input_V);
  const std::size_t modes = time_constants_s_.size();
  const std::size_t rows = applied_V.size();
  std::vector<double> settled(modes);
  for (std::size_t k = 0; k < from_input_.size(); ++k) settled[k / rows] += from_input_[k] * applied_V[k % rows];
  double last_s = 0;
  for (std::size_t j = 0; j < static_cast<std::size_t>(wires_.columns); ++j) {
    std::vector<double> amplitude_A(modes);
    for (std::size_t m = 0; m < modes; ++m) amplitude_A[m] = -to_output_[j * modes + m] * settled[m];
    last_s = std::max(last_s, FadingSum(time_constants_s_, std::move(amplitude_A)).last_above_s(tolerance_A));
  }
  return last_s;
}

std::variant<ModalResponse, Refusal> modal_response(const Wires& wires, std::span<const double> cell_S,
                                                    const NodeCapacitance& capacitance) {
  const RcNetwork network = rc_network(wires, cell_S, capacitance);
  if (network.unknowns > ModalResponse::most_nodes) {
    return Refusal{fmt::format("All modes of an array with {} nodes are asked for; dense eigenvalues are computed for "
                               "at most {} nodes.",
                               network.unknowns, ModalResponse::most_nodes),
                   "Use the response by few modes, or a smaller array."};
  }
  const Reduced equations = reduced(network);
  ModalResponse out;
  out.wires_ = wires;
  // The settled state is the exact one; eigenvalues, which lose some digits, are for the way there.
  out.transfer_S_ = collapse(wires, cell_S).transfer();
  const Eigen::Index modes = equations.capacitance_F.size();
  if (modes > 0) {
    const VectorXd scale = equations.capacitance_F.cwiseSqrt().cwiseInverse();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(scale.asDiagonal() * equations.a * scale.asDiagonal());
    TELLEGEN_ASSERT(eigen.info() == Eigen::Success && eigen.eigenvalues()[0] > 0);
    const VectorXd tau_s = eigen.eigenvalues().cwiseInverse();
    const MatrixXd shapes = scale.asDiagonal() * eigen.eigenvectors();
    const MatrixXd from_input = tau_s.asDiagonal() * (shapes.transpose() * equations.b);
    const MatrixXd to_output = equations.d * shapes;
    out.time_constants_s_.assign(tau_s.data(), tau_s.data() + modes);
    copy_row_major(from_input, out.from_input_);
    copy_row_major(to_output, out.to_output_);
  }
  return out;
}

}  // namespace tellegen::circuits
