// The loops below are written per counter and vectorised by the compiler over the 16 counters of a block. They are
// compiled with -O3 -fno-math-errno -fno-trapping-math (CMakeLists.txt): a square root that may not report through
// errno, and selects whose two sides may both be computed. Neither changes a result.

#include "tellegen/base/philox_kernels.h"

#include <bit>

namespace tellegen::philox_kernels {
namespace {

constexpr int counters = 16;  // per block
constexpr int rounds = 10;

struct Counter {
  std::uint32_t w0, w1, w2, w3;
};

/// Philox4x32-10 of counter (low, high, 0, 0).
TELLEGEN_KERNEL Counter philox(std::uint32_t low, std::uint32_t high, std::uint32_t key0, std::uint32_t key1) {
  Counter c{low, high, 0, 0};
  for (int round = 0; round < rounds; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53u} * c.w0;
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57u} * c.w2;
    c = {static_cast<std::uint32_t>(product1 >> 32) ^ c.w1 ^ key0, static_cast<std::uint32_t>(product1),
         static_cast<std::uint32_t>(product0 >> 32) ^ c.w3 ^ key1, static_cast<std::uint32_t>(product0)};
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
  return c;
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

// What becomes of the four words of one counter; out points at the element of word 0, word w belongs at out[16 w].
struct ToWords {
  using Value = std::uint32_t;
  static TELLEGEN_KERNEL void store(const Counter& c, Value* out) {
    out[0] = c.w0;
    out[counters] = c.w1;
    out[2 * counters] = c.w2;
    out[3 * counters] = c.w3;
  }
};

struct ToUniforms {
  using Value = float;
  /// 23 bits and a half: exact in float, never 0 or 1.
  static TELLEGEN_KERNEL float uniform(std::uint32_t word) {
    return (static_cast<float>(static_cast<std::int32_t>(word >> 9)) + 0.5f) * 0x1p-23f;
  }
  static TELLEGEN_KERNEL void store(const Counter& c, Value* out) {
    out[0] = uniform(c.w0);
    out[counters] = uniform(c.w1);
    out[2 * counters] = uniform(c.w2);
    out[3 * counters] = uniform(c.w3);
  }
};

struct ToNormals {
  using Value = float;
  static TELLEGEN_KERNEL void store(const Counter& c, Value* out) {
    const Normals first = box_muller(c.w0, c.w1);
    const Normals second = box_muller(c.w2, c.w3);
    out[0] = first.cosine;
    out[counters] = first.sine;
    out[2 * counters] = second.cosine;
    out[3 * counters] = second.sine;
  }
};

template <class Transform>
struct Fill {
  using Value = typename Transform::Value;
  static TELLEGEN_KERNEL void run(const std::uint32_t* key, std::uint64_t first_block, std::int64_t blocks,
                                  Value* __restrict out) {
    const std::uint32_t key0 = key[0];
    const std::uint32_t key1 = key[1];
    for (std::int64_t block = 0; block < blocks; ++block, out += block_elements) {
      const std::uint64_t first = (first_block + static_cast<std::uint64_t>(block)) * counters;
      const auto low = static_cast<std::uint32_t>(first);
      const auto high = static_cast<std::uint32_t>(first >> 32);
      for (std::uint32_t lane = 0; lane < counters; ++lane) {
        Transform::store(philox(low + lane, high, key0, key1), out + lane);
      }
    }
  }
};

}  // namespace

void words(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks,
           std::uint32_t* out) {
  run_kernel<Fill<ToWords>>(unit, key, first_block, blocks, out);
}
void uniforms(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out) {
  run_kernel<Fill<ToUniforms>>(unit, key, first_block, blocks, out);
}
void normals(VectorUnit unit, const std::uint32_t key[2], std::uint64_t first_block, std::int64_t blocks, float* out) {
  run_kernel<Fill<ToNormals>>(unit, key, first_block, blocks, out);
}

}  // namespace tellegen::philox_kernels
