#pragma once
// PolyGLU (D. Nobrega Medeiros, arXiv 2603.13347): a gated feed-forward layer whose neurons mix a palette of activations,
// y = ((sum_k share_jk phi_k(x W_gate)_j) * (x W_up)_j) W_down. The shares are a softmax of alpha_jk + beta_k f_k, where f comes
// from the mean over all tokens: it is the same for all neurons, and it sees tokens to come, so it is not causal.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "tellegen/models/gating/activation.h"

namespace tellegen::models::gating {

/// ReLU, tanh, SiLU, GELU (erf), in the order of the published code.
std::vector<Activation> polyglu_palette();

/// f = W2 relu(W1 h + b1) + b2, h the mean of the layer's input over the tokens.
struct RoutingNetwork {
  Eigen::MatrixXd first;        ///< hidden x d
  Eigen::VectorXd first_bias;   ///< hidden
  Eigen::MatrixXd second;       ///< K x hidden
  Eigen::VectorXd second_bias;  ///< K
  /// `x` is tokens x d.
  Eigen::VectorXd operator()(const Eigen::MatrixXd& x) const;
};

struct PolyGlu {
  std::vector<Activation> palette = polyglu_palette();
  Eigen::MatrixXd gate, up;  ///< d x neurons
  Eigen::MatrixXd down;      ///< neurons x d
  RoutingNetwork routing;
  Eigen::MatrixXd alpha;  ///< neurons x K
  Eigen::VectorXd beta;   ///< K

  /// alpha_jk + beta_k f_k(x), neurons x K.
  Eigen::MatrixXd logits(const Eigen::MatrixXd& x) const;
  /// What goes into W_down, tokens x neurons, with given shares (neurons x K).
  Eigen::MatrixXd hidden(const Eigen::MatrixXd& x, const Eigen::MatrixXd& shares) const;
  /// The layer's output, tokens x d.
  Eigen::MatrixXd output(const Eigen::MatrixXd& x, const Eigen::MatrixXd& shares) const {
    return hidden(x, shares) * down;
  }
};

/// Rows of softmax((logits + noise) / temperature); the published code adds Gumbel noise in evaluation, too. An InputError
/// where the temperature is not positive.
Eigen::MatrixXd soft_shares(const Eigen::MatrixXd& logits, double temperature, const Eigen::MatrixXd* noise = nullptr);
/// Each row's largest logit, the first of equal ones.
std::vector<int> hard_choice(const Eigen::MatrixXd& logits);
/// 1 where chosen, 0 elsewhere, neurons x `palette`.
Eigen::MatrixXd hard_shares(const std::vector<int>& choice, int palette);

/// Freezes the routing to one activation per neuron, from the logits of many sequences.
class RoutingRecord {
 public:
  void add(const Eigen::MatrixXd& logits);
  /// The largest mean logit of each neuron. An InputError where nothing was added.
  std::vector<int> frozen() const;
  /// Share of (neuron, sequence) pairs whose own choice is the frozen one.
  double agreement() const;

 private:
  Eigen::MatrixXd sum_;
  std::vector<std::vector<int>> choices_;
};

/// max(0.1, 1 - 0.9 step / steps).
double routing_temperature(std::int64_t step, std::int64_t steps);

/// Parameters that routing adds to a layer.
struct RoutingParameters {
  std::int64_t alpha = 0, beta = 0, network = 0;
  std::int64_t total() const { return alpha + beta + network; }
};
RoutingParameters routing_parameters(std::int64_t width, std::int64_t neurons, std::int64_t palette,
                                     std::int64_t hidden);

}  // namespace tellegen::models::gating
