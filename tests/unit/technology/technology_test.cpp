#include "tellegen/devices/technology/technology.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

using namespace units;

struct File {
  TechnologyConfig technology;
  void settings(Settings& v) { v.section("technology", technology, "the node"); }
};

template <class Action>
std::string complaint(const Action& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class EveryTechnology : public testing::TestWithParam<std::string> {
 protected:
  const TechnologyEntry& entry() const { return find_technology(GetParam()); }
};

TEST_P(EveryTechnology, NamesItselfAndItsSourceAndHasLocalWires) {
  EXPECT_EQ(entry().summary.back(), '.');
  EXPECT_GT(entry().source.size(), 20u);
  const WireRow& local = entry().wires.front();
  EXPECT_EQ(local.level, WireLevel::local);
  EXPECT_EQ(local.source, "neurosim");
  EXPECT_GT(local.width.si(), 0);
  EXPECT_GT(entry().supply, 0.5 * V);
}

TEST_P(EveryTechnology, SmallestYamlLoadsAndResolvesWithUnits) {
  File file, again;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  EXPECT_EQ(file.technology.name, GetParam());
  EXPECT_EQ(file.technology.node(), entry().node);
  EXPECT_EQ(file.technology.wire_resistance, entry().wires.front().per_length.r);
  const std::string resolved = write_config(file);
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  for (const ManualRow& row : config_manual<File>()) {
    if (!row.kind.starts_with("quantity")) continue;
    EXPECT_NE(row.default_value.find(' '), std::string::npos) << row.path << " has no unit: " << row.default_value;
  }
}

TEST_P(EveryTechnology, ConfigurationFileNamesItsSourceAndLoads) {
  const std::filesystem::path path =
      std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/technologies" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first_line;
  ASSERT_TRUE(std::getline(text, first_line)) << path;
  EXPECT_TRUE(first_line.starts_with("# ") && first_line.size() > 20) << first_line;
  File from_file;
  read_config(path, from_file);
  EXPECT_EQ(from_file.technology.name, GetParam());
  EXPECT_NEAR(from_file.technology.wire_resistance / entry().wires.front().per_length.r, 1, 1e-3);
  EXPECT_EQ(from_file.technology.supply, entry().supply);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryTechnology, testing::ValuesIn(technology_names()),
                         [](const auto& test) { return test.param; });

TEST(Technology, NodesDescendAndWiresGetThinnerAndMoreResistive) {
  const auto& catalog = technology_catalog();
  EXPECT_EQ(catalog.front().node, parse<Length>("180 nm"));
  EXPECT_EQ(catalog.back().node, parse<Length>("7 nm"));
  for (std::size_t k = 1; k < catalog.size(); ++k) {
    EXPECT_LT(catalog[k].node, catalog[k - 1].node);
    EXPECT_LE(catalog[k].supply, catalog[k - 1].supply) << catalog[k].name;
    EXPECT_LT(catalog[k].wires.front().width, catalog[k - 1].wires.front().width);
  }
}

TEST(Technology, WireResistancesEqualTheBarrierCorrectedTable) {
  // Computed independently from NeuroSim's widths, aspect ratios, resistivities and barriers, ohm per um.
  const std::pair<const char*, double> wanted[] = {{"cmos_130nm", 0.4826}, {"cmos_90nm", 1.493}, {"cmos_65nm", 1.425},
                                                   {"cmos_45nm", 2.599},   {"cmos_32nm", 5.700}, {"cmos_22nm", 11.60},
                                                   {"cmos_14nm", 19.72},   {"cmos_10nm", 52.81}, {"cmos_7nm", 69.50}};
  for (const auto& [name, ohm_per_um] : wanted) {
    const double r = find_technology(name).wires.front().per_length.r.si() * 1e-6;
    EXPECT_NEAR(r / ohm_per_um, 1, 2e-3) << name;
  }
}

TEST(Wires, ABarrierInMetresIsABarrier) {
  // Without barrier, the same geometry gives what NeuroSim computes, whose barrier is lost among its units.
  WireGeometry wire{56e-9, 56e-9 * 1.8, 2.63e-8, 0};
  EXPECT_NEAR(wire.resistance_ohm_per_m() * 1e-6, 4.659, 1e-3);
  wire.barrier_m = 4e-9;
  const double open_m2 = (56e-9 - 8e-9) * (56e-9 * 1.8 - 4e-9);
  // To first order in the barrier, the cross-section of the metal.
  EXPECT_NEAR(wire.resistance_ohm_per_m(), 2.63e-8 / open_m2, 0.02 * 2.63e-8 / open_m2);
}

TEST(Wires, ColdWiresConductBetter) {
  EXPECT_LT(wire_temperature_factor(250), 1);
  EXPECT_DOUBLE_EQ(wire_temperature_factor(300), 1);
  EXPECT_DOUBLE_EQ(wire_temperature_factor(400), 1.451);
}

TEST(Wires, ConstantFieldScalingKeepsTheField) {
  const ConstantFieldScaling scaling = constant_field_scaling(130 * nm, 65 * nm);
  EXPECT_DOUBLE_EQ(scaling.voltage / scaling.length, 1);
  EXPECT_DOUBLE_EQ(scaling.energy, scaling.capacitance * scaling.voltage * scaling.voltage);
  EXPECT_DOUBLE_EQ(scaling.area, 0.25);
  EXPECT_DOUBLE_EQ(scaling.wire_resistance_per_length, 4);
}

TEST(TechnologyConfig, CellsOfTheTwoUsualPitches) {
  File file;
  read_config_text(
      "technology: {name: cmos_65nm, wire_resistance: 1.179 ohm/um, pitch_along_row: 4, pitch_along_column: 12}",
      "chip.yaml", file);
  // 4 F by 12 F with F = 105 nm: 0.42 um and 1.26 um of wire.
  EXPECT_NEAR(file.technology.row_segment().r_ohm, 0.495, 1e-3);
  EXPECT_NEAR(file.technology.column_segment().r_ohm, 1.486, 1e-3);
  EXPECT_NEAR(file.technology.row_segment().c_F, 84e-18, 1e-20);
  EXPECT_NEAR(file.technology.column_segment().c_F, 252e-18, 1e-20);
  const TechnologyConfig bare;
  EXPECT_NEAR(bare.row_segment().r_ohm, 5.7 * 0.112, 1e-3);  // cross-point, 2 F of 56 nm
}

TEST(TechnologyConfig, AnotherSourceOfWiresIsAnotherOpinion) {
  File neurosim, cacti;
  read_config_text("technology: {name: cmos_22nm}", "chip.yaml", neurosim);
  read_config_text("technology: {name: cmos_22nm, wires: cacti_conservative}", "chip.yaml", cacti);
  EXPECT_DOUBLE_EQ(cacti.technology.wire_resistance.si(), 20.66e6);
  EXPECT_DOUBLE_EQ(cacti.technology.wire_width.si(), 27.5e-9);
  EXPECT_GT(cacti.technology.wire_resistance, 1.7 * neurosim.technology.wire_resistance);
  File dsent;
  read_config_text("technology: {name: cmos_22nm, wires: dsent}", "chip.yaml", dsent);
  EXPECT_EQ(dsent.technology.wire_width, neurosim.technology.wire_width);
}

TEST(TechnologyConfig, ASourceThatTheNodeLacksIsRefused) {
  File file;
  EXPECT_EQ(complaint([&] { read_config_text("technology: {name: cmos_7nm, wires: dsent}", "chip.yaml", file); }),
            "chip.yaml:1:37: technology.wires is no source for the local wires of cmos_7nm; it has those of "
            "neurosim.");
}

TEST(Technology, UnknownNamesAreRefusedWithWhatIsKnown) {
  EXPECT_EQ(complaint([] { find_technology("cmos_33nm"); }),
            "'cmos_33nm' is not a known technology; did you mean 'cmos_32nm'? Known technologies: cmos_180nm, "
            "cmos_130nm, cmos_90nm, cmos_65nm, cmos_45nm, cmos_32nm, cmos_28nm, cmos_22nm, cmos_14nm, cmos_10nm, "
            "cmos_7nm.");
  EXPECT_EQ(complaint([] { find_wires(find_technology("cmos_45nm"), "neurosim", WireLevel::global); }),
            "cmos_45nm has no global wires from the source 'neurosim'; it has those of cacti_aggressive, "
            "cacti_conservative, dsent.");
}

TEST(Technology, InterpolatesInLogarithmsAndNotOutside) {
  for (const TechnologyEntry& entry : technology_catalog()) {
    const InterpolatedNode at = interpolate_node(entry.node);
    EXPECT_NEAR(at.supply / entry.supply, 1, 1e-12);
    EXPECT_NEAR(at.wires.r / entry.wires.front().per_length.r, 1, 1e-12);
  }
  const InterpolatedNode between = interpolate_node(Length::si(std::sqrt(45e-9 * 32e-9)));
  const double r45 = find_technology("cmos_45nm").wires.front().per_length.r.si();
  const double r32 = find_technology("cmos_32nm").wires.front().per_length.r.si();
  EXPECT_NEAR(between.wires.r.si() / std::sqrt(r45 * r32), 1, 1e-12);
  EXPECT_EQ(complaint([] { interpolate_node(5 * nm); }),
            "A technology node of 5 nm is outside the table, which goes from 7 nm to 180 nm.");
}

}  // namespace
}  // namespace tellegen::devices
