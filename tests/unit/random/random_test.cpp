#include "tellegen/base/random.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "tellegen/base/philox_kernels.h"

namespace tellegen {
namespace {

using Words = std::array<std::uint32_t, 4>;

Words philox(const Words& counter, const std::array<std::uint32_t, 2>& key) {
  Words out{};
  philox4x32(counter.data(), key.data(), out.data());
  return out;
}

// Known answers published with Random123 (kat_vectors, philox4x32 10).
TEST(Philox, KnownAnswers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Words{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  constexpr std::uint32_t ones = 0xffffffff;
  EXPECT_EQ(philox({ones, ones, ones, ones}, {ones, ones}), (Words{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

// The contract of the header, spelled out: key from (purpose, place, seed), element 64 k + 16 w + l = word w of counter
// 16 k + l.
TEST(Stream, ElementsAreWordsOfCounters) {
  constexpr std::uint64_t seed = 0x0123456789abcdefU;
  const Words derived = philox({static_cast<std::uint32_t>(Purpose::drift), 5, 6, 7}, {0x89abcdef, 0x01234567});
  const Stream stream(seed, Purpose::drift, {5, 6, 7});
  for (const std::uint64_t block :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{3} << 28, (std::uint64_t{1} << 40) + 9}) {
    std::array<std::uint32_t, 64> words{};
    stream.words(64 * block, words);
    for (std::uint64_t lane = 0; lane < 16; ++lane) {
      const std::uint64_t counter = 16 * block + lane;
      const Words expected =
          philox({static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32), 0, 0},
                 {derived[0], derived[1]});
      for (std::uint64_t w = 0; w < 4; ++w)
        EXPECT_EQ(words[16 * w + lane], expected[w]) << block << ' ' << lane << ' ' << w;
    }
  }
}

TEST(Stream, NormalsAreWithinAMillionthOfTheReference) {
  const Stream stream(7, Purpose::test, {});
  std::vector<float> normals(1 << 21);
  stream.normals(0, normals);
  double worst = 0;
  double largest = 0;
  for (std::size_t i = 0; i < normals.size(); ++i) {
    worst = std::max(worst, std::abs(static_cast<double>(normals[i]) - stream.normal_reference(i)));
    largest = std::max(largest, std::abs(static_cast<double>(normals[i])));
  }
  EXPECT_LT(worst, 1e-6);
  EXPECT_GT(largest,
            4.8);  // 2 million draws: P(all below) = exp(-2^21 * 1.6e-6) = 4 %, so this also guards the fixed seed
}

TEST(Stream, UniformsAreTheMiddlesOfTheirCells) {
  const Stream stream(3, Purpose::test, {});
  std::vector<float> uniforms(1 << 16);
  std::vector<std::uint32_t> words(uniforms.size());
  stream.uniforms(11, uniforms);
  stream.words(11, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    ASSERT_EQ(static_cast<double>(uniforms[i]), (static_cast<double>(words[i] >> 9) + 0.5) / 8388608.0);
  }
}

template <class T, class Fill>
void expect_any_split_gives_the_same(Fill fill) {
  constexpr std::uint64_t first = 1000 * 64 + 37;
  std::vector<T> whole(1000);
  fill(first, std::span<T>(whole));
  for (const std::size_t piece : {1U, 5U, 63U, 64U, 65U, 200U}) {
    std::vector<T> pieces(whole.size());
    for (std::size_t at = 0; at < pieces.size(); at += piece) {
      fill(first + at, std::span<T>(pieces).subspan(at, std::min(piece, pieces.size() - at)));
    }
    EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(T)), 0) << piece;
  }
}

TEST(Stream, AnySplitIntoCallsGivesTheSameDraws) {
  const Stream stream(9, Purpose::read_noise, {1, 2, 3});
  expect_any_split_gives_the_same<float>([&](auto first, auto out) { stream.normals(first, out); });
  expect_any_split_gives_the_same<float>([&](auto first, auto out) { stream.uniforms(first, out); });
  expect_any_split_gives_the_same<std::uint32_t>([&](auto first, auto out) { stream.words(first, out); });
}

TEST(Stream, SeedPurposeAndPlaceEachGiveAnotherStream) {
  const std::array streams = {Stream(1, Purpose::test, {}),
                              Stream(2, Purpose::test, {}),
                              Stream(1ULL << 32 | 1, Purpose::test, {}),
                              Stream(1, Purpose::drift, {}),
                              Stream(1, Purpose::test, {1, 0, 0}),
                              Stream(1, Purpose::test, {0, 1, 0}),
                              Stream(1, Purpose::test, {0, 0, 1})};
  std::vector<std::array<std::uint32_t, 2>> starts;
  for (const Stream& stream : streams) {
    std::array<std::uint32_t, 2> words{};
    stream.words(0, words);
    for (const auto& other : starts) EXPECT_NE(words, other);
    starts.push_back(words);
  }
}

class EachVectorUnit : public testing::TestWithParam<VectorUnit> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) GTEST_SKIP() << "this machine lacks the vector unit";
  }
};

constexpr std::int64_t test_blocks = 1 << 15;

template <class T, class Fill>
void expect_the_bits_of_the_baseline(VectorUnit unit, Fill fill) {
  const std::uint32_t key[2] = {0xdeadbeef, 42};
  std::vector<T> expected(64 * test_blocks), actual(64 * test_blocks);
  fill(VectorUnit::baseline, key, 77, test_blocks, expected.data());
  fill(unit, key, 77, test_blocks, actual.data());
  EXPECT_EQ(std::memcmp(expected.data(), actual.data(), actual.size() * sizeof(T)), 0);
}

TEST_P(EachVectorUnit, GivesTheSameBits) {
  expect_the_bits_of_the_baseline<std::uint32_t>(GetParam(), philox_kernels::words);
  expect_the_bits_of_the_baseline<float>(GetParam(), philox_kernels::uniforms);
  expect_the_bits_of_the_baseline<float>(GetParam(), philox_kernels::normals);
}

INSTANTIATE_TEST_SUITE_P(Random, EachVectorUnit, testing::Values(VectorUnit::avx2, VectorUnit::avx512));

}  // namespace
}  // namespace tellegen
