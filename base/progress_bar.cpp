#include "tellegen/base/progress_bar.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace tellegen {

std::string progress_line(const std::string& title, std::size_t done, std::size_t total, double elapsed_s) {
  constexpr std::size_t width = 30;
  const double part = total == 0 ? 1.0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(total));
  const auto filled = static_cast<std::size_t>(part * width);
  std::string line = fmt::format("{}  [{}{}]  {:.0f} %", title, std::string(filled, '#'),
                                 std::string(width - filled, ' '), std::floor(part * 100));
  if (part > 0 && part < 1)
    line += fmt::format("  {:.0f} s left",
                        std::ceil(elapsed_s * static_cast<double>(total - done) / static_cast<double>(done)));
  return line;
}

ProgressBar::ProgressBar(std::FILE* stream) : stream_(stream), terminal_(isatty(fileno(stream)) != 0) {}

ProgressBar::~ProgressBar() { erase(); }

Progress ProgressBar::callback(const std::string& title) {
  if (!terminal_) return [](std::size_t, std::size_t) {};
  start(title);
  return [this](std::size_t done, std::size_t total) { update(done, total); };
}

void ProgressBar::start(const std::string& title) {
  const std::lock_guard lock(mutex_);
  erase();
  title_ = title;
  most_done_ = 0;
  started_ = drawn_ = Clock::now();
}

void ProgressBar::update(std::size_t done, std::size_t total) {
  const std::lock_guard lock(mutex_);
  const auto now = Clock::now();
  most_done_ = std::max(most_done_, done);
  if (most_done_ >= total) return erase();
  if (now - drawn_ < std::chrono::milliseconds(100)) return;
  drawn_ = now;
  const std::chrono::duration<double> elapsed = now - started_;
  fmt::print(stream_, "\r{}\x1b[K", progress_line(title_, most_done_, total, elapsed.count()));
  std::fflush(stream_);
  visible_ = true;
}

void ProgressBar::erase() {
  if (!visible_) return;
  std::fputs("\r\x1b[K", stream_);
  std::fflush(stream_);
  visible_ = false;
}

}  // namespace tellegen
