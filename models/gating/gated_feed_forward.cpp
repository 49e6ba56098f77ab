#include "tellegen/models/gating/gated_feed_forward.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <vector>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

std::span<const GluEntry> glu_catalog() {
  static constexpr std::array entries{
      GluEntry{"glu", {ActivationKind::sigmoid}, "Sigmoid gates."},
      GluEntry{"bilinear", {ActivationKind::identity}, "The product of two projections, no activation."},
      GluEntry{"reglu", {ActivationKind::relu}, "ReLU gates."},
      GluEntry{"geglu", {ActivationKind::gelu_erf}, "GELU gates, erf form."},
      GluEntry{"swiglu", {ActivationKind::swish, 1}, "SiLU gates; beta is the parameter a of swish."},
      GluEntry{"memglu", {ActivationKind::tanh_sech}, "Closed-tail gates tanh sech, scaled by c0."},
  };
  return entries;
}

const GluEntry& glu_named(std::string_view name) {
  std::vector<std::string> known;
  for (const GluEntry& entry : glu_catalog()) {
    if (entry.name == name) return entry;
    known.emplace_back(entry.name);
  }
  const std::string proposal = nearest(std::string(name), known);
  throw InputError(
      fmt::format("'{}' is not a known gated feed-forward layer; {}", name,
                  proposal.empty() ? "the catalogue lists them." : fmt::format("did you mean '{}'?", proposal)));
}

Eigen::MatrixXd GatedFeedForward::gates(const Eigen::MatrixXd& x) const {
  return (x * gate).unaryExpr([this](double g) { return scale * value(phi, g); });
}

Eigen::MatrixXd GatedFeedForward::hidden(const Eigen::MatrixXd& x) const { return gates(x).cwiseProduct(x * up); }

void split_fused(const Eigen::MatrixXd& fused, FusedOrder order, GatedFeedForward& layer) {
  if (fused.cols() % 2 != 0)
    throw InputError(fmt::format("A fused gate and up matrix has '{}' columns; it needs an even number, half for each.",
                                 fused.cols()));
  const Eigen::Index half = fused.cols() / 2;
  layer.gate = order == FusedOrder::gate_first ? fused.leftCols(half) : fused.rightCols(half);
  layer.up = order == FusedOrder::gate_first ? fused.rightCols(half) : fused.leftCols(half);
}

std::int64_t glu_parameter_count(std::int64_t width, std::int64_t hidden) { return 3 * width * hidden; }

}  // namespace tellegen::models::gating
