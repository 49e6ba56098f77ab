#pragma once
// Transistors that share one source node and one tail current, in normalised EKV form: two of them are a differential
// pair, n of them are a softmax. Voltages in kT/q, currents in I_spec of a transistor of size 1.
//
//   i_k = size_k (q_k^2 + q_k),   2 q_k + ln q_k = v_k - v_source,   sum_k i_k = tail,   v_k = (V_Gk - V_Tk) / (n kT/q)
//
// In weak inversion (tail << number of transistors) i_k = tail softmax(v + ln size)_k, and the source node is the
// log-sum-exp of v, up to a constant.

#include <cstddef>
#include <span>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits {

/// The source voltage, to rounding: Newton on ln sum(i) - ln(tail), kept inside a bracket that shrinks. `size` has as
/// many values as `v`, at least one, all above 0; tail > 0.
double source_voltage(std::span<const double> v, std::span<const double> size, double tail);

/// The same, and the currents it leaves to each transistor.
double split_tail(std::span<const double> v, std::span<const double> size, double tail, std::span<double> current);

/// Two equal transistors with v_1 - v_2 = dv: the current of the first; that of the second is the same function of
/// -dv.
double split_pair(double dv, double tail);

/// Many splits at once, in float: `rows` rows of n voltages each, row by row. `shift` (added to v) and `size` belong to
/// the transistors and are the same for all rows, n values each or empty; `masked` (rows x n, or empty) takes
/// transistors out. Answers are shares of the tail, rows x n; a row without any transistor gives zeros. Relative error
/// of a share below 1e-5 where it is above 1e-20. Vectorised over rows; the same bits on every vector unit.
void split_rows(std::span<const float> v, std::size_t n, std::span<const float> shift, std::span<const float> size,
                std::span<const unsigned char> masked, float tail, std::span<float> share);
/// For tests: as compiled for `unit`.
void split_rows(std::span<const float> v, std::size_t n, std::span<const float> shift, std::span<const float> size,
                std::span<const unsigned char> masked, float tail, std::span<float> share, VectorUnit unit);

}  // namespace tellegen::circuits
