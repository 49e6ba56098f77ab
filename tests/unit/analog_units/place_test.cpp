// Which activations and softmaxes get circuits between converters, and what is said of the others.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine_fixture.h"
#include "tellegen/base/error.h"
#include "tellegen/mapping/analog_units.h"
#include "tellegen/models/operators/selection.h"

namespace tellegen::sim {
namespace {

using testing::HasSubstr;

const std::string kGate = "chip.analog_units.gate.circuit", kSoftmax = "chip.analog_units.softmax.circuit";

RunResult planned(const std::string& network, const Overrides& overrides) {
  return Session(test::kCosts).plan_only(test::experiment(network, "", overrides));
}

const mapping::Edge* edge_of(const RunResult& result, const std::string& activation) {
  const auto found = std::find_if(result.edges.begin(), result.edges.end(),
                                  [&](const mapping::Edge& edge) { return edge.activation == activation; });
  return found == result.edges.end() ? nullptr : &*found;
}

TEST(AnalogUnitPlacement, GivesEveryNeuronOfAMemgluAUnit) {
  const RunResult result = planned("lm_memglu", {{kGate, "memglu_pairs"}});
  ASSERT_EQ(result.plan.analog_units.size(), 3U);
  for (const mapping::AnalogUnit& unit : result.plan.analog_units) {
    ASSERT_EQ(unit.groups.size(), 1U);
    EXPECT_EQ(unit.groups[0].function, "tanh sech");
    EXPECT_EQ(unit.outputs(), 256);
    EXPECT_EQ(unit.positions, 128);
    EXPECT_EQ(unit.groups[0].x_scale, 1);
  }
  const mapping::Edge* edge = edge_of(result, "/layers.0/gate/Mul");
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->unit, "256 x memglu_pairs");
  EXPECT_EQ(edge->why, "By circuits of chip.analog_units.gate between DACs and ADCs.");
  EXPECT_EQ(edge_of(result, "/layers.0/Softmax"), nullptr) << "nobody asked for softmax";
}

TEST(AnalogUnitPlacement, GivesEveryHeadASoftmaxCircuit) {
  const RunResult result = planned("vit_mnist", {{kSoftmax, "softmax_tree"}});
  ASSERT_FALSE(result.plan.analog_units.empty());
  const mapping::AnalogUnit& unit = result.plan.analog_units[0];
  EXPECT_EQ(unit.row, 16);
  EXPECT_EQ(unit.heads, 4);
  EXPECT_EQ(unit.positions, 16);
  EXPECT_EQ(unit.outputs(), 64);
  const mapping::Edge* edge = edge_of(result, "/blocks/blocks.0/Softmax");
  ASSERT_NE(edge, nullptr);
  EXPECT_EQ(edge->unit, "4 x softmax_tree of 16 inputs");
  EXPECT_EQ(edge->reader, "/blocks/blocks.0/MatMul_1");
  const mapping::Edge* gelu = edge_of(result, "/blocks/blocks.0/act/Mul_1");
  ASSERT_NE(gelu, nullptr);
  EXPECT_EQ(gelu->unit, "") << "nobody asked for gates";
}

/// Its graph holds constants without dimensions as well, which are no activations.
TEST(AnalogUnitPlacement, GivesRoutedActivationsUnitsOfTheirOwn) {
  const RunResult result = planned("lm_polyglu", {{kGate, "differential_pair"}});
  ASSERT_EQ(result.plan.analog_units.size(), 15U) << "four activations and the router's, in three layers";
  std::multiset<std::string> functions;
  for (const mapping::AnalogUnit& unit : result.plan.analog_units) {
    ASSERT_EQ(unit.groups.size(), 1U);
    functions.insert(unit.groups[0].function);
  }
  for (const char* const function : {"tanh", "silu", "gelu (erf)"}) EXPECT_EQ(functions.count(function), 3U);
  EXPECT_EQ(functions.count("relu"), 6U);
}

TEST(AnalogUnitPlacement, GivesNeuronsTheCircuitOfTheirOwnActivation) {
  const RunResult result = planned("lm_polyglu_alpha_frozen", {{kGate, "differential_pair"}});
  ASSERT_EQ(result.plan.analog_units.size(), 3U);
  std::set<std::string> functions;
  for (const mapping::AnalogUnit& unit : result.plan.analog_units) {
    const auto& selection =
        dynamic_cast<const models::Selection&>(*result.workload->network.nodes[unit.node].operation);
    std::vector<bool> seen(256, false);
    for (const mapping::UnitGroup& group : unit.groups) {
      functions.insert(group.function);
      for (const std::int64_t neuron : group.neurons) {
        const auto n = static_cast<std::size_t>(neuron);
        EXPECT_FALSE(seen[n]);
        seen[n] = true;
        EXPECT_EQ(selection.palette()[selection.choice()[n]].label(), group.function);
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), 256);
  }
  EXPECT_GT(functions.size(), 1U);
}

TEST(AnalogUnitPlacement, CountsChannelsOfConvolutionsAsNeurons) {
  const RunResult result = planned("cnn_silu_mnist", {{kGate, "differential_pair"}});
  ASSERT_FALSE(result.plan.analog_units.empty());
  const mapping::AnalogUnit& unit = result.plan.analog_units[0];
  EXPECT_EQ(unit.axis, 1U);
  EXPECT_EQ(unit.outputs(), result.plan.layers[0].outputs());
  EXPECT_EQ(unit.positions, result.plan.layers[0].positions);
}

TEST(AnalogUnitPlacement, LeavesToRowsWhatGatesInFrontOfThemTake) {
  const RunResult digital = planned("cnn_silu_mnist", {{kGate, "differential_pair"}}),
                  rows = planned("cnn_silu_mnist", {{kGate, "differential_pair"}, {"chip.boundary", "tg_after_dac"}});
  EXPECT_EQ(digital.plan.analog_units.size(), 4U);
  EXPECT_EQ(rows.plan.analog_units.size(), 1U) << "three of four move in front of a product";
}

template <class Error>
std::string message(const std::string& network, const Overrides& overrides) {
  try {
    planned(network, overrides);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(AnalogUnitPlacement, RefusesRowsLongerThanItsCircuits) {
  EXPECT_EQ(
      message<RefusedError>("lm_swiglu",
                            {{kSoftmax, "softmax_array"}, {"chip.analog_units.softmax.longest_row", "64"}}),
      "The softmax '/layers.0/Softmax' has rows of 128 inputs, and a circuit has at most 64: a sum of currents is "
      "not cut in two. Raise chip.analog_units.softmax.longest_row, or keep softmax digital (circuit: none).");
}

TEST(AnalogUnitPlacement, RefusesWhatIsNotThere) {
  EXPECT_EQ(message<InputError>("lm_swiglu", {{kGate, "memglu_pairs"}}),
            "chip.analog_units.gate.circuit = 'memglu_pairs' finds nothing to compute in the network 'lm_swiglu': no "
            "activation is left that it can be. Take another circuit, or none.");
  EXPECT_EQ(
      message<InputError>("mlp_mnist", {{kSoftmax, "softmax_array"}}),
      "chip.analog_units.softmax.circuit = 'softmax_array' finds nothing to compute in the network 'mlp_mnist': it "
      "has no softmax whose samples stand apart. Set none.");
}

TEST(AnalogUnitPlacement, RefusesDacsThatCannotDriveIt) {
  EXPECT_THAT(
      message<InputError>("lm_memglu", {{kGate, "memglu_pairs"}, {"chip.dac.streaming", "bit_serial"}}),
      HasSubstr("chip.dac.streaming = 'bit_serial' cannot drive analog units: a circuit needs its whole input at "
                "once. Set chip.dac.streaming: full, or leave chip.analog_units out."));
  EXPECT_THAT(
      message<InputError>("lm_memglu", {{kGate, "memglu_pairs"}, {"chip.dac.kind", "pwm"}}),
      HasSubstr("chip.dac.kind = 'pwm' cannot drive analog units: a circuit takes a voltage, not the width of a "
                "pulse. Take another kind, or leave chip.analog_units out."));
}

}  // namespace
}  // namespace tellegen::sim
