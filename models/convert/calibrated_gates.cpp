#include "tellegen/models/convert/calibrated_gates.h"

#include <algorithm>
#include <cstdlib>

#include "tellegen/models/convert/gate_operations.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/gating/calibration.h"
#include "tellegen/models/gating/forms.h"
#include "tellegen/models/operators/selection.h"

namespace tellegen::models {

namespace {

constexpr std::int64_t kMostValues = 4096;
constexpr std::int64_t kBatch = 16;
constexpr double kQuickGelu = 1.702;

bool is_inexact(const Pointwise& activation) {
  using Kind = Pointwise::Kind;
  return activation.kind() == Kind::gelu_erf || activation.kind() == Kind::gelu_tanh ||
         activation.kind() == Kind::tanh_sech;
}

/// The activation of a node that no gate equals: its own, or one out of the palette of its neurons; null where there is
/// none.
const Pointwise* inexact_of(const Operation& operation) {
  if (const auto* activation = dynamic_cast<const Pointwise*>(&operation))
    return is_inexact(*activation) ? activation : nullptr;
  const auto* selection = dynamic_cast<const Selection*>(&operation);
  if (selection == nullptr) return nullptr;
  const auto& palette = selection->palette();
  const auto found = std::find_if(palette.begin(), palette.end(), is_inexact);
  return found == palette.end() ? nullptr : &*found;
}

/// Which entries of the last dimension go through it; empty: all.
std::vector<bool> neurons_of(const Operation& operation) {
  const auto* selection = dynamic_cast<const Selection*>(&operation);
  std::vector<bool> neurons;
  if (selection == nullptr) return neurons;
  for (const std::size_t kind : selection->choice()) neurons.push_back(is_inexact(selection->palette()[kind]));
  return neurons;
}

/// Every so many-th of the values of one node.
class Keeper {
 public:
  Keeper(std::vector<bool> neurons, std::int64_t total)
      : neurons_(std::move(neurons)), stride_(std::max<std::int64_t>(1, total / kMostValues)) {}
  void keep(const Tensor& values) {
    for (std::size_t i = 0; i < values.data.size(); ++i) {
      if (!neurons_.empty() && !neurons_[i % neurons_.size()]) continue;
      if (next_++ % stride_ == 0) kept_.push_back(static_cast<double>(values.data[i]));
    }
  }
  std::vector<double> take() { return std::move(kept_); }

 private:
  std::vector<bool> neurons_;
  std::int64_t stride_, next_ = 0;
  std::vector<double> kept_;
};

gating::Activation activation_of(const Pointwise& activation) {
  using Of = gating::ActivationKind;
  if (activation.kind() == Pointwise::Kind::gelu_erf) return {Of::gelu_erf};
  return {activation.kind() == Pointwise::Kind::gelu_tanh ? Of::gelu_tanh : Of::tanh_sech};
}

/// The function that the gate stands for; MemGLU's gate has a factor.
gating::RealFunction target_of(const Pointwise& activation) {
  const gating::Activation function = activation_of(activation);
  const double factor = activation.kind() == Pointwise::Kind::tanh_sech ? static_cast<double>(activation.a()) : 1.0;
  return [function, factor](double x) { return factor * gating::value(function, x); };
}

std::vector<gating::GateModel> models_of(const Pointwise& activation) {
  if (activation.kind() == Pointwise::Kind::tanh_sech)
    return {gating::unequal_pairs_model(), gating::three_legs_model()};
  return {gating::sharpness_model(), gating::exact_tails_three_model()};
}

/// Adds all gates of one node.
void add_gates(const Network& network, std::size_t node, std::vector<double> values,
               std::vector<CalibratedGate>& gates) {
  const Pointwise& activation = *inexact_of(*network.nodes[node].operation);
  const gating::Samples samples = gating::measured_samples(std::move(values));
  const gating::RealFunction target = target_of(activation);
  CalibratedGate gate;
  gate.node = node;
  gate.activation = network.nodes[node].name;
  gate.kind = activation.kind();
  gate.function = activation.label();
  const auto add = [&](const std::string& model, gating::ThresholdGate fitted, const gating::FitError& error) {
    gate.model = model;
    gate.gate = std::move(fitted);
    gate.error = error;
    gate.parameters = static_cast<std::int64_t>(gate.gate.theta.size() + gate.gate.tau.size());
    gates.push_back(gate);
  };
  if (activation.kind() != Pointwise::Kind::tanh_sech) {
    const gating::ThresholdGate quick = *gating::exact_gate({gating::ActivationKind::swish, kQuickGelu});
    add("K = 2 at 1.702", quick, gating::fit_error(samples, target, [&](double x) { return gating::value(quick, x); }));
  }
  for (const gating::GateModel& model : models_of(activation)) {
    const gating::Calibration found = gating::calibrate(model, target, samples, gating::Objective::rms);
    add(model.name, found.gate, found.error);
  }
}

}  // namespace

std::map<std::size_t, std::vector<double>> inputs_of_inexact(const Network& network, const TestSet& set,
                                                             std::int64_t first, std::int64_t count) {
  std::map<std::size_t, Keeper> keepers;
  std::multimap<ValueId, std::size_t> readers;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const Node& node = network.nodes[index];
    if (inexact_of(*node.operation) == nullptr) continue;
    const Shape& shape = network.values[static_cast<std::size_t>(node.inputs[0])].shape;
    keepers.emplace(index, Keeper(neurons_of(*node.operation), std::abs(element_count(shape)) * count));
    readers.emplace(node.inputs[0], index);
  }
  const Observer observer = [&](const Node& node, std::size_t, const Tensor& output) {
    const auto [begin, end] = readers.equal_range(node.output);
    for (auto reader = begin; reader != end; ++reader) keepers.at(reader->second).keep(output);
  };
  for (std::int64_t done = 0; done < count && !keepers.empty(); done += kBatch)
    execute(network, set.batch(first + done, std::min(kBatch, count - done)), {}, observer);
  std::map<std::size_t, std::vector<double>> inputs;
  for (auto& [node, keeper] : keepers) inputs[node] = keeper.take();
  return inputs;
}

std::vector<CalibratedGate> calibrate_gates(const Network& network,
                                            const std::map<std::size_t, std::vector<double>>& inputs) {
  std::vector<CalibratedGate> gates;
  for (const auto& [node, values] : inputs)
    if (!values.empty()) add_gates(network, node, values, gates);
  return gates;
}

Network with_calibrated(const Network& network, const std::vector<CalibratedGate>& gates, const std::string& model) {
  return with_gates(network,
                    [&](const Pointwise& activation, std::size_t index) -> std::optional<gating::ThresholdGate> {
                      for (const CalibratedGate& gate : gates)
                        if (gate.node == index && gate.model == model && gate.kind == activation.kind())
                          return gate.gate;
                      return std::nullopt;
                    });
}

}  // namespace tellegen::models
