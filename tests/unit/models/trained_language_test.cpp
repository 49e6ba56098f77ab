// The language models on all windows of their test set: NLL as recorded, and memory that does not grow with their number.

#include <sys/resource.h>

#include <cmath>

#include "trained_network.h"

namespace tellegen::models {
namespace {

class LanguageModel : public testing::TestWithParam<std::string> {};

TEST_P(LanguageModel, ReachesItsRecordedNllOnAllWindows) {
  const Trained trained(GetParam());
  const auto& metric = trained.record["metric"];
  const auto figures = evaluate(trained.network, *trained.set, {0, 4, 0});
  EXPECT_NEAR(value_of(figures, "nll"), metric["value"].get<double>(), 2e-6);
  EXPECT_NEAR(value_of(figures, "perplexity"), metric["perplexity"].get<double>(), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(All, LanguageModel,
                         testing::Values("lm_memglu", "lm_polyglu", "lm_polyglu_alpha", "lm_polyglu_alpha_frozen",
                                         "lm_polyglu_frozen", "lm_swiglu"),
                         [](const auto& parameter) { return parameter.param; });

long peak_kB() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// All outputs together would be 3798 x 128 x 128 floats, 249 MB.
TEST(Memory, DoesNotGrowWithTheWindows) {
  const Trained trained("lm_swiglu");
  evaluate(trained.network, *trained.set, {100, 4, 1});
  const long before = peak_kB();
  evaluate(trained.network, *trained.set, {1000, 4, 1});
  EXPECT_LT(peak_kB() - before, 4 * 1024);
}

}  // namespace
}  // namespace tellegen::models
