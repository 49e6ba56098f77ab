// Networks in every kind of file, through the real program.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.h"

namespace tellegen::flow {
namespace {

using testing::HasSubstr;

class Networks : public testing::Test {
 protected:
  static std::string experiment(const std::string& name) {
    return "'" + source_file("configs/experiments/" + name + ".yaml") + "'";
  }
  Workplace place_;
};

/// The report without its last lines: the configuration names another file.
std::string numbers_of(const Outcome& outcome) { return outcome.out.substr(0, outcome.out.find("\nversion ")); }

/// The same numbers from ONNX and from what was saved in HDF5.
TEST_F(Networks, SavedInHdf5RunAsTheyDidInOnnx) {
  const std::string few =
      " --set evaluate.samples=32 --set evaluate.chips=2 --set evaluate.calibration_samples=16 --set "
      "evaluate.snr_samples=16";
  const Outcome saved = place_.run("convert " + experiment("lenet_mnist") + " --save net.h5");
  EXPECT_EQ(saved.err, "");
  EXPECT_THAT(saved.out, HasSubstr("\nwrote net.h5\n"));
  const Outcome onnx = place_.run("run " + experiment("lenet_mnist") + few);
  const Outcome hdf5 =
      place_.run("run " + experiment("lenet_mnist") + few + " --set network.onnx=none --set network.hdf5=net.h5");
  EXPECT_EQ(hdf5.err, "");
  EXPECT_EQ(hdf5.code, 0);
  EXPECT_THAT(numbers_of(onnx), HasSubstr("\naccuracy "));
  EXPECT_EQ(numbers_of(hdf5), numbers_of(onnx));
}

TEST_F(Networks, AreSavedAsTheyAreOrNotAtAll) {
  const Outcome saved = place_.run("convert " + experiment("lenet_mnist") + " --save net.h5");
  ASSERT_EQ(saved.code, 0);
  const std::pair<std::string, std::string> cases[] = {
      {"lm_polyglu --set network.polyglu=hard --save a.h5",
       "--save writes the network of the file as it is, without what network.polyglu, network.intervention and "
       "network.weights change in it. Leave these settings out, or --save."},
      {"mlp_mnist --save a.onnx", "a.onnx: a network in HDF5 needs a name that ends in .h5 or .hdf5."}};
  for (const auto& [rest, message] : cases) {
    const std::string name = rest.substr(0, rest.find(' '));
    const Outcome refused = place_.run("convert " + experiment(name) + rest.substr(name.size()));
    EXPECT_EQ(refused.code, 2) << rest;
    EXPECT_EQ(refused.err, "tellegen: error: " + message + "\n");
  }
  EXPECT_EQ(place_.names(), std::vector<std::string>{"net.h5"});
}

TEST_F(Networks, GatesAreFittedToWhatLayersSee) {
  const Outcome outcome = place_.run("convert " + experiment("vit_mnist") +
                                     " --calibrate --set evaluate.samples=8 --set evaluate.calibration_samples=8");
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.code, 0);
  for (const char* gate : {"gelu (erf)  K = 2 at 1.702", "gelu (erf)  K = 2, sharpness",
                           "gelu (erf)  K = 3, exact tails", "\nfloat ", "\nK = 3, exact tails "})
    EXPECT_THAT(outcome.out, HasSubstr(gate));
}

TEST_F(Networks, AreConvertedAsTheExperimentChangesThem) {
  const Outcome soft = place_.run("convert " + experiment("lm_polyglu"));
  EXPECT_THAT(soft.out, HasSubstr("/layers.0/gate/Tanh "));
  const Outcome cut = place_.run("convert " + experiment("lm_polyglu") + " --set network.intervention.tail=cap");
  EXPECT_EQ(cut.err, "");
  EXPECT_EQ(cut.code, 0);
  EXPECT_THAT(cut.out, testing::Not(HasSubstr("/layers.0/gate/Tanh ")));
}

TEST_F(Networks, OfShapesAreMappedAndConvertedButNotRun) {
  const Outcome mapped = place_.run("map " + experiment("shape_only"));
  EXPECT_EQ(mapped.code, 0);
  EXPECT_THAT(mapped.out, HasSubstr("\nparameters                     25557032\n"));
  const Outcome converted = place_.run("convert " + experiment("shape_only") + " --set network.shapes='" +
                                       source_file("configs/networks/gpt2_124m.yaml") + "'");
  EXPECT_THAT(converted.out, HasSubstr("12 of 12 sites allow a gate"));
  for (const char* command : {"run ", "spice "}) {
    const Outcome refused = place_.run(command + experiment("shape_only"));
    EXPECT_EQ(refused.code, 2) << command;
    EXPECT_EQ(
        refused.err,
        "tellegen: error: network.shapes = 'configs/networks/resnet50.yaml' gives the shapes of 'resnet50' and no "
        "weights: it can be mapped and converted, not run. Name a trained network as network.onnx or network.hdf5.\n");
  }
}

TEST_F(Networks, AreNamedOnce) {
  const Outcome outcome =
      place_.run("map " + experiment("shape_only") + " --set network.onnx=models/trained/mlp_mnist.onnx");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("network.shapes is given beside another network; allowed: one of onnx, hdf5 and "
                                     "shapes."));
}

TEST_F(Networks, OfShapesHaveNothingToSave) {
  const Outcome outcome = place_.run("convert " + experiment("shape_only") + " --save net.h5");
  EXPECT_EQ(outcome.code, 2);
  EXPECT_THAT(outcome.err, HasSubstr("holds shapes and no weights: there is no network to save. Leave --save out."));
  EXPECT_TRUE(place_.names().empty());
}

}  // namespace
}  // namespace tellegen::flow
