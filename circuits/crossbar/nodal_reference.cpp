#include "tellegen/circuits/crossbar/nodal_reference.h"

#include <Eigen/SparseCholesky>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/branch_list.h"
#include "tellegen/circuits/crossbar/node_grid.h"

namespace tellegen::circuits {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

std::vector<Branch> all_branches(const NodeGrid& grid, const Segments& segments, std::span<const double> branch_S) {
  std::vector<Branch> out = wire_branches(grid, segments);
  const std::vector<Branch> cells = cell_branches(grid, branch_S);
  out.insert(out.end(), cells.begin(), cells.end());
  return out;
}

}  // namespace

struct NodalReference::Factored {
  Wires wires;
  Segments segments;
  std::vector<double> branch_S;
  NodeGrid grid;
  std::vector<Branch> branches;
  std::vector<Eigen::Index> unknown;  ///< number of a node in the equations; -1: a terminal, or left out
  Eigen::SimplicialLDLT<Matrix> ldlt;
  Eigen::Index unknowns = 0;

  Factored(const Wires& wires_in, std::span<const double> cell_S)
      : wires(wires_in),
        segments(segments_of(wires)),
        branch_S(branch_conductances(wires, cell_S)),
        grid(segments),
        branches(all_branches(grid, segments, branch_S)) {
    number_unknowns();
    std::vector<Eigen::Triplet<double>> entries;
    for (const Branch& branch : branches) {
      const Eigen::Index a = unknown[static_cast<std::size_t>(branch.a)];
      const Eigen::Index b = unknown[static_cast<std::size_t>(branch.b)];
      if (a >= 0) entries.emplace_back(a, a, branch.g_S);
      if (b >= 0) entries.emplace_back(b, b, branch.g_S);
      if (a >= 0 && b >= 0) {
        entries.emplace_back(a, b, -branch.g_S);
        entries.emplace_back(b, a, -branch.g_S);
      }
    }
    if (unknowns == 0) return;
    Matrix matrix(unknowns, unknowns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    ldlt.compute(matrix);
    TELLEGEN_ASSERT(ldlt.info() == Eigen::Success);
  }

  void number_unknowns() {
    unknown.assign(static_cast<std::size_t>(grid.positions()), -1);
    const std::vector<bool> left_out = isolated_nodes(grid, segments, branch_S, wires);
    for (std::int64_t position = 0; position < grid.positions(); ++position) {
      const auto at = static_cast<std::size_t>(position);
      if (grid.node(position) == position && !grid.is_terminal(position) && !left_out[at]) unknown[at] = unknowns++;
    }
  }

  /// Voltages of all nodes with the terminals at their values and everything else at 0 V.
  std::vector<double> terminal_voltages(std::span<const double> applied_V) const {
    std::vector<double> node_V(unknown.size());
    for (std::int64_t i = 0; i < grid.rows(); ++i) {
      for (const std::int64_t j : {std::int64_t{-1}, grid.columns()}) {
        node_V[static_cast<std::size_t>(grid.row(i, j))] = applied_V[static_cast<std::size_t>(i)];
      }
    }
    return node_V;
  }

  /// Currents that do not yet balance at the unknown nodes.
  Eigen::VectorXd residual(const std::vector<double>& node_V) const {
    Eigen::VectorXd out = Eigen::VectorXd::Zero(unknowns);
    for (const Branch& branch : branches) {
      const auto a = static_cast<std::size_t>(branch.a);
      const auto b = static_cast<std::size_t>(branch.b);
      const double current_A = branch.g_S * (node_V[a] - node_V[b]);
      if (unknown[a] >= 0) out[unknown[a]] -= current_A;
      if (unknown[b] >= 0) out[unknown[b]] += current_A;
    }
    return out;
  }
};

NodalReference::NodalReference(const Wires& wires, std::span<const double> cell_S)
    : factored_(std::make_unique<Factored>(wires, cell_S)) {}
NodalReference::~NodalReference() = default;
NodalReference::NodalReference(NodalReference&&) noexcept = default;
NodalReference& NodalReference::operator=(NodalReference&&) noexcept = default;

NodalSolution NodalReference::solve(std::span<const double> input_V) const {
  const Factored& f = *factored_;
  const std::vector<double> applied_V = applied_voltages(f.wires, input_V);
  std::vector<double> node_V = f.terminal_voltages(applied_V);
  constexpr int solve_and_refinements = 3;
  for (int step = 0; step < solve_and_refinements && f.unknowns > 0; ++step) {
    const Eigen::VectorXd correction_V = f.ldlt.solve(f.residual(node_V));
    for (std::size_t node = 0; node < node_V.size(); ++node) {
      if (f.unknown[node] >= 0) node_V[node] += correction_V[f.unknown[node]];
    }
  }
  NodalSolution out;
  for (std::int64_t i = 0; i < f.grid.rows(); ++i) {
    for (std::int64_t j = 0; j < f.grid.columns(); ++j) {
      out.row_node_V.push_back(node_V[static_cast<std::size_t>(f.grid.row(i, j))]);
      out.column_node_V.push_back(node_V[static_cast<std::size_t>(f.grid.column(i, j))]);
    }
  }
  complete_linear(out, f.segments, f.branch_S, applied_V);
  return out;
}

std::vector<double> NodalReference::transfer() const {
  const auto rows = static_cast<std::size_t>(factored_->wires.rows);
  const auto columns = static_cast<std::size_t>(factored_->wires.columns);
  std::vector<double> out(columns * rows);
  std::vector<double> unit_V(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    unit_V[i] = 1;
    const NodalSolution solution = solve(unit_V);
    for (std::size_t j = 0; j < columns; ++j) out[j * rows + i] = solution.output_A[j];
    unit_V[i] = 0;
  }
  return out;
}

}  // namespace tellegen::circuits
