#pragma once
// Threads: oneTBB behind two functions, so that results never depend on their number.

#include <cstddef>
#include <functional>

namespace tellegen {

/// Runs body(0) .. body(count - 1) on at most `threads` threads (0: all that the machine has). The first exception is
/// rethrown.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& body);
int machine_threads();

/// Told about work done so far; the command line draws a bar, libraries never print. May be called from any thread.
using Progress = std::function<void(std::size_t done, std::size_t total)>;

}  // namespace tellegen
