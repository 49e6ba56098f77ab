// The ready networks of shapes against totals that somebody else has counted.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tellegen/models/shapes/read_shapes.h"
#include "tellegen/models/work_count.h"

namespace tellegen::models {
namespace {

const std::filesystem::path kSource = TELLEGEN_SOURCE_DIR;

nlohmann::json totals() {
  return nlohmann::json::parse(std::ifstream(kSource / "tests/data/networks/totals.json")).at("networks");
}

TEST(ReadyShapes, AreThoseThatAreCounted) {
  std::set<std::string> files, counted;
  for (const auto& entry : std::filesystem::directory_iterator(kSource / "configs/networks"))
    files.insert(entry.path().stem().string());
  for (const auto& network : totals()) counted.insert(network.at("name"));
  EXPECT_EQ(files, counted);
  EXPECT_EQ(files.size(), 18U);
}

TEST(ReadyShapes, HaveTheTotalsThatOthersHaveCounted) {
  for (const auto& wanted : totals()) {
    const std::string name = wanted.at("name");
    SCOPED_TRACE(name);
    const Network network = read_shapes(kSource / "configs/networks" / (name + ".yaml"));
    EXPECT_EQ(network.name, name);
    EXPECT_FALSE(has_weights(network));
    const WorkCount count = count_work(network);
    EXPECT_EQ(count.parameters, wanted.at("parameters"));
    EXPECT_EQ(count.static_products, wanted.at("static_products"));
    EXPECT_EQ(count.dynamic_products, wanted.at("dynamic_products"));
    for (const auto& [function, times] : wanted.at("evaluations").items()) {
      SCOPED_TRACE(function);
      const auto found = count.evaluations.find(function);
      const std::int64_t got = found == count.evaluations.end() ? 0 : found->second;
      EXPECT_EQ(got, times);
    }
  }
}

/// An array holds a copy of a tied head; the totals leave it out.
TEST(ReadyShapes, HoldTheWeightsThatOthersHaveCounted) {
  const std::map<std::string, std::int64_t> tied{
      {"smollm_135m", 28311552}, {"gpt2_124m", 38597376},  {"polychromaticlm_597m", 155309056},
      {"memglu_9m", 6144000},    {"memglu_30m", 12288000}, {"mamba_130m", 38615040}};
  for (const auto& wanted : totals()) {
    const std::string name = wanted.at("name");
    SCOPED_TRACE(name);
    const auto head = tied.find(name);
    const WorkCount count = count_work(read_shapes(kSource / "configs/networks" / (name + ".yaml")));
    EXPECT_EQ(count.matrix_weights - (head == tied.end() ? 0 : head->second), wanted.at("matrix_weights"));
  }
}

/// 4 x 4096 strengths, 4 temperatures, and a gating network 1024 - 32 - 4.
TEST(ReadyShapes, RouteEachPolychromaticLayerWith49320Parameters) {
  const Network network = read_shapes(kSource / "configs/networks/polychromaticlm_597m.yaml");
  std::int64_t routing = 0;
  for (const Node& node : network.nodes) {
    const bool routes = node.source.node_name == "layers.3.route1" || node.source.node_name == "layers.3.route2" ||
                        node.source.node_name == "layers.3.mix";
    if (routes) routing += node.operation->parameters();
  }
  EXPECT_EQ(routing, 49320);
}

}  // namespace
}  // namespace tellegen::models
