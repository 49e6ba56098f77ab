// What a user may get wrong: each with its exact message, exit code 2, and no file left behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "program.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::flow {
namespace {

/// An experiment as a user writes it, with places for what is to be wrong.
struct Experiment {
  std::string onnx = source_file("models/trained/mlp_mnist.onnx");
  std::string data = source_file("models/data/mnist_test.h5");
  std::string device = "{model: generic, g_max: 25 uS}";
  std::string chip;  ///< further lines

  std::string yaml() const {
    return "network:\n  onnx: " + onnx + "\n  data: " + data + "\nchip:\n  device: " + device + "\n" + chip +
           "evaluate: {samples: 32, chips: 1}\n";
  }
};

class BadInput : public testing::Test {
 protected:
  /// Runs the experiment; expects `message` on the error output, `code`, nothing printed and no file beside the inputs.
  void expect(const Experiment& experiment, const std::string& message, int code = 2) {
    place_.write("bad.yaml", experiment.yaml());
    const std::vector<std::string> before = place_.names();
    const Outcome outcome = place_.run("run bad.yaml");
    EXPECT_EQ(outcome.err, "tellegen: error: " + message + "\n");
    EXPECT_EQ(outcome.code, code);
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(place_.names(), before);
  }
  std::string path(const std::string& name) const { return (place_.folder() / name).string(); }

  /// A test set of 400 black images with the given sides, all of class 0 but the last.
  void write_set(const std::string& name, std::uint64_t height, std::uint64_t width, std::uint8_t last_label) {
    constexpr std::uint64_t kImages = 400;
    Hdf5Writer file(place_.folder() / name);
    const std::vector<std::uint8_t> pixels(kImages * height * width);
    file.write("images", std::span<const std::uint8_t>(pixels), {kImages, height, width});
    std::vector<std::uint8_t> labels(kImages);
    labels.back() = last_label;
    file.write("labels", std::span<const std::uint8_t>(labels), {kImages});
    file.commit();
  }

