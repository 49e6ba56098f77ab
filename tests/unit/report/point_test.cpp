#include "tellegen/sim/report/point.h"

#include <gmock/gmock.h>

#include <limits>

#include "hand_made.h"
#include "real_run.h"
#include "tellegen/base/output_file.h"

namespace tellegen::report {
namespace {

Point without_result(NoResult reason, const std::string& why) {
  Point point;
  point.reason = reason;
  point.refusal = why;
  return point;
}

const Point kDone, kRefused = without_result(NoResult::refused, "The chip is too small."),
                   kWrong = without_result(NoResult::wrong_input, "set.h5: this is not an HDF5 file."),
                   kFault = without_result(NoResult::fault, "a fault of the program: x");

TEST(RunPoint, KeepsAnErrorOfOnePointAsItsAnswer) {
  const TemporaryFolder folder;
  write_text_file(folder / "set.h5", "no images here\n");
  sim::ExperimentConfig config = short_experiment();
  config.network.data = folder / "set.h5";
  sim::Session session(source_file("configs/costs"), 1);
  const Point point = run_point(session, config);
  EXPECT_FALSE(point.done());
  EXPECT_EQ(point.reason, NoResult::wrong_input);
  EXPECT_EQ(point.refusal, (folder / "set.h5").string() + ": this is not an HDF5 file.");
}

TEST(PointOf, SaysWhatIsNotFinite) {
  sim::RunResult result = hand_made_result();
  EXPECT_THAT(point_of(result).warnings, testing::IsEmpty());
  result.chips[1].signals[0].error = std::numeric_limits<double>::quiet_NaN();
  result.ledger.energy[3].energy_J.high = std::numeric_limits<double>::infinity();
  EXPECT_THAT(point_of(result).warnings,
              testing::ElementsAre("Outputs of a layer are not finite on the chip or in the float network: accuracies "
                                   "count arbitrary predictions.",
                                   "The energy has no finite value and is shown as '-'."));
}

TEST(PointOf, CountsWhatIsNotFiniteWhereNoSignalIsCompared) {
  sim::RunResult result = hand_made_result();
  for (sim::ChipResult& chip : result.chips) chip.signals = {{}, {}};
  result.events[1].not_finite = 1;
  EXPECT_THAT(point_of(result).warnings,
              testing::ElementsAre("Outputs of a layer are not finite on the chip or in the float network: accuracies "
                                   "count arbitrary predictions."));
}

TEST(RequireRightInput, ThrowsOnlyWhereThatOfAllPointsIsWrong) {
  EXPECT_NO_THROW(require_right_input({}));
  EXPECT_NO_THROW(require_right_input({&kWrong, &kDone}));
  EXPECT_NO_THROW(require_right_input({&kWrong, &kRefused}));
  try {
    require_right_input({&kWrong, &kWrong});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "set.h5: this is not an HDF5 file.");
  }
}

TEST(RequireResults, ThrowsWhereThereAreNoneOrTheProgramFailed) {
  EXPECT_NO_THROW(require_results({}));
  EXPECT_NO_THROW(require_results({&kRefused, &kWrong, &kDone}));
  EXPECT_THROW(require_results({&kDone, &kFault}), std::runtime_error);
  try {
    require_results({&kRefused, &kWrong});
    FAIL() << "no error";
  } catch (const RefusedError& error) {
    EXPECT_STREQ(error.what(),
                 "none of the 2 points could be done; the first: The chip is too small. All reasons are in the files.");
  }
}

TEST(RefusalLines, SayEachReasonOnce) {
  EXPECT_EQ(refusal_lines({&kRefused, &kDone, &kWrong, &kRefused}, {"4, a", "4, b", "8, a", "8, b"}),
            "refused: 4, a; 8, b: The chip is too small.\n"
            "refused: 8, a: set.h5: this is not an HDF5 file.\n");
  EXPECT_EQ(refusal_lines(std::vector<const Point*>(6, &kRefused), {"1", "2", "3", "4", "5", "6"}),
            "refused: 1; 2; 3; 4; and 2 more: The chip is too small.\n");
}

}  // namespace
}  // namespace tellegen::report
