#include "tellegen/sim/engine/infer.h"

#include <algorithm>
#include <map>

#include "tellegen/models/executor.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::sim {
namespace {

/// Outputs of every matrix node of the float network, by node.
std::map<std::size_t, models::Tensor> float_outputs(const models::Network& network, const models::Tensor& input) {
  std::map<std::size_t, models::Tensor> outputs;
  models::execute(network, input, {}, [&](const models::Node& node, std::size_t index, const models::Tensor& output) {
    if (dynamic_cast<const models::MatrixOperation*>(node.operation.get()) != nullptr) outputs[index] = output;
  });
  return outputs;
}

LayerSignal compare(const models::Tensor& expected, const models::Tensor& got) {
  LayerSignal signal;
  for (std::size_t i = 0; i < expected.data.size(); ++i) {
    const double e = static_cast<double>(expected.data[i]);
    const double d = static_cast<double>(got.data[i]) - e;
    signal.signal += e * e;
    signal.error += d * d;
  }
  return signal;
}

/// Plan layer that each node's digital work belongs to: the latest matrix layer before it on the way of its data.
std::vector<std::size_t> owners(const models::Network& network, const mapping::Plan& plan) {
  std::map<std::size_t, std::size_t> layer_of_node;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) layer_of_node[plan.layers[l].node] = l;
  std::vector<std::size_t> of_value(network.values.size(), 0), of_node(network.nodes.size(), 0);
  for (std::size_t n = 0; n < network.nodes.size(); ++n) {
    const models::Node& node = network.nodes[n];
    std::size_t owner = 0;
    for (const models::ValueId input : node.inputs) owner = std::max(owner, of_value[static_cast<std::size_t>(input)]);
    if (const auto found = layer_of_node.find(n); found != layer_of_node.end()) owner = found->second;
    of_node[n] = owner;
    of_value[static_cast<std::size_t>(node.output)] = owner;
  }
  return of_node;
}

/// Bits of one value in the digital buffers: what the next DAC takes, 16 where that is ideal.
std::int64_t buffer_bits(const ExperimentConfig& config) {
  return config.chip.dac.bits.ideal() ? 16 : config.chip.dac.bits.bits;
}

template <class T>
models::Tensor forward(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                       const ExperimentConfig& config, std::int64_t first, std::int64_t count,
                       std::vector<LayerEvents>& events, const models::Observer& observer) {
  const PathContext context = path_context(config, chip.chip);
  const std::int64_t bits = buffer_bits(config);
  const std::vector<std::size_t> owner = owners(workload.network, plan);
  events.assign(plan.layers.size(), {});
  std::size_t next = 0;
  const auto product = [&](const models::Node& node, std::size_t, const models::Tensor& input) {
    const mapping::LayerPlan& layer = plan.layers[next];
    LayerEvents& e = events[next];
    e.images += count;
    const std::uint64_t first_read = static_cast<std::uint64_t>(first) * static_cast<std::uint64_t>(layer.positions);
    models::Tensor output = layer_forward(chip.layers[next], layer, node, input, context, first_read, e);
    if (layer.boundary != mapping::Boundary::analog)
      e.buffer_read_bits += count * layer.positions * layer.inputs() * bits;
    if (layer.amplifier == nullptr) e.buffer_write_bits += output.size() * bits;
    ++next;
    return output;
  };
  return models::execute(workload.network, workload.data.batch(first, count), product,
                         [&](const models::Node& node, std::size_t index, const models::Tensor& output) {
                           const std::string unit = node.operation->digital_unit();
                           if (!unit.empty()) events[owner[index]].digital[unit] += output.size();
                           if (observer) observer(node, index, output);
                         });
}

}  // namespace

template <class T>
BatchResult infer(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                  const ExperimentConfig& config, std::int64_t first, std::int64_t count, bool compare_with_float) {
  BatchResult result;
  result.signals.resize(plan.layers.size());
  std::map<std::size_t, models::Tensor> expected;
  if (compare_with_float) expected = float_outputs(workload.network, workload.data.batch(first, count));
  std::map<std::size_t, std::size_t> layer_of_node;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) layer_of_node[plan.layers[l].node] = l;
  const auto observer = [&](const models::Node&, std::size_t index, const models::Tensor& output) {
    const auto reference = expected.find(index);
    if (reference != expected.end()) result.signals[layer_of_node.at(index)] = compare(reference->second, output);
  };
  result.predictions = predictions_of(forward(chip, workload, plan, config, first, count, result.events, observer));
  return result;
}

template <class T>
models::Tensor infer_logits(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                            const ExperimentConfig& config, std::int64_t first, std::int64_t count) {
  std::vector<LayerEvents> events;
  return forward(chip, workload, plan, config, first, count, events, {});
}

#define TELLEGEN_INSTANTIATE(T)                                                                            \
  template BatchResult infer<T>(const ProgrammedChip<T>&, const Workload&, const mapping::Plan&,           \
                                const ExperimentConfig&, std::int64_t, std::int64_t, bool);                \
  template models::Tensor infer_logits<T>(const ProgrammedChip<T>&, const Workload&, const mapping::Plan&, \
                                          const ExperimentConfig&, std::int64_t, std::int64_t);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
