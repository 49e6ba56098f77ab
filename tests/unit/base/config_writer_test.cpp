#include <gtest/gtest.h>

#include <bit>
#include <random>

#include "sample_config.h"

namespace tellegen {
namespace {

using testing_support::Chip;
using testing_support::Method;

TEST(ConfigWriter, WritesEverySetting) {
  EXPECT_EQ(write_config(Chip{}), R"(title: chip
costs: costs.yaml
tiles: none
wire: 1 ohm
adc:
  bits: 8
  range:
    method: percentile
    percentile: 99.9
  enob: none
seed: 1
tile:
  rows: 128
  slices: 1
  square: false
device:
  model: ideal
  g_min: 1 uS
  g_max: 100 uS
sigmas: [0.05, 0.1]
levels: []
alternatives: []
)");
}

TEST(ConfigWriter, ListsOfMappingsAndFreeMappings) {
  Chip chip;
  chip.front_end.emplace();
  chip.alternatives.resize(2);
  chip.alternatives[1].name = "x, y";
  chip.sweep = {{"chip.adc.bits", {"4", "6"}}, {"a: b", {"1 uS", "[x"}}};
  const std::string text = write_config(chip);
  EXPECT_NE(text.find("front_end:\n  bias: 10 nA\n"), std::string::npos) << text;
  EXPECT_NE(text.find(R"(alternatives:
  - name: unnamed
    adc:
      bits: 8
      range:
        method: percentile
        percentile: 99.9
      enob: none
  - name: "x, y"
    adc:
)"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("sweep:\n  chip.adc.bits: [4, 6]\n  \"a: b\": [1 uS, \"[x\"]\n"), std::string::npos) << text;
}

/// Texts that YAML would take apart if they were not quoted.
const std::vector<std::string> awkward = {
    "",     " ",    " x ", "a: b", "a #b", "#",    "- x",   "-",     "-5",     "---",    "...", "null",  "~",
    "NULL", "true", "'",   "\"",   "\\",   "a\nb", "\t",    "[a]",   "{a}",    "&a",     "*a",  "!t",    "%",
    "@",    "`",    "|",   ">",    "?",    "? x",  ",",     "\x01",  "\u00b5", "a\\nb",  "x:",  ":x",    "\x7f",
    "none", "<<",   "=",   "- ",   "0x1F", "a\rb", "10 uS", "a/b.c", "\u2028", "...  a", "(x)", "1_000", "2024-01-01"};

TEST(ConfigWriter, TextsSurvive) {
  for (const std::string& text : awkward) {
    Chip chip, again;
    chip.title = text;
    chip.sweep = {{"k" + text, awkward}};
    read_config_text(write_config(chip), "written", again);
    EXPECT_EQ(again.title, text);
    EXPECT_EQ(again.sweep, chip.sweep);
  }
}

TEST(ConfigWriter, ReadingItAgainGivesTheSame) {
  std::mt19937_64 random(3);
  const auto number = [&] {
    double value = 0;
    do value = std::abs(std::bit_cast<double>(random()));
    while (!(value > 0 && std::isfinite(value)));
    return value;
  };
  for (int i = 0; i < 500; ++i) {
    Chip chip;
    chip.seed = random();
    chip.wire = Resistance::si(number());
    chip.tile.rows = 1 + static_cast<int>(random() % 1000);
    if (random() % 2 == 0) chip.tiles = 3;
    if (random() % 2 == 0) chip.front_end.emplace();
    chip.device.model = random() % 2 == 0 ? "pcm_joshi" : "lognormal_memristor";
    chip.device.age = Time::si(number());
    chip.adc.range.method = static_cast<Method>(random() % 3);
    chip.adc.enob = number();
    chip.sigmas.assign(random() % 4, number());
    chip.levels.assign(random() % 3, Voltage::si(-number()));
    chip.alternatives.resize(random() % 3);
    Chip again;
    const std::string text = write_config(chip);
    read_config_text(text, "written", again);
    ASSERT_EQ(write_config(again), text);
    ASSERT_EQ(again.wire.si(), chip.wire.si());
    ASSERT_EQ(again.adc.enob, chip.adc.enob);
    ASSERT_EQ(again.sigmas, chip.sigmas);
    ASSERT_EQ(again.seed, chip.seed);
    ASSERT_EQ(again.front_end.has_value(), chip.front_end.has_value());
  }
}

TEST(ConfigWriter, VisitingTwiceChangesNothing) {
  Chip chip;
  read_config_text("adc: {bits: 5}\nsweep: {a: [1]}\nalternatives: [{name: z}]\nsigmas: [3]", "chip.yaml", chip);
  const std::string once = write_config(chip);
  read_config_text(once, "written", chip);
  EXPECT_EQ(write_config(chip), once);
}

}  // namespace
}  // namespace tellegen
