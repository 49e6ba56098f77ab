#pragma once
// What small changes of single cells do to the outputs of a linear crossbar, wires included.
//
// With v_kl the voltage across cell kl (row minus column node) and d_j,kl the voltage across it (column minus row node)
// when output j alone is driven by 1 V and all other terminals are at 0 V, exactly
//
//   dI_j / dG_kl = d_j,kl v_kl
//
// (adjoint network; the network is reciprocal). Noise of the cells, independent and small, is then Gaussian at the
// outputs with Cov(I_a, I_b) = sum_kl d_a,kl d_b,kl v_kl^2 var(G_kl). Variances of conductances are of the stored cell
// conductances [S^2]; an access resistance in series damps them, which is in d. For many input vectors fast_variance.h
// has an approximation at the speed of a matrix product.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// The adjoint network of an array: memory for columns x rows x columns numbers.
class Adjoint {
 public:
  /// From one collapse that keeps node voltages. `cell_S` [rows][columns]. Throws InputError as Collapse does.
  Adjoint(const Wires& wires, std::span<const double> cell_S);

  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  /// d_j [rows][columns], in volts per volt, damped by the access resistance.
  std::span<const double> drops(std::int64_t output) const;

  /// dI_j / dG_kl [V], [columns][rows][columns]. `drop_V` [rows][columns]: voltages between the nodes of each cell.
  std::vector<double> sensitivities(std::span<const double> drop_V) const;
  /// Of each output [A^2], [columns]; exact to first order in the noise, rows x columns^2 products.
  std::vector<double> variances(std::span<const double> drop_V, std::span<const double> variance_S2) const;
  /// [columns][columns] [A^2], rows x columns^3 products.
  std::vector<double> covariance(std::span<const double> drop_V, std::span<const double> variance_S2) const;
  /// Driving-point conductance of each output with all drivers at 0 V [S], [columns].
  const std::vector<double>& output_conductances_S() const { return output_S_; }

 private:
  void finish(const Wires& wires, std::span<const double> cell_S);

  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<double> drops_;
  std::vector<double> output_S_;
};

/// Power spectral density of the thermal noise current of a short-circuited output [A^2/Hz], 4 k T Y (Nyquist).
double thermal_noise_A2_per_Hz(double output_S, double temperature_K);

}  // namespace tellegen::circuits
