// Threshold gates on arrays: as in double, and the same bits for every vector unit and length.

#include "tellegen/models/gating/gate_batch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {
namespace {

std::vector<float> inputs() {
  std::vector<float> x;
  for (int i = -4000; i <= 4000; ++i) x.push_back(static_cast<float>(i) / 400);
  for (const float far : {-1000.0F, -100.0F, -88.0F, 88.0F, 100.0F, 1000.0F}) x.push_back(far);
  return x;
}

double largest_branch(const ThresholdGate& gate, double x) {
  double largest = 1;
  for (std::size_t k = 0; k < gate.branches(); ++k)
    largest = std::max(largest, std::abs(gate.slope[k] * x + gate.constant[k]));
  return largest;
}

void expect_as_double(const ThresholdGate& gate, const std::string& what) {
  const std::vector<float> x = inputs();
  std::vector<float> y(x.size());
  evaluate(gate, x, y);
  double worst = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Hard gates decide on thresholds as they are in float.
    const double in = static_cast<double>(x[i]);
    worst = std::max(worst, std::abs(static_cast<double>(y[i]) - value(gate, in)) / largest_branch(gate, in));
  }
  EXPECT_LT(worst, 4e-7) << what;
}

TEST(GateBatches, EveryFormIsAsInDouble) {
  for (const Form& form : form_catalog()) expect_as_double(form.gate, form.name);
}

TEST(GateBatches, EveryConstructionAndKernelIsAsInDouble) {
  for (const Construction construction : {Construction::telescoping, Construction::cascade, Construction::unequal})
    for (const Kernel kernel : {Kernel::logistic, Kernel::ramp, Kernel::erf})
      expect_as_double({kernel, construction, {1.5}, {-1.5, 0.25, 2}, {0, 0.5, -0.25, 1}, {0.5, 0, 1, -2}},
                       std::string(name(construction)) + " " + std::string(name(kernel)));
  expect_as_double(
      {Kernel::logistic, Construction::normalised, {1.5, 3, 0.5}, {2, 0.25, -1}, {0, 0.5, -0.25, 1}, {0.5, 0, 1, -2}},
      "normalised");
}

TEST(GateBatches, EveryVectorUnitGivesTheSameBits) {
  for (const Form& form : form_catalog()) {
    const std::vector<float> x = inputs();
    std::vector<float> plain(x.size());
    evaluate(form.gate, x, plain, VectorUnit::baseline);
    for (const VectorUnit unit : vector_units) {
      if (!is_supported(unit)) continue;
      std::vector<float> y(x.size());
      evaluate(form.gate, x, y, unit);
      EXPECT_EQ(std::memcmp(plain.data(), y.data(), y.size() * sizeof(float)), 0) << form.name;
    }
  }
}

TEST(GateBatches, LengthAndPlaceDoNotMatterAndOutputMayBeInput) {
  const ThresholdGate& gate = form_named("gelu_k3_tails_minimax").gate;
  const std::vector<float> x = inputs();
  std::vector<float> whole(x.size());
  evaluate(gate, x, whole);
  for (const std::size_t length : {std::size_t{0}, std::size_t{1}, std::size_t{255}, std::size_t{257}}) {
    std::vector<float> part(x.begin() + 3, x.begin() + 3 + static_cast<std::ptrdiff_t>(length));
    evaluate(gate, part, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + 3)) << length;
  }
}

}  // namespace
}  // namespace tellegen::models::gating
