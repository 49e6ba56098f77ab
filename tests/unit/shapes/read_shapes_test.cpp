// Files of shapes: what they make, and what is wrong with them.

#include "tellegen/models/shapes/read_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tellegen/base/error.h"
#include "tellegen/models/convert/gate_sites.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/work_count.h"

namespace tellegen::models {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class Shapes : public testing::Test {
 protected:
  Shapes() : folder_(std::filesystem::path(testing::TempDir()) / ("shapes_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~Shapes() override { std::filesystem::remove_all(folder_); }

  /// `layers`: the entries of the list, each on a line of its own.
  std::filesystem::path file(const std::string& layers, const std::string& input = "[2, 8, 8]", long parameters = 1,
                             const std::string& more = "") {
    std::ofstream(folder_ / "net.yaml") << "network:\n  name: net\n  source: a test\n  input: " << input << "\n"
                                        << more << "  parameters: " << parameters << "\n  layers:\n"
                                        << layers;
    return folder_ / "net.yaml";
  }
  std::string message(const std::filesystem::path& path) {
    try {
      read_shapes(path);
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string place = path.string();
      return text.starts_with(place) ? text.substr(place.size()) : text;
    }
    return "";
  }

  std::filesystem::path folder_;
};

std::vector<std::string> names(const Network& network) {
  std::vector<std::string> all;
  for (const Node& node : network.nodes) all.push_back(node.name);
  return all;
}

const Shape& made(const Network& network, const std::string& name) {
  for (const Node& node : network.nodes)
    if (node.name == name) return network.values[static_cast<std::size_t>(node.output)].shape;
  throw std::logic_error("no node " + name);
}

TEST_F(Shapes, BecomeOperationsOfTheRightShapesWithoutWeights) {
  const Network network = read_shapes(
      file("  - {name: conv, op: conv, outputs: 6, groups: 2, kernel: 3x5, stride: 2, padding: 1x2, activation: relu}\n"
           "  - {name: flat, op: flatten}\n"
           "  - {name: fc, op: linear, outputs: 10}\n",
           "[2, 8, 8]", 6 * 15 + 6 + 10 * 96 + 10));
  EXPECT_THAT(names(network), ElementsAre("conv", "conv relu", "flat", "fc"));
  EXPECT_EQ(made(network, "conv"), (Shape{-1, 6, 4, 4}));
  EXPECT_EQ(made(network, "fc"), (Shape{-1, 10}));
  const auto& conv = dynamic_cast<const Convolution&>(*network.nodes[0].operation);
  EXPECT_EQ(conv.groups(), 2);
  EXPECT_EQ(conv.rows_per_group(), 15);
  EXPECT_EQ(conv.outputs_per_group(), 3);
  EXPECT_TRUE(conv.has_bias());
  EXPECT_TRUE(conv.weights().empty());
  EXPECT_FALSE(has_weights(network));
  EXPECT_EQ(multiply_accumulates(network), 6 * 15 * 16 + 960);
}

TEST_F(Shapes, CountBatchNormsAsTheirAuthorsDoAndFoldThem) {
  const Network network =
      read_shapes(file("  - {name: a, op: conv, outputs: 4, batch_norm: true}\n"
                       "  - {name: b, op: conv, outputs: 4, batch_norm: true, bias: true}\n",
                       "[2, 8, 8]", 8 + 8 + 16 + 4 + 8));
  EXPECT_EQ(network.nodes.size(), 2U);
  EXPECT_EQ(parameter_count(network), 44);
  EXPECT_EQ(network.nodes[0].operation->parameters(), 12);
}

TEST_F(Shapes, RepeatBlocksOnTopOfEachOther) {
  const Network network =
      read_shapes(file("  - name: blocks\n    op: block\n    repeat: 2\n    layers:\n"
                       "    - {name: fc, op: linear, outputs: 8, activation: silu}\n"
                       "    - {name: sum, op: add, from: [fc, input]}\n"
                       "  - {name: last, op: add, from: [blocks, blocks.0.fc]}\n",
                       "[5, 8]", 2 * 72));
  EXPECT_THAT(names(network), ElementsAre("blocks.0.fc", "blocks.0.fc silu", "blocks.0.sum", "blocks.1.fc",
                                          "blocks.1.fc silu", "blocks.1.sum", "last"));
  EXPECT_EQ(network.nodes[2].inputs, (std::vector<ValueId>{network.nodes[1].output, network.input}));
  EXPECT_EQ(network.nodes[5].inputs, (std::vector<ValueId>{network.nodes[4].output, network.nodes[2].output}));
  EXPECT_EQ(network.nodes[6].inputs, (std::vector<ValueId>{network.nodes[5].output, network.nodes[1].output}));
}

/// Scores and mix: 5 x 5 of 4 heads of 2 in full; what tokens see: 15 of 25.
TEST_F(Shapes, CountOfCausalAttentionWhatTokensSee) {
  const auto attention = [&](const std::string& more) {
    return read_shapes(
        file("  - {name: qkv, op: linear, outputs: 16, bias: false}\n"
             "  - {name: attention, op: attention, heads: 4, kv_heads: 2" +
                 more + "}\n",
             "[5, 8]", 128));
  };
  const WorkCount full = count_work(attention("")), causal = count_work(attention(", causal: true, rotary: true"));
  EXPECT_EQ(full.dynamic_products, 2 * 4 * 25 * 2);
  EXPECT_EQ(full.evaluations.at("softmax"), 4 * 25);
  EXPECT_EQ(causal.dynamic_products, 2 * 4 * 15 * 2);
  EXPECT_EQ(causal.evaluations.at("softmax"), 4 * 15);
  EXPECT_EQ(causal.static_products, 5 * 128);
  EXPECT_EQ(made(attention(""), "attention output"), (Shape{-1, 5, 8}));
}

TEST_F(Shapes, CountLayersWithAState) {
  const WorkCount count = count_work(read_shapes(
      file("  - {name: lstm, op: lstm, hidden: 4, bidirectional: true}\n", "[7, 3]", 2 * (16 * 3 + 16 + 16 * 4 + 16))));
  EXPECT_EQ(count.static_products, 7 * 2 * (48 + 64));
  EXPECT_EQ(count.matrix_weights, 2 * (48 + 64));
  EXPECT_EQ(count.evaluations.at("sigmoid"), 3 * 4 * 7 * 2);
  EXPECT_EQ(count.evaluations.at("tanh"), 2 * 4 * 7 * 2);
}

TEST_F(Shapes, AllowGatesWhereTheRulesDo) {
  const Network network =
      read_shapes(file("  - {name: a, op: conv, outputs: 4, activation: sigmoid}\n"
                       "  - {name: b, op: conv, outputs: 4, kernel: 3, padding: 1, activation: silu}\n"
                       "  - {name: c, op: conv, outputs: 4}\n",
                       "[2, 8, 8]", 12 + 148 + 20));
  const std::vector<GateSite> sites = gate_sites(network);
  ASSERT_EQ(sites.size(), 2U);
  EXPECT_EQ(sites[0].followers[0].obstacle, Obstacle::padding);
  EXPECT_TRUE(sites[1].all_legal());
}

TEST_F(Shapes, CannotBeRun) {
  const Network network = read_shapes(file("  - {name: fc, op: linear, outputs: 2}\n", "[3]", 8));
  try {
    execute(network, Tensor{{1, 3}, {1, 2, 3}});
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "network net: was read from its shapes alone and has no weights, so it cannot be run. "
                 "Give a trained network.");
  }
}

TEST_F(Shapes, ThatDoNotAddUpAreRefused) {
  EXPECT_EQ(message(file("  - {name: fc, op: linear, outputs: 2}\n", "[3]", 9)),
            ": the layers have 8 parameters, and network.parameters = '9'. Correct a layer or the number.");
}

TEST_F(Shapes, ThatDoNotFitAreRefusedByLayer) {
  const std::string fc = "  - {name: fc, op: linear, outputs: 2}\n";
  EXPECT_EQ(message(file(fc + "  - {name: sum, op: add, from: [fc, input]}\n", "[3]")),
            ": layer 'sum' (add) cannot combine shapes 'Nx2' and 'Nx3'. Dimensions must be equal or 1, and the batch "
            "must stay "
            "one dimension.");
  EXPECT_EQ(message(file(fc + "  - {name: sum, op: add, from: [fc, gc]}\n", "[3]")),
            ": layer 'sum' (add) reads 'gc', which is no layer before it.");
  EXPECT_EQ(message(file(fc + "  - {name: sum, op: add}\n", "[3]")),
            ": layer 'sum' (add) reads 1 values; 2 are needed.");
  EXPECT_EQ(message(file("  - {name: conv, op: conv, outputs: 2}\n", "[3]")),
            ": layer 'conv' (conv) reads a value of shape 'Nx3'; channels x height x width is needed.");
  EXPECT_EQ(message(file("  - {name: conv, op: conv, outputs: 2, kernel: 0}\n")),
            ": layer 'conv' (conv) has a kernel, stride or dilation of 0; at least 1 is needed.");
  EXPECT_EQ(message(file(fc, "[3]", 1, "  tokens: true\n")),
            ": layer 'fc' (linear) reads numbers of tokens; put an embedding in between.");
  EXPECT_EQ(message(file("  - {name: a, op: attention, heads: 4}\n", "[5, 10]")),
            ": layer 'a' (attention) reads 10 channels, which do not divide into 12 heads.");
  EXPECT_EQ(message(file("  - {name: head, op: linear, outputs: 4, tied_to: embed}\n", "[3]")),
            ": layer 'head' (linear) is tied to 'embed', which is no embedding before it.");
}

TEST_F(Shapes, OfAbsurdSizeAreRefused) {
  const std::string wide = "  - {name: a, op: linear, outputs: 16777216}\n";
  EXPECT_EQ(message(file(wide, "[1024, 3]")),
            ": layer 'a' (linear) makes a tensor of shape 'Nx1024x16777216'; 1 to 4294967296 elements per sample are "
            "allowed.");
  EXPECT_EQ(message(file(wide + "  - {name: b, op: linear, outputs: 16777216}\n", "[3]")),
            ": layer 'b' (linear) has more than 68719476736 weights.");
}

TEST_F(Shapes, NamePlaceAndSettingOfMistakes) {
  EXPECT_EQ(message(file("  - {name: fc, op: linear, outputs: 2}\n  - {name: fc, op: linear, outputs: 2}\n", "[3]")),
            ":7:3: network.layers has two layers named 'fc'; names must differ.");
  EXPECT_EQ(message(file("  - {name: fc, op: linear, output: 2}\n", "[3]")),
            ":7:28: network.layers[0].output is not a known setting; did you mean 'outputs'?");
  EXPECT_EQ(message(file("  - {name: fc, op: linear}\n", "[3]")),
            ":7:5: network.layers[0].outputs is missing and has no default (whole number: channels it makes).");
  EXPECT_THAT(message(file("  - {name: fc, op: lstn, hidden: 2}\n", "[3]")),
              HasSubstr(":7:20: network.layers[0].op = 'lstn' is not known. Known ops: conv, linear, "));
  EXPECT_EQ(
      message(file("  - {name: c, op: conv, outputs: 2, kernel: 3x}\n")),
      ":7:45: network.layers[0].kernel = '3x' is neither a size such as 3 nor a height and a width such as 41x11.");
  EXPECT_EQ(message(file("  - {name: c, op: conv, outputs: 2, kernel: 9999}\n")),
            ":7:45: network.layers[0].kernel = '9999' is out of range; allowed: 0 to 4096.");
}

}  // namespace
}  // namespace tellegen::models
