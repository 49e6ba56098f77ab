#pragma once
// Exact rewritings of products: norms folded into weights, and products of gated inputs. All in double: y = W x + b, W is
// outputs x inputs.

#include <Eigen/Core>
#include <vector>

#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

struct AffineProduct {
  Eigen::MatrixXd weight;  ///< outputs x inputs
  Eigen::VectorXd bias;    ///< outputs
  Eigen::VectorXd operator()(const Eigen::VectorXd& x) const { return weight * x + bias; }
};

/// Batch normalisation in inference, gamma (y - mean) / sqrt(variance + epsilon) + beta per output.
struct BatchNorm {
  Eigen::VectorXd gamma, beta, mean, variance;
  double epsilon = 0;
};
/// BatchNorm behind a product.
AffineProduct with_norm_behind(const AffineProduct& product, const BatchNorm& norm);
/// gamma x + beta per input in front of a product: the affine part of LayerNorm and RMSNorm (beta empty), LayerScale, and
/// BatchNorm behind an activation (not where zeros are padded). The statistics of a LayerNorm do not fold.
AffineProduct with_scale_in_front(const AffineProduct& product, const Eigen::VectorXd& gamma,
                                  const Eigen::VectorXd& beta);

/// x less its mean over sqrt(variance + epsilon), over all entries: LayerNorm without its affine part.
Eigen::VectorXd standardised(const Eigen::VectorXd& x, double epsilon);

/// A product whose inputs are gated (sharing level TG_W): y_o = b_o + sum_i sum_k g_k(x_i) (W_k[o,i] x_i + C_k[o,i]). The
/// gate's own slopes and constants are not used.
struct GatedProduct {
  ThresholdGate gate;                     ///< shared by all inputs
  std::vector<Eigen::MatrixXd> weight;    ///< K matrices
  std::vector<Eigen::MatrixXd> constant;  ///< K matrices
  Eigen::VectorXd bias;
  Eigen::VectorXd operator()(const Eigen::VectorXd& x) const;
};

/// The same for telescoping gates, as hardware has it: the leftmost branch is a plain product, its constants are in the
/// bias, and each of the K - 1 pairs adds what changes at its threshold.
struct PairProduct {
  ThresholdGate gate;
  AffineProduct base;
  std::vector<Eigen::MatrixXd> weight_step;    ///< K - 1: W_{m+1} - W_m
  std::vector<Eigen::MatrixXd> constant_step;  ///< K - 1
  Eigen::VectorXd operator()(const Eigen::VectorXd& x) const;
};
/// An InputError where the construction is not telescoping or unequal.
PairProduct with_base_ungated(const GatedProduct& product);

/// Shared gates in front of a trained product (TG_A): K matrices s_k W and constants c_k W.
GatedProduct shared_gate_in_front(const AffineProduct& product, const ThresholdGate& gate);

}  // namespace tellegen::models::gating
