#include "tellegen/models/gating/folding.h"

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

namespace {

/// sigma_m for every input: what the gates right of threshold m add up to.
Eigen::MatrixXd opened(const ThresholdGate& gate, const Eigen::VectorXd& x) {
  const auto thresholds = static_cast<Eigen::Index>(gate.theta.size());
  Eigen::MatrixXd sigma(x.size(), thresholds);
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const std::vector<double> g = gate_values(gate, x[i]);
    double sum = 0;
    for (Eigen::Index m = thresholds; m-- > 0;) sigma(i, m) = sum += g[static_cast<std::size_t>(m) + 1];
  }
  return sigma;
}

void check_shapes(const GatedProduct& product) {
  const std::size_t branches = product.gate.branches();
  TELLEGEN_ASSERT(product.weight.size() == branches && product.constant.size() == branches);
}

}  // namespace

AffineProduct with_norm_behind(const AffineProduct& product, const BatchNorm& norm) {
  const Eigen::VectorXd scale = norm.gamma.array() / (norm.variance.array() + norm.epsilon).sqrt();
  return {scale.asDiagonal() * product.weight,
          (scale.array() * (product.bias - norm.mean).array() + norm.beta.array()).matrix()};
}

AffineProduct with_scale_in_front(const AffineProduct& product, const Eigen::VectorXd& gamma,
                                  const Eigen::VectorXd& beta) {
  AffineProduct folded{product.weight * gamma.asDiagonal(), product.bias};
  if (beta.size() > 0) folded.bias += product.weight * beta;
  return folded;
}

Eigen::VectorXd standardised(const Eigen::VectorXd& x, double epsilon) {
  const Eigen::VectorXd centred = x.array() - x.mean();
  return centred / std::sqrt(centred.squaredNorm() / static_cast<double>(x.size()) + epsilon);
}

Eigen::VectorXd GatedProduct::operator()(const Eigen::VectorXd& x) const {
  check_shapes(*this);
  Eigen::VectorXd y = bias;
  for (Eigen::Index i = 0; i < x.size(); ++i) {
    const std::vector<double> g = gate_values(gate, x[i]);
    for (std::size_t k = 0; k < g.size(); ++k) y += g[k] * (weight[k].col(i) * x[i] + constant[k].col(i));
  }
  return y;
}

PairProduct with_base_ungated(const GatedProduct& product) {
  check_shapes(product);
  const Construction construction = product.gate.construction;
  if (construction != Construction::telescoping && construction != Construction::unequal)
    throw InputError(
        fmt::format("A gated product has the construction '{}'; only 'telescoping' and 'unequal' gates are sums "
                    "of pairs.",
                    name(construction)));
  PairProduct pairs{product.gate, {product.weight[0], product.bias + product.constant[0].rowwise().sum()}, {}, {}};
  for (std::size_t m = 0; m + 1 < product.weight.size(); ++m) {
    pairs.weight_step.emplace_back(product.weight[m + 1] - product.weight[m]);
    pairs.constant_step.emplace_back(product.constant[m + 1] - product.constant[m]);
  }
  return pairs;
}

Eigen::VectorXd PairProduct::operator()(const Eigen::VectorXd& x) const {
  Eigen::VectorXd y = base(x);
  const Eigen::MatrixXd sigma = opened(gate, x);
  for (std::size_t m = 0; m < weight_step.size(); ++m) {
    const Eigen::VectorXd open = sigma.col(static_cast<Eigen::Index>(m));
    y += weight_step[m] * open.cwiseProduct(x) + constant_step[m] * open;
  }
  return y;
}

GatedProduct shared_gate_in_front(const AffineProduct& product, const ThresholdGate& gate) {
  validate(gate);
  GatedProduct gated{gate, {}, {}, product.bias};
  for (std::size_t k = 0; k < gate.branches(); ++k) {
    gated.weight.emplace_back(gate.slope[k] * product.weight);
    gated.constant.emplace_back(gate.constant[k] * product.weight);
  }
  return gated;
}

}  // namespace tellegen::models::gating
