#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_config.h"

namespace tellegen {
namespace {

using testing_support::Chip;

std::vector<std::string> rows() {
  std::vector<std::string> result;
  for (const ManualRow& row : config_manual<Chip>()) {
    result.push_back(row.path + " | " + row.kind + " | " + row.allowed + " | " + row.default_value + " | " + row.help +
                     (row.when.empty() ? "" : " | " + row.when));
  }
  return result;
}

TEST(ConfigManual, OneRowPerSettingInOrder) {
  EXPECT_THAT(rows(),
              testing::ElementsAre(  //
                  "title | text |  | chip | for reports", "costs | path |  | costs.yaml | cost table",
                  "tiles | whole number, or none | at least 1 | none | how many there are",
                  "wire | quantity (ohm, kohm, Mohm) | at least 0 | 1 ohm | resistance of a segment",
                  "adc.bits | whole number | 1 to 16 | 8 | resolution of one conversion",
                  "adc.range.method | one of max, percentile, analytic |  | percentile | how the full scale is found",
                  "adc.range.percentile | number | 0 to 100 | 99.9 | of the magnitudes",
                  "adc.enob | number, or none | above 0 | none | effective number of bits",
                  "seed | whole number |  | 1 | of all draws", "tile.rows | whole number | at least 1 | 128 | inputs",
                  "tile.slices | whole number | at least 1 | 1 | cells per weight",
                  "tile.square | true or false |  | false | as many columns as rows",
                  "device.model | one of ideal, pcm_joshi, lognormal_memristor |  | ideal | the physics of a cell",
                  "device.g_min | quantity (uS, mS) | at least 0 | 1 uS | smallest conductance",
                  "device.g_max | quantity (uS, mS) | above 0 | 100 uS | largest conductance",
                  "device.t0 | quantity (ns, us, ms, s, hour, day, year) | above 0 | 1 s | first read | device.model = "
                  "pcm_joshi, lognormal_memristor",
                  "device.age | quantity (ns, us, ms, s, hour, day, year) | at least 0 | 0 ns | time since programming "
                  "| device.model = pcm_joshi",
                  "device.spread | number | at least 0 | 0.02 | of the logarithm | device.model = lognormal_memristor",
                  "front_end.bias | quantity (nA, uA, mA) | 1 pA to 1 uA | 10 nA | of the tail",
                  "sigmas | list of number | at least 0 | [0.05, 0.1] | of the noise",
                  "levels | list of quantity (mV, V) |  | [] | of the driver",
                  "alternatives | list of mappings |  |  | what is compared",
                  "alternatives[].name | text |  | unnamed | in the table",
                  "alternatives[].adc.bits | whole number | 1 to 16 | 8 | resolution of one conversion",
                  "alternatives[].adc.range.method | one of max, percentile, analytic |  | percentile | how the full "
                  "scale is found",
                  "alternatives[].adc.range.percentile | number | 0 to 100 | 99.9 | of the magnitudes",
                  "alternatives[].adc.enob | number, or none | above 0 | none | effective number of bits",
                  "sweep | mapping of names to lists |  |  | axes"));
}

struct Needs {
  std::string onnx;
  void settings(Settings& v) { v("onnx", onnx, "the network", required()); }
};

TEST(ConfigManual, SaysWhatHasNoDefault) {
  const auto manual = config_manual<Needs>();
  ASSERT_EQ(manual.size(), 1u);
  EXPECT_EQ(manual[0].default_value, "required");
}

}  // namespace
}  // namespace tellegen
