#include "tellegen/base/safe_text.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tellegen {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesTextAsItIs) {
  for (const std::string text : {"", "conv1/Conv",
                                 "gr\xC3\xB6\xC3\x9F"
                                 "e",
                                 "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "a\\b"}) {
    EXPECT_TRUE(is_printable(text)) << text;
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\nb\x1b[31m\x7f"s + "\0"s), "a\\x0ab\\x1b[31m\\x7f\\x00");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");  // U+009B begins a terminal's command, too
}

TEST(Printable, EscapesWhatIsNotUtf8) {
  EXPECT_EQ(printable("caf\xE9"), "caf\\xe9");
  EXPECT_EQ(printable("\xC3("), "\\xc3(");
  EXPECT_EQ(printable("\xE2\x82"), "\\xe2\\x82");                    // cut short
  EXPECT_EQ(printable("\xC0\xAF"), "\\xc0\\xaf");                    // longer than need be
  EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xe0\\x80\\xaf");           // the same with three bytes
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xed\\xa0\\x80");           // half of a pair of UTF-16
  EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond the last code point
  EXPECT_EQ(printable("\x80"), "\\x80");
}

TEST(FileName, IsNoPathAndHasALetterOrDigit) {
  for (const std::string& name :
       std::vector<std::string>{"lenet_mnist", "run 2", "a.b-c", "..a", std::string(100, 'x')})
    EXPECT_TRUE(is_file_name(name)) << name;
  for (const std::string& name :
       std::vector<std::string>{"", ".", "..", "...", " ", "../evil", "/abs", "a/b", "a\nb", "a\x1b", "caf\xE9"})
    EXPECT_FALSE(is_file_name(name)) << name;
  EXPECT_FALSE(is_file_name(std::string(101, 'x')));
}

TEST(FileName, IsMadeOfWhatIsNotOne) {
  EXPECT_EQ(file_name_of("lenet_mnist"), "lenet_mnist");
  EXPECT_EQ(file_name_of("run (1)\n"), "run _1__");
  EXPECT_EQ(file_name_of(".."), "unnamed");
  EXPECT_EQ(file_name_of(std::string(200, 'x')), std::string(100, 'x'));
}

}  // namespace
}  // namespace tellegen
