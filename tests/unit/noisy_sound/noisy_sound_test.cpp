// White noise on the recording that the voice detector is judged by.

#include <gtest/gtest.h>

#include <cmath>

#include "../base/message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {
namespace {

using testing_support::message_of;

const std::string kFolder = std::string(TELLEGEN_SOURCE_DIR) + "/models/";

Network detector() { return import_onnx(kFolder + "trained/silero_vad_16k.onnx"); }
std::unique_ptr<TestSet> speech(const Network& network, std::optional<double> snr_db) {
  return load_test_set(kFolder + "data/vad_speech.h5", network, snr_db);
}

TEST(NoisySound, HasTheRatioThatWasAskedFor) {
  const Network network = detector();
  const auto clean = speech(network, {});
  const Tensor recorded = clean->batch(0, clean->size());
  double power = 0;
  for (const float value : recorded.data) power += static_cast<double>(value) * static_cast<double>(value);
  for (const double snr_db : {20.0, 0.0}) {
    const Tensor noisy = speech(network, snr_db)->batch(0, clean->size());
    double noise = 0, correlation = 0;
    for (std::size_t i = 0; i < noisy.data.size(); ++i) {
      const double added = static_cast<double>(noisy.data[i]) - static_cast<double>(recorded.data[i]);
      noise += added * added;
      correlation += added * static_cast<double>(recorded.data[i]);
    }
    EXPECT_NEAR(10 * std::log10(power / noise), snr_db, 0.03) << "846,720 draws: 0.007 dB";
    EXPECT_LT(std::abs(correlation) / std::sqrt(power * noise), 0.006);
    EXPECT_EQ(noisy.data[0], 0.0F) << "before the recording there is silence";
    EXPECT_EQ(noisy.data, speech(network, snr_db)->batch(0, clean->size()).data) << "the same noise every time";
  }
}

/// 0.9664 and 0.9651 with draws of numpy, when the network was converted.
TEST(NoisySound, CostsTheDetectorLittle) {
  const Network network = detector();
  const auto area = [&](std::optional<double> snr_db) {
    return evaluate(network, *speech(network, snr_db), {0, 64, 0})[0];
  };
  const Figure clean = area({}), ten = area(10), zero = area(0);
  EXPECT_EQ(clean.name, "auc");
  EXPECT_NEAR(clean.value, 0.9822, 5e-5);
  EXPECT_NEAR(ten.value, 0.9664, 0.004);
  EXPECT_NEAR(zero.value, 0.9651, 0.006);
  EXPECT_LT(ten.value, clean.value);
}

TEST(NoisySound, IsRefusedForOtherSets) {
  const Network network = import_onnx(kFolder + "trained/mlp_mnist.onnx");
  const std::string file = kFolder + "data/mnist_test.h5";
  EXPECT_EQ(
      message_of<InputError>([&] { load_test_set(file, network, 10.0); }),
      file + ": holds no sound, to which noise 10 dB below it could be added. Leave the signal-to-noise ratio out.");
}

}  // namespace
}  // namespace tellegen::models
