// What every transistor of the catalogue promises, and where its numbers come from.

#include "tellegen/devices/mosfet/mosfet_card.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mosfet.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

struct File {
  MosfetConfig mosfet;
  void settings(Settings& v) { v.section("mosfet", mosfet, "the transistor"); }
};

class EveryMosfet : public testing::TestWithParam<std::string> {
 protected:
  const MosfetEntry& entry() const { return find_mosfet(GetParam()); }
};

TEST_P(EveryMosfet, NamesItselfAndItsSource) {
  EXPECT_EQ(entry().name, GetParam());
  EXPECT_EQ(entry().summary.back(), '.');
  EXPECT_GT(entry().source.size(), 20u);
  const auto same = [&](const MosfetEntry& other) { return other.name == entry().name; };
  EXPECT_EQ(std::count_if(mosfet_catalog().begin(), mosfet_catalog().end(), same), 1);
}

TEST_P(EveryMosfet, SmallestYamlLoadsAsItsDefaults) {
  File file;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  EXPECT_EQ(file.mosfet.card_name, GetParam());
  EXPECT_EQ(file.mosfet.card.threshold, entry().card.threshold);
  EXPECT_EQ(file.mosfet.length, entry().length);
}

TEST_P(EveryMosfet, ConfigurationFileSpellsOutTheDefaultsAndNamesItsSource) {
  const std::filesystem::path path =
      std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/devices/mosfet" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first_line;
  ASSERT_TRUE(std::getline(text, first_line)) << path;
  EXPECT_TRUE(first_line.starts_with("# ") && first_line.size() > 20) << first_line;
  File from_file, smallest;
  read_config(path, from_file);
  read_config_text(entry().smallest_yaml, "smallest.yaml", smallest);
  EXPECT_EQ(write_config(from_file), write_config(smallest));
}

TEST_P(EveryMosfet, ResolvedConfigurationLoadsAgainAndHasUnits) {
  File file, again;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  const std::string resolved = write_config(file);
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  for (const ManualRow& row : config_manual<File>()) {
    if (!row.kind.starts_with("quantity")) continue;
    EXPECT_NE(row.default_value.find(' '), std::string::npos) << row.path << " has no unit: " << row.default_value;
  }
}

TEST_P(EveryMosfet, CurrentGrowsWithGateAndDrainVoltage) {
  const Mosfet transistor(MosfetConfig(entry()), Temperature::si(300));
  const double supply_V = entry().card.supply.si(), sign = sign_of(entry().channel);
  const auto size_of_current = [&](double g_V, double d_V) {
    return sign * transistor.current_A(sign * g_V, 0, sign * d_V);
  };
  for (double g_V = 0; g_V < supply_V; g_V += supply_V / 50) {
    EXPECT_GT(size_of_current(g_V + 0.01, supply_V), size_of_current(g_V, supply_V));
    EXPECT_GT(size_of_current(g_V, 0.11), size_of_current(g_V, 0.1));
    EXPECT_GT(size_of_current(g_V, 0.1), 0);  // passive
  }
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryMosfet, testing::ValuesIn(mosfet_names()),
                         [](const auto& test) { return test.param; });

TEST(MosfetCards, EqualWhatWasExtractedFromTheirSimulatedTransistors) {
  for (const auto& row : test::mosfet_vectors("ngspice_cards")) {
    const MosfetEntry& entry = find_mosfet(row.at("card"));
    const MosfetConfig config(entry);
    EXPECT_EQ(entry.confidence, Confidence::extracted);
    EXPECT_RELATIVE(entry.card.slope, row.at("n").get<double>(), 2e-4);
    const Mosfet transistor(config, Temperature::si(300));
    EXPECT_RELATIVE(transistor.specific_current_A(), row.at("I_spec_A").get<double>(), 5e-4);
    EXPECT_NEAR(transistor.saturated_gate_voltage_V(transistor.specific_current_A(), 0),
                row.at("VG_at_IC1").get<double>(), 1e-4);
  }
}

