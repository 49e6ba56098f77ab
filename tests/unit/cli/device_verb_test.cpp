// tellegen device, in this process: what it prints, what it refuses, what it writes.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tellegen/base/hdf5_file.h"
#include "tellegen/sim/cli/program.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"tellegen", "device"});
  std::ostringstream out, err;
  const int code = run_program(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {code, out.str(), err.str()};
}

/// An empty working directory, removed at the end; the search path as it was.
class DeviceVerb : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    path_ = std::getenv("PATH");
    std::string name = (fs::temp_directory_path() / "tellegen-device-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::current_path(folder_);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  /// Exit code 2, this message, nothing printed, nothing left behind.
  void expect_refused(const std::vector<const char*>& arguments, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, kWrongInput);
    EXPECT_EQ(outcome.err, "tellegen: error: " + message + "\n");
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(fs::is_empty(folder_));
  }
  fs::path before_, folder_;
  std::string path_;
};

TEST_F(DeviceVerb, ListsEveryKindWithItsProtocols) {
  const Outcome outcome = run({"list"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, HasSubstr("conductance devices; protocols: pulses, retention, read\n"));
  EXPECT_THAT(outcome.out, HasSubstr("memristors; protocols: iv, branches, pulses\n"));
  for (const char* name : {"pcm_joshi", "vteam", "hzo_10nm", "bulk_28nm"}) EXPECT_THAT(outcome.out, HasSubstr(name));
}

TEST_F(DeviceVerb, DescribesEquationsSourceSmallestUseAndSettings) {
  const Outcome outcome = run({"describe", "rram_wan"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, HasSubstr("rram_wan: conductance device\n"));
  EXPECT_THAT(outcome.out,
              HasSubstr("\nequations\n  g = target / g_max. Deviation from the target: sigma = g_max p(g)"));
  EXPECT_THAT(outcome.out, HasSubstr("\nsource\n  Wan et al., Nature 608:504 (2022)"));
  EXPECT_THAT(outcome.out, HasSubstr("\nsmallest use\n  device: {model: rram_wan}\n"));
  EXPECT_THAT(outcome.out, HasSubstr("device.g_max: largest conductance that a cell is programmed to\n    quantity"));
  EXPECT_THAT(outcome.out, HasSubstr("; default 40 uS\n"));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("only where")));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("telegraph")));
}

TEST_F(DeviceVerb, PrintsTheTableOfBranchDeviations) {
  const Outcome outcome = run({"branch-table"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, HasSubstr("HP, voltage   "));
}

TEST_F(DeviceVerb, RefusesAnUnknownDevice) {
  const std::string message =
      "'pcm_yoshi' is not a known device; did you mean 'pcm_joshi'? 'tellegen device list' shows all of them.";
  expect_refused({"describe", "pcm_yoshi"}, message);
  expect_refused({"characterize", "pcm_yoshi", "--protocol", "read"}, message);
}

TEST_F(DeviceVerb, RefusesAProtocolThatDoesNotFit) {
  expect_refused(
      {"characterize", "pcm_joshi", "--protocol", "retentoin"},
      "--protocol = 'retentoin' is not a protocol of the conductance device 'pcm_joshi'; allowed: pulses, retention, "
      "read; did you mean 'retention'?");
  expect_refused({"characterize", "vteam", "--protocol", "pe-loop"},
                 "--protocol = 'pe-loop' is not a protocol of the memristor 'vteam'; allowed: iv, branches, pulses.");
}

TEST_F(DeviceVerb, RefusesWhatCannotBeReadOrDrawn) {
  expect_refused({"characterize", "hp", "--protocol", "iv", "--amplitude", "1"},
                 "--amplitude = '1' needs a number and a unit (mV, V).");
  expect_refused({"characterize", "hp", "--protocol", "iv", "--frequency", "0 Hz"},
                 "--frequency = '0 Hz' is out of range; allowed: above 0.");
  expect_refused({"characterize", "hp", "--protocol", "iv", "--plot", "loop.pdf"},
                 "'loop.pdf' is not a figure that can be drawn; allowed: a name that ends in .svg or .png.");
  expect_refused({"characterize", "hp", "--protocol", "iv", "--set", "r_onn=1 kohm"},
                 "--set memristor.r_onn: memristor.r_onn is not a known setting; did you mean 'r_on'?");
}

TEST_F(DeviceVerb, WritesDataAndSaysWhat) {
  const Outcome outcome = run({"characterize", "hp", "--protocol", "pulses"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_EQ(outcome.err, "");
  EXPECT_THAT(outcome.out, HasSubstr("wrote pulses.h5, pulses_train.csv to out/hp_pulses\n"));
  EXPECT_TRUE(fs::exists("out/hp_pulses/pulses.h5"));
  EXPECT_TRUE(fs::exists("out/hp_pulses/pulses_train.csv"));
  const Hdf5Reader file("out/hp_pulses/pulses.h5");
  EXPECT_EQ(file.text_attribute("", "version"), sim::version());
  EXPECT_EQ(file.number_attribute("", "seed"), 1);
  EXPECT_THAT(file.text_attribute("", "source"), HasSubstr("Strukov"));
}

TEST_F(DeviceVerb, QuietPrintsNothing) {
  const Outcome outcome = run({"characterize", "hp", "--protocol", "pulses", "--quiet", "--out", "here"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_EQ(outcome.out + outcome.err, "");
  EXPECT_TRUE(fs::exists("here/pulses.h5"));
}

TEST_F(DeviceVerb, WithoutGnuplotTheDataAreThereAndThePackageIsNamed) {
  setenv("PATH", "/nonexistent", 1);
  const Outcome outcome = run({"characterize", "hp", "--protocol", "pulses", "--plot", "pulses.svg"});
  EXPECT_EQ(outcome.code, kDone);
  EXPECT_THAT(outcome.out, HasSubstr("'pulses.svg' was not drawn: the program gnuplot was not found. The data are "
                                     "written; install the package gnuplot-nox and run again for the figure.\n"));
  EXPECT_TRUE(fs::exists("out/hp_pulses/pulses.h5"));
  EXPECT_FALSE(fs::exists("pulses.svg"));
}

}  // namespace
}  // namespace tellegen::cli
