#pragma once
// Products of float matrices inside a network, through oneDNN. They are what base/blas.h computes, to rounding; the
// OpenBLAS of Debian 12 falls back to 256-bit kernels on processors younger than itself, oneDNN asks the processor for
// what it can do.

#include <cstdint>

namespace tellegen::models {

/// c[m][n] = a[m][k] b[k][n] + beta c, row-major, strides lda, ldb, ldc; in the calling thread.
void dense_product(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda, const float* b,
                   std::int64_t ldb, float beta, float* c, std::int64_t ldc);
/// c[m][n] = a[m][k] b'[k][n] + beta c with b stored [n][k]. A row of the result depends on its row of a alone, to the bit,
/// not on how many rows there are: rows are samples.
void dense_product_transposed(std::int64_t m, std::int64_t n, std::int64_t k, const float* a, std::int64_t lda,
                              const float* b, std::int64_t ldb, float beta, float* c, std::int64_t ldc);

}  // namespace tellegen::models