  Workplace place_;
};

TEST_F(BadInput, MisspeltKey) {
  Experiment bad;
  bad.device = "{model: generic, g_mix: 25 uS}";
  expect(bad, "bad.yaml:5:28: chip.device.g_mix is not a known setting; did you mean 'g_min'?");
}

TEST_F(BadInput, MissingUnit) {
  Experiment bad;
  bad.device = "{model: generic, g_max: 25}";
  expect(bad, "bad.yaml:5:35: chip.device.g_max = '25' needs a number and a unit (uS, mS).");
}

TEST_F(BadInput, WrongDimension) {
  Experiment bad;
  bad.device = "{model: generic, g_max: 25 kohm}";
  expect(bad, "bad.yaml:5:35: chip.device.g_max = '25 kohm' has the wrong dimension; use uS, mS.");
}

TEST_F(BadInput, NegativeConductance) {
  Experiment bad;
  bad.device = "{model: generic, g_max: -25 uS}";
  expect(bad, "bad.yaml:5:35: chip.device.g_max = '-25 uS' is out of range; allowed: 1 pS to 1 S.");
}

TEST_F(BadInput, NegativeResistance) {
  Experiment bad;
  bad.chip = "  crossbar: {fidelity: circuit, row_wire: -1 ohm}\n";
  expect(bad, "bad.yaml:6:43: chip.crossbar.row_wire = '-1 ohm' is out of range; allowed: at least 0.");
}

TEST_F(BadInput, SmallestConductanceAboveTheLargest) {
  Experiment bad;
  bad.device = "{model: generic, g_min: 30 uS, g_max: 25 uS}";
  expect(bad, "bad.yaml:5:35: chip.device.g_min = '30 uS' is above device.g_max ('25 uS'); allowed: less than g_max.");
}

TEST_F(BadInput, ZeroBits) {
  Experiment bad;
  bad.chip = "  adc: {bits: 0}\n";
  expect(bad,
         "bad.yaml:6:15: chip.adc.bits = '0' is not a resolution; allowed: a whole number of bits from 1 to 16, or "
         "ideal.");
}

TEST_F(BadInput, OneBitBesideASign) {
  Experiment bad;
  bad.chip = "  adc: {bits: 1}\n";
  expect(bad,
         "bad.yaml:6:15: chip.adc.bits = '1' leaves no bit beside the sign: quantiser 'sign_magnitude' needs 2 bits or "
         "more; use "
         "quantiser: endpoint or mid_rise for 1 bit.");
}

TEST_F(BadInput, MissingNetwork) {
  Experiment bad;
  bad.onnx = "nowhere.onnx";
  expect(bad,
         "bad.yaml:2:9: network.onnx = 'nowhere.onnx' does not exist. Allowed: a file, named from the working "
         "directory, from the folder "
         "of this file, or from one of the folders above it.");
}

TEST_F(BadInput, MissingExperiment) {
  const Outcome outcome = place_.run("run nowhere.yaml");
  EXPECT_EQ(outcome.err, "tellegen: error: nowhere.yaml: there is no such file.\n");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(place_.names().empty());
}

TEST_F(BadInput, TruncatedNetwork) {
  Experiment bad;
  place_.write("short.onnx", content_of(bad.onnx).substr(0, 5000));
  bad.onnx = path("short.onnx");
  expect(bad,
         bad.onnx + ": is truncated: 'graph' should be 941230 bytes long, and 4975 are left. Copy the file again.");
}

TEST_F(BadInput, TextInsteadOfANetwork) {
  Experiment bad;
  place_.write("text.onnx", "this is no network\n");
  bad.onnx = path("text.onnx");
  expect(bad, bad.onnx +
                  ": is a text file that begins with 'this is no network', not an ONNX model. Give a file that was "
                  "exported as ONNX.");
}

TEST_F(BadInput, UnsupportedOperator) {
  Experiment bad;
  std::string bytes = content_of(bad.onnx);
  for (std::size_t at = bytes.find("Relu"); at != std::string::npos; at = bytes.find("Relu", at))
    bytes.replace(at, 4, "Celu");
  place_.write("celu.onnx", bytes);
  bad.onnx = path("celu.onnx");
  place_.write("bad.yaml", bad.yaml());
  const Outcome outcome = place_.run("run bad.yaml");
  // The list of what is supported grows with the program; its form and its ends are what is promised.
  const std::string begin =
      "tellegen: error: " + bad.onnx +
      ": node '/1/Celu' (Celu) is an operator of opset 13 that is not supported. Supported are: Abs (opset 9 to 18), ";
  const std::string end = ". Export the network with these.\n";
  ASSERT_GT(outcome.err.size(), begin.size() + end.size());
  EXPECT_EQ(outcome.err.substr(0, begin.size()), begin);
  EXPECT_EQ(outcome.err.substr(outcome.err.size() - end.size()), end);
  EXPECT_NE(outcome.err.find(", Relu (opset 9 to 18), "), std::string::npos);
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(place_.names(), (std::vector<std::string>{"bad.yaml", "celu.onnx"}));
}

TEST_F(BadInput, WrongInputShape) {
  Experiment bad;
  write_set("small.h5", 14, 14, 0);
  bad.data = path("small.h5");
  expect(bad, bad.data +
                  ": the images have size '14x14'; the network mlp_mnist reads 784. Use the test set that the network "
                  "was trained for.");
}

TEST_F(BadInput, LabelsOutOfRange) {
  Experiment bad;
  write_set("labels.h5", 28, 28, 10);
  bad.data = path("labels.h5");
  expect(bad, bad.data +
                  ": label 399 is '10'; the network has 10 outputs, so 0 to 9 is allowed. Use the test set that the "
                  "network was "
                  "trained for.");
}

TEST_F(BadInput, TextInsteadOfATestSet) {
  Experiment bad;
  place_.write("text.h5", "no images here\n");
  bad.data = path("text.h5");
  expect(bad, bad.data + ": this is not an HDF5 file.");
}

TEST_F(BadInput, SettingWithoutAValue) {
  place_.write("good.yaml", Experiment{}.yaml());
  const Outcome outcome = place_.run("run good.yaml --set chip.adc.bits");
  EXPECT_EQ(outcome.err,
            "tellegen: error: --set 'chip.adc.bits' is not SETTING=VALUE. Write for example --set chip.adc.bits=6.\n");
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(BadInput, OutputInPlaceOfAFile) {
  place_.write("good.yaml", Experiment{}.yaml());
  const Outcome outcome = place_.run("run good.yaml --out good.yaml");
  EXPECT_EQ(outcome.err, "tellegen: error: good.yaml: results cannot be written here: '" +
                             fs::canonical(place_.folder()).string() +
                             "/good.yaml' is a file, not a folder. Choose another place with --out.\n");
  EXPECT_EQ(outcome.code, 2);
}

TEST_F(BadInput, OutputOverTheLimitOfFileSizes) {
  place_.write("good.yaml", Experiment{}.yaml());
  const Outcome outcome = place_.run("run good.yaml --out results", "ulimit -f 40");
  EXPECT_THAT(outcome.err, testing::EndsWith("/run.h5: the file cannot be written (File too large).\n"));
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(place_.names(), std::vector<std::string>{"good.yaml"});
}

TEST_F(BadInput, ChipTooSmallIsARefusalNotAnError) {
  Experiment small;
  small.chip = "  tiles: 3\n";
  expect(small,
         "chip.tiles = 3 is not enough: the network needs 33 tiles of 128 x 128. Set chip.tiles to 33 or more, leave "
         "it out to have as many "
         "as needed, or make the tiles larger.",
         3);
}

}  // namespace
}  // namespace tellegen::flow
