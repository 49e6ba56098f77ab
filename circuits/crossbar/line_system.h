#pragma once
// The equations of a crossbar, wire by wire. Row nodes see each other along their row, column nodes along their column,
// and a cell joins one of each. With the columns eliminated exactly the row nodes obey S x = r; S is solved by
// conjugate gradients, with the row wires alone as preconditioner. Unknowns are corrections: volts that are missing
// from a guess which leaves the currents row_A and column_A over.

#include <cstdint>
#include <vector>

#include "tellegen/base/vector_units.h"
#include "tellegen/circuits/crossbar/aligned_memory.h"
#include "tellegen/circuits/crossbar/line_kernels.h"
#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::circuits {

/// What turns residuals into bounds.
///
/// With e the error of the row voltages and z the residual seen through the row wires (row_residual): e = z + M e,
/// where M >= 0 sends row voltages through cells and columns back to the rows. A row whose columns are at 1 V rises to
/// 1 - reach at most, a column whose rows are at 1 V likewise, so max|M e| <= c max|e| with c the product of both, and
/// max|e| <= max|z| / (1 - c). Where c comes near 1, a vector q with q - M q >= theta > 0 is solved for instead:
/// |e| <= max|z| q / theta. A row error gives at most output_S max|e| at an output.
struct LineGains {
  double amplification = 1;      ///< max|e| / max|z|, not more than that; 1 or larger
  std::vector<double> output_S;  ///< [columns]
};

class LineSystem {
 public:
  explicit LineSystem(Segments segments, VectorUnit unit = best_vector_unit());
  ~LineSystem();
  LineSystem(const LineSystem&) = delete;
  LineSystem& operator=(const LineSystem&) = delete;

  const Segments& segments() const { return segments_; }

  std::int64_t stride() const { return grid_.stride; }
  /// Arrays [rows][stride], zero beyond the columns.
  const double* cell_S() const { return cell_S_; }
  double* cell_S() { return cell_S_; }      ///< conductance of the cells; to be set before factor()
  double* row_A() { return row_A_; }        ///< current left over at row nodes
  double* column_A() { return column_A_; }  ///< and at column nodes
  const double* row_V() const { return v_.x_V; }
  const double* column_V() const { return column_V_; }

  void factor();
  /// Of the cells that were factored. Leaves row_A and column_A as they are, and no other vector.
  LineGains gains();

  /// First guess: rows solved with the columns at 0 V, then columns. Answers the largest row voltage.
  double start();
  /// Conjugate gradients until the largest residual seen through the row wires is `limit_V` or less, at most
  /// `iterations` of them. That last residual is added to row_V. Answers it.
  double iterate(double limit_V, int iterations);
  /// Column voltages that belong to row_V.
  void solve_columns();
  /// The residual at row nodes of row_V, column_V, from branch voltage drops; later iterations start there. Answers
  /// the largest value seen through the row wires.
  double row_residual();
  /// The largest residual seen through the row wires.
  double residual_V() const { return residual_.largest_z_V; }
  /// Conjugate gradient steps since the last start().
  int iterations() const { return iterations_; }

 private:
  double solved_amplification();
  void set_row_chains();
  void set_column_chains();

  Segments segments_;
  line_kernels::Grid grid_;
  VectorUnit unit_;
  std::int64_t size_ = 0;  ///< numbers in a padded array
  AlignedNumbers memory_;  ///< of all arrays
  double* cell_S_ = nullptr;
  double* row_A_ = nullptr;
  double* column_A_ = nullptr;
  double* column_V_ = nullptr;
  line_kernels::Iterates v_;
  line_kernels::RowResult residual_;
  int iterations_ = 0;
};

}  // namespace tellegen::circuits
