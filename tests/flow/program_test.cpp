// The program from the outside: verbs, files, exit codes.

#include <gmock/gmock.h>

#include "program.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::flow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const char* const kShort =
    " --set evaluate.samples=32 --set evaluate.chips=2 --set evaluate.calibration_samples=16 --set "
    "evaluate.snr_samples=16";

std::string experiment() { return "'" + source_file("configs/experiments/lenet_mnist.yaml") + "'"; }

class Program : public testing::Test {
 protected:
  Workplace place_;
};

TEST_F(Program, RunsPrintsAndWrites) {
  const Outcome outcome = place_.run("run " + experiment() + kShort);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(
      outcome.out,
      StartsWith(
          "lenet_mnist on 128 x 128 pcm_joshi tiles, 8-bit DAC, 8-bit ADC, 1 day old    2 chips, 32 images, seed 1\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nwrote run.h5, report.json, layers.csv to out/lenet_mnist    "
                                     "(tellegen explain out/lenet_mnist/run.h5 energy)\n"));
  EXPECT_THAT(place_.names(), ElementsAre("out", "out/lenet_mnist", "out/lenet_mnist/layers.csv",
                                          "out/lenet_mnist/report.json", "out/lenet_mnist/run.h5"));
}

TEST_F(Program, IsQuietWhenAsked) {
  const Outcome outcome = place_.run("run " + experiment() + kShort + " --quiet --out here");
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(fs::exists(place_.folder() / "here/run.h5"));
}

TEST_F(Program, ExplainsEveryNumberFromTheFileAlone) {
  ASSERT_EQ(place_.run("run " + experiment() + kShort + " --quiet --out here").code, 0);
  EXPECT_EQ(place_.run("explain here energy").out, place_.run("explain here/run.h5 energy").out);
  EXPECT_THAT(place_.run("explain here energy").out, StartsWith("energy: "));
  fs::rename(place_.folder() / "here/run.h5", place_.folder() / "moved.h5");
  fs::remove_all(place_.folder() / "here");
  const Outcome list = place_.run("explain moved.h5");
  EXPECT_EQ(list.code, 0);
  for (const std::string id :
       {"accuracy.chip", "energy", "energy.conv0.adc", "area.conv0.dac", "latency.conv0", "snr.conv0", "clipped.conv0",
        "utilisation.conv0", "tiles.conv0", "tops", "tops_per_watt"}) {
    EXPECT_THAT(list.out, HasSubstr("\n" + id + " ")) << id;
    const Outcome one = place_.run("explain moved.h5 " + id);
    EXPECT_EQ(one.code, 0);
    EXPECT_THAT(one.out, StartsWith(id + ": "));
    EXPECT_THAT(one.out, HasSubstr("\n  formula  "));
    EXPECT_THAT(one.out, HasSubstr("\n  source   "));
  }
  const Outcome unknown = place_.run("explain moved.h5 energi");
  EXPECT_EQ(unknown.code, 2);
  EXPECT_EQ(unknown.err,
            "tellegen: error: moved.h5: 'energi' is not a number of this report; did you mean 'energy'? 'tellegen "
            "explain moved.h5' lists "
            "all of them.\n");
}

TEST_F(Program, MapsWithoutATestRun) {
  const Outcome outcome = place_.run("map " + experiment() + " --out plan");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(place_.names(), ElementsAre("plan", "plan/boundaries.csv", "plan/plan.csv", "plan/plan.json"));
  EXPECT_THAT(outcome.out, StartsWith("layer "));
}

TEST_F(Program, MapsWithEnergiesAndWithoutInference) {
  const Outcome outcome = place_.run("map " + experiment() + " --energy --out plan" + kShort);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(place_.names(), ElementsAre("plan", "plan/boundaries.csv", "plan/energy.json", "plan/layers.csv",
                                          "plan/plan.csv", "plan/plan.json"));
  EXPECT_THAT(outcome.out, HasSubstr("2 chips, 32 images, seed 1, no inference\n"));
  EXPECT_THAT(outcome.out, HasSubstr("\nenergy     "));
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("accuracy")));
  EXPECT_THAT(outcome.out, HasSubstr("come from moments row by row of the float network's values over 32 samples."));
}

TEST_F(Program, SweepsInTheSameWayOnOneAndTwoThreads) {
  place_.write(
      "grid.yaml",
      "experiment: " + source_file("configs/experiments/lenet_mnist.yaml") +
          "\nset: {evaluate.samples: 16, evaluate.chips: 2, evaluate.calibration_samples: 8, evaluate.snr_samples: 8}\n"
          "over: {chip.adc.bits: [5, 8], chip.tile.scale: [per_layer, per_column]}\ncompare_axis: chip.tile.scale\n");
  const Outcome one = place_.run("sweep grid.yaml --threads 1 --out one");
  EXPECT_EQ(one.err, "");
  EXPECT_EQ(one.code, 0);
  EXPECT_THAT(one.out, HasSubstr("along chip.tile.scale\n"));
  EXPECT_EQ(place_.run("sweep grid.yaml --threads 2 --out two").code, 0);
  EXPECT_EQ(content_of(place_.folder() / "one/sweep.h5"), content_of(place_.folder() / "two/sweep.h5"));
  EXPECT_EQ(content_of(place_.folder() / "one/sweep.csv"), content_of(place_.folder() / "two/sweep.csv"));
}

