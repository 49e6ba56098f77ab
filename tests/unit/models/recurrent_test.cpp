// Layers with a state: who may compute their products, and states that outlive a call. What they compute is in the
// fixtures.

#include "tellegen/models/operators/recurrent.h"

#include <gtest/gtest.h>

#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

Network trained(const std::string& name) {
  return import_onnx(std::string(TELLEGEN_SOURCE_DIR "/models/trained/") + name + ".onnx");
}

Tensor numbers(Shape shape) {
  Tensor tensor{shape, std::vector<float>(static_cast<std::size_t>(element_count(shape)))};
  for (std::size_t i = 0; i < tensor.data.size(); ++i) tensor.data[i] = static_cast<float>(i * 37 % 101) / 101.0F;
  return tensor;
}

/// Somebody else computes with the state's matrices at each step; a memory without faults changes nothing.
TEST(Recurrent, HandsOutItsProductsStepByStep) {
  const Network network = trained("lstm_mnist");
  const Tensor input = numbers({2, 28, 28});
  int calls = 0;
  Hooks hooks;
  hooks.state_product = [&](const Node& node, std::size_t, std::size_t matrix, const Tensor& states) {
    ++calls;
    EXPECT_EQ(states.shape, (Shape{2, 128}));
    const auto& recurrent = dynamic_cast<const Recurrent&>(*node.operation);
    EXPECT_EQ(recurrent.matrices()[matrix]->outputs_per_group(), 512);
    const Tensor* only[] = {&states};
    return recurrent.matrices()[matrix]->run(only);
  };
  EXPECT_EQ(execute(network, input, hooks).data, execute(network, input).data);
  EXPECT_EQ(calls, 2 * 28);
  hooks.state_product = [](const Node&, std::size_t, std::size_t, const Tensor&) {
    return Tensor{{2, 512}, std::vector<float>(1024, 0.0F)};
  };
  EXPECT_NE(execute(network, input, hooks).data, execute(network, input).data);
}

TEST(Recurrent, RemembersAStreamBetweenCalls) {
  const Network network = trained("silero_vad_16k");
  ASSERT_TRUE(network.streaming);
  const Tensor frames = numbers({10, 1, 576});
  const Tensor whole = execute(network, frames);
  StreamMemory memory;
  Hooks hooks;
  hooks.memory = &memory;
  std::vector<float> parts;
  for (const auto& [first, count] : {std::pair{0, 4}, {4, 1}, {5, 5}}) {
    const auto begin = frames.data.begin() + first * 576;
    const Tensor part = execute(network, {{count, 1, 576}, {begin, begin + count * 576}}, hooks);
    parts.insert(parts.end(), part.data.begin(), part.data.end());
  }
  ASSERT_EQ(parts.size(), whole.data.size());
  for (std::size_t i = 0; i < whole.data.size(); ++i)  // products of another batch may be rounded differently
    EXPECT_NEAR(parts[i], whole.data[i], 1e-6) << i;
  const auto last = frames.data.end() - 576;
  EXPECT_NE(execute(network, {{1, 1, 576}, {last, last + 576}}).data[0], whole.data[9])
      << "without memory it starts anew";
}

TEST(Recurrent, KeepsSamplesApartElsewhere) {
  const Network network = trained("gru_mnist");
  EXPECT_FALSE(network.streaming);
  const Tensor images = numbers({3, 28, 28});
  const Tensor together = execute(network, images);
  const auto last = images.data.end() - 784;
  const Tensor alone = execute(network, {{1, 28, 28}, {last, last + 784}});
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(alone.data[i], together.data[20 + i], 1e-5) << i;
}

}  // namespace
}  // namespace tellegen::models
