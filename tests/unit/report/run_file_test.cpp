#include "tellegen/sim/report/run_file.h"

#include <gmock/gmock.h>

#include <fstream>
#include <map>
#include <sstream>

#include "hand_made.h"
#include "real_run.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::report {
namespace {

using testing::ElementsAre;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

std::filesystem::path write(const TemporaryFolder& folder, const std::string& name, const sim::RunResult& result) {
  write_run_file(folder / name, result, make_report(result));
  return folder / name;
}

TEST(RunFile, GivesBackTheWholeReport) {
  const TemporaryFolder folder;
  sim::RunResult result = hand_made_result();
  result.ledger.energy[0].price.from.warnings = {"First warning.", "Second warning."};
  const Report written = make_report(result);
  const Report read = read_run_file(write(folder, "run.h5", result));
  EXPECT_EQ(read.name, written.name);
  EXPECT_EQ(read.title, written.title);
  EXPECT_EQ(read.extent, written.extent);
  EXPECT_EQ(read.source, written.source);
  EXPECT_EQ(read.version, written.version);
  EXPECT_EQ(read.config_hash, written.config_hash);
  EXPECT_EQ(read.config_yaml, written.config_yaml);
  EXPECT_EQ(read.seed, written.seed);
  EXPECT_EQ(read.components, written.components);
  ASSERT_EQ(read.layers.size(), written.layers.size());
  EXPECT_EQ(read.layers[0].name, "/conv1/Conv");
  ASSERT_EQ(read.numbers.ids(), written.numbers.ids());
  for (const Number& expected : written.numbers.all()) {
    const Number& got = read.numbers.at(expected.id);
    EXPECT_EQ(got.title, expected.title);
    EXPECT_EQ(got.value, expected.value);
    EXPECT_EQ(got.low, expected.low);
    EXPECT_EQ(got.high, expected.high);
    EXPECT_EQ(got.unit, expected.unit);
    EXPECT_EQ(got.formula, expected.formula);
    EXPECT_EQ(got.source, expected.source);
    EXPECT_EQ(got.warnings, expected.warnings);
    ASSERT_EQ(got.inputs.size(), expected.inputs.size());
    for (std::size_t i = 0; i < got.inputs.size(); ++i) {
      EXPECT_EQ(got.inputs[i].name, expected.inputs[i].name);
      EXPECT_EQ(got.inputs[i].value, expected.inputs[i].value);
      EXPECT_EQ(got.inputs[i].unit, expected.inputs[i].unit);
      EXPECT_EQ(got.inputs[i].id, expected.inputs[i].id);
    }
  }
}

TEST(RunFile, HoldsCountsPredictionsAndPlan) {
  const TemporaryFolder folder;
  const Hdf5Reader file(write(folder, "run.h5", hand_made_result()));
  EXPECT_THAT(file.children("counts"), ElementsAre("conv1", "gemm3"));
  EXPECT_EQ(file.text_attribute("counts/gemm3", "name"), "/3/Gemm");
  EXPECT_THAT(file.integers("counts/conv1/conversions"), ElementsAre(2000));
  EXPECT_THAT(file.integers("counts/conv1/digital_relu"), ElementsAre(100));
  EXPECT_THAT(file.shape("predictions"), ElementsAre(2, 10));
  EXPECT_EQ(file.integers("predictions")[9], 0);
  EXPECT_EQ(file.integers("predictions")[10], 1);
  EXPECT_THAT(file.doubles("accuracy/chip"), ElementsAre(0.8, 0.9));
  EXPECT_THAT(file.shape("signals/error"), ElementsAre(2, 2));
  EXPECT_THAT(file.integers("plan/tile"), ElementsAre(0, 1));
  EXPECT_EQ(file.text_attribute("ledger/energy/energy", "unit"), "J");
  EXPECT_EQ(file.text_attribute("", "config"), "name: by_hand\n");
}

/// Which raw counts a component's actions are: written down here a second time, apart from the program.
double actions_of(const Hdf5Reader& file, const std::string& layer, const std::string& component) {
  const std::map<std::string, std::string> events = {{"dac", "dac_drives"},
                                                     {"front_end", "gates"},
                                                     {"amplifier", "amplified"},
                                                     {"row_line", "drive_V2"},
                                                     {"cells", "cell_energy_J"},
                                                     {"sample_hold", "conversions"},
                                                     {"adc", "conversions"},
                                                     {"shift_add", "shift_adds"},
                                                     {"scaling", "scalings"},
                                                     {"buffer_read", "buffer_read_bits"},
                                                     {"buffer_write", "buffer_write_bits"}};
  const std::string event =
      component.rfind("activation_", 0) == 0 ? "digital_" + component.substr(11) : events.at(component);
  return file.doubles("counts/" + layer + "/" + event).at(0);
}

void expect_totals_from_counts(const Overrides& overrides) {
  const TemporaryFolder folder;
  const Hdf5Reader file(write(folder, "run.h5", real_run(overrides)));
  std::map<std::string, std::string> layer_id;
  const std::vector<std::string> ids = file.strings("layers/id"), names = file.strings("layers/name");
  for (std::size_t l = 0; l < ids.size(); ++l) layer_id[names[l]] = ids[l];

  double latency_s = 0;
  const std::vector<double> positions = file.doubles("ledger/latency/positions"),
                            passes = file.doubles("ledger/latency/input_slices"),
                            lines = file.doubles("ledger/latency/lines_per_adc"),
                            drive = file.doubles("ledger/latency/drive"),
                            conversion = file.doubles("ledger/latency/conversion");
  for (std::size_t i = 0; i < positions.size(); ++i) {
    latency_s += positions[i] * passes[i] * std::max(drive[i], lines[i] * conversion[i]);
  }

  double area_m2 = 0;
  std::map<std::string, double> static_W;
  const std::vector<double> instances = file.doubles("ledger/area/instances"),
                            each_m2 = file.doubles("ledger/area/price"),
                            each_W = file.doubles("ledger/area/price_static_power");
  const std::vector<std::string> area_layer = file.strings("ledger/area/layer");
  for (std::size_t i = 0; i < instances.size(); ++i) {
    area_m2 += instances[i] * each_m2[i];
    static_W[area_layer[i]] += instances[i] * each_W[i];
  }

  double energy_J = 0;
  const std::vector<double> price_J = file.doubles("ledger/energy/price");
  const std::vector<std::string> layer = file.strings("ledger/energy/layer"),
                                 component = file.strings("ledger/energy/component");
  for (std::size_t i = 0; i < price_J.size(); ++i) {
    if (component[i] == "leakage") {
      energy_J += static_W.at(layer[i]) * latency_s;
    } else {
      const std::string& id = layer_id.at(layer[i]);
      energy_J += actions_of(file, id, component[i]) / file.doubles("counts/" + id + "/images").at(0) * price_J[i];
    }
  }

  const Report report = read_run_file(folder / "run.h5");
  const Numbers& numbers = report.numbers;
  EXPECT_GT(energy_J, 0);
  EXPECT_NEAR(numbers.at("energy").value, energy_J, 1e-12 * energy_J);
  EXPECT_NEAR(numbers.at("area").value, area_m2, 1e-12 * area_m2);
  EXPECT_NEAR(numbers.at("latency").value, latency_s, 1e-12 * latency_s);
  const double operations = 2 * numbers.at("macs").value;
  EXPECT_NEAR(numbers.at("tops_per_watt").value, operations / energy_J / 1e12, 1e-12 * operations / energy_J / 1e12);
}

TEST(RunFile, EveryTotalFollowsFromRawCountsAndUnitPrices) { expect_totals_from_counts({}); }

TEST(RunFile, SoItIsWithThresholdGates) { expect_totals_from_counts({{"chip.boundary", "tg_after_dac"}}); }

TEST(RunFile, AccuracyFollowsFromPredictionsAndLabels) {
  const TemporaryFolder folder;
  const Hdf5Reader file(write(folder, "run.h5", real_run()));
  const std::vector<std::int64_t> predictions = file.integers("predictions"), labels = file.integers("labels");
  const std::vector<double> accuracy = file.doubles("accuracy/chip");
  ASSERT_EQ(predictions.size(), labels.size() * accuracy.size());
  for (std::size_t c = 0; c < accuracy.size(); ++c) {
    int right = 0;
    for (std::size_t i = 0; i < labels.size(); ++i) right += predictions[c * labels.size() + i] == labels[i] ? 1 : 0;
    EXPECT_DOUBLE_EQ(accuracy[c], right / static_cast<double>(labels.size()));
  }
}

TEST(RunFile, IsTheSameForOneAndTwoThreadsAndAnotherForAnotherSeed) {
  const TemporaryFolder folder;
  const std::string one = bytes_of(write(folder, "one.h5", real_run({}, 1)));
  EXPECT_EQ(one, bytes_of(write(folder, "two.h5", real_run({}, 2))));
  const Hdf5Reader first(folder / "one.h5"), second(write(folder, "seed.h5", real_run({{"evaluate.seed", "2"}})));
  EXPECT_NE(first.doubles("signals/error"), second.doubles("signals/error"));
}

TEST(RunFile, OfAnotherKindIsRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path other = folder / "other.h5";
  {
    Hdf5Writer file(other);
    file.attribute("", "source", std::string("a test"));
    file.commit();
  }
  try {
    read_run_file(other);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(
        error.what(),
        other.string() + ": this HDF5 file holds no numbers of a report. Give the run.h5 that 'tellegen run' wrote.");
  }
}

}  // namespace
}  // namespace tellegen::report
