#include "tellegen/sim/report/explain.h"

#include <gmock/gmock.h>

#include "hand_made.h"
#include "tellegen/base/error.h"

namespace tellegen::report {
namespace {

using testing::HasSubstr;

TEST(Explain, ShowsFormulaInputsCountsAndSource) {
  const Report report = make_report(hand_made_result());
  EXPECT_EQ(explain(report, "energy.conv1.adc", "run.h5"),
            "energy.conv1.adc: energy per image of adc in /conv1/Conv\n"
            "  value    100 pJ (50 pJ .. 400 pJ)   [1e-10 J]\n"
            "  spread   5e-11 J .. 4e-10 J\n"
            "  formula  actions / images x price of one action\n"
            "           input                       value  exact            number\n"
            "           actions                      2000  2000             count.conv1.conversions\n"
            "           images                         20  20               count.conv1.images\n"
            "           price of one action  1 pJ/actions  1e-12 J/actions  price.energy.conv1.adc\n"
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
            "  value    1 pJ/actions (500 fJ/actions .. 4 pJ/actions)   [1e-12 J/actions]\n"
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

TEST(Explain, ListsEveryNumber) {
  const Report report = make_report(hand_made_result());
  const std::string text = list_numbers(report);
  for (const std::string& id : report.numbers.ids()) EXPECT_THAT(text, HasSubstr(id));
}

}  // namespace
}  // namespace tellegen::report