/// Share of a pair's tail current over the voltage in n kT/q, at the inversion coefficient ic of each half.
struct PairCurve {
  std::vector<double> share, voltage;
  explicit PairCurve(double ic) {
    for (int k = 0; k <= 400; ++k) {
      share.push_back(0.5 + 0.4995 * std::sin(3.141592653589793 * (k / 400.0 - 0.5)));
      voltage.push_back(ekv::voltage_of_current(2 * ic * share.back()) -
                        ekv::voltage_of_current(2 * ic * (1 - share.back())));
    }
  }
  /// Steepness of the sigmoid that fits best in least squares; 1 in weak inversion. Golden section.
  double steepness() const {
    const auto misfit = [&](double tau) {
      double sum = 0;
      for (std::size_t k = 1; k + 1 < share.size(); ++k) {
        const double error = share[k] - 1 / (1 + std::exp(-tau * voltage[k]));
        sum += error * error * (voltage[k + 1] - voltage[k - 1]);
      }
      return sum;
    };
    double low = 0.05, high = 1.1;
    while (high - low > 1e-7) {
      const double a = high - 0.6180339887 * (high - low), b = low + 0.6180339887 * (high - low);
      (misfit(a) < misfit(b) ? high : low) = misfit(a) < misfit(b) ? b : a;
    }
    return low;
  }
};

TEST(MosfetCards, TemperatureMovesASimulatedPairAsTheExponentSays) {
  for (const auto& row : test::mosfet_vectors("ngspice_cards")) {
    const MosfetCard& card = find_mosfet(row.at("card")).card;
    const auto& pair = row.at("pair_temperature");
    const double ic = pair.at("inversion_coefficient_300K");
    constexpr double reference_K = 300.15;
    const double reference = PairCurve(ic).steepness();
    for (const auto& point : pair.at("rows")) {
      const double ratio = reference_K / (point.at("T_C").get<double>() + 273.15);
      const double steepness = PairCurve(ic * std::pow(ratio, card.current_exponent)).steepness();
      EXPECT_NEAR(ratio * steepness / reference, point.at("slope_relative_to_27C").get<double>(), 0.0065)
          << row.at("card") << " " << point.at("T_C");
    }
  }
}

TEST(MosfetConfig, OverridesOneNumberAndKeepsTheRestOfTheCard) {
  File file;
  read_config_text("mosfet: {card: ptm_65nm, threshold: 0.5 V, width: 4 um}", "chip.yaml", file);
  EXPECT_EQ(file.mosfet.card.threshold, 0.5 * units::V);
  EXPECT_EQ(file.mosfet.card.slope, find_mosfet("ptm_65nm").card.slope);
  EXPECT_EQ(file.mosfet.width, 4 * units::um);
}

TEST(MosfetCards, EveryNodeHasBothChannels) {
  for (const char* node : {"180 nm", "130 nm", "65 nm", "28 nm"}) {
    for (const Channel channel : {Channel::n, Channel::p}) {
      const auto fits = [&](const MosfetEntry& entry) {
        return entry.node == parse<Length>(node) && entry.channel == channel;
      };
      EXPECT_TRUE(std::any_of(mosfet_catalog().begin(), mosfet_catalog().end(), fits)) << node;
    }
  }
}

TEST(MosfetCards, HolesCarryLessThanElectronsOfTheSameNode) {
  for (const auto& [n, p] : {std::pair{"gf180_nmos_3p3", "gf180_pmos_3p3"},
                             {"sky130_nfet_01v8", "sky130_pfet_01v8"},
                             {"ptm_65nm", "ptm_65nm_pmos"},
                             {"bulk_28nm", "bulk_28nm_pmos"}}) {
    EXPECT_LT(find_mosfet(p).card.specific_current.si(), find_mosfet(n).card.specific_current.si()) << p;
  }
}

TEST(MosfetConfig, AnUnknownCardIsNamedWithAProposal) {
  try {
    find_mosfet("ptm_65");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "'ptm_65' is not a known transistor; did you mean 'ptm_65nm'? Known transistors: gf180_nmos_3p3, "
                 "sky130_nfet_01v8, sky130_nfet_01v8_short, ptm_65nm, bulk_28nm, gf180_pmos_3p3, sky130_pfet_01v8, "
                 "ptm_65nm_pmos, bulk_28nm_pmos.");
  }
}

}  // namespace
}  // namespace tellegen::devices
