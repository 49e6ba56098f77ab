// Every price in every table has its pedigree, and a wrong table is refused with its place.

#include <gmock/gmock.h>

#include <fstream>
#include <set>
#include <sstream>

#include "cost_testing.h"
#include "tellegen/circuits/cost/cost_tables.h"

namespace tellegen::circuits {
namespace {

using testing::HasSubstr;
using namespace tellegen::units;

const CostTables& tables() {
  static const CostTables read(CostConfig{}, kTables);
  return read;
}

bool is_source(const std::string& key) {
  const auto& list = tables().sources.sources;
  return std::ranges::any_of(list, [&](const Source& source) { return source.key == key; });
}

/// Keys joined by " + ".
void expect_sources(const std::string& joined) {
  std::size_t begin = 0;
  while (begin != std::string::npos) {
    const std::size_t end = joined.find(" + ", begin);
    const std::string key = joined.substr(begin, end == std::string::npos ? end : end - begin);
    EXPECT_TRUE(is_source(key)) << "'" << key << "'";
    begin = end == std::string::npos ? end : end + 3;
  }
}

void expect_spread(const Band& band) {
  EXPECT_LE(band.low, band.typical);
  EXPECT_LE(band.typical, band.high);
  EXPECT_LT(band.low, band.high);
}

void expect_pedigree(const Price& price, const std::string& what) {
  SCOPED_TRACE(what);
  if (price.energy_J.typical > 0) expect_spread(price.energy_J);
  if (price.area_m2.typical > 0) expect_spread(price.area_m2);
  if (price.static_W.typical > 0) expect_spread(price.static_W);
  expect_sources(price.from.source);
  EXPECT_TRUE(price.from.node_nm > 0 || price.from.scaling == "none");
  EXPECT_FALSE(price.from.evidence.empty());
  EXPECT_FALSE(price.from.scaling.empty());
  EXPECT_FALSE(price.from.spread.empty());
  EXPECT_FALSE(price.formula.empty());
  EXPECT_FALSE(price.energy_J.typical > 0 && price.inputs.empty());
}

TEST(CostTables, EveryEntryHasItsPedigree) {
  EXPECT_GE(tables().order.size(), 25U);
  for (const std::string& name : tables().order) expect_pedigree(tables().entry(name).price(), name);
}

TEST(CostTables, EveryEntryCanBeBroughtToEveryNode) {
  for (const std::string& name : tables().order) {
    for (const double node : {130.0, 65.0, 40.0, 32.0, 22.0, 7.0}) {
      expect_pedigree(tables().at_node(tables().entry(name), node * nm), name);
    }
  }
}

// An entry with an area alone, or of no node, says what it lacks and is never scaled from nowhere.
TEST(CostTables, WhatASourceLacksIsSaid) {
  const Price softmax = tables().entry("guar_softmax").price();
  EXPECT_EQ(softmax.energy_J, Band{});
  EXPECT_THAT(softmax.from.warnings,
              testing::ElementsAre("guar_softmax has no energy in its source (GUARSM): its energy counts as zero."));
  const Price dram = tables().at_node(tables().entry("dram_hbm2"), 7 * nm);
  EXPECT_DOUBLE_EQ(dram.energy_J.typical, 6.25e-12);
  EXPECT_DOUBLE_EQ(dram.energy_J.low, 3.9e-12);
  EXPECT_EQ(dram.from.scaling, "none");
}

// Hop energies are the sum of what DSENT prints; a link's is per bit and millimetre.
TEST(CostTables, RoutersAndLinksByHand) {
  const Price hop = tables().entry("dsent_router_32nm_64").price();
  EXPECT_NEAR(hop.energy_J.typical * 1e12, 0.92506 + 0.719824 + 0.591408 + 0.0076148 + 0.073377, 1e-5);
  EXPECT_DOUBLE_EQ(tables().entry("dsent_router_clock_32nm_64").price().energy_J.typical, 0.289118e-12);
  const Price link = tables().entry("dsent_link_45nm_global").price();
  EXPECT_NEAR(link.energy_J.typical * 64 * 1e12, 2.58317, 0.005 * 64 * 1e-3);  // 40.36 fJ as printed
  EXPECT_NEAR(link.area_m2.typical * 64 * 1e12, 90.11, 1e-3);
}

TEST(CostTables, SpreadOfASingleValueFollowsItsEvidence) {
  EXPECT_EQ(assumed_spread(Evidence::silicon), 1.5);
  EXPECT_EQ(assumed_spread(Evidence::synthesis), 2);
  for (const Evidence evidence : {Evidence::simulation, Evidence::paper_table, Evidence::memory}) {
    EXPECT_EQ(assumed_spread(evidence), 4);
  }
  const Price synthesised = tables().entry("chen_sigmoid_tanh").price();
  EXPECT_EQ(synthesised.energy_J, (Band{0.46e-12, 0.92e-12, 1.84e-12}));
  EXPECT_EQ(synthesised.from.spread, "assumed x/2 (synthesis)");
  EXPECT_EQ(tables().entry("jia_column_datapath").price().from.spread, "assumed x/1.5 (silicon)");
  EXPECT_EQ(tables().entry("isaac_shift_add").price().from.spread, "assumed x/4 (paper_table)");
}

TEST(CostTables, EverySourceIsUsedAndListedOnce) {
  std::set<std::string> keys;
  for (const Source& source : tables().sources.sources) {
    EXPECT_TRUE(keys.insert(source.key).second) << source.key;
    bool used = false;
    std::vector<std::filesystem::path> users;
    for (const auto& folder : {kTables, kTables.parent_path() / "macros"}) {
      for (const auto& file : std::filesystem::directory_iterator(folder)) users.push_back(file.path());
    }
    for (const std::filesystem::path& file : users) {
      if (file.filename() == "sources.yaml") continue;
      std::stringstream text;
      text << std::ifstream(file).rdbuf();
      used = used || text.str().find("source: " + source.key + "\n") != std::string::npos ||
             text.str().find("source: " + source.key + " ") != std::string::npos;
    }
    EXPECT_TRUE(used) << source.key;
  }
}

TEST(CostTables, EveryActivationSetHasEveryUnit) {
  for (const std::string& set : activation_sets()) {
    CostConfig config;
    config.activation = set;
    const CostModel costs = model(config);
    for (const std::string& unit : activation_units())
      expect_pedigree(costs.activation(unit, 32 * nm), set + " " + unit);
  }
}

TEST(CostTables, EveryChoiceOfEverySettingPricesEveryComponent) {
  for (std::size_t i = 0; i < adc_laws().size(); ++i) {
    CostConfig config;
    config.adc = adc_laws()[i];
    config.dac = dac_laws()[i % dac_laws().size()];
    config.digital = digital_tables()[i % digital_tables().size()];
    config.memory = memory_tables()[i % memory_tables().size()];
    const CostModel costs = model(config);
    for (const double node : {65.0, 32.0, 28.0, 14.0}) {
      AdcUse adc;
      adc.node = node * nm;
      for (const std::string& kind : adc_kinds()) {
        adc.kind = kind;
        expect_pedigree(costs.adc_conversion(adc), config.adc + " " + kind);
      }
      DacUse dac;
      dac.node = node * nm;
      for (const char* kind : {"capacitive", "r2r", "pwm"}) {
        dac.kind = kind;
        expect_pedigree(costs.dac_drive(dac), config.dac + " " + kind);
      }
      expect_pedigree(costs.row_line(128, 48, node * nm), "row_line");
      expect_pedigree(costs.sample_hold(node * nm), "sample_hold");
      expect_pedigree(costs.shift_add(24, node * nm), "shift_add");
      expect_pedigree(costs.add(16, node * nm), "add");
      expect_pedigree(costs.multiply(16, node * nm), "multiply");
      expect_pedigree(costs.buffer(Access::read, 4096, node * nm), "read");
      expect_pedigree(costs.buffer(Access::write, 4096, node * nm), "write");
    }
  }
}

/// A copy of the tables in which one text of one file is replaced.
class BrokenTables : public testing::Test {
 protected:
  std::string message(const std::string& file, const std::string& from, const std::string& to) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    for (const auto& item : std::filesystem::directory_iterator(kTables)) std::filesystem::copy(item, folder_);
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    std::string changed = text.str();
    const std::size_t at = changed.find(from);
    EXPECT_NE(at, std::string::npos);
    std::ofstream(folder_ / file) << changed.replace(at, from.size(), to);
    try {
      CostModel costs(CostConfig{}, folder_);
    } catch (const ConfigError& error) {
      return std::string(error.what()).substr(folder_.string().size() + 1);
    }
    return "";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) /
      (std::string("costs_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(BrokenTables, UnchangedTablesAreFine) { EXPECT_EQ(message("dac.yaml", "bits: 8", "bits: 8"), ""); }

TEST_F(BrokenTables, SourceThatIsNotListed) {
  EXPECT_EQ(message("dac.yaml", "source: BRAHMS", "source: BRAMS"),
            "sources.yaml: the source 'BRAMS' of brahms_capacitive_dac is not in the list.");
}

TEST_F(BrokenTables, EntryTwice) {
  EXPECT_EQ(message("periphery.yaml", "name: timely_comparator", "name: isaac_sample_hold"),
            "periphery.yaml: the entry 'isaac_sample_hold' is in the tables twice.");
}

TEST_F(BrokenTables, PartThatIsNotAnEntry) {
  EXPECT_EQ(message("activation_units.yaml", "parts: [aladdin_compare]", "parts: [aladin_compare]"),
            "activation_units.yaml: 'aladin_compare' is not an entry of the cost tables.");
}

TEST_F(BrokenTables, MissingCoefficient) {
  EXPECT_THAT(message("adc_andrulis_2024.yaml", "fs_c1: -2.8719030399529957\n", ""),
              HasSubstr("fs_c1 is missing and has no default"));
}

TEST_F(BrokenTables, SpreadWithoutWidth) {
  EXPECT_EQ(message("adc_andrulis_2024.yaml", "low: 0.276\n  high: 3.5", "low: 1\n  high: 1"),
            "adc_andrulis_2024.yaml:10:8: energy_spread.low must be below high.");
}

TEST_F(BrokenTables, ScaledEntryWithoutANode) {
  EXPECT_THAT(message("periphery.yaml", "    node: 65 nm\n    scaling: logic\n", "    scaling: logic\n"),
              HasSubstr("node is missing: what is scaled needs the node of its source."));
}

TEST_F(BrokenTables, EntryWithoutAPrice) {
  EXPECT_THAT(message("periphery.yaml", "    energy: 41.7 fJ\n    area: 40 um2\n", ""),
              HasSubstr("energy is missing: an entry prices something, an energy, a power with its rate, or an area."));
}

}  // namespace
}  // namespace tellegen::circuits
