// The loops below are written per counter and vectorised by the compiler over the 16 counters of a block. They are
// compiled with -O3 -fno-math-errno -fno-trapping-math (CMakeLists.txt): a square root that may not report through
// errno, and selects whose two sides may both be computed. Neither changes a result.

#include "tellegen/base/philox_kernels.h"

#include <immintrin.h>

#include <bit>

namespace tellegen::philox_kernels {
namespace {

constexpr int counters = 16;  // per block
constexpr int rounds = 10;

constexpr std::uint32_t multiplier0 = 0xD2511F53u, multiplier1 = 0xCD9E8D57u;
constexpr std::uint32_t key_step0 = 0x9E3779B9u, key_step1 = 0xBB67AE85u;

/// The 64 words of one block; `first` is its first counter, a multiple of 16, so that the lanes never carry.
using BlockWords = void (*)(const std::uint32_t* key, std::uint64_t first, std::uint32_t* out);

void block_words_baseline(const std::uint32_t* key, std::uint64_t first, std::uint32_t* out) {
  for (std::uint32_t lane = 0; lane < counters; ++lane) {
    std::uint32_t key0 = key[0], key1 = key[1];
    std::uint32_t w0 = static_cast<std::uint32_t>(first) + lane, w1 = static_cast<std::uint32_t>(first >> 32), w2 = 0,
                  w3 = 0;
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t product0 = std::uint64_t{multiplier0} * w0;
      const std::uint64_t product1 = std::uint64_t{multiplier1} * w2;
      w0 = static_cast<std::uint32_t>(product1 >> 32) ^ w1 ^ key0;
      w1 = static_cast<std::uint32_t>(product1);
      w2 = static_cast<std::uint32_t>(product0 >> 32) ^ w3 ^ key1;
      w3 = static_cast<std::uint32_t>(product0);
      key0 += key_step0;
      key1 += key_step1;
    }
    out[lane] = w0;
    out[counters + lane] = w1;
    out[2 * counters + lane] = w2;
    out[3 * counters + lane] = w3;
  }
}

// From the loop above the compiler makes products of 64 by 64 bits. Here each word sits in the lower half of a 64-bit
// lane, where one instruction multiplies it and what is left in the upper half does no harm.

TELLEGEN_TARGET_AVX2 void block_words_avx2(const std::uint32_t* key, std::uint64_t first, std::uint32_t* out) {
  constexpr int vectors = 4, lanes = 4;
  const __m256i m0 = _mm256_set1_epi64x(multiplier0), m1 = _mm256_set1_epi64x(multiplier1);
  __m256i w[4][vectors];
  for (int v = 0; v < vectors; ++v) {
    w[0][v] = _mm256_add_epi64(_mm256_set1_epi64x(static_cast<std::int64_t>(first) + lanes * v),
                               _mm256_set_epi64x(3, 2, 1, 0));
    w[1][v] = _mm256_set1_epi64x(static_cast<std::int64_t>(first >> 32));
    w[2][v] = w[3][v] = _mm256_setzero_si256();
  }
  std::uint32_t key0 = key[0], key1 = key[1];
  for (int round = 0; round < rounds; ++round, key0 += key_step0, key1 += key_step1) {
    const __m256i k0 = _mm256_set1_epi64x(key0), k1 = _mm256_set1_epi64x(key1);
    for (int v = 0; v < vectors; ++v) {
      const __m256i product0 = _mm256_mul_epu32(w[0][v], m0), product1 = _mm256_mul_epu32(w[2][v], m1);
      w[0][v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product1, 32), w[1][v]), k0);
      w[1][v] = product1;
      w[2][v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(product0, 32), w[3][v]), k1);
      w[3][v] = product0;
    }
  }
  const __m256i lower = _mm256_set_epi32(6, 4, 2, 0, 6, 4, 2, 0);
  for (int word = 0; word < 4; ++word) {
    for (int v = 0; v < vectors; v += 2) {
      const __m256i front = _mm256_permutevar8x32_epi32(w[word][v], lower),
                    back = _mm256_permutevar8x32_epi32(w[word][v + 1], lower);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + counters * word + lanes * v),
                          _mm256_blend_epi32(front, back, 0xF0));
    }
  }
}

