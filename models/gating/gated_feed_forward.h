#pragma once
// Gated feed-forward layers of transformers: y = ((phi(x W_gate) scale) * (x W_up)) W_down, rows times matrices, without biases
// (N. Shazeer, arXiv 2002.05202). phi acts on what W_gate gives; checkpoints differ in which half of a fused matrix that is.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>

#include "tellegen/models/gating/activation.h"

namespace tellegen::models::gating {

/// A member of the family: what phi is.
struct GluEntry {
  std::string_view name;
  Activation phi;
  std::string_view sentence;
};
/// glu, bilinear, reglu, geglu, swiglu, memglu.
std::span<const GluEntry> glu_catalog();
/// The entry of that name; an InputError with a proposal where there is none.
const GluEntry& glu_named(std::string_view name);

struct GatedFeedForward {
  Activation phi;
  double scale = 1;          ///< of phi: c0 of MemGLU
  Eigen::MatrixXd gate, up;  ///< d x h
  Eigen::MatrixXd down;      ///< h x d
  /// phi(x W_gate) scale, tokens x h.
  Eigen::MatrixXd gates(const Eigen::MatrixXd& x) const;
  /// The product of both halves, tokens x h.
  Eigen::MatrixXd hidden(const Eigen::MatrixXd& x) const;
  /// x and the result are tokens x d.
  Eigen::MatrixXd operator()(const Eigen::MatrixXd& x) const { return hidden(x) * down; }
};

/// Which half of a fused d x 2h matrix is the gate.
enum class FusedOrder { gate_first, gate_last };
/// Sets gate and up from a fused matrix; an InputError where its columns are odd in number.
void split_fused(const Eigen::MatrixXd& fused, FusedOrder order, GatedFeedForward& layer);

/// 3 d h; a plain feed-forward layer has 2 d h.
std::int64_t glu_parameter_count(std::int64_t width, std::int64_t hidden);

}  // namespace tellegen::models::gating
