// Interventions on the positive tail of gated feed-forwards.

#include "tellegen/models/gated/tail_cut.h"

#include <gtest/gtest.h>

#include <cmath>

#include "language_model.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/selection.h"

namespace tellegen::models {
namespace {

using gating::TailIntervention;

constexpr TailIntervention kAll[] = {TailIntervention::cap, TailIntervention::decay, TailIntervention::remove};

std::shared_ptr<const Operation> pointwise(Pointwise::Kind kind, float a = 0) {
  return std::make_shared<const Pointwise>(kind, a);
}

Tensor run(const Operation& operation, const Tensor& input) {
  const Tensor* inputs[] = {&input};
  return operation.run(inputs);
}

Tensor grid() {
  Tensor x{{1, 1201}, {}};
  for (int i = -600; i <= 600; ++i) x.data.push_back(static_cast<float>(i) / 100);
  return x;
}

TEST(TailCut, OfSiluIsItsDefinition) {
  for (const TailIntervention kind : kAll) {
    const Tensor x = grid(), y = run(TailCut(pointwise(Pointwise::Kind::silu), kind, gating::kMemgluPeak), x);
    for (std::size_t i = 0; i < x.data.size(); ++i)
      EXPECT_NEAR(static_cast<double>(y.data[i]), gating::silu_with(kind, static_cast<double>(x.data[i])), 1e-6)
          << "at " << x.data[i];
  }
}

/// The decay has the shape of the closed-tail gate, so the gate itself stays.
TEST(TailCut, DecayLeavesTheClosedTailGate) {
  const Pointwise gate(Pointwise::Kind::tanh_sech, 1.5485F);
  const Tensor x = grid(), before = run(gate, x);
  for (const double threshold : {0.3, gating::kMemgluPeak, 2.0}) {
    const Tensor y = run(TailCut(std::make_shared<const Pointwise>(gate), TailIntervention::decay, threshold), x);
    for (std::size_t i = 0; i < x.data.size(); ++i) EXPECT_NEAR(y.data[i], before.data[i], 4e-7F);
  }
}

TEST(TailCut, MeetsTheActivationAtAnyThreshold) {
  for (const double threshold : {0.25, 1.0, 3.0}) {
    const auto at = static_cast<float>(threshold);
    const Tensor x{{1, 3}, {std::nextafter(at, 0.0F), at, 8.0F}}, before = run(Pointwise(Pointwise::Kind::gelu_erf), x);
    const auto cut = [&](TailIntervention kind) {
      return run(TailCut(pointwise(Pointwise::Kind::gelu_erf), kind, threshold), x).data;
    };
    EXPECT_EQ(cut(TailIntervention::cap)[0], before.data[0]);
    EXPECT_EQ(cut(TailIntervention::cap)[2], before.data[1]) << "what lies beyond is what the threshold gives";
    EXPECT_NEAR(cut(TailIntervention::decay)[1], before.data[1], 1e-6F);
    EXPECT_LT(cut(TailIntervention::decay)[2], 0.02F * before.data[1]);
    EXPECT_EQ(cut(TailIntervention::remove)[0], before.data[0]);
    EXPECT_EQ(cut(TailIntervention::remove)[1], 0.0F);
    EXPECT_EQ(cut(TailIntervention::remove)[2], 0.0F);
  }
}

TEST(TailCut, CutsEachActivationOfASelection) {
  const auto selection = std::make_shared<const Selection>(
      std::vector{Pointwise(Pointwise::Kind::relu), Pointwise(Pointwise::Kind::tanh)}, std::vector<std::size_t>{1, 0});
  const Tensor x{{1, 2}, {2.0F, 2.0F}};
  const Tensor y = run(TailCut(selection, TailIntervention::cap, 0.5), x);
  EXPECT_NEAR(y.data[0], std::tanh(0.5F), 1e-6F);
  EXPECT_EQ(y.data[1], 0.5F);
}

TEST(WithTailCut, ChangesTheGatesOfFeedForwardsOnly) {
  for (const auto& [name, gates] :
       {std::pair{"lm_swiglu", 3}, {"lm_memglu", 3}, {"lm_polyglu", 12}, {"lm_polyglu_frozen", 3}}) {
    const Network network = trained(name), changed = with_tail_cut(network, TailIntervention::cap);
    int cuts = 0;
    ASSERT_EQ(changed.nodes.size(), network.nodes.size());
    for (std::size_t i = 0; i < network.nodes.size(); ++i) {
      const bool cut = dynamic_cast<const TailCut*>(changed.nodes[i].operation.get()) != nullptr;
      cuts += cut ? 1 : 0;
      EXPECT_TRUE(cut || changed.nodes[i].operation == network.nodes[i].operation);
    }
    EXPECT_EQ(cuts, gates) << name;
  }
}

TEST(WithTailCut, FarThresholdsChangeNothingAndRemovingHurtsMostInSwiglu) {
  const Network network = trained("lm_swiglu");
  const auto set = windows_for(network);
  const Tensor input = set->batch(0, 2);
  const Tensor before = execute(network, input);
  for (const TailIntervention kind : kAll)
    EXPECT_EQ(execute(with_tail_cut(network, kind, 100), input).data, before.data);
  EXPECT_EQ(execute(with_tail_cut(network, TailIntervention::none), input).data, before.data);
  const auto nll = [&](TailIntervention kind) {
    return evaluate(with_tail_cut(network, kind), *set, {32, 16, 0})[0].value;
  };
  const double none = nll(TailIntervention::none), cap = nll(TailIntervention::cap),
               decay = nll(TailIntervention::decay), removed = nll(TailIntervention::remove);
  EXPECT_LT(none, cap);
  EXPECT_LT(cap, decay);
  EXPECT_LT(decay, removed);
}

}  // namespace
}  // namespace tellegen::models
