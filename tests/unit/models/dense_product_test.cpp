// Products inside a network: against those of OpenBLAS, and row by row to the bit.

#include "tellegen/models/operators/dense_product.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tellegen/base/blas.h"
#include "tellegen/base/random.h"

namespace tellegen::models {
namespace {

std::vector<float> normals(std::int64_t size, std::uint32_t part) {
  std::vector<float> values(static_cast<std::size_t>(size));
  Stream(1, Purpose::test, {0, 0, part}).normals(0, values);
  return values;
}

struct Sizes {
  std::int64_t m, n, k;
};
constexpr Sizes kSizes[] = {{1, 1, 1},    {1, 70, 33},    {5, 10, 64}, {15, 512, 28},
                            {16, 16, 16}, {37, 129, 250}, {64, 10, 1}};

/// The bound of rounding errors for sums of k terms of normal numbers, all within 6 standard deviations.
float bound(std::int64_t k) { return 36.0F * 1.2e-7F * static_cast<float>(k); }

TEST(DenseProduct, EqualsThatOfOpenBlas) {
  for (const auto& [m, n, k] : kSizes) {
    const std::vector<float> a = normals(m * k, 1), b = normals(n * k, 2), start = normals(m * n, 3);
    for (const float beta : {0.0F, 1.0F}) {
      std::vector<float> c = start, expected = start;
      dense_product(m, n, k, a.data(), k, b.data(), n, beta, c.data(), n);
      multiply(m, n, k, a.data(), k, b.data(), n, beta, expected.data(), n);
      for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], expected[i], bound(k)) << m << ' ' << n << ' ' << k;
      c = expected = start;
      dense_product_transposed(m, n, k, a.data(), k, b.data(), k, beta, c.data(), n);
      multiply_transposed(m, n, k, a.data(), k, b.data(), k, beta, expected.data(), n);
      for (std::size_t i = 0; i < c.size(); ++i) ASSERT_NEAR(c[i], expected[i], bound(k)) << m << ' ' << n << ' ' << k;
    }
  }
}

/// Rows that stand apart in memory, as those of one group or direction do.
TEST(DenseProduct, LeavesWhatLiesBetweenRows) {
  const std::vector<float> a = normals(3 * 7, 1), b = normals(4 * 9, 2);
  std::vector<float> c(3 * 6, -1.0F), expected(3 * 6, -1.0F);
  dense_product_transposed(3, 4, 5, a.data(), 7, b.data(), 9, 0.0F, c.data(), 6);
  multiply_transposed(3, 4, 5, a.data(), 7, b.data(), 9, 0.0F, expected.data(), 6);
  for (std::size_t i = 0; i < c.size(); ++i) EXPECT_NEAR(c[i], expected[i], bound(5)) << i;
  EXPECT_EQ(c[4], -1.0F);
  EXPECT_EQ(c[5], -1.0F);
}

TEST(DenseProduct, GivesARowTheSameBitsAmongAnyNumberOfRows) {
  constexpr std::int64_t kRows = 100;
  for (const auto& [n, k] : {std::pair<std::int64_t, std::int64_t>{10, 64}, {128, 100}, {512, 28}, {7, 1568}}) {
    const std::vector<float> a = normals(kRows * k, 1), b = normals(n * k, 2);
    std::vector<float> all(kRows * n), some(kRows * n);
    dense_product_transposed(kRows, n, k, a.data(), k, b.data(), k, 0.0F, all.data(), n);
    for (std::int64_t rows = 1; rows < kRows; ++rows) {
      dense_product_transposed(rows, n, k, a.data(), k, b.data(), k, 0.0F, some.data(), n);
      ASSERT_TRUE(std::equal(some.begin(), some.begin() + rows * n, all.begin())) << rows << " rows, k " << k;
    }
  }
}

}  // namespace
}  // namespace tellegen::models
