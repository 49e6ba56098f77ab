// Reading and converting must not allocate once the scratch memory has grown. Allocations are counted by an operator
// new of this test program.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>
#include <vector>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/crossbar/array.h"

namespace {
std::atomic<long> allocations{0};
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace tellegen::circuits {
namespace {

TEST(Memory, NothingIsAllocatedAfterTheFirstRead) {
  constexpr std::int64_t rows = 100, lines = 30, count = 500;
  const Array<float> array{
      rows, lines, std::vector<float>(rows * lines, 1e-6F), std::vector<float>(rows * lines, 1e-16F), {}};
  std::vector<float> codes(rows * count, 0.5F), drives(rows * count), currents(lines * count);
  ArrayScratch<float> scratch;
  AdcConfig config;
  config.enob = 7.0;
  const Adc adc = make_adc(config, 1e-4, true);
  const Stream noise(1, Purpose::test, {});
  const auto work = [&] {
    to_codes<float>({}, codes);
    slice_drive<float>({}, codes, 0, drives);
    read_currents(array, drives.data(), rows, count, noise, 0, currents.data(), scratch);
    convert<float>(adc, currents, noise, 0, scratch);
  };
  const long before = allocations;
  work();
  const long first = allocations - before;
  EXPECT_GT(first, 0);  // the scratch memory: the counter works
  work();
  // A Dac holds its kind as a text that is short enough to need no memory of its own.
  EXPECT_EQ(allocations - before, first);
}

}  // namespace
}  // namespace tellegen::circuits
