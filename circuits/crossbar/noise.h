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
// conductances [S^2]; an access resistance in series damps them, which is in d.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// The adjoint network of an array: memory for columns x rows x columns numbers.
class Adjoint {
 public:
  /// One solve per column, voltages to 1e-12 of 1 V. `cell_S` [rows][columns]. Throws InputError as LineSolver does.
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
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<double> drops_;
  std::vector<double> output_S_;
};

/// Power spectral density of the thermal noise current of a short-circuited output [A^2/Hz], 4 k T Y (Nyquist).
double thermal_noise_A2_per_Hz(double output_S, double temperature_K);

/// Output variances at the speed of a matrix product, for any input vector.
///
/// Voltages across cells are taken as v_kl = w_kl V_k - b_kl I_l: the row node follows its own input, the column node
/// the current of its column, in the proportions they have when all inputs are equal. Since d_j is near 1 in column j
/// and small elsewhere, I_l is taken as I_j there. Then
///
///   var(I_j) = sum_k V_k^2 A_kj - 2 I_j sum_k V_k B_kj + I_j^2 C_j.
///
/// Nearly exact for equal inputs, exact without wires. Largest error of a variance for random inputs, positive or of
/// both signs, 1 ohm wires and cells of 1 to 100 uS: 0.2 % at 16 x 16, 0.6 % at 32 x 32, 2 % at 64 x 64, 16 % at 128 x
/// 128, where wires take a third of the current. (One product: 1.2, 5, 15 and 40 %, exact for equal inputs.)
class FastVariance {
 public:
  /// `variance_S2` [rows][columns].
  FastVariance(const Wires& wires, std::span<const double> cell_S, const Adjoint& adjoint,
               std::span<const double> variance_S2);

  /// For `batch` vectors: input_V [batch][rows], output_A [batch][columns] as T V gives them; [batch][columns] [A^2].
  std::vector<double> variances(std::span<const double> input_V, std::span<const double> output_A) const;
  /// M [rows][columns] [A^2/V^2] with var(I_j) = sum_k V_k^2 M_kj: one product instead of two, columns taken as if all
  /// inputs were equal.
  const std::vector<double>& one_product() const { return proportional_; }

 private:
  std::int64_t rows_;
  std::int64_t columns_;
  std::vector<double> square_, cross_, constant_;  ///< A, B [rows][columns], C [columns]
  std::vector<double> proportional_;               ///< M [rows][columns]
};

}  // namespace tellegen::circuits
