// The report as table, JSON and CSV.

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "hand_made.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/run_table.h"

namespace tellegen::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

TEST(RunTable, OfAHandMadeResult) {
  EXPECT_EQ(run_table(make_report(hand_made_result())),
            "by_hand on 128 x 128 ideal tiles, 8-bit DAC, 8-bit ADC, fresh    2 chips, 10 images, seed 1\n"
            "\n"
            "layer  op        tiles      use  out SNR  clipped  energy/image  share         area  share  latency\n"
            "conv1  conv 3x3      1  25.00 %  20.0 dB   1.00 %        140 pJ   78 %  0.00400 mm2   67 %  10.0 ns\n"
            "gemm3  linear        1  25.00 %  23.0 dB   1.00 %       40.0 pJ   22 %  0.00200 mm2   33 %  30.0 ns\n"
            "---------------------------------------------------------------------------------------------------\n"
            "total                2  25.00 %                          180 pJ         0.00600 mm2         40.0 ns\n"
            "\n"
            "accuracy   float 100.00 %   chip 85.00 % +- 63.53 (95 %)\n"
            "energy     180 pJ (90.0 pJ .. 720 pJ) per image    adc 67 %  dac 22 %  activation 11 %\n"
            "area       0.00600 mm2 (0.00300 mm2 .. 0.0120 mm2)    adc 100 %\n"
            "speed      latency 40.0 ns   0.0500 TOPS   11.1 TOPS/W (2.78 TOPS/W .. 22.2 TOPS/W)   8.33 TOPS/mm2\n"
            "version 0.0.0, configuration 0123456789abcdef\n");
}

TEST(RunTable, NamesWhatASampleIs) {
  Report report = make_report(hand_made_result());
  report.sample = "window";
  const std::string text = run_table(report);
  EXPECT_THAT(text, HasSubstr("energy/window"));
  EXPECT_THAT(text, HasSubstr("(90.0 pJ .. 720 pJ) per window"));
  EXPECT_THAT(text, testing::Not(HasSubstr("per image")));
}

TEST(RunTable, ShowsEachWarningOnce) {
  sim::RunResult result = hand_made_result();
  for (sim::EnergyRow& row : result.ledger.energy) row.price.from.warnings = {"The law is extrapolated."};
  const std::string text = run_table(make_report(result));
  const std::size_t first = text.find("note: The law is extrapolated.\n");
  ASSERT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("The law is extrapolated.", first + 10), std::string::npos);
}

TEST(RunTable, SaysWhereAllChipsAreEqual) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.accuracy = 0.9;
  const double accuracies[] = {0.9, 0.9};
  result.accuracy = mean_interval(accuracies);
  EXPECT_THAT(run_table(make_report(result)),
              HasSubstr("\naccuracy   float 100.00 %   chip 90.00 % (all chips equal)\n"));
}

TEST(RunTable, SaysWhySignalsAreNotMeasured) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals = {{}, {}};
  result.config.evaluate.snr_samples = 0;
  const std::string text = run_table(make_report(result));
  EXPECT_THAT(text, HasSubstr("\nconv1  conv 3x3      1  25.00 %        -   1.00 % "));
  EXPECT_THAT(text, HasSubstr("\nnote: No signal to noise is measured: evaluate.snr_samples is 0.\nversion"));
}

TEST(RunTable, SaysWhereOutputsAreNotFinite) {
  sim::RunResult result = hand_made_result();
  result.chips[1].signals[0].error = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(run_table(make_report(result)),
              HasSubstr("\nnote: Outputs of a layer are not finite on the chip or in the float network: accuracies "
                        "count arbitrary predictions. Its signal to noise is shown as '-'.\n"));
}

TEST(RunTable, CountsOutputsThatAreNotFinite) {
  sim::RunResult result = hand_made_result();
  result.config.evaluate.snr_samples = 0;
  result.events[1].not_finite = 30;
  EXPECT_THAT(run_table(make_report(result)),
              HasSubstr("\nnote: 30 outputs of /3/Gemm are not finite: accuracies count arbitrary predictions.\n"));
}

