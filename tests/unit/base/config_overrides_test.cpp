#include <gtest/gtest.h>

#include "message_of.h"
#include "sample_config.h"

namespace tellegen {
namespace {

using testing_support::Chip;
using testing_support::message_of;

Chip read(const std::string& text, const Overrides& overrides) {
  Chip chip;
  read_config_text(text, "chip.yaml", chip, overrides);
  return chip;
}

std::string error_of(const std::string& text, const Overrides& overrides) {
  return message_of<ConfigError>([&] { read(text, overrides); });
}

TEST(Overrides, ReplaceAndAddSettings) {
  const Chip chip =
      read("adc: {bits: 4, enob: 3}\ndevice: ", {{"adc.bits", "6"}, {"device.g_max", "50 uS"}, {"tile.rows", "7"}});
  EXPECT_EQ(chip.adc.bits, 6);
  EXPECT_EQ(chip.adc.enob, 3.0);
  EXPECT_EQ(chip.device.g_max.si(), 50e-6);
  EXPECT_EQ(chip.tile.rows, 7);
}

TEST(Overrides, TheLastOneHolds) { EXPECT_EQ(read("", {{"adc.bits", "6"}, {"adc.bits", "7"}}).adc.bits, 7); }

TEST(Overrides, TakeListsAndMappings) {
  const Chip chip = read("adc: {enob: 3}", {{"sigmas", "[1, 2, 3]"}, {"adc", "{bits: 2}"}});
  EXPECT_EQ(chip.sigmas.size(), 3u);
  EXPECT_EQ(chip.adc.bits, 2);
  EXPECT_FALSE(chip.adc.enob.has_value()) << "a mapping is replaced as a whole";
}

TEST(Overrides, ErrorsNameTheOverride) {
  EXPECT_EQ(error_of("", {{"adc.bits", "0"}}), "--set adc.bits: adc.bits = '0' is out of range; allowed: 1 to 16.");
  EXPECT_EQ(error_of("", {{"adc.bist", "4"}}), "--set adc.bist: adc.bist is not a known setting; did you mean 'bits'?");
  EXPECT_EQ(error_of("", {{"adk.bits", "4"}}), "--set adk.bits: adk is not a known setting; did you mean 'adc'?");
  EXPECT_EQ(error_of("adc: {bits: 4}", {{"adc.bits.x", "4"}}),
            "--set adc.bits.x: adc.bits has no settings inside; it is the single value '4'.");
  EXPECT_EQ(error_of("", {{"sigmas", "[1, -2]"}}),
            "--set sigmas: sigmas[1] = '-2' is out of range; allowed: at least 0.");
  EXPECT_EQ(error_of("", {{"adc.bits", "["}}), "--set adc.bits: the value '[' is not valid YAML.");
  EXPECT_EQ(error_of("", {{"", "1"}}), "--set : the name of a setting is missing.");
  EXPECT_EQ(error_of("", {{"adc..bits", "1"}}), "--set adc..bits: the name of a setting is missing.");
  EXPECT_EQ(error_of("", {{"adc.", "1"}}), "--set adc.: the name of a setting is missing.");
  EXPECT_EQ(error_of("", {{"adc.bits", ""}}), "--set adc.bits: adc.bits has no value.");
}

}  // namespace
}  // namespace tellegen
