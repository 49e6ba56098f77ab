#pragma once
// Dense products through OpenBLAS, one thread each (threads live above, in oneTBB). Row-major, leading dimensions in
// elements.

#include <cstdint>

namespace tellegen {

/// c[m][n] = a[m][k] b[k][n] + beta c. Strides lda, ldb, ldc are row lengths.
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
              std::int64_t ldb, float beta, float* c, std::int64_t ldc);
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda, const double* b,
              std::int64_t ldb, double beta, double* c, std::int64_t ldc);
/// c[m][n] = a[m][k] b'[k][n] + beta c with b stored [n][k] (weights as ONNX keeps them).
void multiply_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                         const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);
void multiply_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const double* a, std::int64_t lda,
                         const double* b, std::int64_t ldb, double beta, double* c, std::int64_t ldc);

/// Called once at start-up by programs and tests: OpenBLAS uses one thread from here on.
void use_single_threaded_blas();

}  // namespace tellegen
