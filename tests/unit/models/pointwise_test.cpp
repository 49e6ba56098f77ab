// Functions of one number against the C library in double.

#include "tellegen/models/operators/pointwise.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tellegen/models/operators/vector_exp.h"

namespace tellegen::models {
namespace {

Tensor evaluate(const Pointwise& operation, std::vector<float> values) {
  const Tensor input{{static_cast<std::int64_t>(values.size())}, std::move(values)};
  const Tensor* inputs[] = {&input};
  return operation.run(inputs);
}

TEST(VectorExp, IsWithinTwoUnitsInTheLastPlace) {
  double worst = 0;
  for (int i = -870000; i <= 880000; i += 7) {
    const float x = static_cast<float>(i) * 1e-4F;
    const double exact = std::exp(static_cast<double>(x));
    worst = std::max(worst, std::abs(vector_exp(x) - exact) / (exact * std::numeric_limits<float>::epsilon()));
  }
  EXPECT_LT(worst, 2.0);
  EXPECT_EQ(vector_exp(0.0F), 1.0F);
}

TEST(VectorExp, StaysFiniteOutside) {
  EXPECT_EQ(vector_exp(-1e30F), vector_exp(-87.0F));
  EXPECT_EQ(vector_exp(1e30F), vector_exp(88.0F));
  EXPECT_TRUE(std::isfinite(vector_exp(1e30F)));
}

TEST(Pointwise, SigmoidAndSiluFollowTheirFormulas) {
  std::vector<float> x;
  for (int i = -400; i <= 400; ++i) x.push_back(static_cast<float>(i) * 0.05F);
  const Tensor sigmoid = evaluate(Pointwise(Pointwise::Kind::sigmoid), x),
               silu = evaluate(Pointwise(Pointwise::Kind::silu), x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double exact = 1.0 / (1.0 + std::exp(-static_cast<double>(x[i])));
    EXPECT_NEAR(sigmoid.data[i], exact, 4e-7 * exact) << x[i];
    EXPECT_NEAR(silu.data[i], x[i] * exact, 4e-7 * std::abs(x[i] * exact)) << x[i];
  }
}

TEST(Pointwise, PiecewiseLinearFunctionsBendWhereTheyShould) {
  EXPECT_EQ(evaluate(Pointwise(Pointwise::Kind::relu), {-2, 0, 3}).data, (std::vector<float>{0, 0, 3}));
  EXPECT_EQ(evaluate(Pointwise(Pointwise::Kind::leaky_relu, 0.25F), {-2, 0, 3}).data,
            (std::vector<float>{-0.5F, 0, 3}));
  EXPECT_EQ(evaluate(Pointwise(Pointwise::Kind::clip, -1, 2), {-2, 0, 3}).data, (std::vector<float>{-1, 0, 2}));
  EXPECT_EQ(evaluate(Pointwise(Pointwise::Kind::hard_sigmoid, 0.25F, 0.5F), {-2, -1, 0, 3}).data,
            (std::vector<float>{0, 0.25F, 0.5F, 1}));
  EXPECT_EQ(evaluate(Pointwise(Pointwise::Kind::hard_swish), {-4, 0, 3, 5}).data, (std::vector<float>{0, 0, 3, 5}));
}

TEST(Pointwise, NamesItsDigitalUnit) {
  EXPECT_EQ(Pointwise(Pointwise::Kind::silu).label(), "silu");
  EXPECT_EQ(Pointwise(Pointwise::Kind::silu).digital_unit(), "silu");
  EXPECT_EQ(Pointwise(Pointwise::Kind::clip).digital_unit(), "relu");
}

}  // namespace
}  // namespace tellegen::models
