#include "tellegen/sim/cli/manual.h"

#include <gmock/gmock.h>

#include "tellegen/sim/engine/experiment.h"

namespace tellegen::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<ManualRow> kRows = {{"chip.adc.bits", "whole number", "1 to 16", "8", "resolution", ""},
                                      {"chip.adc_free", "text", "", "", "something else", "device.model = a, b"}};

TEST(Manual, ShowsTheGroupThatIsAskedFor) {
  EXPECT_EQ(manual_text(kRows, "chip.adc"), "chip.adc.bits: resolution\n    whole number; 1 to 16; default 8\n");
  EXPECT_EQ(manual_text(kRows, "chip.adc_free"),
            "chip.adc_free: something else\n    text; only where device.model = a, b\n");
}

TEST(Manual, ProposesForAnUnknownSetting) {
  try {
    manual_text(kRows, "chip.adc.bit");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "'chip.adc.bit' is not a setting or a group of settings; did you mean 'chip.adc.bits'? 'tellegen help "
                 "config' lists all of "
                 "them.");
  }
}

TEST(Manual, CoversTheWholeExperiment) {
  const std::string text = manual_text(config_manual<sim::ExperimentConfig>(), "");
  for (const char* setting : {"network.onnx:", "chip.tile.rows:", "chip.device.model:", "chip.adc.range.method:",
                              "costs.adc:", "evaluate.seed:"}) {
    EXPECT_THAT(text, HasSubstr(setting));
  }
  EXPECT_THAT(text, Not(HasSubstr("beside")));
}

}  // namespace
}  // namespace tellegen::cli