TELLEGEN_TARGET_AVX512 void block_words_avx512(const std::uint32_t* key, std::uint64_t first, std::uint32_t* out) {
  constexpr int vectors = 2, lanes = 8;
  // Forms with a mask, though all lanes are wanted: the plain ones of GCC 12 bring an operand that it warns about
  // itself.
  constexpr __mmask8 all = 0xFF;
  const __m512i m0 = _mm512_set1_epi64(multiplier0), m1 = _mm512_set1_epi64(multiplier1);
  __m512i w[4][vectors];
  for (int v = 0; v < vectors; ++v) {
    w[0][v] = _mm512_add_epi64(_mm512_set1_epi64(static_cast<std::int64_t>(first) + lanes * v),
                               _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0));
    w[1][v] = _mm512_set1_epi64(static_cast<std::int64_t>(first >> 32));
    w[2][v] = w[3][v] = _mm512_setzero_si512();
  }
  std::uint32_t key0 = key[0], key1 = key[1];
  for (int round = 0; round < rounds; ++round, key0 += key_step0, key1 += key_step1) {
    const __m512i k0 = _mm512_set1_epi64(key0), k1 = _mm512_set1_epi64(key1);
    for (int v = 0; v < vectors; ++v) {
      const __m512i product0 = _mm512_maskz_mul_epu32(all, w[0][v], m0),
                    product1 = _mm512_maskz_mul_epu32(all, w[2][v], m1);
      w[0][v] = _mm512_xor_si512(_mm512_xor_si512(_mm512_maskz_srli_epi64(all, product1, 32), w[1][v]), k0);
      w[1][v] = product1;
      w[2][v] = _mm512_xor_si512(_mm512_xor_si512(_mm512_maskz_srli_epi64(all, product0, 32), w[3][v]), k1);
      w[3][v] = product0;
    }
  }
  const __m512i lower = _mm512_set_epi32(30, 28, 26, 24, 22, 20, 18, 16, 14, 12, 10, 8, 6, 4, 2, 0);
  for (int word = 0; word < 4; ++word) {
    _mm512_storeu_si512(out + counters * word, _mm512_permutex2var_epi32(w[word][0], lower, w[word][1]));
  }
}

/// (word + 1/2), rounded once. Two halves, because vector units before AVX-512 convert signed integers only.
TELLEGEN_KERNEL float middle(std::uint32_t word) {
  const float upper = static_cast<float>(static_cast<std::int32_t>(word >> 16)) * 65536.0f;
  return upper + (static_cast<float>(static_cast<std::int32_t>(word & 0xFFFFu)) + 0.5f);
}

/// log of u = (word + 1/2) / 2^32 to about 1 unit in the last place, also next to u = 1.
/// Above sqrt(1/2) the argument of log(1 + f) comes from the complement of the word, so it keeps its relative
/// precision.
TELLEGEN_KERNEL float log_uniform(std::uint32_t word) {
  const bool near_one = word >= 0xB504F334u;
  const float u = middle(near_one ? ~word : word) * 0x1p-32f;
  constexpr std::int32_t root_half = 0x3F3504F3;
  const std::int32_t bits = std::bit_cast<std::int32_t>(u);
  const std::int32_t exponent = near_one ? 0 : (bits - root_half) >> 23;
  const float mantissa = std::bit_cast<float>(bits - exponent * (1 << 23));  // in [sqrt(1/2), sqrt(2))
  const float f = near_one ? -u : mantissa - 1.0f;
  // log(1 + f) = f - f^2 / 2 + f^3 p(f); p minimises the largest relative error over the interval (6e-9).
  float p = -0.0786544830f;
  p = p * f + 0.128792003f;
  p = p * f - 0.131252959f;
  p = p * f + 0.141814202f;
  p = p * f - 0.166249692f;
  p = p * f + 0.200022832f;
  p = p * f - 0.250007957f;
  p = p * f + 0.333333164f;
  const float e = static_cast<float>(exponent);
  // log 2 in two parts: the larger has few enough bits that e times it is exact.
  const float small = f * f * (f * p - 0.5f) + e * -2.12194440e-4f;
  return e * 0.693359375f + (f + small);
}

