#include "tellegen/models/onnx/control_flow.h"

#include <optional>

#include "tellegen/base/error.h"
#include "tellegen/models/onnx/import_context.h"

namespace tellegen::models::onnx {

namespace {

/// A loop of more turns is no network that anybody would lay out.
constexpr std::int64_t kMostTurns = 1024;

using Known = std::shared_ptr<const Constant>;

const Subgraph& subgraph(ImportContext& context, const std::string& name) {
  const Attribute* attribute = context.find(name);
  if (attribute == nullptr || !attribute->graph) throw InputError("has no graph '" + name + "'.");
  return *attribute->graph;
}

Known whole_number(std::int64_t number) {
  auto constant = std::make_shared<Constant>();
  constant->is_float = false;
  constant->integers = {{}, {number}};
  return constant;
}

/// The one number of a constant; nothing where the value is computed.
std::optional<std::int64_t> known_number(const Binding& binding) {
  const auto* constant = std::get_if<Known>(&binding);
  if (constant == nullptr) return std::nullopt;
  if (!(*constant)->refusal.empty()) throw InputError("decides by a constant that " + (*constant)->refusal);
  if (element_count((*constant)->shape()) != 1)
    throw InputError("decides by a constant of shape '" + to_string((*constant)->shape()) + "'; one number is needed.");
  return (*constant)->is_float ? static_cast<std::int64_t>((*constant)->floats.data[0] != 0)
                               : (*constant)->integers.data[0];
}

/// What a loop carries from turn to turn, and what it gives turn by turn.
class Unroller {
 public:
  explicit Unroller(ImportContext& context) : context_(context), body_(subgraph(context, "body")) {
    for (std::size_t i = 2; i < context.input_count(); ++i) carried_.push_back(context.binding_of(i));
    if (body_.inputs.size() != carried_.size() + 2 || body_.outputs.size() < carried_.size() + 1)
      throw InputError("carries " + std::to_string(carried_.size()) + " values, and its body has " +
                       std::to_string(body_.inputs.size()) + " inputs and " + std::to_string(body_.outputs.size()) +
                       " outputs.");
    scans_.resize(body_.outputs.size() - carried_.size() - 1);
    if (context.has_input(0)) trips_ = decided(0, "number of turns");
    if (context.has_input(1)) goes_on_ = decided(1, "condition") != 0;
    if (!context.has_input(0) && !context.has_input(1))
      throw InputError("never ends: it has neither turns nor condition.");
  }

  void unroll() {
    for (std::int64_t turn = 0; goes_on_ && (!trips_ || turn < *trips_); ++turn) {
      if (turn == kMostTurns)
        throw InputError("has more than " + std::to_string(kMostTurns) + " turns; export the network with fewer.");
      take_turn(turn);
    }
    for (std::size_t i = 0; i < carried_.size(); ++i)
      if (context_.output_is_read(i)) context_.bind_as(i, carried_[i]);
    for (std::size_t i = 0; i < scans_.size(); ++i)
      if (context_.output_is_read(carried_.size() + i)) context_.bind_stack(carried_.size() + i, scans_[i]);
  }

 private:
  std::int64_t decided(std::size_t input, const std::string& what) const {
    const auto number = known_number(context_.binding_of(input));
    if (!number) throw InputError("computes its " + what + "; only loops that are known at import are supported.");
    return *number;
  }

  void take_turn(std::int64_t turn) {
    std::vector<Binding> inputs{whole_number(turn), whole_number(1)};
    inputs.insert(inputs.end(), carried_.begin(), carried_.end());
    const std::vector<Binding> outputs = context_.import_branch(body_, inputs, "turn " + std::to_string(turn));
    const auto condition = known_number(outputs[0]);
    if (!condition) throw InputError("computes whether it goes on; only loops that are known at import are supported.");
    goes_on_ = *condition != 0;
    for (std::size_t i = 0; i < carried_.size(); ++i) carried_[i] = outputs[1 + i];
    for (std::size_t i = 0; i < scans_.size(); ++i) scans_[i].push_back(outputs[1 + carried_.size() + i]);
  }

  ImportContext& context_;
  const Subgraph& body_;
  std::vector<Binding> carried_;
  std::vector<std::vector<Binding>> scans_;
  std::optional<std::int64_t> trips_;
  bool goes_on_ = true;
};

}  // namespace

void import_if(ImportContext& context) {
  const Subgraph& yes = subgraph(context, "then_branch");
  const Subgraph& no = subgraph(context, "else_branch");
  const auto condition = known_number(context.binding_of(0));
  if (!condition) throw InputError("computes its condition; only conditions that are known at import are supported.");
  const std::vector<Binding> outputs =
      context.import_branch(*condition != 0 ? yes : no, {}, *condition != 0 ? "then" : "else");
  if (outputs.size() < context.output_count())
    throw InputError("has " + std::to_string(context.output_count()) + " outputs, and its branch " +
                     std::to_string(outputs.size()) + ".");
  for (std::size_t i = 0; i < context.output_count(); ++i) context.bind_as(i, outputs[i]);
}

void import_loop(ImportContext& context) { Unroller(context).unroll(); }

}  // namespace tellegen::models::onnx
