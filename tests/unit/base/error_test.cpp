#include "tellegen/base/error.h"

#include <gtest/gtest.h>

#include <vector>

#include "message_of.h"

namespace tellegen {
namespace {

using testing_support::message_of;

TEST(Place, ShowsWhatIsKnown) {
  EXPECT_EQ(to_string(Place{"chip.yaml", 4, 52}), "chip.yaml:4:52");
  EXPECT_EQ(to_string(Place{"chip.yaml", 4, 0}), "chip.yaml:4");
  EXPECT_EQ(to_string(Place{"chip.yaml", 0, 0}), "chip.yaml");
}

TEST(InputError, PutsThePlaceFirst) {
  EXPECT_EQ(message_of<InputError>([] {
              throw ConfigError(Place{"a.yaml", 1, 2}, "b is wrong.");
            }),
            "a.yaml:1:2: b is wrong.");
}

TEST(EditDistance, KnownValuesAndSymmetry) {
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("g_mix", "g_max"), 1);
  EXPECT_EQ(edit_distance("tiel", "tile"), 1);
  EXPECT_EQ(edit_distance("ab", "ba"), 1);
  EXPECT_EQ(edit_distance("flaw", "lawn"), edit_distance("lawn", "flaw"));
  EXPECT_EQ(edit_distance("same", "same"), 0);
}

TEST(Nearest, ProposesOnlyWhatIsNear) {
  const std::vector<std::string> known = {"bits", "kind", "columns_per_adc"};
  EXPECT_EQ(nearest("bit", known), "bits");
  EXPECT_EQ(nearest("colums_per_adc", known), "columns_per_adc");
  EXPECT_EQ(nearest("temperature", known), "");
  EXPECT_EQ(nearest("x", known), "");
}

TEST(Assertion, ThrowsWithTheCondition) {
  const std::string message = message_of<std::logic_error>([] { TELLEGEN_ASSERT(1 + 1 == 3); });
  EXPECT_NE(message.find("internal check failed: 1 + 1 == 3"), std::string::npos) << message;
  EXPECT_NE(message.find("error_test.cpp"), std::string::npos) << message;
}

}  // namespace
}  // namespace tellegen
