// Operations between the arrays, counted by hand.

#include "tellegen/sim/engine/digital_work.h"

#include <gtest/gtest.h>

#include "engine_fixture.h"
#include "tellegen/mapping/products.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::sim {
namespace {

using Work = std::map<std::string, std::int64_t>;

/// Work of the layers with a state of a network for two samples, and how many elements their states had over all steps.
std::pair<Work, std::int64_t> recurrent_work(const std::string& name) {
  const Workload workload =
      load(test::experiment(name, "", {{"evaluate.samples", "2"}, {"evaluate.calibration_samples", "2"}}), 1);
  Work work;
  std::int64_t elements = 0;
  models::Hooks hooks;
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    elements += matrix == 0 ? states.size() : 0;
    const models::Tensor* inputs[] = {&states};
    return mapping::product_operation(workload.network, index, matrix).run(inputs);
  };
  hooks.observer = [&](const models::Node& node, std::size_t, const models::Tensor& output) {
    if (dynamic_cast<const models::Recurrent*>(node.operation.get()) == nullptr) return;
    for (const auto& [unit, operations] : digital_work(workload.network, node, output)) work[unit] += operations;
  };
  models::execute(workload.network, workload.data.batch(0, 2), hooks);
  return {work, elements};
}

/// i, f, o and g; c = f c + i g, h = o tanh(c); four gates add two products each.
TEST(DigitalWork, OfAnLstmIsThatOfItsGates) {
  const auto [work, n] = recurrent_work("lstm_mnist");
  ASSERT_GT(n, 0);
  EXPECT_EQ(work, (Work{{"sigmoid", 3 * n}, {"tanh", 2 * n}, {"multiply", 3 * n}, {"add", 5 * n}}));
}

/// z, r and n; r scales one product, h = (1 - z) n + z h; three gates add two products each.
TEST(DigitalWork, OfAGruIsThatOfItsGates) {
  const auto [work, n] = recurrent_work("gru_mnist");
  ASSERT_GT(n, 0);
  EXPECT_EQ(work, (Work{{"sigmoid", 2 * n}, {"tanh", n}, {"multiply", 3 * n}, {"add", 5 * n}}));
}

}  // namespace
}  // namespace tellegen::sim