TEST_F(Program, Compares) {
  place_.write("choices.yaml",
               "experiment: " + source_file("configs/experiments/lenet_mnist.yaml") +
                   "\nimages: 16\nset: {evaluate.chips: 2, evaluate.calibration_samples: 8, evaluate.snr_samples: 8}\n"
                   "options: [{name: as it is}, {name: ISAAC, set: {costs.adc: isaac_2016}}]\n");
  const Outcome outcome = place_.run("compare choices.yaml");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(place_.names(),
              ElementsAre("choices.yaml", "out", "out/choices", "out/choices/compare.csv", "out/choices/compare.json"));
}

TEST_F(Program, HelpsWithExamplesForEveryVerb) {
  for (const std::string verb : {"run", "sweep", "compare", "map", "explain", "device", "help"}) {
    const Outcome outcome = place_.run(verb + " --help");
    EXPECT_EQ(outcome.code, 0) << verb;
    EXPECT_THAT(outcome.out, HasSubstr("Examples:\n  tellegen " + verb + " ")) << verb;
  }
  EXPECT_EQ(place_.run("--help").code, 0);
}

TEST_F(Program, ShowsHelpWhereNothingIsAskedFor) {
  const Outcome help = place_.run("--help");
  for (const char* words : {"", "help"}) {
    const Outcome outcome = place_.run(words);
    EXPECT_EQ(outcome.code, 0) << words;
    EXPECT_EQ(outcome.out, help.out) << words;
    EXPECT_EQ(outcome.err, "") << words;
  }
  EXPECT_EQ(place_.run("help run").out, place_.run("run --help").out);
  const Outcome device = place_.run("device");
  EXPECT_EQ(device.code, 0);
  EXPECT_EQ(device.out, place_.run("device --help").out);
  EXPECT_THAT(device.out, HasSubstr("\nUsage: tellegen device [OPTIONS] VERB\n"));
  EXPECT_THAT(device.out, HasSubstr("\nVerbs:\n"));
  EXPECT_THAT(help.out, testing::Not(HasSubstr("ubcommand")));
}

TEST_F(Program, SaysThatSetHasSingleValues) {
  EXPECT_THAT(place_.run("help sweep set").out, HasSubstr("\n    mapping of names to single values\n"));
  EXPECT_THAT(place_.run("help sweep over").out, HasSubstr("\n    mapping of names to lists\n"));
  EXPECT_THAT(place_.run("help compare").out,
              HasSubstr("\noptions[].set: settings that differ from the experiment, for example {chip.adc.bits: 6}\n"
                        "    mapping of names to single values\n"));
}

TEST_F(Program, PrintsItsVersion) {
  const Outcome outcome = place_.run("--version");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, testing::MatchesRegex("tellegen [0-9]+\\.[0-9]+\\.[0-9]+\n"));
}

TEST_F(Program, RefusesWrongArguments) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"run a.yaml --threads -1",
       "--threads = '-1' is not a number of threads; allowed: 0 (all that the machine has) to 1024.\n"},
      {"device lis", "'lis' is not a verb of 'tellegen device'; did you mean 'list'? Verbs: list, "},
      {"help confg",
       "'confg' is not a verb of 'tellegen help'; did you mean 'config'? Verbs: config, sweep, compare, "
       "activations, shapes.\n"},
      {"runn",
       "'runn' is not a verb; did you mean 'run'? Verbs: run, sweep, compare, map, convert, feed-forward, explain, "},
      {"run", "experiment is required. 'tellegen --help' and 'tellegen VERB --help' show what is possible."},
      {"device describe pcm_jos",
       "'pcm_jos' is not a known device; did you mean 'pcm_joshi'? 'tellegen device list' shows all"},
      {"help config chip.adcs",
       "'chip.adcs' is not a setting or a group of settings; did you mean 'chip.adc'? 'tellegen help config' lists all "
       "of them."}};
  for (const auto& [arguments, message] : cases) {
    const Outcome outcome = place_.run(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments;
    EXPECT_THAT(outcome.err, StartsWith("tellegen: error: " + message)) << arguments;
    EXPECT_EQ(outcome.out, "") << arguments;
  }
}

TEST_F(Program, SaysWhereItsTextWasLost) {
  for (const char* verb : {"help config >/dev/full", "device list >&-"}) {
    place_.run(std::string(verb) + " 2>lost; echo $? >code #");
    EXPECT_EQ(content_of(place_.folder() / "code"), "2\n") << verb;
    EXPECT_EQ(content_of(place_.folder() / "lost"),
              "tellegen: error: the text could not be written to the standard output (closed, or its disk is full).\n")
        << verb;
  }
}

TEST_F(Program, DoesNotReplaceWhatItReads) {
  place_.write("a.csv", "1e-5,2e-5\n");
  const Outcome solved = place_.run("crossbar solve a.csv --out a.csv");
  EXPECT_EQ(solved.code, 2);
  EXPECT_EQ(solved.err,
            "tellegen: error: a.csv: is a file that is read; results would replace it. Give another name.\n");
  EXPECT_EQ(content_of(place_.folder() / "a.csv"), "1e-5,2e-5\n");
}

}  // namespace
}  // namespace tellegen::flow
