// Every published parameter set loads, names its source, and is what the tests elsewhere compare with vectors.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "tellegen/base/config.h"
#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {
namespace {

struct File {
  MemristorConfig memristor;
  void settings(Settings& v) { v.section("memristor", memristor, "the device"); }
};

const std::filesystem::path folder = std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/devices/memristor";

TEST(MemristorConfigs, EveryFileLoadsAndNamesItsSource) {
  std::set<std::string> models;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".yaml") continue;
    std::ifstream text(entry.path());
    std::string first;
    ASSERT_TRUE(std::getline(text, first));
    EXPECT_TRUE(first.starts_with("# ") && first.size() > 30) << entry.path();
    File file;
    read_config(entry.path(), file);
    EXPECT_TRUE(entry.path().stem().string().starts_with(file.memristor.model)) << entry.path();
    const auto model = file.memristor.make();
    const StateRange range = model->state();
    EXPECT_NE(model->current_A(range.initial, 0.1), 0) << entry.path();
    EXPECT_EQ(write_config(file).find("nan"), std::string::npos);
    models.insert(file.memristor.model);
  }
  for (const std::string& name : memristor_names()) EXPECT_TRUE(models.count(name)) << name;
}

/// The default parameters are the first published set of each model.
TEST(MemristorConfigs, DefaultsAreAPublishedSet) {
  const std::map<std::string, std::string> first = {
      {"hp", "hp_memtorch"},          {"flux_controlled", "flux_controlled"}, {"vteam", "vteam_memtorch"},
      {"yakopcic", "yakopcic_oblea"}, {"stanford_pku", "stanford_pku"},       {"knowm", "knowm_mss"},
      {"chang", "chang_umich"},       {"pershin", "pershin_example"},         {"data_driven", "data_driven_2021"}};
  for (const auto& [name, stem] : first) {
    File file;
    read_config(folder / (stem + ".yaml"), file);
    const auto loaded = file.memristor.make(), made = find_memristor(name).defaults()->make();
    const StateRange range = made->state();
    EXPECT_EQ(loaded->state().low, range.low) << name;
    EXPECT_EQ(loaded->state().high, range.high) << name;
    for (const double v : {-2.0, -0.6, 0.6, 2.0}) {
      const double x = range.low + 0.4 * range.width();
      // The published HP set has a write threshold and a window, which the default leaves out.
      if (name != "hp") {
        EXPECT_DOUBLE_EQ(loaded->rate_per_s(x, v), made->rate_per_s(x, v)) << name;
      }
      EXPECT_DOUBLE_EQ(loaded->current_A(x, v), made->current_A(x, v)) << name;
    }
  }
}

}  // namespace
}  // namespace tellegen::devices
