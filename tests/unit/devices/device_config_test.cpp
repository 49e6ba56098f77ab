#include "tellegen/devices/conductance_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tellegen/base/config.h"

namespace tellegen::devices {
namespace {

struct Chip {
  DeviceConfig device;
  void settings(Settings& v) { v.section("device", device, "the cells"); }
};

/// What reading `text` as chip.yaml complains about.
std::string complaint(const std::string& text) {
  Chip chip;
  try {
    read_config_text(text, "chip.yaml", chip);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(DeviceConfig, IsIdealWhereNothingIsSaid) {
  Chip chip;
  read_config_text("", "chip.yaml", chip);
  EXPECT_EQ(chip.device.model, "ideal");
  EXPECT_EQ(chip.device.make()->levels(), 0);
}

TEST(DeviceConfig, ReadsTheModelItsSettingsAndTheConditions) {
  Chip chip;
  read_config_text("device: {model: pcm_joshi, g_max: 20 uS, levels: 16, age: 1 day, temperature: 350 K}", "chip.yaml",
                   chip);
  EXPECT_EQ(chip.device.model, "pcm_joshi");
  EXPECT_DOUBLE_EQ(chip.device.make()->g_max().si(), 20e-6);
  EXPECT_EQ(chip.device.make()->levels(), 16);
  EXPECT_EQ(chip.device.conditions.age.si(), 86400);
  EXPECT_EQ(chip.device.conditions.temperature.si(), 350);
}

TEST(DeviceConfig, ACopyIsAConfigurationOfItsOwn) {
  Chip chip;
  read_config_text("device: {model: rram_wan, g_max: 30 uS}", "chip.yaml", chip);
  const Chip kept = chip;
  read_config_text("device: {model: rram_wan, g_max: 35 uS}", "chip.yaml", chip);
  EXPECT_DOUBLE_EQ(kept.device.make()->g_max().si(), 30e-6);
  EXPECT_DOUBLE_EQ(chip.device.make()->g_max().si(), 35e-6);
  read_config_text("device: {model: ideal}", "chip.yaml", chip);
  chip = kept;
  EXPECT_EQ(chip.device.model, "rram_wan");
  EXPECT_DOUBLE_EQ(chip.device.make()->g_max().si(), 30e-6);
}

TEST(DeviceConfig, WrittenAndReadAgainItIsTheSame) {
  Chip chip;
  read_config_text("device: {model: generic, g_min: 3 uS, stuck_on: 0.25, drift: {exponent: 0.03}, age: 5 min}",
                   "chip.yaml", chip);
  const std::string text = write_config(chip);
  Chip again;
  read_config_text(text, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), text);
  EXPECT_NE(text.find("stuck_on: 0.25"), std::string::npos) << text;
}

TEST(DeviceConfig, RefusesAGMinAboveGMax) {
  EXPECT_EQ(complaint("device:\n  model: generic\n  g_max: 25 uS\n  g_min: 50 uS\n"),
            "chip.yaml:4:10: device.g_min = '50 uS' is above device.g_max ('25 uS'); allowed: less than g_max.");
  EXPECT_EQ(complaint("device: {g_max: 25 uS, g_min: 25 uS}"),
            "chip.yaml:1:31: device.g_min = '25 uS' equals device.g_max ('25 uS'); allowed: less than g_max.");
  for (const std::string& model : device_names()) {
    EXPECT_EQ(complaint("device: {model: " + model + ", g_min: 1 S}").substr(0, 16),
              "chip.yaml:1:" + std::to_string(26 + model.size()) + ": ")
        << model;
  }
}

TEST(DeviceConfig, RefusesANegativeConductance) {
  EXPECT_EQ(complaint("device: {model: generic, g_min: -1 uS}"),
            "chip.yaml:1:33: device.g_min = '-1 uS' is out of range; allowed: 0 to 1 S.");
  EXPECT_EQ(complaint("device: {model: generic, programming_noise: {absolute: -1 uS}}"),
            "chip.yaml:1:56: device.programming_noise.absolute = '-1 uS' is out of range; allowed: 0 to 1 S.");
}

TEST(DeviceConfig, RefusesRatesThatAreNoShares) {
  EXPECT_EQ(complaint("device: {model: generic, stuck_off: 1.5}"),
            "chip.yaml:1:37: device.stuck_off = '1.5' is out of range; allowed: 0 to 1.");
  EXPECT_EQ(complaint("device: {model: generic, stuck_on: -0.1}"),
            "chip.yaml:1:36: device.stuck_on = '-0.1' is out of range; allowed: 0 to 1.");
  EXPECT_EQ(complaint("device: {model: generic, stuck_off: 0.6, stuck_on: 0.5}"),
            "chip.yaml:1:52: device.stuck_on = '0.5' and device.stuck_off = '0.6' together are more than all cells; "
            "allowed: a sum of at most 1.");
}

TEST(DeviceConfig, RefusesWhatWasNotMeasured) {
  EXPECT_EQ(complaint("device: {model: rram_milo, g_max: 300 uS}"),
            "chip.yaml:1:35: device.g_max = '300 uS' is outside the conductances that were measured; allowed: 50 uS to "
            "225 uS.");
  EXPECT_EQ(complaint("device: {model: rram_cmo, g_min: 5 uS}"),
            "chip.yaml:1:34: device.g_min = '5 uS' is outside the conductances that were measured; allowed: 9 uS to "
            "88.2 uS.");
  EXPECT_EQ(
      complaint("device: {model: sonos, g_max: 20 uS}"),
      "chip.yaml:1:31: device.g_max = '20 uS' is outside the conductances that were measured; allowed: 0 uS to 18 uS.");
  EXPECT_EQ(complaint("device: {model: rram_cmo, acceptance: 1 %}"),
            "chip.yaml:1:39: device.acceptance = '1 %' is not known. Known values: 0.2 %, 2 %; did you mean '2 %'?");
}

TEST(DeviceConfig, ReadsASpreadPerLevelAndAnActivationEnergy) {
  Chip chip;
  read_config_text(
      "device: {model: generic, programming_noise: {per_level: [1 uS, 2 uS, 0.5 uS]}, thermal: {activation_energy: "
      "0.05 eV}}",
      "chip.yaml", chip);
  const std::string text = write_config(chip);
  EXPECT_NE(text.find("per_level: [1 uS, 2 uS, 500 nS]"), std::string::npos) << text;
  Chip again;
  read_config_text(text, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), text);
}

TEST(DeviceConfig, RefusesSpreadsThatContradictEachOther) {
  EXPECT_EQ(complaint("device: {model: generic, programming_noise: {per_level: [1 uS]}}"),
            "chip.yaml:1:57: device.programming_noise.per_level has a single value; allowed: none, or one for g_min, "
            "one for g_max, and any number between.");
  EXPECT_EQ(complaint("device: {model: generic, programming_noise: {per_level: [1 uS, 2 uS], proportional: 0.1}}"),
            "chip.yaml:1:57: device.programming_noise.per_level stands beside absolute or proportional; allowed: "
            "either the list or these two.");
  EXPECT_EQ(complaint("device: {model: generic, programming_noise: {form: lognormal, absolute: 1 uS}}"),
            "chip.yaml:1:52: device.programming_noise.form = 'lognormal' scales with the conductance; allowed with it: "
            "proportional alone.");
  EXPECT_EQ(complaint("device: {model: generic, programming_noise: {form: gauss}}"),
            "chip.yaml:1:52: device.programming_noise.form = 'gauss' is not known. Known values: normal, uniform, "
            "lognormal.");
}

TEST(DeviceConfig, RefusesASingleLevel) {
  EXPECT_EQ(complaint("device: {model: generic, levels: 1}"),
            "chip.yaml:1:34: device.levels = '1' leaves a cell nothing to store; allowed: 0 (any conductance), or 2 "
            "and more.");
}

TEST(DeviceConfig, RefusesANegativeAge) {
  EXPECT_EQ(complaint("device: {age: -1 s}"),
            "chip.yaml:1:15: device.age = '-1 s' is out of range; allowed: 0 to 1000 year.");
}

TEST(DeviceConfig, RefusesAnUnknownModel) {
  EXPECT_EQ(complaint("device: {model: pcm_yoshi}"),
            fmt::format(
                "chip.yaml:1:17: device.model = 'pcm_yoshi' is not known. Known models: {}; did you mean 'pcm_joshi'?",
                fmt::join(device_names(), ", ")));
}

TEST(DeviceConfig, RefusesSettingsOfAnotherModel) {
  EXPECT_EQ(
      complaint("device: {model: ideal, stuck_on: 0.1}"),
      "chip.yaml:1:24: device.stuck_on is not a known setting. Known here: model, g_min, g_max, iv, age, temperature.");
}

TEST(FindDevice, ProposesTheNearestName) {
  EXPECT_EQ(find_device("rram_wan").name, "rram_wan");
  try {
    find_device("rram_won");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              fmt::format("'rram_won' is not a known device; did you mean 'rram_wan'? Known devices: {}.",
                          fmt::join(device_names(), ", ")));
  }
}

}  // namespace
}  // namespace tellegen::devices
