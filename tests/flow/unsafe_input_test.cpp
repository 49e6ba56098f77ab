// Names that are no names, grids with points that fail, places that are taken: what the program makes of them.

#include <gmock/gmock.h>

#include "program.h"

namespace tellegen::flow {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kShort = "{samples: 16, chips: 2, calibration_samples: 8, snr_samples: 8}";

class UnsafeInput : public testing::Test {
 protected:
  /// An experiment with further lines and a network.
  static std::string experiment(const std::string& lines,
                                const std::string& onnx = source_file("models/trained/mlp_mnist.onnx")) {
    return lines + "network: {onnx: " + onnx + ", data: " + source_file("models/data/mnist_test.h5") +
           "}\nchip:\n  device: {model: generic, g_max: 25 uS}\nevaluate: " + kShort + "\n";
  }
  Workplace place_;
};

TEST_F(UnsafeInput, NamesThatAreNoFolderAreRefused) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"../../evil", "../../evil"}, {"..", ".."},           {"/abs", "/abs"}, {"\"a\\nb\"", "a\\x0ab"},
      {"\"a\\eb\"", "a\\x1bb"},     {"caf\xE9", "caf\\xe9"}};
  for (const auto& [written, shown] : names) {
    place_.write("bad.yaml", experiment("name: " + written + "\n"));
    const Outcome outcome = place_.run("run bad.yaml");
    EXPECT_EQ(outcome.err, "tellegen: error: bad.yaml:1:7: name = '" + shown +
                               "' cannot name a folder; allowed: up to 100 letters (a to z), digits, '.', '_', '-' and "
                               "spaces, with at least one letter or digit.\n");
    EXPECT_EQ(outcome.code, 2);
    EXPECT_THAT(place_.names(), ElementsAre("bad.yaml"));
  }
}

TEST_F(UnsafeInput, AFileThatIsNoNameGivesOne) {
  place_.write("a(1).yaml", experiment(""));
  EXPECT_EQ(place_.run("map 'a(1).yaml' --quiet").code, 0);
  EXPECT_TRUE(fs::exists(place_.folder() / "out/a_1_/plan.csv"));
}

TEST_F(UnsafeInput, NodeNamesAreEscaped) {
  std::string bytes = content_of(source_file("models/trained/mlp_mnist.onnx"));
  const std::string name = "/0/Gemm";
  for (std::size_t at = bytes.find(name); at != std::string::npos; at = bytes.find(name, at))
    bytes.replace(at, name.size(), "/\xE9/G\x1bmm");
  place_.write("net.onnx", bytes);
  place_.write("run.yaml", experiment("", (place_.folder() / "net.onnx").string()));
  const Outcome outcome = place_.run("run run.yaml");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(content_of(place_.folder() / "out/run/layers.csv"), HasSubstr(",/\\xe9/G\\x1bmm,"));
  EXPECT_THAT(content_of(place_.folder() / "out/run/report.json"), HasSubstr("\"name\": \"/\\\\xe9/G\\\\x1bmm\""));
}

TEST_F(UnsafeInput, AFolderInPlaceOfAResultIsSeenBeforeTheRun) {
  place_.write("good.yaml", experiment(""));
  fs::create_directories(place_.folder() / "out/good/run.h5");
  const Outcome outcome = place_.run("run good.yaml");
  EXPECT_EQ(outcome.err,
            "tellegen: error: out/good: results cannot be written here: '" + fs::canonical(place_.folder()).string() +
                "/out/good/run.h5' is a folder, not a file. Remove it. Choose another place with --out.\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(place_.names(), ElementsAre("good.yaml", "out", "out/good", "out/good/run.h5"));
}

TEST_F(UnsafeInput, OnePointThatFailsDoesNotCostTheOthers) {
  place_.write("text.h5", "no images here\n");
  place_.write("good.yaml", experiment(""));
  place_.write("grid.yaml", "experiment: good.yaml\nover: {network.data: [text.h5, " +
                                source_file("models/data/mnist_test.h5") + "]}\n");
  const Outcome outcome = place_.run("sweep grid.yaml");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_THAT(outcome.out, HasSubstr("\nrefused: text.h5: text.h5: this is not an HDF5 file.\n"));
  EXPECT_THAT(content_of(place_.folder() / "out/grid/sweep.csv"),
              HasSubstr("\ntext.h5,,,,,,,,,,,,top1,,text.h5: this is not an HDF5 file.\n"));
}

TEST_F(UnsafeInput, AllPointsRefusedIsARefusal) {
  place_.write("good.yaml", experiment(""));
  place_.write("grid.yaml", "experiment: good.yaml\nover: {chip.tiles: [1, 2]}\n");
  const Outcome outcome = place_.run("sweep grid.yaml");
  EXPECT_THAT(outcome.err, testing::StartsWith("tellegen: error: none of the 2 points could be done; the first: "
                                               "chip.tiles = 1 is not enough: the network needs 33 tiles"));
  EXPECT_THAT(outcome.err, testing::EndsWith(" All reasons are in the files.\n"));
  EXPECT_EQ(outcome.code, 3);
  EXPECT_TRUE(fs::exists(place_.folder() / "out/grid/sweep.csv"));
}

TEST_F(UnsafeInput, WrongInputOfAllPointsIsWrongInput) {
  place_.write("text.h5", "no images here\n");
  place_.write("good.yaml", experiment(""));
  place_.write("grid.yaml", "experiment: good.yaml\nset: {network.data: text.h5}\nover: {chip.adc.bits: [6, 8]}\n");
  const Outcome outcome = place_.run("sweep grid.yaml");
  EXPECT_EQ(outcome.err, "tellegen: error: text.h5: this is not an HDF5 file.\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_FALSE(fs::exists(place_.folder() / "out"));
}

}  // namespace
}  // namespace tellegen::flow
