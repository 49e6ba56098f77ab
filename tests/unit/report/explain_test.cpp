#include "tellegen/sim/report/explain.h"

#include <gmock/gmock.h>

#include <sstream>

#include "hand_made.h"
#include "tellegen/base/error.h"

namespace tellegen::report {
namespace {

using testing::HasSubstr;

TEST(Explain, ShowsFormulaInputsCountsAndSource) {
  const Report report = make_report(hand_made_result());
  EXPECT_EQ(explain(report, "energy.conv1.adc", "run.h5"),
            "energy.conv1.adc: energy per image of adc in /conv1/Conv\n"
            "  value    100 pJ (50.0 pJ .. 400 pJ)   [1e-10 J]\n"
            "  spread   5e-11 J .. 4e-10 J\n"
            "  formula  actions / images x price of one action\n"
            "           input                          value  exact            number\n"
            "           actions                         2000  2000             count.conv1.conversions\n"
            "           images                            20  20               count.conv1.images\n"
            "           price of one action  1.00 pJ/actions  1e-12 J/actions  price.energy.conv1.adc\n"
            "  source   by_hand (derived)\n"
            "\n"
            "count.conv1.conversions: conversions of /conv1/Conv, all images and chips\n"
            "  value    2000   [2000]\n"
            "  formula  sum over chips and images\n"
            "  source   counted while inferring\n"
            "\n"
            "count.conv1.images: images of /conv1/Conv, all images and chips\n"
            "  value    20   [20]\n"
            "  formula  sum over chips and images\n"
            "  source   counted while inferring\n"
            "\n"
            "price.energy.conv1.adc: energy of one action of adc in /conv1/Conv\n"
            "  value    1.00 pJ/actions (0.500 pJ/actions .. 4.00 pJ/actions)   [1e-12 J/actions]\n"
            "  spread   5e-13 J/actions .. 4e-12 J/actions\n"
            "  formula  a * b\n"
            "           input  value  exact  number\n"
            "           a_V        2  2\n"
            "           b_C    5e-13  5e-13\n"
            "  source   by_hand (derived)\n");
}

TEST(Explain, NamesTheLayersOfATotal) {
  const std::string text = explain(make_report(hand_made_result()), "energy", "run.h5");
  EXPECT_THAT(text, HasSubstr("formula  sum of its parts"));
  EXPECT_THAT(text, HasSubstr("energy.conv1\n"));
  EXPECT_THAT(text, HasSubstr("energy.gemm3\n"));
}

TEST(Explain, ProposesAnIdForAnUnknownOne) {
  try {
    explain(make_report(hand_made_result()), "enrgy", "out/run.h5");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "out/run.h5: 'enrgy' is not a number of this report; did you mean 'energy'? 'tellegen explain "
                 "out/run.h5' lists all of "
                 "them.");
  }
}

TEST(Explain, ProposesByTheBeginningOfAnId) {
  const Report report = make_report(hand_made_result());
  for (const auto& [wanted, proposed] :
       {std::pair{"accuracy", "accuracy.chip"}, std::pair{"accuracy.f", "accuracy.float"},
        std::pair{"snr", "snr.conv1"}, std::pair{"energy.gemm", "energy.gemm3.adc"}}) {
    try {
      explain(report, wanted, "run.h5");
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), std::string("run.h5: '") + wanted + "' is not a number of this report; did you mean '" +
                                  proposed + "'? 'tellegen explain run.h5' lists all of them.");
    }
  }
}

TEST(Explain, ListsHeadlineFiguresFirst) {
  const std::string text = list_numbers(make_report(hand_made_result()));
  std::vector<std::string> first;
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  for (int i = 0; i < 4 && std::getline(lines, line); ++i) first.push_back(line.substr(0, line.find(' ')));
  EXPECT_THAT(first, testing::ElementsAre("accuracy.chip", "accuracy.float", "energy", "area"));
}

TEST(Explain, ShowsADashAndTheReasonWhereThereIsNoFiniteValue) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals[0] = {};
  result.config.evaluate.snr_samples = 0;
  EXPECT_THAT(explain(make_report(result), "snr.conv1", "run.h5"), HasSubstr("\n  value    -   [-]\n"));
  EXPECT_THAT(explain(make_report(result), "snr.conv1", "run.h5"),
              HasSubstr("\n  note     No signal to noise is measured: evaluate.snr_samples is 0.\n"));
}

TEST(Explain, ListsEveryNumber) {
  const Report report = make_report(hand_made_result());
  const std::string text = list_numbers(report);
  for (const std::string& id : report.numbers.ids()) EXPECT_THAT(text, HasSubstr(id));
}

}  // namespace
}  // namespace tellegen::report
