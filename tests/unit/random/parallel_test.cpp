#include "tellegen/base/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace tellegen {
namespace {

TEST(Parallel, RunsEveryIndexOnce) {
  for (const int threads : {0, 1, 2, 5}) {
    std::vector<std::atomic<int>> visits(1000);
    parallel_for(visits.size(), threads, [&](std::size_t i) { ++visits[i]; });
    for (const auto& visit : visits) ASSERT_EQ(visit, 1);
  }
  parallel_for(0, 2, [](std::size_t) { FAIL(); });
}

TEST(Parallel, UsesNoMoreThreadsThanAsked) {
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(200, 2, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_LE(seen.size(), 2U);
  seen.clear();
  parallel_for(200, 1, [&](std::size_t) { seen.insert(std::this_thread::get_id()); });
  EXPECT_EQ(seen, std::set{std::this_thread::get_id()});
}

TEST(Parallel, RethrowsAnException) {
  for (const int threads : {1, 2}) {
    EXPECT_THROW(parallel_for(100, threads,
                              [](std::size_t i) {
                                if (i == 42) throw std::out_of_range("42");
                              }),
                 std::out_of_range);
  }
}

TEST(Parallel, MachineHasThreads) { EXPECT_GE(machine_threads(), 1); }

}  // namespace
}  // namespace tellegen
