// Networks of shapes through loading, conversion and planning.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <nlohmann/json.hpp>

#include "tellegen/mapping/conversion.h"
#include "tellegen/sim/engine/network_file.h"
#include "tellegen/sim/engine/run.h"
#include "tellegen/sim/report/map_output.h"

namespace tellegen::report {
namespace {

using testing::HasSubstr;

std::filesystem::path source_file(const std::string& name) { return std::filesystem::path(TELLEGEN_SOURCE_DIR) / name; }

sim::ExperimentConfig shape_only(const std::string& network) {
  return sim::read_experiment(source_file("configs/experiments/shape_only.yaml"),
                              {{"network.shapes", source_file("configs/networks/" + network + ".yaml").string()}});
}

/// Of the test so far: seconds of the processor, which other work does not change, and the most memory in MB.
struct Spent {
  double seconds = 0, peak_MB = 0;
};
Spent spent() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
  };
  return {seconds(usage.ru_utime) + seconds(usage.ru_stime), static_cast<double>(usage.ru_maxrss) / 1024};
}

class LargeShapes : public testing::TestWithParam<const char*> {};

/// The demand: under 10 s and under 1 GB, report included.
TEST_P(LargeShapes, AreLoadedConvertedAndPlannedInSecondsAndLittleMemory) {
  const double before = spent().seconds;
  const sim::ExperimentConfig config = shape_only(GetParam());
  const models::Network network = sim::read_network(config.network);
  EXPECT_FALSE(mapping::conversion_sites(network).empty());
  sim::Session session(source_file("configs/costs"), 1);
  const sim::RunResult planned = session.plan_only(config);
  EXPECT_THAT(map_table(planned), HasSubstr("products with weights"));
  EXPECT_FALSE(map_json(planned).empty());
  EXPECT_LT(spent().seconds - before, 10);
  EXPECT_LT(spent().peak_MB, 1000);
  EXPECT_EQ(planned.macs_per_image, models::multiply_accumulates(network));
}
INSTANTIATE_TEST_SUITE_P(Demanded, LargeShapes, testing::Values("resnet50", "tinyllama_1_1b"));

/// 64 x 147 weights on tiles of 256 rows and 128 pairs of columns: one tile; 512 x 4608: 18 by 4.
TEST(ShapeOnly, LayersLieOnTiles) {
  sim::Session session(source_file("configs/costs"), 1);
  const sim::RunResult planned = session.plan_only(shape_only("resnet50"));
  const auto tiles = [&](const std::string& name) {
    for (const mapping::LayerPlan& layer : planned.plan.layers)
      if (layer.name == name) return layer.slices.size();
    return std::size_t{0};
  };
  EXPECT_EQ(tiles("stem"), 1U);
  EXPECT_EQ(tiles("layer4.rest.1.conv2"), 72U);
  EXPECT_EQ(tiles("fc"), 64U);
  const std::string table = map_table(planned);
  EXPECT_THAT(table, HasSubstr("products with weights        4089184256"));
  EXPECT_THAT(table, HasSubstr("relu                            9608704"));
}

/// 6 heads of 32 and 1024 tokens; each token sees itself and those before it: 6 x 32 x 1024 x 1025 / 2.
TEST(ShapeOnly, ProductsOfAttentionAreListedAsDigital) {
  sim::Session session(source_file("configs/costs"), 1);
  const sim::RunResult planned = session.plan_only(shape_only("memglu_9m"));
  EXPECT_THAT(map_table(planned), HasSubstr("layers.5.attention mix"));
  const nlohmann::json products = nlohmann::json::parse(map_json(planned)).at("work").at("dynamic");
  ASSERT_EQ(products.size(), 12U);
  EXPECT_EQ(products[10], nlohmann::json({{"node", "layers.5.attention scores"},
                                          {"left", "6x1024x32"},
                                          {"right", "6x32x1024"},
                                          {"products", 100761600},
                                          {"where", "digital"}}));
  EXPECT_EQ(products[11].at("left"), "6x1024x1024");
}

TEST(ShapeOnly, SitesForGatesAreJudged) {
  const models::Network network = sim::read_network(shape_only("efficientnet_b0").network);
  std::size_t legal = 0, products = 0;
  for (const mapping::ConversionSite& site : mapping::conversion_sites(network)) {
    legal += site.legal ? 1 : 0;
    products += site.why.find("multiplies values of the network") != std::string::npos ? 1 : 0;
  }
  // Legal: of the stem, of 15 expansions, of 16 reductions. In the way: 16 products with the excitation, each read by
  // the depthwise branch and by the excitation itself.
  EXPECT_EQ(legal, 32U);
  EXPECT_EQ(products, 32U);
}

TEST(ShapeOnly, CannotBeRun) {
  sim::Session session(source_file("configs/costs"), 1);
  const sim::ExperimentConfig config = shape_only("lstm2_mnist_h128");
  try {
    session.run(config);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              "network.shapes = '" + config.network.shapes->string() +
                  "' gives the shapes of 'lstm2_mnist_h128' and no weights: it can be mapped and converted, "
                  "not run. Name a trained network as network.onnx or network.hdf5.");
  }
}

TEST(ShapeOnly, OneNetworkIsAllowed) {
  EXPECT_THROW(sim::read_experiment(source_file("configs/experiments/shape_only.yaml"),
                                    {{"network.onnx", "models/trained/mlp_mnist.onnx"}}),
               ConfigError);
}

TEST(ShapeOnly, ResolvedConfigurationIsReadAgain) {
  const sim::ExperimentConfig config = shape_only("resnet50");
  const std::string resolved = write_config(config);
  sim::ExperimentConfig again;
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
}

TEST(ShapeOnly, NetworksThatNeedTooManyTilesAreRefused) {
  sim::ExperimentConfig config = shape_only("tinyllama_1_1b");
  config.chip.tile.rows = 4;
  config.chip.tile.columns = 8;
  try {
    sim::Session(source_file("configs/costs"), 1).plan_only(config);
    FAIL();
  } catch (const RefusedError& error) {
    EXPECT_STREQ(error.what(),
                 "The network needs 64651264 tiles of 4 x 8; at most 10000000 can be planned. Set "
                 "chip.tile.rows and chip.tile.columns higher.");
  }
}

}  // namespace
}  // namespace tellegen::report
