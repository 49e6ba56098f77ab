#include "tellegen/base/blas.h"

#include <cblas.h>

#include <limits>

#include "tellegen/base/error.h"

namespace tellegen {
namespace {

blasint narrow(std::int64_t size) {
  TELLEGEN_ASSERT(size >= 0 && size <= std::numeric_limits<blasint>::max());
  return static_cast<blasint>(size);
}

/// OpenBLAS wants a row length of at least one even where there is nothing in a row.
blasint stride(std::int64_t length) { return narrow(length > 0 ? length : 1); }

void gemm(CBLAS_TRANSPOSE b_form, std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
          const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, b_form, narrow(m), narrow(n), narrow(k), 1.0F, a, stride(lda), b,
              stride(ldb), beta, c, stride(ldc));
}

void gemm(CBLAS_TRANSPOSE b_form, std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
          const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  cblas_dgemm(CblasRowMajor, CblasNoTrans, b_form, narrow(m), narrow(n), narrow(k), 1.0, a, stride(lda), b, stride(ldb),
              beta, c, stride(ldc));
}

}  // namespace

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
              std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  gemm(CblasNoTrans, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, const double* b,
              std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  gemm(CblasNoTrans, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void multiply_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                         const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc) {
  gemm(CblasTrans, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void multiply_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                         const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc) {
  gemm(CblasTrans, m, n, k, a, lda, b, ldb, beta, c, ldc);
}

void use_single_threaded_blas() { openblas_set_num_threads(1); }

}  // namespace tellegen
