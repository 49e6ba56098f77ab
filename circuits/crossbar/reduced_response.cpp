// Few modes instead of all: block Krylov projection of the symmetric pencil (C, A), for settling.h.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

#include "tellegen/base/blas.h"
#include "tellegen/circuits/crossbar/rc_network.h"
#include "tellegen/circuits/crossbar/settling.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::circuits {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

Sparse sparse(const std::vector<NetworkEntry>& entries, std::int64_t rows, std::int64_t columns) {
  std::vector<Eigen::Triplet<double>> triplets;
  for (const NetworkEntry& entry : entries) triplets.emplace_back(entry.row, entry.column, entry.value_S);
  Sparse out(rows, columns);
  out.setFromTriplets(triplets.begin(), triplets.end());
  return out;
}

/// a' b. Columns of Eigen's matrices are rows of a product that is row-major.
MatrixXd inner(const MatrixXd& a, const MatrixXd& b) {
  MatrixXd out(a.cols(), b.cols());
  multiply_transposed(b.cols(), a.cols(), a.rows(), b.data(), a.rows(), a.data(), a.rows(), 0.0, out.data(), a.cols());
  return out;
}

/// to + a b.
void add_product(const MatrixXd& a, const MatrixXd& b, double beta, MatrixXd& to) {
  multiply(b.cols(), a.rows(), a.cols(), b.data(), b.rows(), a.data(), a.rows(), beta, to.data(), to.rows());
}

/// The nodal equations with A = P' L L' P made the identity: C becomes S = L^-1 P C P' L^-T, and a port b becomes
/// L^-1 P b. Time constants are the eigenvalues of S.
class Whitened {
 public:
  explicit Whitened(const RcNetwork& network)
      : capacitance_F_(Eigen::Map<const VectorXd>(network.capacitance_F.data(), network.unknowns)),
        llt_(sparse(network.conductance, network.unknowns, network.unknowns)) {
    TELLEGEN_ASSERT(llt_.info() == Eigen::Success);
  }
  MatrixXd ports(const MatrixXd& b) const { return llt_.matrixL().solve(MatrixXd(llt_.permutationP() * b)); }
  MatrixXd times_s(const MatrixXd& z) const {
    const MatrixXd v = llt_.permutationPinv() * MatrixXd(llt_.matrixU().solve(z));
    return ports(capacitance_F_.asDiagonal() * v);
  }

 private:
  VectorXd capacitance_F_;
  Eigen::SimplicialLLT<Sparse> llt_;
};

void append(MatrixXd& to, const MatrixXd& columns) {
  to.conservativeResize(Eigen::NoChange, to.cols() + columns.cols());
  to.rightCols(columns.cols()) = columns;
}

/// Directions in `block` that `basis` does not have, orthonormal.
MatrixXd new_directions(const MatrixXd& basis, MatrixXd block) {
  // What is shorter than this, of columns of length 1, is rounding.
  constexpr double rounding = 1e-12;
  const VectorXd length = block.colwise().norm();
  block *= length.unaryExpr([](double l) { return l > 0 ? 1 / l : 0; }).asDiagonal();
  for (int pass = 0; pass < 2 && block.cols() > 0; ++pass) {  // twice is enough
    if (basis.cols() > 0) add_product(basis, -inner(basis, block), 1.0, block);
    Eigen::ColPivHouseholderQR<MatrixXd> qr(block);
    const VectorXd sizes = qr.matrixQR().diagonal().cwiseAbs();
    const Eigen::Index rank = (sizes.array() > rounding).count();
    block = qr.householderQ() * MatrixXd::Identity(block.rows(), rank);
  }
  return block;
}

void copy_row_major(const MatrixXd& from, std::vector<double>& to) {
  to.resize(static_cast<std::size_t>(from.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(to.data(), from.rows(),
                                                                                     from.cols()) = from;
}

}  // namespace

ModalResponse reduced_response(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance,
                               int blocks) {
  if (blocks < 1)
    throw InputError(fmt::format("A response of '{}' blocks is asked for; at least 1 is needed.", blocks));
  const RcNetwork network = rc_network(wires, cell_S, capacitance);
  ModalResponse out;
  out.wires_ = wires;
  out.transfer_S_ = collapse(wires, cell_S).transfer();
  if (network.unknowns == 0) return out;
  const Whitened equations(network);
  MatrixXd terminals(network.unknowns, network.inputs + network.outputs);
  terminals << MatrixXd(sparse(network.from_driver, network.unknowns, network.inputs)),
      MatrixXd(sparse(network.to_sense, network.outputs, network.unknowns)).transpose();
  const MatrixXd ports = equations.ports(terminals);
  MatrixXd basis(network.unknowns, 0), image(network.unknowns, 0);
  MatrixXd next = ports;
  for (int number = 0; number < blocks; ++number) {
    const MatrixXd block = new_directions(basis, next);
    if (block.cols() == 0) break;
    next = equations.times_s(block);
    append(basis, block);
    append(image, next);
  }
  if (basis.cols() == 0) return out;
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(inner(basis, image));
  TELLEGEN_ASSERT(eigen.info() == Eigen::Success);
  const VectorXd tau_s = eigen.eigenvalues().reverse();
  // Nodes without capacitance follow at once; rounding makes their time constants a little more or less than 0.
  constexpr double rounding = 1e-13;
  const Eigen::Index modes = (tau_s.array() > rounding * tau_s[0]).count();
  const MatrixXd turn = eigen.eigenvectors().rowwise().reverse().leftCols(modes);
  out.time_constants_s_.assign(tau_s.data(), tau_s.data() + modes);
  const MatrixXd at_ports = turn.transpose() * inner(basis, ports);
  copy_row_major(at_ports.leftCols(network.inputs), out.from_input_);
  copy_row_major(at_ports.rightCols(network.outputs).transpose(), out.to_output_);
  return out;
}

}  // namespace tellegen::circuits
