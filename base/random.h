#pragma once
// Counter-based random numbers: a draw is a function of (seed, purpose, place, element), never of order or thread.

#include <cstddef>
#include <cstdint>
#include <span>

namespace tellegen {

/// What a stream of draws is for. Append only: the numbers are part of the seed contract.
enum class Purpose : std::uint32_t {
  programming = 1,
  drift = 2,
  read_noise = 3,
  stuck_at = 4,
  converter_noise = 5,
  mismatch = 6,
  relaxation = 7,
  front_end_noise = 8,
  test = 99,
};

/// Where the draws belong: which chip (trial), which array on it, which part of that (for example polarity or slice).
struct StreamPlace {
  std::uint32_t chip = 0;
  std::uint32_t array = 0;
  std::uint32_t part = 0;
};

/// One addressable, practically endless sequence of draws. Element i is always the same number, whoever asks.
/// Elements 64 k .. 64 k + 63 form a block made from 16 Philox4x32-10 counters 16 k .. 16 k + 15 (Salmon et al., SC11):
/// element 64 k + 16 w + l takes word w of counter 16 k + l. Normals by Box-Muller from words (0, 1) and (2, 3).
class Stream {
 public:
  Stream(std::uint64_t seed, Purpose purpose, StreamPlace place);

  /// Standard normal draws of elements first .. first + out.size() - 1. float; vectorised.
  void normals(std::uint64_t first, std::span<float> out) const;
  /// Uniform draws in (0, 1).
  void uniforms(std::uint64_t first, std::span<float> out) const;
  /// Raw 32-bit words.
  void words(std::uint64_t first, std::span<std::uint32_t> out) const;
  /// Slow, obvious, double precision: what normals() is tested against.
  double normal_reference(std::uint64_t element) const;

 private:
  std::uint32_t key_[2];
};

/// Philox4x32-10, one counter (Random123); exposed for the known-answer test.
void philox4x32(const std::uint32_t counter[4], const std::uint32_t key[2], std::uint32_t out[4]);

}  // namespace tellegen
