#include <gtest/gtest.h>

#include <random>

#include "message_of.h"
#include "sample_config.h"
#include "tellegen/base/output_file.h"
#include "temporary_folder.h"

namespace tellegen {
namespace {

using testing_support::Chip;
using testing_support::message_of;
using testing_support::Method;

Chip read(const std::string& text) {
  Chip chip;
  read_config_text(text, "chip.yaml", chip);
  return chip;
}

std::string error_of(const std::string& text) {
  return message_of<ConfigError>([&] { read(text); });
}

TEST(ConfigReader, ReadsEveryKindOfSetting) {
  const Chip chip = read(R"(
device: {model: pcm_joshi, g_min: 100 nS, g_max: 25 uS, age: 1 day}
title: "a: b"
tiles: 12
wire: 0 ohm
tile:
  square: true
  slices: 2
  rows: 64
adc:
  enob: 6.5
  range: {method: analytic}
  bits: 6
seed: 18446744073709551615
costs: tables/isaac.yaml
front_end: {}
sigmas: [0, 0.5, 1]
levels: [100 mV, 0.2 V]
alternatives:
  - name: one
    adc: {bits: 4}
  - {}
sweep:
  chip.adc.bits: [4, 6]
  chip.device.g_max: [10 uS, 20 uS]
)");
  EXPECT_EQ(chip.device.model, "pcm_joshi");
  EXPECT_EQ(chip.device.g_min.si(), 1e-7);
  EXPECT_EQ(chip.device.age.si(), 86400);
  EXPECT_EQ(chip.title, "a: b");
  EXPECT_EQ(chip.tiles, 12);
  EXPECT_EQ(chip.wire.si(), 0);
  EXPECT_EQ(chip.tile.rows, 64);
  EXPECT_EQ(chip.tile.encoding.slices, 2);
  EXPECT_TRUE(chip.tile.square);
  EXPECT_EQ(chip.adc.bits, 6);
  EXPECT_EQ(chip.adc.enob, 6.5);
  EXPECT_EQ(chip.adc.range.method, Method::analytic);
  EXPECT_EQ(chip.adc.range.percentile, 99.9);
  EXPECT_EQ(chip.seed, 18446744073709551615u);
  EXPECT_EQ(chip.costs, "tables/isaac.yaml");
  ASSERT_TRUE(chip.front_end.has_value());
  EXPECT_EQ(chip.front_end->bias.si(), 1e-8);
  EXPECT_EQ(chip.sigmas, (std::vector<double>{0, 0.5, 1}));
  ASSERT_EQ(chip.levels.size(), 2u);
  EXPECT_EQ(chip.levels[1].si(), 0.2);
  ASSERT_EQ(chip.alternatives.size(), 2u);
  EXPECT_EQ(chip.alternatives[0].name, "one");
  EXPECT_EQ(chip.alternatives[0].adc.bits, 4);
  EXPECT_EQ(chip.alternatives[1].name, "unnamed");
  ASSERT_EQ(chip.sweep.size(), 2u);
  EXPECT_EQ(chip.sweep[0].first, "chip.adc.bits");
  EXPECT_EQ(chip.sweep[1].second, (std::vector<std::string>{"10 uS", "20 uS"}));
}

TEST(ConfigReader, KeepsDefaultsOfWhatIsAbsent) {
  for (const char* text : {"", "# only a comment\n", "adc:\n", "{}", "adc: {range: }"}) {
    const Chip chip = read(text);
    EXPECT_EQ(chip.adc.bits, 8) << text;
    EXPECT_EQ(chip.sigmas.size(), 2u) << text;
    EXPECT_FALSE(chip.front_end.has_value()) << text;
    EXPECT_FALSE(chip.tiles.has_value()) << text;
  }
}

TEST(ConfigReader, NoneIsTheAbsentValue) {
  Chip chip;
  chip.tiles = 5;
  read_config_text("tiles: none", "chip.yaml", chip);
  EXPECT_FALSE(chip.tiles.has_value());
}

TEST(ConfigReader, Quantities) {
  EXPECT_EQ(error_of("device: {g_max: 100}"),
            "chip.yaml:1:17: device.g_max = '100' needs a number and a unit (uS, mS).");
  EXPECT_EQ(error_of("device: {g_max: 10 kohm}"),
            "chip.yaml:1:17: device.g_max = '10 kohm' has the wrong dimension; use uS, mS.");
  EXPECT_EQ(error_of("device: {g_max: 10 uD}"),
            "chip.yaml:1:17: device.g_max = '10 uD' has the unknown unit 'uD'; did you mean 'uS'?");
  EXPECT_EQ(error_of("wire: -1 ohm"), "chip.yaml:1:7: wire = '-1 ohm' is out of range; allowed: at least 0.");
  EXPECT_EQ(error_of("device:\n  g_max: 0 uS"),
            "chip.yaml:2:10: device.g_max = '0 uS' is out of range; allowed: above 0.");
  EXPECT_EQ(error_of("front_end: {bias: 1 mA}"),
            "chip.yaml:1:19: front_end.bias = '1 mA' is out of range; allowed: 1 pA to 1 uA.");
}

TEST(ConfigReader, Numbers) {
  EXPECT_EQ(error_of("adc:\n  bits: 0"), "chip.yaml:2:9: adc.bits = '0' is out of range; allowed: 1 to 16.");
  EXPECT_EQ(error_of("adc:\n  bits: 17"), "chip.yaml:2:9: adc.bits = '17' is out of range; allowed: 1 to 16.");
  for (const char* text : {"010", "1e3", "8.0", "+8", "0x8", "eight", "8 bits", "''"}) {
    const std::string shown = std::string(text) == "''" ? "" : text;
    EXPECT_EQ(error_of(std::string("adc:\n  bits: ") + text),
              "chip.yaml:2:9: adc.bits = '" + shown + "' is not a whole number in plain decimal digits.");
  }
  EXPECT_EQ(error_of("adc: {bits: 99999999999}"),
            "chip.yaml:1:13: adc.bits = '99999999999' is out of range; allowed: 1 to 16.");
  EXPECT_EQ(error_of("seed: -1"), "chip.yaml:1:7: seed = '-1' is out of range; allowed: 0 to 18446744073709551615.");
  EXPECT_EQ(error_of("seed: 18446744073709551616"),
            "chip.yaml:1:7: seed = '18446744073709551616' is out of range; allowed: 0 to 18446744073709551615.");
  EXPECT_EQ(error_of("adc: {range: {percentile: high}}"),
            "chip.yaml:1:27: adc.range.percentile = 'high' is not a number.");
  EXPECT_EQ(error_of("adc: {range: {percentile: nan}}"),
            "chip.yaml:1:27: adc.range.percentile = 'nan' is not a finite number.");
  EXPECT_EQ(error_of("adc: {range: {percentile: 1e999}}"),
            "chip.yaml:1:27: adc.range.percentile = '1e999' is not a finite number.");
  EXPECT_EQ(error_of("adc: {range: {percentile: 100.5}}"),
            "chip.yaml:1:27: adc.range.percentile = '100.5' is out of range; allowed: 0 to 100.");
  EXPECT_EQ(error_of("adc: {enob: 0}"), "chip.yaml:1:13: adc.enob = '0' is out of range; allowed: above 0.");
  EXPECT_EQ(error_of("tile: {square: yes}"), "chip.yaml:1:16: tile.square = 'yes' is neither true nor false.");
  EXPECT_EQ(error_of("sigmas: [0.1, -0.1]"),
            "chip.yaml:1:15: sigmas[1] = '-0.1' is out of range; allowed: at least 0.");
}

TEST(ConfigReader, Names) {
  EXPECT_EQ(
      error_of("device: {model: memristr}"),
      "chip.yaml:1:17: device.model = 'memristr' is not known. Known models: ideal, pcm_joshi, lognormal_memristor.");
  EXPECT_EQ(error_of("device: {model: pcm_yoshi}"),
            "chip.yaml:1:17: device.model = 'pcm_yoshi' is not known. "
            "Known models: ideal, pcm_joshi, lognormal_memristor; did you mean 'pcm_joshi'?");
  EXPECT_EQ(error_of("adc: {range: {method: maximum}}"),
            "chip.yaml:1:23: adc.range.method = 'maximum' is not known. Known values: max, percentile, analytic.");
}

TEST(ConfigReader, UnknownSettings) {
  EXPECT_EQ(error_of("device: {g_mix: 1 uS}"),
            "chip.yaml:1:10: device.g_mix is not a known setting; did you mean 'g_min'?");
  // Not the one that is there already.
  EXPECT_EQ(error_of("device: {g_min: 1 uS, g_mix: 2 uS}"),
            "chip.yaml:1:23: device.g_mix is not a known setting; did you mean 'g_max'?");
  EXPECT_EQ(error_of("adc: {colour: red}"),
            "chip.yaml:1:7: adc.colour is not a known setting. Known here: bits, range, enob.");
  EXPECT_EQ(error_of("tiel: {}"), "chip.yaml:1:1: tiel is not a known setting; did you mean 'tile'?");
  EXPECT_EQ(error_of("alternatives:\n  - nam: x"),
            "chip.yaml:2:5: alternatives[0].nam is not a known setting; did you mean 'name'?");
  EXPECT_EQ(error_of("front_end: {bais: 1 nA}"),
            "chip.yaml:1:13: front_end.bais is not a known setting; did you mean 'bias'?");
  // A setting of another model is unknown for this one.
  EXPECT_EQ(error_of("device: {model: pcm_joshi, spread: 0.1}"),
            "chip.yaml:1:28: device.spread is not a known setting. Known here: model, g_min, g_max, t0, age.");
  // The first in the file is named, not the first that is noticed.
  EXPECT_EQ(error_of("device: {g_mix: 1 uS}\nadc: {bit: 3}"),
            "chip.yaml:1:10: device.g_mix is not a known setting; did you mean 'g_min'?");
}

TEST(ConfigReader, RepeatedSettings) {
  EXPECT_EQ(error_of("adc:\n  bits: 4\n  bits: 5"), "chip.yaml:3:3: 'bits' is given twice; the first is at line 2.");
  EXPECT_EQ(error_of("adc: {}\nadc: {}"), "chip.yaml:2:1: 'adc' is given twice; the first is at line 1.");
}

TEST(ConfigReader, WrongKindOfNode) {
  EXPECT_EQ(error_of("adc: [1, 2]"), "chip.yaml:1:6: adc must be a mapping of settings, but is a list.");
  EXPECT_EQ(error_of("adc: sar"), "chip.yaml:1:6: adc must be a mapping of settings, but is the single value 'sar'.");
  EXPECT_EQ(error_of("adc: {bits: [8]}"), "chip.yaml:1:13: adc.bits must be a single value, but is a list.");
  EXPECT_EQ(error_of("adc: {bits: {a: 8}}"), "chip.yaml:1:13: adc.bits must be a single value, but is a mapping.");
  EXPECT_EQ(error_of("adc: {bits: }"), "chip.yaml:1:13: adc.bits has no value.");
  EXPECT_EQ(error_of("sigmas: 0.5"), "chip.yaml:1:9: sigmas must be a list, but is the single value '0.5'.");
  EXPECT_EQ(error_of("alternatives: {}"), "chip.yaml:1:15: alternatives must be a list of mappings, but is a mapping.");
  EXPECT_EQ(error_of("alternatives: [7]"),
            "chip.yaml:1:16: alternatives[0] must be a mapping of settings, but is the single value '7'.");
  EXPECT_EQ(error_of("sweep: [1]"), "chip.yaml:1:8: sweep must be a mapping of names to lists, but is a list.");
  EXPECT_EQ(error_of("sweep: {a.b: {c: 1}}"), "chip.yaml:1:14: sweep.a.b must be a value or a list, but is a mapping.");
  EXPECT_EQ(error_of("sweep: {a.b: [1, [2]]}"), "chip.yaml:1:18: sweep.a.b[1] must be a single value, but is a list.");
  EXPECT_EQ(error_of("- 1"), "chip.yaml:1:1: the file must be a mapping of settings, but is a list.");
  EXPECT_EQ(error_of("[1, 2]: 3"), "chip.yaml:1:1: the name of a setting must be plain text, but is a list.");
}

TEST(ConfigReader, NotYaml) {
  EXPECT_EQ(error_of("adc:\n  bits: 3\n bits: 4\n"), "chip.yaml:3:2: this is not valid YAML: end of map not found.");
  EXPECT_EQ(error_of("adc: {bits: &b 3}"),
            "chip.yaml:1:13: anchors and aliases are not supported; write the value out.");
  EXPECT_EQ(error_of("a: &x {b: 1}"), "chip.yaml:1:4: anchors and aliases are not supported; write the value out.");
  EXPECT_EQ(error_of("adc: {}\n---\nadc: {}"),
            "chip.yaml:3:1: a second document starts here; a configuration is one document.");
  EXPECT_EQ(error_of("a: " + std::string(200, '[') + std::string(200, ']')),
            "chip.yaml:1:67: the nesting is too deep; at most 64 levels are allowed.");
  const std::string deep = error_of("a: " + std::string(100000, '['));
  EXPECT_NE(deep.find(": the nesting is too deep; at most 64 levels are allowed."), std::string::npos) << deep;
  std::string steps;
  for (int level = 0; level < 1000; ++level) steps += std::string(static_cast<std::size_t>(level), ' ') + "a:\n";
  EXPECT_EQ(error_of(steps), "chip.yaml:65:65: the nesting is too deep; at most 64 levels are allowed.");
}

TEST(ConfigReader, RefusesWhatIsNoText) {
  const auto fault = [](char byte) {
    return "here is a control character (byte " + std::to_string(static_cast<int>(byte)) +
           "), which no YAML text holds. Remove it, or give a text file in UTF-8.";
  };
  EXPECT_EQ(error_of(std::string(100, '\0')), "chip.yaml:1:1: " + fault(0));
  EXPECT_EQ(error_of(std::string("adc:\n  bits: 4\0\nseed: x", 23)), "chip.yaml:2:10: " + fault(0));
  EXPECT_EQ(error_of("adc: {bits: 4}\n\x04seed: x"), "chip.yaml:2:1: " + fault(4));
  Chip chip;  // UTF-16 with its mark, as some editors save it
  read_config_text(std::string("\xFF\xFE"
                               "a\0d\0c\0:\0 \0{\0b\0i\0t\0s\0:\0 \0005\0}\0",
                               30),
                   "chip.yaml", chip);
  EXPECT_EQ(chip.adc.bits, 5);
}

TEST(ConfigReader, RequirementsStandAtTheirSetting) {
  EXPECT_EQ(error_of("device: {g_min: 200 uS}"), "chip.yaml:1:17: device.g_min must be below g_max (100 uS).");
  EXPECT_EQ(error_of("adc: {}\ndevice:\n  g_max: 1 nS"), "chip.yaml:3:3: device.g_min must be below g_max (1 nS).");
  // The cause is the misspelt key, and so it is what the message says.
  EXPECT_EQ(error_of("device: {g_min: 200 uS, g_mix: 300 uS}"),
            "chip.yaml:1:25: device.g_mix is not a known setting; did you mean 'g_max'?");
}

struct Network {
  std::filesystem::path onnx;
  std::string metric = "top1";
  void settings(Settings& v) {
    v("onnx", onnx, "the trained network", required());
    v("metric", metric, "what is reported");
  }
};
struct Experiment {
  Network network;
  void settings(Settings& v) { v.section("network", network, "the network"); }
};

TEST(ConfigReader, RequiredSettings) {
  const auto error = [](const std::string& text) {
    return message_of<ConfigError>([&] {
      Experiment experiment;
      read_config_text(text, "run.yaml", experiment);
    });
  };
  EXPECT_EQ(error("network:\n  metric: top5"),
            "run.yaml:2:3: network.onnx is missing and has no default (path: the trained network).");
  EXPECT_EQ(error(""), "run.yaml:1:1: network.onnx is missing and has no default (path: the trained network).");
  EXPECT_EQ(error("network: {onx: a}"), "run.yaml:1:11: network.onx is not a known setting; did you mean 'onnx'?");
  EXPECT_EQ(error("network: {onnx: ''}"), "run.yaml:1:17: network.onnx = '' is empty; a path is needed.");
}

TEST(ConfigReader, AFailedReadChangesNothing) {
  Chip chip;
  EXPECT_THROW(read_config_text("adc: {bits: 4}\nseed: x", "chip.yaml", chip), ConfigError);
  EXPECT_EQ(chip.adc.bits, 8);
}

TEST(ConfigReader, DamagedTextIsReadOrRefused) {
  const std::string good = write_config(Chip{}) + "sweep: {\"adc.bits\": [4, 6]}\nfront_end: {bias: 1 nA}  # comment\n";
  const std::string alphabet = "{}[],:#&*!|>'\"%@`-?\n\t x0\x01\xff";
  std::mt19937 random(5);
  int refused = 0;
  const int trials = 5000;
  for (int i = 0; i < trials; ++i) {
    std::string text = good;
    for (int edits = 0; edits < 3; ++edits) text[random() % text.size()] = alphabet[random() % alphabet.size()];
    if (i % 5 == 0) text.resize(random() % text.size());
    try {
      read(text);
    } catch (const ConfigError& error) {  // anything else fails the test
      ++refused;
      ASSERT_EQ(std::string(error.what()).substr(0, 9), "chip.yaml") << error.what();
    }
  }
  EXPECT_GT(refused, trials / 2);
  EXPECT_LT(refused, trials);
}

TEST(ConfigReader, Files) {
  const testing_support::TemporaryFolder folder;
  Chip chip;
  write_text_file(folder / "chip.yaml", "adc: {bits: 5}\n");
  read_config(folder / "chip.yaml", chip);
  EXPECT_EQ(chip.adc.bits, 5);
  const std::string missing = (folder / "none.yaml").string(), directory = (folder / "").string();
  EXPECT_EQ(message_of<ConfigError>([&] { read_config(missing, chip); }), missing + ": there is no such file.");
  EXPECT_EQ(message_of<ConfigError>([&] { read_config(directory, chip); }),
            directory + ": this is a folder; a file is needed.");
  EXPECT_EQ(message_of<ConfigError>([&] { read_config("/dev/null", chip); }),
            "/dev/null: this is not a regular file; a device or a pipe cannot be read here.");
}

}  // namespace
}  // namespace tellegen
