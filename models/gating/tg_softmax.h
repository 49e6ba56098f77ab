#pragma once
// Softmax by threshold gates: p_i = sigmoid(z_i - theta_i), theta_i the log-sum-exp (LSE) of all other entries. Exact, but not
// normalised by construction: what a cell gets wrong shows as a sum of p that is not 1.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// How the LSEs of all but one are shared between the entries; both take 3n - 6 cells for n >= 3 entries.
enum class LseSchedule {
  tree,          ///< depth about 2 log2(n); errors of cells add up along the depth
  prefix_suffix  ///< depth n - 1
};

/// log(exp(a) + exp(b)) of finite numbers, to rounding.
template <class Real>
struct ExactLse {
  Real operator()(Real a, Real b) const { return std::max(a, b) + std::log1p(std::exp(-std::abs(a - b))); }
};

/// max(a, b) + unit(|a - b|): a comparator and a gate for softplus(-d) (two_stage.h).
struct GateLse {
  ThresholdGate unit;
  double operator()(double a, double b) const { return std::max(a, b) + value(unit, std::abs(a - b)); }
};

/// Cells and gates of one row of n entries, masked ones included: masks switch inputs, not the circuit.
struct SoftmaxCounts {
  std::int64_t lse = 0, gates = 0;
  bool operator==(const SoftmaxCounts&) const = default;
};
SoftmaxCounts softmax_counts(std::int64_t entries);
/// One head over a sequence of `length` tokens, each seeing itself and those before.
SoftmaxCounts causal_softmax_counts(std::int64_t length);

/// Rows of softmax. `Cell` takes two finite numbers and returns their LSE, or what a circuit makes of it; -infinity (a
/// masked entry) never reaches it.
template <class Real, class Cell = ExactLse<Real>>
class TgSoftmax {
 public:
  explicit TgSoftmax(LseSchedule schedule = LseSchedule::tree, Cell cell = {})
      : schedule_(schedule), cell_(std::move(cell)) {}

  /// p of one row of finite numbers and -infinity: 0 where z is -infinity, all 0 where every entry is masked, 1 for the only one that is not. The row's
  /// maximum (the common mode) is taken off first. z and p have the same size; p may be z. Returns the sum of p.
  double operator()(std::span<const Real> z, std::span<Real> p);

  /// theta_i of every entry of z as it is, -infinity where all others are masked.
  void thresholds(std::span<const Real> z, std::span<Real> theta);

  /// LSE cells used since construction.
  std::int64_t lse_operations() const { return operations_; }

 private:
  static constexpr Real kMasked = -std::numeric_limits<Real>::infinity();

  Real join(Real a, Real b) {
    ++operations_;
    if (a == kMasked) return b;
    if (b == kMasked) return a;
    return static_cast<Real>(cell_(a, b));
  }
  void tree_thresholds(std::span<Real> theta);
  void chain_thresholds(std::span<const Real> z, std::span<Real> theta);

  LseSchedule schedule_;
  Cell cell_;
  std::int64_t operations_ = 0;
  std::vector<Real> shifted_, theta_, levels_, others_, above_;
  std::vector<std::size_t> begins_;
};

template <class Real, class Cell>
double TgSoftmax<Real, Cell>::operator()(std::span<const Real> z, std::span<Real> p) {
  TELLEGEN_ASSERT(z.size() == p.size());
  const auto largest = std::max_element(z.begin(), z.end());
  const Real common = largest == z.end() || *largest == kMasked ? Real(0) : *largest;
  shifted_.resize(z.size());
  theta_.resize(z.size());
  for (std::size_t i = 0; i < z.size(); ++i) shifted_[i] = z[i] - common;
  thresholds(shifted_, theta_);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Real e = std::exp(-std::abs(shifted_[i] - theta_[i]));
    if (shifted_[i] == kMasked)
      p[i] = 0;
    else if (theta_[i] == kMasked)
      p[i] = 1;
    else
      p[i] = (shifted_[i] >= theta_[i] ? Real(1) : e) / (Real(1) + e);
    sum += static_cast<double>(p[i]);
  }
  return sum;
}

template <class Real, class Cell>
void TgSoftmax<Real, Cell>::thresholds(std::span<const Real> z, std::span<Real> theta) {
  TELLEGEN_ASSERT(z.size() == theta.size());
  if (z.empty()) return;
  if (schedule_ == LseSchedule::prefix_suffix) return chain_thresholds(z, theta);
  levels_.assign(z.begin(), z.end());
  tree_thresholds(theta);
}

/// Up: pairs are joined until two are left; one without a partner goes up as it is. Down: what a node does not cover is what
/// its parent does not cover, joined with its sibling.
template <class Real, class Cell>
void TgSoftmax<Real, Cell>::tree_thresholds(std::span<Real> theta) {
  begins_.assign(1, 0);
  while (levels_.size() - begins_.back() > 2) {
    const std::size_t begin = begins_.back(), end = levels_.size();
    begins_.push_back(end);
    for (std::size_t i = begin; i + 1 < end; i += 2) levels_.push_back(join(levels_[i], levels_[i + 1]));
    if ((end - begin) % 2 == 1) levels_.push_back(levels_[end - 1]);
  }
  const std::size_t top = begins_.back();
  if (levels_.size() - top == 2)
    above_ = {levels_[top + 1], levels_[top]};
  else
    above_ = {kMasked};  // a row of one entry
  for (std::size_t level = begins_.size() - 1; level-- > 0;) {
    const std::size_t begin = begins_[level], size = begins_[level + 1] - begin;
    others_.resize(size);
    for (std::size_t i = 0; i + 1 < size; i += 2) {
      others_[i] = join(above_[i / 2], levels_[begin + i + 1]);
      others_[i + 1] = join(above_[i / 2], levels_[begin + i]);
    }
    if (size % 2 == 1) others_[size - 1] = above_.back();
    std::swap(others_, above_);
  }
  std::copy(above_.begin(), above_.end(), theta.begin());
}

/// theta_i is the LSE of what stands before i, joined with that of what stands behind.
template <class Real, class Cell>
void TgSoftmax<Real, Cell>::chain_thresholds(std::span<const Real> z, std::span<Real> theta) {
  const std::size_t size = z.size();
  if (size == 1) {
    theta[0] = kMasked;
    return;
  }
  others_.resize(size);  // behind i
  others_[size - 2] = z[size - 1];
  for (std::size_t i = size - 2; i-- > 0;) others_[i] = join(others_[i + 1], z[i + 1]);
  theta[0] = others_[0];
  Real before = z[0];
  for (std::size_t i = 1; i + 1 < size; ++i) {
    theta[i] = join(before, others_[i]);
    before = join(before, z[i]);
  }
  theta[size - 1] = before;
}

}  // namespace tellegen::models::gating
