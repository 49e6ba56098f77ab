#include "tellegen/circuits/front_end/pair_table.h"

#include <algorithm>
#include <cmath>

#include "tellegen/circuits/front_end/pair_law.h"
#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

double departure(double u, double w) {
  const double q = w / (1 - w);
  return pair_shares(u * (1 + q), q * q + q).one - 1 / (1 + std::exp(-u));
}

}  // namespace

PairTable::PairTable(double ic_most) : ic_most_(ic_most), error_(0) {
  const double q = devices::ekv::charge_of_current(ic_most);
  // A pair without a current never leaves weak inversion; any scale of w does.
  const double w_most = q > 0 ? q / (1 + q) : 1e-6;
  rows_per_w_ = rows / w_most;
  const auto at = [&](double row, double column) { return departure(column / nodes_per_u, row / rows_per_w_); };
  std::vector<float> node;
  for (int r = 0; r <= rows; ++r) {
    for (int c = 0; c <= columns; ++c) node.push_back(static_cast<float>(at(r, c)));
  }
  cells_.reserve(rows * columns * 4);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c) {
      const float* corner = node.data() + r * (columns + 1) + c;
      const float* next = corner + columns + 1;
      cells_.insert(cells_.end(), {corner[0], corner[1], next[0], next[1]});
      const double between = 0.25 * (double{corner[0]} + corner[1] + next[0] + next[1]);
      error_ = std::max(error_, std::abs(between - at(r + 0.5, c + 0.5)));
    }
  }
}

}  // namespace tellegen::circuits
