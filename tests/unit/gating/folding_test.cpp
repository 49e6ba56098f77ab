// Rewritings of products against stored vectors.

#include "tellegen/models/gating/folding.h"

#include <gtest/gtest.h>

#include "../base/message_of.h"
#include "matrices.h"
#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {
namespace {

using test::expect_near;
using test::matrix;
using test::vector;
using testing_support::message_of;

const nlohmann::json& stored(const char* key) { return test::vectors("convert.json")[key]; }

TEST(Folding, BatchNormBehindAProduct) {
  const auto row = stored("bn");
  const AffineProduct product{matrix(row["W"]), vector(row["b"])};
  const BatchNorm norm{vector(row["gamma"]), vector(row["beta"]), vector(row["mean"]), vector(row["var"]),
                       test::number(row["eps"])};
  const AffineProduct folded = with_norm_behind(product, norm);
  expect_near(folded.weight, matrix(row["W_fold"]), 1e-13, "weights");
  expect_near(folded.bias, vector(row["b_fold"]), 1e-13, "bias");
  expect_near(folded(vector(row["x"])), vector(row["y"]), 1e-13, "output");
}

TEST(Folding, LayerNormInFrontOfAProduct) {
  const auto row = stored("ln");
  const AffineProduct product{matrix(row["W"]), vector(row["b"])};
  const AffineProduct folded = with_scale_in_front(product, vector(row["gamma"]), vector(row["beta"]));
  expect_near(folded.weight, matrix(row["W_fold"]), 1e-13, "weights");
  expect_near(folded.bias, vector(row["b_fold"]), 1e-13, "bias");
  const Eigen::VectorXd statistics = standardised(vector(row["x"]), test::number(row["eps"]));
  expect_near(folded(statistics), vector(row["y"]), 1e-13, "output");
  const Eigen::VectorXd before = vector(row["gamma"]).cwiseProduct(statistics) + vector(row["beta"]);
  expect_near(folded(statistics), product(before), 1e-14, "without folding");
  const AffineProduct without_shift = with_scale_in_front(product, vector(row["gamma"]), {});
  expect_near(without_shift(statistics), product(vector(row["gamma"]).cwiseProduct(statistics)), 1e-14, "RMSNorm");
}

/// "Activation behind the product before" and "in front of the next product" are one network.
TEST(Folding, RebracketedNetworkIsTheSame) {
  const auto row = stored("mlp_silu");
  const ThresholdGate silu = exact_gate({ActivationKind::swish, 1}).value();
  const ThresholdGate identity = exact_gate({ActivationKind::identity}).value();
  Eigen::VectorXd u = vector(row["x"]);
  for (const int layer : {1, 2, 3}) {
    const std::string n = std::to_string(layer);
    const AffineProduct product{matrix(row["W" + n]), vector(row["b" + n])};
    u = shared_gate_in_front(product, layer == 1 ? identity : silu)(u);
    expect_near(u, vector(layer == 3 ? row["y"] : row["u" + n]), 1e-13, "layer " + n);
  }
}

GatedProduct gated_product() {
  const auto row = stored("tg_w");
  ThresholdGate gate{
      Kernel::logistic, Construction::telescoping, {test::number(row["tau"])}, test::numbers(row["theta"]), {0, 0, 0},
      {0, 0, 0}};
  GatedProduct product{gate, {}, {}, vector(row["b"])};
  for (std::size_t k = 0; k < 3; ++k) {
    product.weight.push_back(matrix(row["Wk"][k]));
    product.constant.push_back(matrix(row["Ck"][k]));
  }
  return product;
}

TEST(Folding, GatedProductsWithTheirBaseBranchUngated) {
  const auto row = stored("tg_w");
  const GatedProduct product = gated_product();
  const Eigen::VectorXd x = vector(row["x"]);
  expect_near(product(x), vector(row["a"]), 1e-13, "all branches gated");
  const PairProduct pairs = with_base_ungated(product);
  expect_near(pairs.base.bias, vector(row["b_fold"]), 1e-13, "bias");
  expect_near(pairs(x), vector(row["a"]), 1e-13, "base branch ungated");
  EXPECT_EQ(pairs.weight_step.size(), 2U);
  EXPECT_EQ(pairs.constant_step.size(), 2U);
}

TEST(Folding, SharedGatesHaveOneConstantPerOutput) {
  const AffineProduct product{Eigen::MatrixXd{{1, -2, 0.5}, {0.25, 3, -1}}, Eigen::VectorXd{{0.125, -0.5}}};
  const ThresholdGate tanh = exact_gate({ActivationKind::tanh}).value();
  const GatedProduct gated = shared_gate_in_front(product, tanh);
  const Eigen::VectorXd x{{0.75, -1.5, 2.25}};
  expect_near(gated(x), product(x.array().tanh().matrix()), 1e-15, "in front");
  const PairProduct pairs = with_base_ungated(gated);
  // The base branch of tanh is -1: b - W 1, and no product with x at all.
  expect_near(pairs.base.bias, product.bias - product.weight.rowwise().sum(), 1e-15, "bias");
  EXPECT_EQ(pairs.base.weight.cwiseAbs().maxCoeff(), 0);
  expect_near(pairs(x), gated(x), 1e-15, "pairs");
}

TEST(Folding, OnlySumsOfPairsHaveAnUngatedBase) {
  GatedProduct product = gated_product();
  product.gate.construction = Construction::cascade;
  EXPECT_EQ(
      message_of<InputError>([&] { with_base_ungated(product); }),
      "A gated product has the construction 'cascade'; only 'telescoping' and 'unequal' gates are sums of pairs.");
}

}  // namespace
}  // namespace tellegen::models::gating
