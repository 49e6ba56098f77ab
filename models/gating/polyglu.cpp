#include "tellegen/models/gating/polyglu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

std::vector<Activation> polyglu_palette() {
  return {{ActivationKind::relu}, {ActivationKind::tanh}, {ActivationKind::swish, 1}, {ActivationKind::gelu_erf}};
}

Eigen::VectorXd RoutingNetwork::operator()(const Eigen::MatrixXd& x) const {
  const Eigen::VectorXd mean = x.colwise().mean().transpose();
  return second * (first * mean + first_bias).cwiseMax(0) + second_bias;
}

Eigen::MatrixXd PolyGlu::logits(const Eigen::MatrixXd& x) const {
  return alpha.rowwise() + beta.cwiseProduct(routing(x)).transpose();
}

Eigen::MatrixXd PolyGlu::hidden(const Eigen::MatrixXd& x, const Eigen::MatrixXd& shares) const {
  TELLEGEN_ASSERT(shares.rows() == gate.cols() && shares.cols() == static_cast<Eigen::Index>(palette.size()));
  const Eigen::MatrixXd before = x * gate;
  Eigen::MatrixXd mixed = Eigen::MatrixXd::Zero(before.rows(), before.cols());
  for (std::size_t k = 0; k < palette.size(); ++k) {
    const Eigen::VectorXd share = shares.col(static_cast<Eigen::Index>(k));
    mixed += before.unaryExpr([&](double g) { return value(palette[k], g); }) * share.asDiagonal();
  }
  return mixed.cwiseProduct(x * up);
}

Eigen::MatrixXd soft_shares(const Eigen::MatrixXd& logits, double temperature, const Eigen::MatrixXd* noise) {
  if (!(temperature > 0))
    throw InputError(
        fmt::format("The temperature of routing is '{}'; it must be positive. Use hard routing for 0.", temperature));
  Eigen::MatrixXd scaled = logits;
  if (noise != nullptr) scaled += *noise;
  scaled /= temperature;
  for (Eigen::Index row = 0; row < scaled.rows(); ++row) {
    const double largest = scaled.row(row).maxCoeff();
    scaled.row(row) = (scaled.row(row).array() - largest).exp().matrix();
    scaled.row(row) /= scaled.row(row).sum();
  }
  return scaled;
}

std::vector<int> hard_choice(const Eigen::MatrixXd& logits) {
  std::vector<int> choice;
  for (Eigen::Index row = 0; row < logits.rows(); ++row) {
    int best = 0;
    for (int k = 1; k < logits.cols(); ++k)
      if (logits(row, k) > logits(row, best)) best = k;
    choice.push_back(best);
  }
  return choice;
}

Eigen::MatrixXd hard_shares(const std::vector<int>& choice, int palette) {
  Eigen::MatrixXd shares = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(choice.size()), palette);
  for (std::size_t j = 0; j < choice.size(); ++j) shares(static_cast<Eigen::Index>(j), choice[j]) = 1;
  return shares;
}

void RoutingRecord::add(const Eigen::MatrixXd& logits) {
  if (choices_.empty()) sum_ = Eigen::MatrixXd::Zero(logits.rows(), logits.cols());
  TELLEGEN_ASSERT(logits.rows() == sum_.rows() && logits.cols() == sum_.cols());
  sum_ += logits;
  choices_.push_back(hard_choice(logits));
}

std::vector<int> RoutingRecord::frozen() const {
  if (choices_.empty()) throw InputError("Routing is to be frozen from '0' sequences; give at least one.");
  return hard_choice(sum_);
}

double RoutingRecord::agreement() const {
  const std::vector<int> choice = frozen();
  std::size_t same = 0;
  for (const std::vector<int>& own : choices_)
    for (std::size_t j = 0; j < choice.size(); ++j) same += own[j] == choice[j] ? 1 : 0;
  return static_cast<double>(same) / static_cast<double>(choices_.size() * choice.size());
}

double routing_temperature(std::int64_t step, std::int64_t steps) {
  TELLEGEN_ASSERT(steps > 0);
  return std::max(0.1, 1 - 0.9 * static_cast<double>(step) / static_cast<double>(steps));
}

RoutingParameters routing_parameters(std::int64_t width, std::int64_t neurons, std::int64_t palette,
                                     std::int64_t hidden) {
  return {neurons * palette, palette, width * hidden + hidden + hidden * palette + palette};
}

}  // namespace tellegen::models::gating
