// tellegen spice EXPERIMENT.yaml, in this process: tiles of a chip, with the inputs of a sample.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tellegen/sim/cli/program.h"

namespace tellegen::cli {
namespace {

namespace fs = std::filesystem;

const std::string kExperiment = TELLEGEN_SOURCE_DIR "/configs/experiments/lenet_wires.yaml";

struct Outcome {
  int code;
  std::string out, err;
};

/// `tellegen spice EXPERIMENT ...` into a temporary folder, removed at the end.
class SpiceExperiment : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tellegen-tile-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  Outcome run(std::vector<const char*> options) const {
    options.insert(options.begin(), {"tellegen", "spice", kExperiment.c_str(), "--out", folder_.c_str()});
    std::ostringstream out, err;
    const int code = run_program(static_cast<int>(options.size()), options.data(), out, err);
    return {code, out.str(), err.str()};
  }
  nlohmann::json report() const { return nlohmann::json::parse(std::ifstream(folder_ / "spice.json")); }
  fs::path folder_;
};

TEST_F(SpiceExperiment, ATileWithItsWires) {
  const Outcome outcome = run({"--sample", "2", "--chip", "1"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, testing::ContainsRegex("^conv0 of lenet_wires, tile 0 of 1, chip 1, sample 2, position "
                                                  "[0-9]+ of 784\n25 x 12 cells, linear\n"));
  for (const double ampere : report().at("vectors")[0].at("output")) EXPECT_NE(ampere, 0);
  std::stringstream deck;
  deck << std::ifstream(folder_ / "vector0.cir").rdbuf();
  EXPECT_THAT(deck.str(), testing::HasSubstr("Rw2 w0_0 w0_1 1\n"));
  if (report().at("largest_difference").is_null()) GTEST_SKIP() << "ngspice is not installed.";
  EXPECT_LE(report().at("largest_difference").get<double>(), 1e-10);
}

TEST_F(SpiceExperiment, NonLinearCellsBitByBit) {
  const Outcome outcome = run({"--layer", "conv3", "--tile", "2", "--position", "50", "--set", "chip.tile.rows=24",
                               "--set", "chip.tile.columns=16", "--set", "chip.device.iv.law=sinh", "--set",
                               "chip.dac.streaming=bit_serial", "--set", "chip.dac.bits=3"});
  ASSERT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, testing::HasSubstr("24 x 16 cells, sinh\n"));
  ASSERT_EQ(report().at("vectors").size(), 3) << "one vector for each bit";
  if (report().at("largest_difference").is_null()) GTEST_SKIP() << "ngspice is not installed.";
  EXPECT_LE(report().at("largest_difference").get<double>(), 1e-9);
}

TEST_F(SpiceExperiment, RefusesWhatIsNotThere) {
  const auto expect_refused = [this](const std::vector<const char*>& options, const std::string& message) {
    const Outcome outcome = run(options);
    EXPECT_EQ(outcome.code, kWrongInput);
    EXPECT_EQ(outcome.err, "tellegen: error: " + message + "\n");
  };
  expect_refused({"--layer", "conv2"},
                 "--layer 'conv2' is not a layer with weights; did you mean 'conv0'? Allowed: conv0, conv3, gemm7, "
                 "gemm9, gemm11.");
  expect_refused({"--chip", "5"}, "--chip = '5' is out of range; allowed: 0 to 4, as evaluate.chips is 5.");
  expect_refused({"--driver", "1 ohm"},
                 kExperiment +
                     ": --driver is for one's own array, and this is an experiment. Change it with --set, for example "
                     "--set chip.crossbar.row_wire='2 ohm'.");
}

TEST(SpiceArray, RefusesOptionsOfExperiments) {
  const std::string file = (fs::temp_directory_path() / "tellegen-tile.csv").string();
  std::ofstream(file) << "1e-5\n";
  const char* arguments[] = {"tellegen", "spice", file.c_str(), "--layer", "conv0"};
  std::ostringstream out, err;
  EXPECT_EQ(run_program(5, arguments, out, err), kWrongInput);
  EXPECT_EQ(err.str(),
            "tellegen: error: " + file + ": --layer is for experiments (.yaml), and this is an array. Leave it out.\n");
  fs::remove(file);
}

}  // namespace
}  // namespace tellegen::cli
