#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "real_run.h"
#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/compare_output.h"

namespace tellegen::report {
namespace {

std::string error_of(const std::string& yaml) {
  CompareConfig config;
  try {
    read_config_text(yaml, "compare.yaml", config);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(CompareConfig, RefusesWhatCannotBeCompared) {
  EXPECT_EQ(error_of("experiment: a.yaml\noptions: []\n"),
            "compare.yaml:2:10: options must have at least one entry, for example {name: as it is}.");
  EXPECT_EQ(error_of("experiment: a.yaml\noptions: [{name: a}, {name: a}]\n"),
            "compare.yaml:2:10: options must have names that differ from each other.");
  EXPECT_EQ(error_of("experiment: a.yaml\noptions: [{name: a, set: {chip.adc.bits: [6, 8]}}]\n"),
            "compare.yaml:2:26: options[0].set must have one value for each setting; write one option per value.");
}

TEST(CompareConfig, RefusesAnOptionWithOtherImages) {
  EXPECT_EQ(error_of("experiment: a.yaml\noptions: [{name: a, set: {evaluate.samples: 6}}]\n"),
            "compare.yaml:2:26: options[0].set must not change evaluate.samples; 'images' holds for all options.");
}

TEST(CompareConfig, RefusesNamesThatCannotBePrinted) {
  EXPECT_EQ(error_of("experiment: a.yaml\noptions: [{name: \"a\\nb\"}]\n"),
            "compare.yaml:2:18: options[0].name must be UTF-8 text without control characters.");
  EXPECT_EQ(error_of("experiment: a.yaml\noptions:\n- name: caf\xE9\n"),
            "compare.yaml:3:9: options[0].name must be UTF-8 text without control characters.");
}

TEST(BoundaryParts, AreTheWholeTogether) {
  Point point;
  point.component_energy_J = {{"adc", {1, 2, 3}},
                              {"sample_hold", {1, 1, 1}},
                              {"dac", {0, 1, 2}},
                              {"activation_relu", {2, 2, 2}},
                              {"cells", {5, 5, 5}}};
  const std::vector<BoundaryPart> parts = boundary_parts(point);
  ASSERT_EQ(parts.size(), 4U);
  EXPECT_EQ(parts[0].energy_J, (circuits::Band{2, 3, 4}));
  EXPECT_EQ(parts[1].energy_J, (circuits::Band{2, 2, 2}));
  EXPECT_EQ(parts[2].energy_J, (circuits::Band{0, 1, 2}));
  EXPECT_EQ(parts[3].energy_J, (circuits::Band{5, 5, 5}));
  ComparedOption option;
  option.parts = parts;
  EXPECT_EQ(option.boundary().energy_J, (circuits::Band{4, 6, 8}));
}

class CompareRun : public testing::Test {
 protected:
  CompareResult run(const Overrides& overrides = {}) {
    write_text_file(folder_ / "choices.yaml",
                    "experiment: " + source_file("configs/experiments/lenet_mnist.yaml").string() +
                        "\nimages: 16\nset: {evaluate.chips: 2, evaluate.batch: 8, "
                        "evaluate.calibration_samples: 8, evaluate.snr_samples: 8}\n"
                        "options:\n- {name: as it is}\n- {name: six, set: {chip.adc.bits: 6}}\n"
                        "- {name: small, set: {chip.tiles: 2}}\n");
    sim::Session session(source_file("configs/costs"), 1);
    return run_compare(folder_ / "choices.yaml", overrides, session);
  }
  TemporaryFolder folder_;
};

TEST_F(CompareRun, PartsOfARealChipAddUpToItsTotals) {
  const CompareResult result = run();
  EXPECT_EQ(result.images, 16);
  ASSERT_EQ(result.options.size(), 3U);
  for (std::size_t i = 0; i < 2; ++i) {
    const ComparedOption& option = result.options[i];
    circuits::Band energy_J, area_m2;
    for (const BoundaryPart& part : option.parts) {
      energy_J += part.energy_J;
      area_m2 += part.area_m2;
    }
    EXPECT_NEAR(energy_J.typical, option.point.energy_J.typical, 1e-12 * energy_J.typical);
    EXPECT_NEAR(energy_J.high, option.point.energy_J.high, 1e-12 * energy_J.high);
    EXPECT_NEAR(area_m2.typical, option.point.area_m2.typical, 1e-12 * area_m2.typical);
  }
  EXPECT_LT(result.options[1].boundary().energy_J.typical, result.options[0].boundary().energy_J.typical);
  EXPECT_FALSE(result.options[2].point.done());
}

TEST_F(CompareRun, KeepsItsOptionsFromBeingOverridden) {
  try {
    run({{"chip.adc.bits", "3"}});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), "--set chip.adc.bits=3: chip.adc.bits is set by option 'six' of " +
                                (folder_ / "choices.yaml").string() + ". Change the file, or leave this --set out.");
  }
}

TEST_F(CompareRun, RefusesMoreImagesThanThereAre) {
  const std::filesystem::path file = folder_ / "many.yaml";
  write_text_file(file, "experiment: " + source_file("configs/experiments/lenet_mnist.yaml").string() +
                            "\nimages: 10001\noptions: [{name: a}]\n");
  sim::Session session(source_file("configs/costs"), 1);
  try {
    run_compare(file, {}, session);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), file.string() + ": images = '10001' is more than '" +
                                compare_experiments(file, {}).front().network.data_file().string() +
                                "' holds; allowed: 1 to 10000.");
  }
}

TEST_F(CompareRun, NamesTheOptionThatIsWrong) {
  const std::string path = (folder_ / "wrong.yaml").string();
  write_text_file(path, "experiment: " + source_file("configs/experiments/lenet_mnist.yaml").string() +
                            "\noptions: [{name: a}, {name: b, set: {chip.adc.bits: 99}}]\n");
  try {
    compare_experiments(path, {});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              path +
                  ":2:38: options[1].set.chip.adc.bits = '99' is not a resolution; allowed: a whole number of "
                  "bits from 1 to 16, or ideal.");
  }
}

TEST_F(CompareRun, ViewsAgree) {
  const CompareResult result = run();
  const nlohmann::json json = nlohmann::json::parse(compare_json(result));
  EXPECT_EQ(json.at("options").at(0).at("energy_J").at("typical").get<double>(),
            result.options[0].point.energy_J.typical);
  EXPECT_EQ(json.at("options").at(2).at("refusal"), result.options[2].point.refusal);
  EXPECT_FALSE(json.at("options").at(2).contains("energy_J"));
  const std::string csv = compare_csv(result);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 4);
  const std::size_t commas =
      static_cast<std::size_t>(std::count(csv.begin(), csv.begin() + static_cast<long>(csv.find('\n')), ','));
  const std::string row = csv.substr(csv.find("as it is"), csv.find("six") - csv.find("as it is"));
  EXPECT_EQ(std::count(row.begin(), row.end(), ','), static_cast<long>(commas));
  EXPECT_NE(compare_table(result).find("refused: small: chip.tiles = 2 is not enough"), std::string::npos);
}

}  // namespace
}  // namespace tellegen::report
