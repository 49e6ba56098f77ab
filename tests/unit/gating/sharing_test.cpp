// Parameter counts of sharing levels against stored ones.

#include "tellegen/models/gating/sharing.h"

#include <gtest/gtest.h>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "vectors.h"

namespace tellegen::models::gating {
namespace {

using enum SharingLevel;
using testing_support::message_of;

TEST(Sharing, StoredCounts) {
  const auto& stored = test::vectors("convert.json")["counts"];
  ASSERT_EQ(stored.size(), 7U);
  for (const auto& row : stored) {
    const LayerSize layer = dense_layer(row["n_in"], row["n_out"]);
    const std::int64_t branches = row["K"];
    EXPECT_EQ(plain_parameter_count(layer), row["plain"]);
    EXPECT_EQ(parameter_count(general, layer, branches), row["general"]);
    EXPECT_EQ(parameter_count(tg_s, layer, branches), row["tg_s"]);
    EXPECT_EQ(parameter_count(tg_w, layer, branches, Scope::per_channel), row["tg_w_channel"]);
    EXPECT_EQ(parameter_count(tg_w, layer, branches, Scope::per_layer), row["tg_w_layer"]);
    EXPECT_EQ(parameter_count(tg_a, layer, branches, Scope::per_channel, GateContent::everything),
              row["tg_a_channel_full"]);
    EXPECT_EQ(parameter_count(tg_a, layer, branches, Scope::per_channel, GateContent::thresholds),
              row["tg_a_channel_gate"]);
    EXPECT_EQ(parameter_count(tg_a, layer, branches, Scope::per_layer, GateContent::everything),
              row["tg_a_layer_full"]);
  }
}

/// A convolution 3 x 3 from 64 to 128 channels: 73,728 weights; gates belong to channels, not to places.
TEST(Sharing, Convolutions) {
  const LayerSize layer = convolution_layer(64, 128, 3, 3);
  EXPECT_EQ(plain_parameter_count(layer), 73728 + 128);
  EXPECT_EQ(parameter_count(general, layer, 2), 6 * 73728 + 128);
  EXPECT_EQ(parameter_count(tg_w, layer, 2), 2 * 73728 + 2 * 64 + 128);
  EXPECT_EQ(parameter_count(tg_a, layer, 2), 73728 + 6 * 64 + 128);
  const LayerSize depthwise = convolution_layer(96, 96, 5, 5, 96);
  EXPECT_EQ(plain_parameter_count(depthwise), 96 * 25 + 96);
  EXPECT_EQ(parameter_count(tg_a, depthwise, 3, Scope::per_layer, GateContent::thresholds), 96 * 25 + 3 + 96);
}

TEST(Sharing, SharedGatesCostLittleOnlyWithManyOutputs) {
  const auto added = [](std::int64_t outputs) {
    const LayerSize layer = dense_layer(128, outputs);
    return static_cast<double>(parameter_count(tg_a, layer, 2) - plain_parameter_count(layer)) /
           static_cast<double>(layer.weights);
  };
  EXPECT_DOUBLE_EQ(added(600), 0.01);
  EXPECT_DOUBLE_EQ(added(10), 0.6);
}

TEST(Sharing, WhatIsWrongIsSaid) {
  EXPECT_EQ(message_of<InputError>([] { convolution_layer(6, 4, 3, 3, 4); }),
            "A convolution from 6 to 4 channels has '4' groups; groups must divide both.");
  EXPECT_EQ(message_of<InputError>([] { parameter_count(tg_a, dense_layer(0, 3), 2); }),
            "A layer has '0' weights, '0' inputs and '3' outputs; each must be at least 1.");
  EXPECT_EQ(message_of<InputError>([] { parameter_count(tg_a, dense_layer(2, 3), 0); }),
            "A threshold gate has '0' branches; it needs at least 1.");
  EXPECT_EQ(name(general), "General");
  EXPECT_EQ(name(tg_s), "TG_S");
  EXPECT_EQ(name(tg_w), "TG_W");
  EXPECT_EQ(name(tg_a), "TG_A");
}

}  // namespace
}  // namespace tellegen::models::gating
