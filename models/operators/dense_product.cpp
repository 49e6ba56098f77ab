#include "tellegen/models/operators/dense_product.h"

#include <oneapi/dnnl/dnnl.h>

#include <algorithm>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/models/operators/one_thread.h"

namespace tellegen::models {

namespace {

void run(char b_form, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
         std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  const OneThread one;
  const dnnl_status_t status = dnnl_sgemm('N', b_form, m, n, k, 1.0F, a, lda, b, ldb, beta, c, ldc);
  TELLEGEN_ASSERT(status == dnnl_success);
}

/// oneDNN has kernels of their own for fewer rows, which add up in another order.
constexpr std::int64_t kEnoughRows = 16;

/// b stored [n][k]: rows of zeros are added, so that a row's result does not depend on how many there are.
void run_few_rows(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                  std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  thread_local std::vector<float> rows, products;
  rows.assign(static_cast<std::size_t>(kEnoughRows * k), 0.0F);
  products.assign(static_cast<std::size_t>(kEnoughRows * n), 0.0F);
  for (std::int64_t row = 0; row < m; ++row) {
    std::copy_n(a + row * lda, k, rows.data() + row * k);
    if (beta != 0) std::copy_n(c + row * ldc, n, products.data() + row * n);
  }
  run('T', kEnoughRows, n, k, rows.data(), k, b, ldb, beta, products.data(), n);
  for (std::int64_t row = 0; row < m; ++row) std::copy_n(products.data() + row * n, n, c + row * ldc);
}

}  // namespace

void dense_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                   std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  run('N', m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void dense_product_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                              const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  if (m >= kEnoughRows)
    run('T', m, n, k, a, lda, b, ldb, beta, c, ldc);
  else
    run_few_rows(m, n, k, a, lda, b, ldb, beta, c, ldc);
}

}  // namespace tellegen::models
