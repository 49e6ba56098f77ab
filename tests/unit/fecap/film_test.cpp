// Films: what every entry of the catalogue promises; small-signal capacitance; the transistor below a film.

#include "tellegen/devices/fecap/film.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/devices/fecap/fecap_array.h"
#include "tellegen/devices/fecap/fefet.h"
#include "tellegen/devices/fecap/small_signal.h"
#include "vectors.h"

namespace tellegen::devices {
namespace {

struct File {
  FecapConfig fecap;
  void settings(Settings& v) { v.section("fecap", fecap, "the capacitors"); }
};

/// The film of the vectors.
FerroelectricFilm film_of_vectors() { return find_film("hzo_10nm").film; }

class EveryFilm : public testing::TestWithParam<std::string> {
 protected:
  const FilmEntry& entry() const { return find_film(GetParam()); }
};

TEST_P(EveryFilm, NamesItselfAndItsSource) {
  EXPECT_EQ(entry().name, GetParam());
  EXPECT_EQ(entry().summary.back(), '.');
  EXPECT_GT(entry().source.size(), 20u);
  const auto same = [&](const FilmEntry& other) { return other.name == entry().name; };
  EXPECT_EQ(std::count_if(film_catalog().begin(), film_catalog().end(), same), 1);
}

TEST_P(EveryFilm, SmallestYamlLoadsAndResolvesWithUnits) {
  File file, again;
  read_config_text(entry().smallest_yaml, "smallest.yaml", file);
  EXPECT_EQ(file.fecap.film_name, GetParam());
  EXPECT_EQ(file.fecap.film.remanent, entry().film.remanent);
  const std::string resolved = write_config(file);
  read_config_text(resolved, "resolved.yaml", again);
  EXPECT_EQ(write_config(again), resolved);
  for (const ManualRow& row : config_manual<File>()) {
    if (!row.kind.starts_with("quantity")) continue;
    EXPECT_NE(row.default_value.find(' '), std::string::npos) << row.path << " has no unit: " << row.default_value;
  }
}

TEST_P(EveryFilm, ConfigurationFileSpellsOutTheDefaultsAndNamesItsSource) {
  const std::filesystem::path path =
      std::filesystem::path(TELLEGEN_SOURCE_DIR) / "configs/devices/fecap" / (GetParam() + ".yaml");
  std::ifstream text(path);
  std::string first_line;
  ASSERT_TRUE(std::getline(text, first_line)) << path;
  EXPECT_TRUE(first_line.starts_with("# ") && first_line.size() > 20) << first_line;
  File from_file, smallest;
  read_config(path, from_file);
  read_config_text(entry().smallest_yaml, "smallest.yaml", smallest);
  EXPECT_EQ(write_config(from_file), write_config(smallest));
}

TEST_P(EveryFilm, LoopLandauAndKineticsAgreeOnTheFilm) {
  const FerroelectricFilm& film = entry().film;
  EXPECT_RELATIVE(film.loop().polarization(0, Branch::descending), film.remanent.si(), 1e-13);
  EXPECT_NEAR(film.landau().field_V_per_m(film.remanent.si()) / film.coercive.si(), 0, 1e-13);
  const ActivationFields fields(film.kinetics);
  EXPECT_GT(fields.kept(), 0.999);
  // A strong pulse of a millisecond writes the film.
  EXPECT_GT(switched_share(film.kinetics, fields, 4e8, 1e-3), 0.99);
}

INSTANTIATE_TEST_SUITE_P(Catalog, EveryFilm, testing::ValuesIn(film_names()),
                         [](const auto& test) { return test.param; });

TEST(Film, AnUnknownOneIsNamedWithAProposal) {
  try {
    find_film("hzo_10");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "'hzo_10' is not a known ferroelectric film; did you mean 'hzo_10nm'? Known films: hzo_10nm, hzo_mfm, "
                 "hzo_fefet.");
  }
}

TEST(Film, RemanentMustBeBelowSaturation) {
  File file;
  try {
    read_config_text("fecap: {film: hzo_10nm, remanent: 30 uC/cm2}", "chip.yaml", file);
    FAIL();
  } catch (const ConfigError& error) {
    EXPECT_STREQ(error.what(), "chip.yaml:1:35: fecap.remanent must be below saturation.");
  }
}

TEST(SmallSignal, EqualsTheVectors) {
  const auto vectors = test::fecap_vectors("small_signal_C");
  const FerroelectricFilm film = film_of_vectors();
  const double area_m2 = vectors.at("area_m2");
  EXPECT_RELATIVE(linear_capacitance_F(film, area_m2), vectors.at("C_lin_F").get<double>(), 1e-12);
  for (const auto& row : vectors.at("rows")) {
    const auto state_F = [&](PolarState state) {
      return small_signal_capacitance_F(film, area_m2, state, row.at("E_dc"), row.at("E_imp"));
    };
    EXPECT_RELATIVE(state_F(PolarState::up), row.at("C_up_F").get<double>(), 1e-12);
    EXPECT_RELATIVE(state_F(PolarState::down), row.at("C_dn_F").get<double>(), 1e-12);
  }
}

TEST(SmallSignal, ASymmetricCapacitorHasNoWindowAtZeroBias) {
  const FerroelectricFilm film = film_of_vectors();
  EXPECT_EQ(small_signal_capacitance_F(film, 1e-12, PolarState::up, 0, 0),
            small_signal_capacitance_F(film, 1e-12, PolarState::down, 0, 0));
}

TEST(Fefet, ThresholdShiftsEqualTheVectors) {
  const auto vectors = test::fecap_vectors("fefet");
  const FerroelectricFilm film = find_film("hzo_fefet").film;
  EXPECT_RELATIVE(largest_memory_window_V(film), vectors.at("MW_max").get<double>(), 1e-12);
  for (const auto& row : vectors.at("rows")) {
    EXPECT_RELATIVE(fefet_threshold_shift_V(film, row.at("dP_uC_cm2").get<double>() * 1e-2),
                    row.at("dVT_V").get<double>(), 1e-12);
  }
}

TEST(Fefet, PolarizationUpOpensTheTransistor) {
  const FerroelectricFilm film = find_film("hzo_fefet").film;
  const MosfetConfig config(find_mosfet("bulk_28nm"));
  const auto current_A = [&](double p) {
    return fefet(film, config, Temperature::si(300), p, 0.1).current_A(0.2, 0, 0.5);
  };
  EXPECT_GT(current_A(0.01), 2 * current_A(0));
  EXPECT_LT(current_A(-0.01), current_A(0) / 2);
  EXPECT_EQ(current_A(0), Mosfet(config, Temperature::si(300)).current_A(0.2, 0, 0.5));
}

TEST(Fefet, PolarizationMovesTheThresholdsOfBothChannelsTheSameWay) {
  const FerroelectricFilm film = find_film("hzo_fefet").film;
  for (const char* card : {"bulk_28nm", "bulk_28nm_pmos"}) {
    const MosfetConfig config(find_mosfet(card));
    const double bare_V = Mosfet(config, Temperature::si(300)).threshold_V();
    for (const double p : {-0.01, 0.01}) {
      EXPECT_RELATIVE(fefet(film, config, Temperature::si(300), p, 0.1).threshold_V() - bare_V,
                      fefet_threshold_shift_V(film, p, 0.1), 1e-12);
    }
  }
}

}  // namespace
}  // namespace tellegen::devices
