#include "tellegen/base/progress_bar.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

namespace tellegen {
namespace {

TEST(ProgressLine, ShowsPartAndTime) {
  EXPECT_EQ(progress_line("infer", 0, 10, 0), "infer  [                              ]  0 %");
  EXPECT_EQ(progress_line("infer", 5, 10, 12.0), "infer  [###############               ]  50 %  12 s left");
  EXPECT_EQ(progress_line("infer", 999, 1000, 999.0), "infer  [############################# ]  99 %  1 s left");
  EXPECT_EQ(progress_line("infer", 10, 10, 3.0), "infer  [##############################]  100 %");
  EXPECT_EQ(progress_line("infer", 0, 0, 3.0), "infer  [##############################]  100 %");
}

TEST(ProgressBar, IsSilentWhereNobodyWatches) {
  std::FILE* file = std::tmpfile();
  {
    ProgressBar bar(file);
    const Progress told = bar.callback("infer");
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    told(1, 2);
    told(2, 2);
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

const std::string no_terminal = "(no terminal)";

/// What a ProgressBar on a pseudo-terminal sends; no_terminal where the machine gives none.
template <class Work>
std::string drawn_on_terminal(Work&& work) {
  int terminal = -1, screen = -1;
  if (openpty(&screen, &terminal, nullptr, nullptr, nullptr) != 0) return no_terminal;
  std::FILE* stream = fdopen(terminal, "w");
  {
    ProgressBar bar(stream);
    work(bar);
  }
  std::fputc('\n', stream);
  std::fflush(stream);
  std::string text(4096, '\0');
  const auto length = ::read(screen, text.data(), text.size());
  std::fclose(stream);
  ::close(screen);
  text.resize(length > 0 ? static_cast<std::size_t>(length) : 0);
  return text.substr(0, text.find_last_not_of("\r\n") + 1);
}

TEST(ProgressBar, DrawsOnATerminalAndErasesItself) {
  const std::string text = drawn_on_terminal([](ProgressBar& bar) {
    const Progress told = bar.callback("infer");
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    for (int i = 0; i < 1000; ++i) told(5, 10);  // only the first is drawn: the rate is limited
    told(10, 10);
  });
  if (text == no_terminal) GTEST_SKIP() << "no pseudo-terminal here";
  // The time that is left depends on how busy the machine is.
  EXPECT_THAT(text, ::testing::StartsWith("\rinfer  [###############               ]  50 %"));
  EXPECT_THAT(text, ::testing::HasSubstr(" left"));
  EXPECT_THAT(text, ::testing::EndsWith("\x1b[K\r\x1b[K"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\r'), 30);
}

TEST(ProgressBar, NeverGoesBack) {
  const std::string text = drawn_on_terminal([](ProgressBar& bar) {
    const Progress told = bar.callback("infer");
    told(9, 10);
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    told(5, 10);
  });
  if (text == no_terminal) GTEST_SKIP() << "no pseudo-terminal here";
  EXPECT_NE(text.find("90 %"), std::string::npos) << text;
  EXPECT_EQ(text.find("50 %"), std::string::npos) << text;
}

}  // namespace
}  // namespace tellegen
