#include "tellegen/circuits/crossbar/anchoring.h"

#include <algorithm>
#include <vector>

namespace tellegen::circuits {

std::optional<Eigen::Index> first_unanchored(const Eigen::Ref<const Eigen::MatrixXd>& coupling,
                                             const Eigen::VectorXd& to_held) {
  std::vector<bool> anchored(static_cast<std::size_t>(to_held.size()));
  std::vector<Eigen::Index> next;
  const auto anchor = [&](Eigen::Index unknown) {
    if (anchored[static_cast<std::size_t>(unknown)]) return;
    anchored[static_cast<std::size_t>(unknown)] = true;
    next.push_back(unknown);
  };
  for (Eigen::Index k = 0; k < to_held.size(); ++k) {
    if (to_held[k] > 0) anchor(k);
  }
  while (!next.empty()) {
    const Eigen::Index from = next.back();
    next.pop_back();
    for (Eigen::Index k = 0; k < coupling.rows(); ++k) {
      if (coupling(k, from) != 0) anchor(k);
    }
  }
  const auto open = std::find(anchored.begin(), anchored.end(), false);
  if (open == anchored.end()) return std::nullopt;
  return open - anchored.begin();
}

}  // namespace tellegen::circuits
