#include "tellegen/sim/report/layer_names.h"

#include <gmock/gmock.h>

namespace tellegen::report {
namespace {

using testing::ElementsAre;

TEST(LayerIds, AreShortAndSafe) {
  EXPECT_THAT(layer_ids({"/conv1/Conv", "/0/Conv", "/3/body/body.0/Conv", "/8/Gemm", "fc", "MatMul 1"}),
              ElementsAre("conv1", "conv0", "conv3_body_0", "gemm8", "fc", "MatMul_1"));
}

TEST(LayerIds, OfUnnamedAndOddNodesAreStillIds) {
  EXPECT_THAT(layer_ids({"", "/", "7", "/a/b c/Conv_3", "\xc3\xa9"}),
              ElementsAre("layer", "layer_2", "layer7", "a_b_c", "__"));
}

TEST(LayerIds, AreUnique) {
  EXPECT_THAT(layer_ids({"/a/Conv", "/a/Gemm", "a_2", "a"}), ElementsAre("a", "a_2", "a_2_2", "a_3"));
}

TEST(LayerIds, LeaveTheWordForAllLayersAlone) { EXPECT_THAT(layer_ids({"all"}), ElementsAre("all_2")); }

}  // namespace
}  // namespace tellegen::report
