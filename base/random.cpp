#include "tellegen/base/random.h"

#include <Random123/philox.h>
#undef philox4x32  // a macro there, a function here

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tellegen/base/philox_kernels.h"

namespace tellegen {
namespace {

constexpr std::uint64_t block_elements = philox_kernels::block_elements;
constexpr std::uint64_t counters_per_block = 16;

/// Fills `out` from element `first` on: whole blocks in place, the ragged ends through a block of their own.
template <class T, class Fill>
void fill_range(std::uint64_t first, std::span<T> out, Fill fill) {
  std::array<T, block_elements> block;
  std::size_t done = 0;
  while (done < out.size()) {
    const std::uint64_t element = first + done;
    const std::uint64_t offset = element % block_elements;
    const std::size_t left = out.size() - done;
    if (offset == 0 && left >= block_elements) {
      const std::size_t blocks = left / block_elements;
      fill(element / block_elements, static_cast<std::int64_t>(blocks), out.data() + done);
      done += blocks * block_elements;
    } else {
      fill(element / block_elements, 1, block.data());
      const std::size_t part = std::min<std::size_t>(left, block_elements - offset);
      std::copy_n(block.data() + offset, part, out.data() + done);
      done += part;
    }
  }
}

}  // namespace

void philox4x32(const std::uint32_t counter[4], const std::uint32_t key[2], std::uint32_t out[4]) {
  const r123::Philox4x32::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type k = {{key[0], key[1]}};
  const r123::Philox4x32::ctr_type result = r123::Philox4x32{}(c, k);
  std::copy_n(result.v, 4, out);
}

Stream::Stream(std::uint64_t seed, Purpose purpose, StreamPlace place) {
  const std::uint32_t counter[4] = {static_cast<std::uint32_t>(purpose), place.chip, place.array, place.part};
  const std::uint32_t seed_key[2] = {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)};
  std::uint32_t out[4];
  philox4x32(counter, seed_key, out);
  key_[0] = out[0];
  key_[1] = out[1];
}

void Stream::normals(std::uint64_t first, std::span<float> out) const {
  fill_range(first, out, [this](std::uint64_t block, std::int64_t blocks, float* to) {
    philox_kernels::normals(best_vector_unit(), key_, block, blocks, to);
  });
}

void Stream::uniforms(std::uint64_t first, std::span<float> out) const {
  fill_range(first, out, [this](std::uint64_t block, std::int64_t blocks, float* to) {
    philox_kernels::uniforms(best_vector_unit(), key_, block, blocks, to);
  });
}

void Stream::words(std::uint64_t first, std::span<std::uint32_t> out) const {
  fill_range(first, out, [this](std::uint64_t block, std::int64_t blocks, std::uint32_t* to) {
    philox_kernels::words(best_vector_unit(), key_, block, blocks, to);
  });
}

double Stream::normal_reference(std::uint64_t element) const {
  const std::uint64_t offset = element % block_elements;
  const std::uint64_t counter_index = element / block_elements * counters_per_block + offset % counters_per_block;
  const std::uint64_t word = offset / counters_per_block;
  const std::uint32_t counter[4] = {static_cast<std::uint32_t>(counter_index),
                                    static_cast<std::uint32_t>(counter_index >> 32), 0, 0};
  std::uint32_t words[4];
  philox4x32(counter, key_, words);
  const std::uint64_t pair = word / 2 * 2;
  const double u1 = (words[pair] + 0.5) * 0x1p-32;
  const double u2 = (words[pair + 1] + 0.5) * 0x1p-32;
  const double radius = std::sqrt(-2.0 * std::log(u1));
  const double angle = 2.0 * std::numbers::pi * u2;
  return word % 2 == 0 ? radius * std::cos(angle) : radius * std::sin(angle);
}

}  // namespace tellegen
