#pragma once
// Read noise of a crossbar with wires at the speed of two matrix products.
//
// The variance of an output is a quadratic form of the inputs u: every cell voltage is h_kl' u, so
//
//   var(I) = u' Q u,   Q = sum_kl (dI/dG_kl per volt)^2 var(G_kl) h_kl h_kl'
//
// (noise.h has it exactly, O(R C^2) per input vector). Without wires Q is diagonal. Wires add little outside the
// diagonal, and nearly all of that is one product: what the current of all rows takes away from the voltage of each.
// So
//
//   var(I) = sum_k u_k^2 D_k - (sum_k u_k X_k)^2,
//
// D and X fitted to Q entry by entry (factor analysis with one factor): two products for a whole batch.
//
// Largest error of a variance for random inputs, positive, of both signs or mostly zero, 1 ohm wires and cells of 1 to
// 100 uS: 0.1 % at 16 x 16, 0.2 % at 32 x 32, 0.5 % at 64 x 64, 1.2 % at 128 x 128, where wires take a third of the
// current; 4 % at 128 x 128 with 5 ohm. (D alone, exact for equal inputs: 40 % at 128 x 128 and 1 ohm.) Where cells
// conduct as well as their wires do, an output depends on all inputs alike, and none of this holds.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/circuits/crossbar/noise.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// What is converted: one column, or the difference of two.
struct OutputLine {
  std::int64_t plus = 0;
  std::int64_t minus = -1;  ///< -1: none
};

class FastVariance {
 public:
  /// `variance_S2` [rows][columns]; `lines` empty: every column by itself. Takes rows^3 products per line once, and
  /// memory for columns x rows x rows floats meanwhile.
  FastVariance(const Wires& wires, std::span<const double> cell_S, const Adjoint& adjoint,
               std::span<const double> variance_S2, std::span<const OutputLine> lines = {});

  /// D [rows][lines] [A^2/V^2].
  const std::vector<double>& squares() const { return squares_; }
  /// X [rows][lines] [A/V].
  const std::vector<double>& shared() const { return shared_; }
  /// For `batch` vectors, input_V [batch][rows]: [batch][lines] [A^2].
  std::vector<double> variances(std::span<const double> input_V) const;

 private:
  std::int64_t rows_;
  std::int64_t lines_;
  std::vector<double> squares_, shared_;
};

}  // namespace tellegen::circuits
