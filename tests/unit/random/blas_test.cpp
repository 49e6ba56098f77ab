#include "tellegen/base/blas.h"

#include <gtest/gtest.h>

#include <vector>

namespace tellegen {
namespace {

/// Small whole numbers: products are exact in float, whatever the order of sums.
template <class T>
T element(std::int64_t i, std::int64_t j) {
  return static_cast<T>((7 * i + 3 * j) % 11 - 5);
}

constexpr std::int64_t m = 5, n = 6, k = 7, lda = 9, ldb = 8, ldc = 10;
constexpr int untouched = 99;

template <class T, bool transposed>
void expect_plain_sums(T beta) {
  std::vector<T> a(m * lda, T(untouched)), b((transposed ? n : k) * ldb, T(untouched)), c(m * ldc, T(untouched));
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t p = 0; p < k; ++p) a[static_cast<std::size_t>(i * lda + p)] = element<T>(i, p);
    for (std::int64_t j = 0; j < n; ++j) c[static_cast<std::size_t>(i * ldc + j)] = element<T>(j, i);
  }
  for (std::int64_t p = 0; p < k; ++p) {
    for (std::int64_t j = 0; j < n; ++j)
      b[static_cast<std::size_t>(transposed ? j * ldb + p : p * ldb + j)] = element<T>(p + 2, j);
  }
  if constexpr (transposed)
    multiply_transposed(m, n, k, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
  else
    multiply(m, n, k, a.data(), lda, b.data(), ldb, beta, c.data(), ldc);
  for (std::int64_t i = 0; i < m; ++i) {
    for (std::int64_t j = 0; j < ldc; ++j) {
      T sum = j < n ? beta * element<T>(j, i) : T(untouched);
      for (std::int64_t p = 0; j < n && p < k; ++p) sum += element<T>(i, p) * element<T>(p + 2, j);
      EXPECT_EQ(c[static_cast<std::size_t>(i * ldc + j)], sum) << i << ' ' << j;
    }
  }
}

TEST(Blas, MultiplyIsThePlainSumAndRespectsStrides) {
  expect_plain_sums<float, false>(0);
  expect_plain_sums<float, false>(2);
  expect_plain_sums<double, false>(0);
  expect_plain_sums<double, false>(2);
}

TEST(Blas, MultiplyTransposedIsThePlainSumAndRespectsStrides) {
  expect_plain_sums<float, true>(0);
  expect_plain_sums<float, true>(2);
  expect_plain_sums<double, true>(0);
  expect_plain_sums<double, true>(2);
}

TEST(Blas, NothingToSumGivesZeros) {
  std::vector<float> c(4, 3.0F);
  multiply(2, 2, 0, c.data(), 0, c.data(), 2, 0.0F, c.data(), 2);
  EXPECT_EQ(c, std::vector<float>(4, 0.0F));
}

}  // namespace
}  // namespace tellegen