struct Normals {
  float cosine, sine;
};

/// Box-Muller: sqrt(-2 log u1) times cosine and sine of 2 pi u2, u = (word + 1/2) / 2^32.
TELLEGEN_KERNEL Normals box_muller(std::uint32_t word1, std::uint32_t word2) {
  const float radius = __builtin_sqrtf(-2.0f * log_uniform(word1));
  // The nearest quarter turn is taken off in integers, exactly; what is left is an angle within +-pi/4.
  const std::uint32_t quarter = (word2 + 0x20000000u) >> 30;
  const std::int32_t rest = static_cast<std::int32_t>(word2 << 2) >> 2;
  const float angle = (static_cast<float>(rest) + 0.5f) * 1.46291808e-9f;  // 2 pi / 2^32
  const float z = angle * angle;
  const float sine = angle + angle * z * ((-0.000194962340f * z + 0.00833198428f) * z - 0.166666508f);
  const float cosine = 1.0f - 0.5f * z + z * z * ((2.44394832e-05f * z - 0.00138873782f) * z + 0.0416666456f);
  const bool swap = (quarter & 1u) != 0;
  const std::uint32_t cosine_sign = ((quarter + 1u) & 2u) << 30;
  const std::uint32_t sine_sign = (quarter & 2u) << 30;
  const float x = radius * (swap ? sine : cosine);
  const float y = radius * (swap ? cosine : sine);
  return {std::bit_cast<float>(std::bit_cast<std::uint32_t>(x) ^ cosine_sign),
          std::bit_cast<float>(std::bit_cast<std::uint32_t>(y) ^ sine_sign)};
}

// What becomes of the four words of one counter; word w and its value stand at index 16 w.
struct ToUniforms {
  /// 23 bits and a half: exact in float, never 0 or 1.
  static TELLEGEN_KERNEL float uniform(std::uint32_t word) {
    return (static_cast<float>(static_cast<std::int32_t>(word >> 9)) + 0.5f) * 0x1p-23f;
  }
  static TELLEGEN_KERNEL void store(const std::uint32_t* words, float* out) {
    out[0] = uniform(words[0]);
    out[counters] = uniform(words[counters]);
    out[2 * counters] = uniform(words[2 * counters]);
    out[3 * counters] = uniform(words[3 * counters]);
  }
};

struct ToNormals {
  static TELLEGEN_KERNEL void store(const std::uint32_t* words, float* out) {
    const Normals first = box_muller(words[0], words[counters]);
    const Normals second = box_muller(words[2 * counters], words[3 * counters]);
    out[0] = first.cosine;
    out[counters] = first.sine;
    out[2 * counters] = second.cosine;
    out[3 * counters] = second.sine;
  }
};

template <class Transform>
struct Fill {
  static TELLEGEN_KERNEL void run(BlockWords block_words, const std::uint32_t* key, std::uint64_t first_block,
                                  std::int64_t blocks, float* __restrict out) {
    for (std::int64_t block = 0; block < blocks; ++block, out += block_elements) {
      alignas(64) std::uint32_t words[block_elements];
      block_words(key, (first_block + static_cast<std::uint64_t>(block)) * counters, words);
      for (std::int64_t lane = 0; lane < counters; ++lane) Transform::store(words + lane, out + lane);
    }
  }
};

BlockWords block_words_of(VectorUnit unit) {
  switch (unit) {
    case VectorUnit::avx512:
      return block_words_avx512;
    case VectorUnit::avx2:
      return block_words_avx2;
    case VectorUnit::baseline:
      break;
  }
  return block_words_baseline;
}

}  // namespace

void words(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks,
           std::uint32_t* out) {
  const BlockWords block_words = block_words_of(unit);
  for (std::int64_t block = 0; block < blocks; ++block) {
    block_words(key, (first_block + static_cast<std::uint64_t>(block)) * counters, out + block * block_elements);
  }
}
void uniforms(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out) {
  run_kernel<Fill<ToUniforms>>(unit, block_words_of(unit), key, first_block, blocks, out);
}
void normals(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out) {
  run_kernel<Fill<ToNormals>>(unit, block_words_of(unit), key, first_block, blocks, out);
}

}  // namespace tellegen::philox_kernels
