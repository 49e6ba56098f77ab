// If and Loop: what is known at import is taken, what is not is refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fault.h"
#include "onnx_builder.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::models {
namespace {

/// A graph inside of a node.
class Inside {
 public:
  explicit Inside(onnx_wire::Node& node, const std::string& attribute) {
    auto* wire = node.add_attribute();
    wire->set_name(attribute);
    graph_ = wire->mutable_g();
  }
  Inside& node(const std::string& op, const std::vector<std::string>& inputs, const std::string& output) {
    auto* node = graph_->add_node();
    node->set_op_type(op);
    for (const std::string& input : inputs) node->add_input(input);
    node->add_output(output);
    return *this;
  }
  Inside& number(const std::string& name, float value) {
    auto* tensor = graph_->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(1);
    tensor->add_float_data(value);
    return *this;
  }
  Inside& input(const std::string& name) {
    graph_->add_input()->set_name(name);
    return *this;
  }
  Inside& output(const std::string& name) {
    graph_->add_output()->set_name(name);
    return *this;
  }

 private:
  onnx_wire::Graph* graph_;
};

onnx_wire::Node& last(OnnxBuilder& model) {
  auto* nodes = model.wire().mutable_graph()->mutable_node();
  return *nodes->Mutable(nodes->size() - 1);
}

/// y = 2 h where the condition holds, else 3 h; h = relu(x).
OnnxBuilder choice(std::int64_t condition) {
  OnnxBuilder model({-1, 2});
  model.integers("condition", {condition}).node("Relu", {"x"}, "h").node("Neg", {"x"}, "unused");
  model.node("If", {"condition"}, "y", "choose");
  Inside(last(model), "then_branch").number("two", 2).node("Mul", {"h", "two"}, "t").output("t");
  Inside(last(model), "else_branch")
      .number("three", 3)
      .node("Add", {"h", "unused"}, "s")
      .node("Mul", {"h", "three"}, "e")
      .output("e");
  return model;
}

const Tensor kInput{{1, 2}, {1, -2}};

TEST(ControlFlow, TakesTheBranchThatIsKnown) {
  const Network yes = import_onnx(choice(1).file());
  EXPECT_EQ(execute(yes, kInput).data, (std::vector<float>{2, 0}));
  EXPECT_EQ(yes.nodes.size(), 2U) << "what only the other branch needs is left out";
  EXPECT_EQ(yes.nodes[1].name, "choose then Mul_0");
  EXPECT_EQ(execute(import_onnx(choice(0).file()), kInput).data, (std::vector<float>{3, 0}));
}

TEST(ControlFlow, RefusesAConditionThatIsComputed) {
  OnnxBuilder model({-1, 2});
  model.node("If", {"x"}, "y", "choose");
  Inside(last(model), "then_branch").node("Relu", {"x"}, "t").output("t");
  Inside(last(model), "else_branch").node("Neg", {"x"}, "e").output("e");
  EXPECT_EQ(fault(model),
            "node 'choose' (If) computes its condition; only conditions that are known at import are supported.");
}

/// h = 2 h + x, three times: 15 x for h = x.
OnnxBuilder loop(const std::vector<std::string>& decides) {
  OnnxBuilder model({-1, 2});
  model.integers("turns", {3}).integers("yes", {1}).integers("many", {5000});
  std::vector<std::string> inputs = decides;
  inputs.push_back("x");
  model.node("Loop", inputs, "y", "turn");
  Inside(last(model), "body")
      .input("i")
      .input("go")
      .input("h")
      .number("two", 2)
      .node("Mul", {"h", "two"}, "d")
      .node("Add", {"d", "x"}, "next")
      .node("Identity", {"go"}, "on")
      .output("on")
      .output("next");
  return model;
}

TEST(ControlFlow, UnrollsLoopsThatAreKnown) {
  const Network network = import_onnx(loop({"turns", "yes"}).file());
  EXPECT_EQ(execute(network, kInput).data, (std::vector<float>{15, -30}));
  EXPECT_EQ(network.nodes.size(), 6U);
}

/// The body h = h + x of a loop that goes on as it was told.
Inside adding(onnx_wire::Node& loop) {
  Inside body(loop, "body");
  body.input("i").input("go").input("h").node("Add", {"h", "x"}, "next").node("Identity", {"go"}, "on");
  return body.output("on").output("next");
}

TEST(ControlFlow, ALoopWhoseConditionFailsAtOnceGivesWhatItWasGiven) {
  OnnxBuilder model({-1, 2});
  model.integers("turns", {3}).integers("no", {0}).node("Loop", {"turns", "no", "x"}, "h", "turn");
  adding(last(model));
  model.node("Neg", {"h"}, "y");
  EXPECT_EQ(execute(import_onnx(model.file()), kInput).data, (std::vector<float>{-1, 2}));
}

/// What each turn makes, one behind the other in front of the batch: i + 1 times x.
TEST(ControlFlow, StacksWhatTurnsGive) {
  OnnxBuilder model({-1, 2});
  model.integers("turns", {2}).integers("yes", {1}).node("Loop", {"turns", "yes", "x"}, "sum", "turn");
  last(model).add_output("all");
  adding(last(model)).output("h");
  model.node("Transpose", {"all"}, "y");
  model.attribute("perm", std::vector<std::int64_t>{1, 0, 2});
  const Tensor output = execute(import_onnx(model.file()), kInput);
  EXPECT_EQ(output.shape, (Shape{1, 2, 2}));
  EXPECT_EQ(output.data, (std::vector<float>{1, -2, 2, -4}));
}

TEST(ControlFlow, RefusesLoopsThatAreNotKnownOrTooLong) {
  EXPECT_EQ(fault(loop({"many", "yes"})),
            "node 'turn' (Loop) has more than 1024 turns; export the network with fewer.");
  EXPECT_EQ(fault(loop({"", ""})), "node 'turn' (Loop) never ends: it has neither turns nor condition.");
  EXPECT_EQ(fault(loop({"x", "yes"})),
            "node 'turn' (Loop) computes its number of turns; only loops that are known at import are supported.");
}

TEST(ControlFlow, NamesTheNodeInsideThatIsWrong) {
  OnnxBuilder model({-1, 2});
  model.integers("yes", {1}).node("If", {"yes"}, "y", "choose");
  Inside(last(model), "then_branch").node("Celu", {"x"}, "t").output("t");
  Inside(last(model), "else_branch").node("Neg", {"x"}, "e").output("e");
  EXPECT_THAT(fault(model),
              testing::StartsWith("node 'choose' (If) has node 'choose then Celu_0' (Celu) inside, which is "
                                  "an operator of opset 13 that is not supported."));
}

TEST(ControlFlow, RefusesAValueThatNobodyMakes) {
  OnnxBuilder model({-1, 2});
  model.integers("yes", {1}).node("If", {"yes"}, "y", "choose");
  Inside(last(model), "then_branch").node("Relu", {"nobody"}, "t").output("t");
  Inside(last(model), "else_branch").node("Neg", {"x"}, "e").output("e");
  EXPECT_THAT(fault(model), testing::StartsWith("node 'choose' (If) reads 'nobody', which is no initialiser"));
}

}  // namespace
}  // namespace tellegen::models
