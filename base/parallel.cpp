#include "tellegen/base/parallel.h"

#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace tellegen {

int machine_threads() { return std::max(1, tbb::info::default_concurrency()); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body) {
  const int used = threads > 0 ? std::min(threads, machine_threads()) : machine_threads();
  if (used == 1 || count <= 1) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  // oneTBB cancels what has not begun and rethrows the first exception here.
  tbb::task_arena arena(used);
  arena.execute([&] {
    const tbb::blocked_range<std::size_t> range(0, count, 1);
    tbb::parallel_for(
        range,
        [&body](const tbb::blocked_range<std::size_t>& part) {
          for (std::size_t i = part.begin(); i < part.end(); ++i) body(i);
        },
        tbb::simple_partitioner{});
  });
}

}  // namespace tellegen