TEST(RunTable, NamesWhatHasNoFiniteValue) {
  sim::RunResult result = hand_made_result();
  result.ledger.energy[3].energy_J.high = std::numeric_limits<double>::infinity();
  const std::string text = run_table(make_report(result));
  EXPECT_THAT(text, HasSubstr("\nnote: without a finite value, shown as '-': energy.gemm3.activation_relu, "
                              "energy.gemm3, energy.all.activation_relu, energy\n"));
  EXPECT_THAT(text, HasSubstr("\nenergy     180 pJ (90.0 pJ .. -) per image"));
}

TEST(ComponentShares, AddUpToOneAndPutActivationsTogether) {
  const auto shares = component_shares(make_report(hand_made_result()), "energy");
  EXPECT_THAT(shares,
              ElementsAre(Pair("adc", testing::DoubleEq(120.0 / 180)), Pair("dac", testing::DoubleEq(40.0 / 180)),
                          Pair("activation", testing::DoubleEq(20.0 / 180))));
}

TEST(ReportJson, HoldsEveryNumber) {
  const Report report = make_report(hand_made_result());
  const nlohmann::json json = nlohmann::json::parse(report_json(report));
  EXPECT_EQ(json.at("config_hash"), "0123456789abcdef");
  EXPECT_EQ(json.at("layers").at(1).at("name"), "/3/Gemm");
  ASSERT_EQ(json.at("numbers").size(), report.numbers.all().size());
  for (std::size_t i = 0; i < report.numbers.all().size(); ++i) {
    EXPECT_EQ(json.at("numbers").at(i).at("id"), report.numbers.all()[i].id);
    EXPECT_EQ(json.at("numbers").at(i).at("value").get<double>(), report.numbers.all()[i].value);
  }
}

TEST(ReportJson, HasNullForWhatIsNotFinite) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals[0].error = 0;
  const nlohmann::json json = nlohmann::json::parse(report_json(make_report(result)));
  for (const nlohmann::json& number : json.at("numbers")) {
    EXPECT_EQ(number.at("value").is_null(), number.at("id") == "snr.conv1") << number.at("id");
  }
}

TEST(ReportJson, SaysWhyAValueIsNull) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals[0].error = 0;
  const nlohmann::json json = nlohmann::json::parse(report_json(make_report(result)));
  for (const nlohmann::json& number : json.at("numbers")) {
    if (number.at("id") != "snr.conv1") continue;
    EXPECT_THAT(number.at("warnings"),
                ElementsAre("Where chip and float network agree exactly, the signal to noise has no finite value and "
                            "is shown as '-'."));
  }
}

TEST(ReportJson, ReplacesBytesOfAPathThatAreNotUtf8) {
  sim::RunResult result = hand_made_result();
  result.config.network.onnx = "caf\xE9.onnx";
  const nlohmann::json json = nlohmann::json::parse(report_json(make_report(result)));
  EXPECT_THAT(json.at("source").get<std::string>(), HasSubstr("network caf\xEF\xBF\xBD.onnx, "));
}

TEST(LayersCsv, IsEmptyWhereAValueIsNotFinite) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals[0] = {};
  EXPECT_THAT(layers_csv(make_report(result)), HasSubstr("\nconv1,/conv1/Conv,conv 3x3,1,0.25,,0.01,"));
}

TEST(LayersCsv, HasOneRowPerLayer) {
  EXPECT_EQ(layers_csv(make_report(hand_made_result())),
            "layer,name,operation,tiles,utilisation,snr_dB,clipped,faults,latency_s,energy_J,energy_low_J,energy_high_"
            "J,energy_adc_J,"
            "energy_dac_J,energy_activation_relu_J,area_m2,area_low_m2,area_high_m2,area_adc_m2\n"
            "conv1,/conv1/Conv,conv "
            "3x3,1,0.25,20,0.01,0.01,1e-08,1.4e-10,7e-11,5.6e-10,1e-10,4e-11,,4e-09,2e-09,8e-09,4e-09\n"
            "gemm3,/3/"
            "Gemm,linear,1,0.25,23.010299956639813,0.01,0.03,3e-08,4e-11,2e-11,1.6e-10,2e-11,,2e-11,2e-09,1e-09,4e-09,"
            "2e-09\n");
}

}  // namespace
}  // namespace tellegen::report
