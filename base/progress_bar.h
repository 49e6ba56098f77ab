#pragma once
// A bar for people who wait at a terminal. Owned by the command line; libraries only know the Progress callback.

#include <chrono>
#include <cstdio>
#include <mutex>
#include <string>

#include "tellegen/base/parallel.h"

namespace tellegen {

/// Draws "infer  [#########           ]  45 %  12 s left" on `stream`, and only if that is a terminal; at most ten
/// times a second. May be told from any thread. The bar erases itself at the end, so that nothing of it stays in the
/// output.
class ProgressBar {
 public:
  explicit ProgressBar(std::FILE* stream = stderr);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// A callback for one piece of work; the bar must outlive it. A new title restarts the clock.
  Progress callback(const std::string& title);

 private:
  using Clock = std::chrono::steady_clock;
  void start(const std::string& title);
  void update(std::size_t done, std::size_t total);
  void erase();

  std::FILE* stream_;
  bool terminal_;
  std::mutex mutex_;
  std::string title_;
  Clock::time_point started_, drawn_;
  std::size_t most_done_ = 0;  ///< threads may report out of order; the bar never goes back
  bool visible_ = false;
};

/// The line that the bar draws.
std::string progress_line(const std::string& title, std::size_t done, std::size_t total, double elapsed_s);

}  // namespace tellegen
