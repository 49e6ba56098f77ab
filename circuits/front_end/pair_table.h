#pragma once
// The transfer of a differential pair, tabulated once per design for arrays of units: share = sigma(u) + C(|u|, w) sign u,
// where u = dv G is the voltage over the slope at balance, G = 1 / (1 + q_b), and w = 1 - G = q_b / (1 + q_b) the depth of
// inversion of the tail current that flows at that moment. C is the departure from the sigmoid: zero in weak inversion.

#include <vector>

namespace tellegen::circuits {

class PairTable {
 public:
  /// For tails up to the inversion coefficient `ic_most` (of each side at balance).
  explicit PairTable(double ic_most);

  /// Largest |tabulated - exact| share, found between all nodes; float rounding adds 2e-7.
  double error() const { return error_; }
  double ic_most() const { return ic_most_; }

  static constexpr int nodes_per_u = 16, last_u = 12, columns = nodes_per_u * last_u, rows = 32;
  /// Cells between nodes, row-major: row w, column |u|; the four corners of a cell stand together, so that a kernel finds
  /// them with one load: (w, u), (w, u + 1), (w + 1, u), (w + 1, u + 1).
  const std::vector<float>& cells() const { return cells_; }
  double rows_per_w() const { return rows_per_w_; }

 private:
  double ic_most_, rows_per_w_, error_;
  std::vector<float> cells_;
};

}  // namespace tellegen::circuits
