// A run says which solvers its crossbars used, and names those that are slow.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_fixture.h"
#include "tellegen/sim/engine/solver_log.h"

namespace tellegen::sim {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

std::vector<std::string> log_of(const std::string& chip) {
  const ExperimentConfig config = test::experiment(
      "mlp_mnist",
      "chip: {" + chip + "}\nevaluate: {samples: 2, chips: 1, calibration_samples: 2, batch: 2, snr_samples: 0}");
  return Session(test::kCosts, 1).run(config).log;
}

const std::string kSmall = "tile: {rows: 64, columns: 64}, device: {model: pcm_joshi}, ";

TEST(SolverLog, IsEmptyWhereNothingIsSolved) {
  EXPECT_THAT(log_of(kSmall + "crossbar: {fidelity: functional}"), IsEmpty());
  EXPECT_THAT(log_of("device: {model: ideal}, crossbar: {fidelity: ideal}"), IsEmpty());
}

TEST(SolverLog, NamesTheTransferMatrixAndWhyItWasChosen) {
  const auto log = log_of(kSmall + "crossbar: {fidelity: circuit}");
  // 784 x 256, 256 x 128 and 128 x 10 weights in pairs of columns: 13 x 8 + 4 x 4 + 2 tiles of 64 x 64.
  EXPECT_THAT(log,
              ElementsAre(AllOf(StartsWith("Wires are solved exactly by a transfer matrix for each of 122 tiles, "
                                           "made once for each chip. Largest tile: estimated "),
                                HasSubstr(" for 2 input vectors on 64 x 64 cells, against ")),
                          "Read noise passes the wires by two products per read, outputs independent of each other "
                          "(chip.crossbar.read_noise: fast).",
                          "The power of cells and wires is worked out for one read in 66 and scaled with the "
                          "drives of the others."));
  EXPECT_THAT(log, Not(Contains(HasSubstr("Slow"))));
}

TEST(SolverLog, SaysThatDrawnCellsAreSlow) {
  EXPECT_THAT(log_of("tile: {rows: 16, columns: 16}, device: {model: pcm_joshi}, "
                     "crossbar: {fidelity: circuit, read_noise: exact}"),
              Contains("Slow: read noise is drawn for every cell and every read (chip.crossbar.read_noise: exact)."));
}

TEST(SolverLog, SaysThatNewtonsMethodIsSlow) {
  EXPECT_THAT(
      log_of("tile: {rows: 64, columns: 64}, device: {model: generic, iv: {law: sinh, v0: 0.25 V}}, "
             "crossbar: {fidelity: circuit}"),
      ElementsAre("Slow: cells of the law 'sinh' behind wires are solved by Newton's method, one read after the "
                  "other: 122 for each image and chip. Without wires (chip.crossbar.fidelity: functional) they "
                  "are matrix products."));
}

TEST(SolverLog, SaysThatNoiseOfSeveralTermsIsSlow) {
  const auto log_of_law = [](const std::string& law) {
    return log_of("device: {model: generic, iv: {law: " + law + "}}, crossbar: {fidelity: functional}");
  };
  EXPECT_THAT(log_of_law("milo"),
              ElementsAre("Cells of the law 'milo' are three matrix products per read, exact. Slow: "
                          "where the device has read noise, every cell is drawn for every read "
                          "instead."));
  EXPECT_THAT(log_of_law("cubic"), ElementsAre("Cells of the law 'cubic' are one matrix product per read, exact."));
}

}  // namespace
}  // namespace tellegen::sim
