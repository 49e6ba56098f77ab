#include "tellegen/base/isolated_process.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "message_of.h"
#include "tellegen/base/error.h"

namespace tellegen::detail {
namespace {

constexpr IsolatedProcess::Limits limits{std::uint64_t{1} << 28, 1};

std::string obey(const std::string& request) {
  if (request == "abort") std::abort();
  if (request == "exit") _exit(0);
  if (request == "spin") {
    for (volatile bool spins = true; spins;) {
    }
  }
  if (request == "refuse") throw InputError("file.h5: not so.");
  if (request == "fail") throw std::bad_alloc();
  return request + request;
}

TEST(IsolatedProcess, TakesNoMoreMemoryThanAllowed) {
  const IsolatedProcess process(
      [](const std::string& request) { return std::to_string(std::string(std::stoull(request), 'x').size()); }, limits);
  EXPECT_EQ(process.ask("100000000"), "100000000");
  EXPECT_EQ(process.ask("300000000"), std::nullopt);
}

TEST(IsolatedProcess, AnswersAsOftenAsAsked) {
  const IsolatedProcess process(obey, limits);
  EXPECT_EQ(process.ask("ab"), "abab");
  EXPECT_EQ(process.ask(""), "");
  const std::string large(std::size_t{20} << 20, 'x');
  EXPECT_EQ(process.ask(large), large + large);
}

TEST(IsolatedProcess, KeepsItsOwnState) {
  int count = 0;
  const IsolatedProcess process([&count](const std::string&) { return std::to_string(++count); }, limits);
  EXPECT_EQ(process.ask(""), "1");
  EXPECT_EQ(process.ask(""), "2");
  EXPECT_EQ(count, 0);
}

TEST(IsolatedProcess, PassesInputErrorsOnAndGoesOn) {
  const IsolatedProcess process(obey, limits);
  EXPECT_EQ(testing_support::message_of<InputError>([&] { process.ask("refuse"); }), "file.h5: not so.");
  EXPECT_EQ(process.ask("a"), "aa");
}

TEST(IsolatedProcess, ItsEndIsNoAnswer) {
  for (const char* end : {"abort", "exit", "fail", "spin"}) {
    const IsolatedProcess process(obey, limits);
    EXPECT_EQ(process.ask(end), std::nullopt) << end;
    EXPECT_EQ(process.ask("a"), std::nullopt) << end;
  }
}

}  // namespace
}  // namespace tellegen::detail
