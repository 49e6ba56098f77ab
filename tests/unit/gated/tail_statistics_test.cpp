// What lies beyond the peak, against what PyTorch measured when the networks were trained.

#include "tellegen/models/gated/tail_statistics.h"

#include <gtest/gtest.h>

#include "language_model.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/gated/gated_layer.h"
#include "tellegen/models/gated/tail_cut.h"

namespace tellegen::models {
namespace {

using gating::TailRegion;

/// Of the training script in PyTorch, over the first 64 windows, layer by layer.
struct Recorded {
  double input_rms, above, beyond, gate_rms, energy_above, energy_beyond;
};
struct Case {
  const char* network;
  std::vector<Recorded> layers;
};

class RecordedTails : public testing::TestWithParam<Case> {};

/// Two million inputs: a few round to the other side of the threshold.
TEST_P(RecordedTails, AreMeasuredAgain) {
  const Network network = trained(GetParam().network);
  const auto set = windows_for(network);
  const auto one = tail_statistics(network, *set, {64, 16, 0}, TailRegion::positive);
  const auto two = tail_statistics(network, *set, {64, 16, 0}, TailRegion::two_sided);
  ASSERT_EQ(one.size(), GetParam().layers.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    const Recorded& recorded = GetParam().layers[i];
    EXPECT_NEAR(one[i].occupancy, recorded.above, 4e-6);
    EXPECT_NEAR(two[i].occupancy, recorded.beyond, 4e-6);
    EXPECT_NEAR(one[i].input_rms, recorded.input_rms, 2e-6 * recorded.input_rms);
    if (recorded.gate_rms == 0) continue;
    EXPECT_NEAR(one[i].gate_rms, recorded.gate_rms, 2e-6);
    EXPECT_NEAR(one[i].gate_energy, recorded.energy_above, 5e-6);
    EXPECT_NEAR(two[i].gate_energy, recorded.energy_beyond, 5e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Trained, RecordedTails,
    testing::Values(Case{"lm_swiglu",
                         {{1.0068143606, 0.1386861801, 0.3767209053, 0.5234457850, 0.8080950379, 0.8677015901},
                          {1.2584874630, 0.1938266754, 0.4767169952, 0.6987881064, 0.8955786824, 0.9323033094},
                          {1.3451246023, 0.2442884445, 0.5083837509, 0.8471999168, 0.9323600531, 0.9555627108}}},
                    Case{"lm_memglu",
                         {{1.1911265850, 0.2473258972, 0.4959988594, 0.5833376646, 0.2686491609, 0.5379250646},
                          {1.3258656263, 0.2423362732, 0.5234303474, 0.5677664280, 0.2529562712, 0.5411139131},
                          {1.4246637821, 0.2648138999, 0.5512623787, 0.5621441603, 0.2696138024, 0.5521353695}}},
                    // Its mixtures were not recorded, only what goes into them.
                    Case{"lm_polyglu",
                         {{0.9779800177, 0.1298322678, 0.3655586243, 0, 0, 0},
                          {1.2511425018, 0.1815376282, 0.4780998230, 0, 0, 0},
                          {1.3457777500, 0.2378091812, 0.5147833824, 0, 0, 0}}}),
    [](const auto& tested) { return std::string(tested.param.network); });

TEST(TailStatistics, AreThoseOfTheRecordedValues) {
  const Network network = trained("lm_swiglu");
  const auto set = windows_for(network);
  const GatedLayer layer = gated_layers(network)[1];
  std::vector<float> gates, up;
  ValueId up_value = -1;
  for (const Node& node : network.nodes)
    if (node.output == layer.hidden) up_value = node.inputs[0] == layer.gated ? node.inputs[1] : node.inputs[0];
  execute(network, set->batch(0, 4), {}, [&](const Node& node, std::size_t, const Tensor& output) {
    if (node.output == layer.gate) gates = output.data;
    if (node.output == up_value) up = output.data;
  });
  constexpr gating::Activation kSilu{gating::ActivationKind::swish, 1};
  for (const TailRegion region : {TailRegion::positive, TailRegion::two_sided}) {
    const TailStatistics measured = tail_statistics(network, *set, {4, 3, 0}, region)[1];
    const gating::TailShare gate = gating::recorded_tail(kSilu, gates, {}, region),
                            product = gating::recorded_tail(kSilu, gates, up, region);
    EXPECT_DOUBLE_EQ(measured.occupancy, gate.occupancy);
    EXPECT_NEAR(measured.gate_energy, gate.energy, 1e-6);
    EXPECT_NEAR(measured.product_energy, product.energy, 1e-6);
  }
}

TEST(TailStatistics, DoNotDependOnThreads) {
  const Network network = trained("lm_memglu");
  const auto set = windows_for(network);
  const auto one = tail_statistics(network, *set, {9, 2, 1}, TailRegion::positive),
             many = tail_statistics(network, *set, {9, 2, 3}, TailRegion::positive);
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].gate_energy, many[i].gate_energy);
    EXPECT_EQ(one[i].product_energy, many[i].product_energy);
    EXPECT_EQ(one[i].input_rms, many[i].input_rms);
  }
}

TEST(TailStatistics, OfACutNetworkHaveNoEnergyThere) {
  const Network network = with_tail_cut(trained("lm_swiglu"), gating::TailIntervention::remove);
  const auto set = windows_for(network);
  for (const TailStatistics& layer : tail_statistics(network, *set, {2, 2, 0}, TailRegion::positive)) {
    EXPECT_GT(layer.occupancy, 0.1);
    EXPECT_EQ(layer.gate_energy, 0);
    EXPECT_EQ(layer.product_energy, 0);
    EXPECT_EQ(layer.function, "cut silu");
  }
}

}  // namespace
}  // namespace tellegen::models
