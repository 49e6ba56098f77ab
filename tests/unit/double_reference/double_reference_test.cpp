// The shipped networks in double: exact conversion to threshold gates changes nothing but rounding, and the float executor is as
// far off as float is.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string>

#include "double_network.h"
#include "tellegen/models/convert/gate_sites.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operators/selection.h"
#include "tellegen/models/operators/softmax.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models::reference {
namespace {

struct Case {
  const char* network;
  const char* data;
  std::int64_t samples;
};

double largest_of(const Doubles& outputs) {
  double largest = 1;
  for (const double x : outputs.data) largest = std::max(largest, std::abs(x));
  return largest;
}

double difference(const Doubles& a, const Doubles& b) {
  EXPECT_EQ(a.shape, b.shape);
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) largest = std::max(largest, std::abs(a.data[i] - b.data[i]));
  return largest;
}

/// The class of a row, or whether the only probability is above one half.
std::size_t prediction(std::span<const double> row) {
  if (row.size() == 1) return row[0] > 0.5 ? 1 : 0;
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

struct Flip {
  std::size_t row = 0;
  double gap = 0;  ///< in `exact`, between what it predicts and what the other predicts
};
std::vector<Flip> flips(const Doubles& exact, const Doubles& other) {
  std::vector<Flip> found;
  const auto width = static_cast<std::size_t>(exact.shape.back());
  for (std::size_t row = 0; row < exact.data.size() / width; ++row) {
    const std::span<const double> a(exact.data.data() + row * width, width), b(other.data.data() + row * width, width);
    const std::size_t wanted = prediction(a), got = prediction(b);
    if (wanted != got) found.push_back({row, width == 1 ? 2 * std::abs(a[0] - 0.5) : a[wanted] - a[got]});
  }
  return found;
}

class DoubleReference : public testing::TestWithParam<Case> {
 protected:
  const std::string folder_ = std::string(TELLEGEN_SOURCE_DIR) + "/models/";
  const Network network_ = import_onnx(folder_ + "trained/" + GetParam().network + ".onnx");
  const Tensor input_ =
      load_test_set(folder_ + "data/" + GetParam().data + ".h5", network_)->batch(0, GetParam().samples);
  const Doubles exact_ = execute(network_, input_, defined_functions());
};

/// A non-linear operation by exact gates, between floats.
class ByGates final : public Operation {
 public:
  explicit ByGates(std::shared_ptr<const Operation> operation) : operation_(std::move(operation)) {}
  std::string label() const override { return operation_->label() + " by gates"; }
  Shape output_shape(std::span<const Shape> inputs) const override { return operation_->output_shape(inputs); }
  Tensor run(std::span<const Tensor* const> inputs) const override {
    const Doubles input = to_double(*inputs[0]), output = reference::run(*operation_, {&input}, gate_functions());
    return {output.shape, {output.data.begin(), output.data.end()}};
  }
  std::string digital_unit() const override { return operation_->digital_unit(); }

 private:
  std::shared_ptr<const Operation> operation_;
};

/// All that is not linear by gates, in front of products where the site allows it; how much that is.
int convert_to_gates(Network& network) {
  network = move_gates(network, gate_sites(network));
  int converted = 0;
  const auto convert = [&](std::shared_ptr<const Operation>& operation) {
    const Operation* one = operation.get();
    if (dynamic_cast<const Pointwise*>(one) == nullptr && dynamic_cast<const Selection*>(one) == nullptr &&
        dynamic_cast<const Softmax*>(one) == nullptr && dynamic_cast<const Recurrent*>(one) == nullptr)
      return;
    operation = std::make_shared<ByGates>(operation);
    ++converted;
  };
  for (Node& node : network.nodes) {
    convert(node.operation);
    if (node.gate) convert(node.gate->activation);
  }
  return converted;
}

/// Products, sums and what lies between nodes in float: outputs and predictions of both networks.
TEST_P(DoubleReference, ConversionChangesTheFloatExecutorByRounding) {
  Network converted = network_;
  ASSERT_GT(convert_to_gates(converted), 0);
  const Doubles before = to_double(models::execute(network_, input_)),
                after = to_double(models::execute(converted, input_));
  const double largest = largest_of(before), off = difference(before, after) / largest;
  std::cout << GetParam().network << ": " << GetParam().samples << " samples, " << off << " of " << largest << "\n";
  EXPECT_LE(off, 1e-5);
  for (const Flip& flip : flips(before, after)) {
    std::cout << "row " << flip.row << " flips, with a gap of " << flip.gap << "\n";
    EXPECT_LT(flip.gap, 1e-5 * largest);
  }
}

/// Activations in front of products wherever the site allows it, everything non-linear by gates.
TEST_P(DoubleReference, ConversionToGatesChangesNothing) {
  const Network converted = move_gates(network_, gate_sites(network_));
  const Doubles outputs = execute(converted, input_, gate_functions());
  const double largest = largest_of(exact_), off = difference(exact_, outputs) / largest;
  std::cout << GetParam().network << ": " << GetParam().samples << " samples, " << off << " of " << largest << "\n";
  EXPECT_LE(off, 1e-9);
  EXPECT_TRUE(flips(exact_, outputs).empty());
}

/// Sums of some thousand terms in float: the limit is the one that the outputs of another runtime are held to.
TEST_P(DoubleReference, TheFloatExecutorIsOffByRounding) {
  const Doubles outputs = to_double(models::execute(network_, input_));
  const double largest = largest_of(exact_), off = difference(exact_, outputs) / largest;
  std::cout << GetParam().network << ": " << GetParam().samples << " samples, " << off << " of " << largest << "\n";
  EXPECT_LE(off, 1e-5);
  EXPECT_GT(off, 1e-12) << "as if the reference computed in float, too";
  for (const Flip& flip : flips(exact_, outputs)) {
    std::cout << "row " << flip.row << " flips, with a gap of " << flip.gap << "\n";
    EXPECT_LE(flip.gap, 2e-5 * largest);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Trained, DoubleReference,
    testing::Values(Case{"mlp_mnist", "mnist_test", 1000}, Case{"lenet_mnist", "mnist_test", 1000},
                    Case{"lenet_fashion", "fashion_test", 1000}, Case{"cnn_mnist", "mnist_test", 500},
                    Case{"cnn_silu_mnist", "mnist_test", 200}, Case{"resnet8_fashion", "fashion_test", 200},
                    Case{"mbnet_fashion", "fashion_test", 200}, Case{"lstm_mnist", "mnist_test", 200},
                    Case{"gru_mnist", "mnist_test", 200}, Case{"vit_mnist", "mnist_test", 200},
                    Case{"lm_swiglu", "sotu_test", 8}, Case{"lm_memglu", "sotu_test", 8},
                    Case{"lm_polyglu", "sotu_test", 8}, Case{"lm_polyglu_alpha", "sotu_test", 8},
                    Case{"lm_polyglu_frozen", "sotu_test", 8}, Case{"lm_polyglu_alpha_frozen", "sotu_test", 8},
                    Case{"silero_vad_16k", "vad_speech", 200}, Case{"tess_eng_lstm", "ocr_lines", 4}),
    [](const auto& tested) { return std::string(tested.param.network); });

}  // namespace
}  // namespace tellegen::models::reference
