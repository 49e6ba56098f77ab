#include "tellegen/circuits/crossbar/aligned_memory.h"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tellegen::circuits {
namespace {

constexpr std::int64_t line_numbers = 64 / sizeof(double);

std::int64_t whole_lines(std::int64_t count) { return (count + line_numbers - 1) / line_numbers * line_numbers; }

}  // namespace

AlignedNumbers::AlignedNumbers(std::int64_t count) : size_(whole_lines(std::max(count, std::int64_t{1}))) {
  const auto bytes = static_cast<std::size_t>(size_) * sizeof(double);
  numbers_.reset(static_cast<double*>(std::aligned_alloc(64, bytes)));
  if (!numbers_) throw std::bad_alloc();
}

void AlignedNumbers::Free::operator()(double* numbers) const { std::free(numbers); }

double* FrontStack::push(std::int64_t count) {
  count = whole_lines(count);
  // A block that is too small for this front is left behind, and found again after a release.
  while (top_.block < blocks_.size() && top_.used + count > blocks_[top_.block].size()) {
    if (top_.used == 0) {
      blocks_[top_.block] = AlignedNumbers(count);
      break;
    }
    top_ = {top_.block + 1, 0};
  }
  if (top_.block == blocks_.size()) {
    constexpr std::int64_t smallest = 1 << 16;
    blocks_.emplace_back(std::max(count, smallest));
  }
  double* out = blocks_[top_.block].data() + top_.used;
  top_.used += count;
  return out;
}

std::int64_t FrontStack::bytes() const {
  std::int64_t sum = 0;
  for (const AlignedNumbers& block : blocks_) sum += block.size() * static_cast<std::int64_t>(sizeof(double));
  return sum;
}

}  // namespace tellegen::circuits
