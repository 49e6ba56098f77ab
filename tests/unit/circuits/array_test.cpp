#include "tellegen/circuits/crossbar/array.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <vector>

#include "tellegen/base/blas.h"
#include "tellegen/base/parallel.h"

namespace tellegen::circuits {
namespace {

const Stream noise(11, Purpose::read_noise, {2, 3, 4});

template <class T>
Array<T> sample_array(std::int64_t rows, std::int64_t lines, bool noisy) {
  Array<T> array{rows, lines, {}, {}, {}};
  for (std::int64_t i = 0; i < rows * lines; ++i) {
    array.current_A.push_back(static_cast<T>(1e-6 * std::sin(1.7 * static_cast<double>(i))));
    if (!noisy) continue;
    array.variance_A2.push_back(static_cast<T>(1e-16 * (1.1 + std::cos(0.3 * static_cast<double>(i)))));
    array.shared_A.push_back(static_cast<T>(1e-9 * (1 + std::sin(0.9 * static_cast<double>(i)))));
  }
  for (std::int64_t i = 0; i < rows; ++i) array.row_power_W.push_back(1e-6 * static_cast<double>(i + 1));
  return array;
}

template <class T>
std::vector<T> sample_drives(std::int64_t size) {
  std::vector<T> drives;
  for (std::int64_t i = 0; i < size; ++i) drives.push_back(static_cast<T>(std::cos(0.37 * static_cast<double>(i))));
  return drives;
}

template <class T>
std::vector<T> read_all(const Array<T>& array, const std::vector<T>& drives, std::int64_t stride, std::int64_t count,
                        std::uint64_t first_read) {
  std::vector<T> currents(static_cast<std::size_t>(count * array.lines));
  ArrayScratch<T> scratch;
  read_currents(array, drives.data(), stride, count, noise, first_read, currents.data(), scratch);
  return currents;
}

/// I = sum u G + sqrt(sum u^2 var - (sum u shared)^2) z, written out in double.
template <class T>
void expect_closed_form(std::int64_t rows, std::int64_t lines, std::int64_t count, bool noisy, double tolerance_A) {
  constexpr std::uint64_t first_read = 1000;
  const std::int64_t stride = rows + 3;
  const Array<T> array = sample_array<T>(rows, lines, noisy);
  const std::vector<T> drives = sample_drives<T>(stride * count);
  const std::vector<T> currents = read_all(array, drives, stride, count, first_read);
  for (std::int64_t r = 0; r < count; ++r) {
    for (std::int64_t j = 0; j < lines; ++j) {
      double mean = 0, variance = 0, shared = 0;
      for (std::int64_t i = 0; i < rows; ++i) {
        const double u = static_cast<double>(drives[static_cast<std::size_t>(r * stride + i)]);
        const auto cell = static_cast<std::size_t>(i * lines + j);
        mean += u * static_cast<double>(array.current_A[cell]);
        if (!noisy) continue;
        variance += u * u * static_cast<double>(array.variance_A2[cell]);
        shared += u * static_cast<double>(array.shared_A[cell]);
      }
      const std::uint64_t element = (first_read + static_cast<std::uint64_t>(r)) * static_cast<std::uint64_t>(lines) +
                                    static_cast<std::uint64_t>(j);
      const double expected = mean + std::sqrt(variance - shared * shared) * noise.normal_reference(element);
      ASSERT_NEAR(static_cast<double>(currents[static_cast<std::size_t>(r * lines + j)]), expected, tolerance_A)
          << r << ' ' << j;
    }
  }
}

TEST(ReadCurrents, AreTheProductPlusNoiseInClosedForm) {
  for (const bool noisy : {false, true}) {
    // Float: rounding of a sum of 40 terms of 1e-6 A, and normals that are right to 1e-6 of 1e-7 A.
    expect_closed_form<float>(40, 7, 53, noisy, 40 * 6e-8 * 1e-6 * 2);
    expect_closed_form<float>(1, 1, 1, noisy, 1e-12);
    expect_closed_form<double>(40, 7, 53, noisy, 2e-13);  // the normals' 1e-6 again
  }
}

/// Calls of 1, 7, 24, 64 and many reads, on two threads, against one call.
template <class T>
void expect_any_split_gives_the_same_bits(std::int64_t rows, std::int64_t lines, std::int64_t count) {
  const Array<T> array = sample_array<T>(rows, lines, true);
  const std::vector<T> drives = sample_drives<T>(rows * count);
  const std::vector<T> whole = read_all(array, drives, rows, count, 5);
  for (const std::int64_t piece : {std::int64_t{1}, std::int64_t{7}, std::int64_t{24}, std::int64_t{64}, count / 2}) {
    std::vector<T> pieces(whole.size());
    const auto blocks = static_cast<std::size_t>((count + piece - 1) / piece);
    parallel_for(blocks, 2, [&](std::size_t b) {
      const std::int64_t first = static_cast<std::int64_t>(b) * piece;
      ArrayScratch<T> scratch;
      read_currents(array, drives.data() + first * rows, rows, std::min(piece, count - first), noise,
                    5 + static_cast<std::uint64_t>(first), pieces.data() + first * lines, scratch);
    });
    EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.size() * sizeof(T)), 0)
        << rows << ' ' << lines << ' ' << piece;
  }
}

TEST(ReadCurrents, AnySplitIntoCallsAndThreadsGivesTheSameBits) {
  use_single_threaded_blas();
  expect_any_split_gives_the_same_bits<float>(128, 128, 301);
  expect_any_split_gives_the_same_bits<float>(1152, 256, 70);
  expect_any_split_gives_the_same_bits<float>(512, 512, 500);
  expect_any_split_gives_the_same_bits<float>(27, 32, 300);
  expect_any_split_gives_the_same_bits<double>(128, 64, 301);
}

TEST(ReadCurrents, NoReadsAndNoLinesAreNothing) {
  const Array<float> array = sample_array<float>(4, 3, true);
  EXPECT_TRUE(read_all<float>(array, {}, 4, 0, 0).empty());
  EXPECT_TRUE(read_all<float>({4, 0, {}, {}, {}}, std::vector<float>(4), 4, 1, 0).empty());
}

}  // namespace
}  // namespace tellegen::circuits
