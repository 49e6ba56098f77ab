// The cost model and what it says.

#include "tellegen/circuits/crossbar/solver_choice.h"

#include <gmock/gmock.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

Wires array(std::int64_t rows, std::int64_t columns) {
  Wires out;
  out.rows = rows;
  out.columns = columns;
  return out;
}

TEST(SolverChoice, ManyVectorsAreWorthATransferMatrix) {
  for (const std::int64_t side : {64, 128, 256, 512}) {
    EXPECT_EQ(choose_solver(array(side, side), 1).solver, LinearSolver::line) << side;
    EXPECT_EQ(choose_solver(array(side, side), 1000).solver, LinearSolver::transfer) << side;
    // It changes its mind once.
    bool transfer = false;
    for (std::int64_t vectors = 1; vectors < 1000; vectors += 7) {
      const bool now = choose_solver(array(side, side), vectors).solver == LinearSolver::transfer;
      EXPECT_TRUE(now || !transfer) << side << ", " << vectors;
      transfer = now;
    }
  }
}

TEST(SolverChoice, SaysWhy) {
  EXPECT_THAT(choose_solver(array(256, 128), 1).reason,
              ::testing::MatchesRegex(
                  "estimated [0-9.]+ [mu]s for 1 input vector on 256 x 128 cells, against [0-9.]+ [mu]s by transfer"));
  EXPECT_THAT(choose_solver(array(64, 64), 500).reason,
              ::testing::MatchesRegex(
                  "estimated [0-9.]+ [mu]s for 500 input vectors on 64 x 64 cells, against [0-9.]+ [mu]s by line"));
  EXPECT_EQ(to_string(LinearSolver::reference), "reference");
  EXPECT_EQ(fallback_text(3, {.bound_A = 1.23e-9, .reached = false, .iterations = 17}),
            "Input vector 3: the line solver stopped at a bound of 1.2e-09 A after 17 iterations; the reference solver "
            "takes over.");
}

TEST(SolverChoice, CountsGrowAsTheWorkDoes) {
  const SolverChoice small = choose_solver(array(128, 128), 0);
  const SolverChoice large = choose_solver(array(256, 256), 0);
  EXPECT_NEAR(large.transfer.flops / small.transfer.flops, 8, 0.1);
  EXPECT_EQ(small.line.flops, 0);
  const SolverChoice wide = choose_solver(array(64, 512), 10);
  const SolverChoice tall = choose_solver(array(512, 64), 10);
  EXPECT_EQ(wide.transfer.flops, tall.transfer.flops);
}

TEST(SolverChoice, RefusesNonsense) {
  EXPECT_THAT([] { choose_solver(array(4, 4), -1); },
              ::testing::ThrowsMessage<InputError>("A job has '-1' input vectors; 0 or more are needed."));
  EXPECT_THROW(choose_solver(array(0, 4), 1), InputError);
}

}  // namespace
}  // namespace tellegen::circuits
