// Lines of nodes: read, written, refused.

#include "tellegen/models/native/node_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::models::native {
namespace {

using testing::ElementsAre;

std::shared_ptr<const onnx::Constant> tensor(const std::string& name) {
  auto constant = std::make_shared<onnx::Constant>();
  constant->name = name;
  return constant;
}

onnx::GraphNode parse(const std::string& text) { return parse_node(text, tensor); }

std::string again(const std::string& text) {
  return node_text(parse(text), [](const auto& constant) { return constant->name; });
}

std::string message(const std::string& text) {
  try {
    parse(text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(NodeText, HoldsInputsOutputsAndAttributes) {
  const onnx::GraphNode node = parse(
      "block.1/conv: y, _ = Conv(x, w, _, group=2, auto_pad='NOTSET', pads=[0, 1], alpha=0.1, scales=[1, 2.5], "
      "names=['a', 'b'], value=@t)");
  EXPECT_EQ(node.name, "block.1/conv");
  EXPECT_EQ(node.op_type, "Conv");
  EXPECT_THAT(node.inputs, ElementsAre("x", "w", ""));
  EXPECT_THAT(node.outputs, ElementsAre("y", ""));
  ASSERT_EQ(node.attributes.size(), 7U);
  EXPECT_EQ(node.attributes[0].integer, 2);
  EXPECT_EQ(node.attributes[1].text, "NOTSET");
  EXPECT_THAT(node.attributes[2].integers, ElementsAre(0, 1));
  EXPECT_EQ(node.attributes[3].number, 0.1F);
  EXPECT_EQ(node.attributes[3].integer, 0);
  EXPECT_THAT(node.attributes[4].numbers, ElementsAre(1, 2.5F));
  EXPECT_TRUE(node.attributes[4].integers.empty());
  EXPECT_THAT(node.attributes[5].texts, ElementsAre("a", "b"));
  EXPECT_EQ(node.attributes[6].tensor->name, "t");
}

TEST(NodeText, NeedsNoNameAndNoInputs) {
  const onnx::GraphNode node = parse("y=Constant(value_int=-3)");
  EXPECT_EQ(node.name, "");
  EXPECT_TRUE(node.inputs.empty());
  EXPECT_EQ(node.attributes[0].integer, -3);
}

TEST(NodeText, QuotesWhatWouldBeTakenForSomethingElse) {
  const std::string text = R"('a: b': 'it\'s', '_' = 'com.x:Op'('c,d', 'back\\slash', text='it\'s'))";
  const onnx::GraphNode node = parse(text);
  EXPECT_EQ(node.name, "a: b");
  EXPECT_THAT(node.outputs, ElementsAre("it's", "_"));
  EXPECT_THAT(node.inputs, ElementsAre("c,d", "back\\slash"));
  EXPECT_EQ(again(text), text);
}

TEST(NodeText, KeepsEveryBitOfNumbers) {
  for (const float value : {0.1F, 1.0F, -1e-45F, 3.4028235e38F, 16777216.0F, INFINITY, -INFINITY}) {
    onnx::GraphNode node = parse("n: y = Op(x, a=0)");
    node.attributes[0].number = value;
    const std::string text = node_text(node, nullptr);
    EXPECT_EQ(parse(text).attributes[0].number, value) << text;
  }
  EXPECT_EQ(again("n: y = Op(a=9223372036854775807)"), "n: y = Op(a=9223372036854775807)");
  EXPECT_EQ(again("n: y = Op(a=1.0, b=[1.0, 2.0], c=[1, 2])"), "n: y = Op(a=1.0, b=[1.0, 2.0], c=[1, 2])");
}

TEST(NodeText, ThatIsNoNodeIsRefused) {
  EXPECT_EQ(message(""), "has the end of the line where a name is needed. A node reads 'y = Op(a, b, key=1)'.");
  EXPECT_EQ(message("y = Relu(x"), "has the end of the line where ')' is needed. A node reads 'y = Op(a, b, key=1)'.");
  EXPECT_EQ(message("y = Relu(x) z"),
            "has 'z' where the end of the line is needed. A node reads 'y = Op(a, b, key=1)'.");
  EXPECT_EQ(message("y Relu(x)"), "has 'Relu(x)' where '=' is needed. A node reads 'y = Op(a, b, key=1)'.");
  EXPECT_EQ(message("y = Op(a=1, x)"), "has the input 'x' behind an attribute.");
  EXPECT_EQ(message("y = Op(a=1, a=2)"), "has the attribute 'a' twice.");
  EXPECT_EQ(
      message("y = Op(a=b)"),
      "has the value 'b' in the attribute 'a'; a number, a text in quotes, a list of them or @dataset is needed.");
  EXPECT_EQ(message("y = Op(a=['b', 1])"), "has numbers and texts in the attribute 'a'.");
  EXPECT_EQ(message("y = Op(a='b"), "ends inside of quotes.");
  EXPECT_EQ(message("_: y = Op(x)"), "has an empty name; leave the name and the colon out.");
  EXPECT_EQ(message("y = _(x)"), "names no operator.");
}

}  // namespace
}  // namespace tellegen::models::native
