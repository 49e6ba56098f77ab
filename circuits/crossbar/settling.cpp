#include "tellegen/circuits/crossbar/settling.h"

#include <fmt/format.h>

#include <Eigen/SparseCholesky>
#include <cmath>
#include <memory>
#include <numbers>

#include "tellegen/base/blas.h"
#include "tellegen/circuits/crossbar/rc_network.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

/// Adds c y x' over the nodes of one leaf to M [columns][rows]. The first `rows` points are unit inputs (x), the others
/// unit outputs (y).
class MissingCharge {
 public:
  MissingCharge(const Wires& wires, const NodeCapacitance& capacitance, std::vector<double>& missing_F)
      : rows_(wires.rows), columns_(wires.columns), capacitance_(capacitance), missing_F_(missing_F) {}

  void add(const LeafVoltages& leaf) {
    const auto cells = static_cast<std::int64_t>(leaf.row_node_V.size());
    nodes_ = 2 * cells;
    outputs_.resize(static_cast<std::size_t>(columns_ * nodes_));
    inputs_.resize(static_cast<std::size_t>(nodes_ * rows_));
    for (std::int64_t k = 0; k < cells; ++k) {
      take(2 * k, leaf.row_node_V[static_cast<std::size_t>(k)], capacitance_.row_F);
      take(2 * k + 1, leaf.column_node_V[static_cast<std::size_t>(k)], capacitance_.column_F);
    }
    multiply(columns_, rows_, nodes_, outputs_.data(), nodes_, inputs_.data(), rows_, 1.0, missing_F_.data(), rows_);
  }

 private:
  void take(std::int64_t node, const double* points_V, double capacitance_F) {
    for (std::int64_t i = 0; i < rows_; ++i) {
      inputs_[static_cast<std::size_t>(node * rows_ + i)] = capacitance_F * points_V[i];
    }
    for (std::int64_t j = 0; j < columns_; ++j) {
      outputs_[static_cast<std::size_t>(j * nodes_ + node)] = points_V[rows_ + j];
    }
  }

  std::int64_t rows_;
  std::int64_t columns_;
  NodeCapacitance capacitance_;
  std::vector<double>& missing_F_;
  std::int64_t nodes_ = 0;
  std::vector<double> outputs_, inputs_;
};

void check_window(double window_s) {
  if (!(window_s > 0) || std::isinf(window_s)) {
    throw InputError(fmt::format("The window is '{} s'; a finite time above 0 s is needed.", window_s));
  }
}

}  // namespace

double slowest_time_bound_s(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance) {
  const RcNetwork network = rc_network(wires, cell_S, capacitance);
  if (network.unknowns == 0) return 0;
  std::vector<Eigen::Triplet<double>> entries;
  for (const NetworkEntry& entry : network.conductance) entries.emplace_back(entry.row, entry.column, entry.value_S);
  Eigen::SparseMatrix<double> matrix(network.unknowns, network.unknowns);
  matrix.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> ldlt(matrix);
  TELLEGEN_ASSERT(ldlt.info() == Eigen::Success);
  const Eigen::Map<const Eigen::VectorXd> capacitance_F(network.capacitance_F.data(), network.unknowns);
  const Eigen::VectorXd elmore_s = ldlt.solve(capacitance_F);
  return elmore_s.maxCoeff();
}

double half_step_time_s(double time_constant_s, int bits) { return (bits + 1) * std::numbers::ln2 * time_constant_s; }

SettledReadout::SettledReadout(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance)
    : wires_(wires) {
  check(capacitance);
  CollapseMemory memory;
  const Collapse collapsed(std::make_shared<const CollapsePlan>(wires), cell_S, memory, {.node_voltages = true});
  transfer_S_ = collapsed.ports().transfer();
  const std::int64_t points = wires.rows + wires.columns;
  std::vector<double> row_V(static_cast<std::size_t>(wires.rows * points));
  std::vector<double> column_V(static_cast<std::size_t>(wires.columns * points));
  for (std::int64_t i = 0; i < wires.rows; ++i) {
    if (wires.state(i) == RowState::driven) row_V[static_cast<std::size_t>(i * points + i)] = 1;
  }
  for (std::int64_t j = 0; j < wires.columns; ++j) {
    column_V[static_cast<std::size_t>(j * points + wires.rows + j)] = 1;
  }
  missing_F_.assign(transfer_S_.size(), 0);
  MissingCharge missing(wires, capacitance, missing_F_);
  collapsed.node_voltages(row_V, column_V, points, [&](const LeafVoltages& leaf) { missing.add(leaf); });
}

std::vector<double> SettledReadout::applied(std::span<const double> input_V) const {
  const auto rows = static_cast<std::size_t>(wires_.rows);
  if (input_V.size() % rows != 0) {
    throw InputError(
        fmt::format("'{}' input voltages are given; a multiple of the {} rows is needed.", input_V.size(), rows));
  }
  std::vector<double> out;
  for (std::size_t first = 0; first < input_V.size(); first += rows) {
    const std::vector<double> window_V = applied_voltages(wires_, input_V.subspan(first, rows));
    out.insert(out.end(), window_V.begin(), window_V.end());
  }
  return out;
}

std::vector<double> SettledReadout::window_charges_C(std::span<const double> input_V, double window_s) const {
  check_window(window_s);
  const std::vector<double> applied_V = applied(input_V);
  const std::int64_t rows = wires_.rows;
  const std::int64_t columns = wires_.columns;
  const std::int64_t windows = static_cast<std::int64_t>(applied_V.size()) / rows;
  std::vector<double> flux_Vs(applied_V), change_V(applied_V);
  for (double& value : flux_Vs) value *= window_s;
  for (std::size_t k = 0; k < change_V.size(); ++k) {
    const bool first = k < static_cast<std::size_t>(rows);
    change_V[k] = (first ? 0 : applied_V[k - static_cast<std::size_t>(rows)]) - applied_V[k];
  }
  std::vector<double> out(static_cast<std::size_t>(windows * columns));
  multiply_transposed(windows, columns, rows, flux_Vs.data(), rows, transfer_S_.data(), rows, 0.0, out.data(), columns);
  multiply_transposed(windows, columns, rows, change_V.data(), rows, missing_F_.data(), rows, 1.0, out.data(), columns);
  return out;
}

std::vector<double> SettledReadout::pulse_charges_C(std::span<const double> amplitude_V,
                                                    std::span<const double> width_s) const {
  check_pulse_widths(amplitude_V, width_s);
  std::vector<double> flux_Vs = applied_voltages(wires_, amplitude_V);
  for (std::size_t i = 0; i < flux_Vs.size(); ++i) flux_Vs[i] *= width_s[i];
  std::vector<double> out(static_cast<std::size_t>(wires_.columns));
  multiply(wires_.columns, 1, wires_.rows, transfer_S_.data(), wires_.rows, flux_Vs.data(), 1, 0.0, out.data(), 1);
  return out;
}

}  // namespace tellegen::circuits
