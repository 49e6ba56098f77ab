#include "tellegen/sim/engine/infer.h"

#include <algorithm>
#include <optional>

#include "tellegen/mapping/products.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/models/operation.h"
#include "tellegen/models/operators/recurrent.h"
#include "tellegen/sim/engine/digital_work.h"
#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/predictions.h"
#include "tellegen/sim/engine/written_arrays.h"

namespace tellegen::sim {
namespace {

/// What each layer gave, one tensor per run of it: one for a product, one per step for a product with states.
using LayerOutputs = std::vector<std::vector<models::Tensor>>;

/// Right of the diagonal of the last two dimensions: what is not computed where tokens come one by one.
void clear_later_tokens(models::Tensor& scores) {
  const std::int64_t tokens = scores.shape.back();
  for (std::int64_t row = 0; row < scores.size() / tokens; ++row)
    std::fill(scores.data.begin() + row * tokens + row % tokens + 1, scores.data.begin() + (row + 1) * tokens, 0.0F);
}

/// Of the float network, per row of the plan.
LayerOutputs float_outputs(const models::Network& network, const mapping::Plan& plan, const models::Tensor& input,
                           models::StreamMemory* memory) {
  LayerOutputs outputs(mapping::row_count(plan));
  models::Hooks hooks;
  hooks.memory = memory;
  hooks.observer = [&](const models::Node&, std::size_t index, const models::Tensor& output) {
    if (const auto layer = mapping::layer_of(plan, index)) outputs[*layer].push_back(output);
    if (const auto product = mapping::written_of(plan, index)) outputs[plan.layers.size() + *product].push_back(output);
  };
  hooks.state_product = [&](const models::Node&, std::size_t index, std::size_t matrix, const models::Tensor& states) {
    const models::Tensor* inputs[] = {&states};
    models::Tensor output = mapping::product_operation(network, index, matrix).run(inputs);
    outputs[mapping::layer_of(plan, index, matrix).value()].push_back(output);
    return output;
  };
  models::execute(network, input, hooks);
  return outputs;
}

LayerSignal& operator+=(LayerSignal& sum, const LayerSignal& part) {
  sum.signal += part.signal;
  sum.error += part.error;
  return sum;
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

/// One batch through the chip.
template <class T>
class ChipPass {
 public:
  ChipPass(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
           const ExperimentConfig& config, std::int64_t first, std::int64_t count)
      : chip_(chip),
        workload_(workload),
        plan_(plan),
        config_(config),
        context_(path_context(config, chip.chip)),
        bits_(buffer_bits(config.chip)),
        first_(first),
        count_(count),
        events_(mapping::row_count(plan)),
        steps_(plan.layers.size(), 0),
        arrays_(config, chip.chip) {}

  /// `visit(row, output)` sees the output of every row of the plan, step by step.
  template <class Visit>
  models::Tensor run(models::StreamMemory* memory, const Visit& visit) {
    const std::vector<std::size_t> owner = digital_owners(workload_.network, plan_);
    models::Hooks hooks;
    hooks.memory = memory;
    hooks.product = [&](const models::Node&, std::size_t index, const models::Tensor& input) {
      const std::size_t l = mapping::layer_of(plan_, index).value();
      const auto positions = static_cast<std::uint64_t>(plan_.layers[l].positions);
      models::Tensor output = pass(l, input, static_cast<std::uint64_t>(first_) * positions);
      visit(l, output);
      return output;
    };
    hooks.state_product = [&](const models::Node& node, std::size_t index, std::size_t matrix,
                              const models::Tensor& states) {
      const std::size_t l = mapping::layer_of(plan_, index, matrix).value();
      const bool streaming = dynamic_cast<const models::Recurrent&>(*node.operation).form().streaming;
      models::Tensor output = pass(l, states, step_read(l, states.shape[0], streaming));
      visit(l, output);
      return output;
    };
    hooks.substitute = [&](const models::Node& node, std::size_t index,
                           const models::Tensor& input) -> std::optional<models::Tensor> {
      const mapping::AnalogUnit* unit = mapping::analog_unit_of(plan_, index);
      if (unit == nullptr) return std::nullopt;
      return through_unit(*unit, node, input, events_[owner[index]]);
    };
    if (!plan_.written.empty())
      hooks.computed_product = [&](const models::Node&, std::size_t index, const models::Tensor& left,
                                   const models::Tensor& right) {
        const std::size_t w = mapping::written_of(plan_, index).value(), row = plan_.layers.size() + w;
        const WrittenPlace place{static_cast<std::uint32_t>(first_), static_cast<std::uint64_t>(first_)};
        models::Tensor output = arrays_.multiply(chip_.written[w], plan_.written[w], left, right, place, events_[row]);
        visit(row, output);
        return output;
      };
    hooks.observer = [&](const models::Node& node, std::size_t index, const models::Tensor& output) {
      if (mapping::analog_unit_of(plan_, index) != nullptr || mapping::written_of(plan_, index)) return;
      for (const auto& [unit, operations] : digital_work(workload_.network, node, output))
        events_[owner[index]].digital[unit] += operations;
    };
    return models::execute(workload_.network, workload_.data.batch(first_, count_), hooks);
  }

  std::vector<LayerEvents> take_events() {
    for (LayerEvents& events : events_) events.images = count_;
    return std::move(events_);
  }

 private:
  models::Tensor pass(std::size_t l, const models::Tensor& input, std::uint64_t first_read) {
    const mapping::LayerPlan& layer = plan_.layers[l];
    LayerEvents& events = events_[l];
    const std::int64_t products_before = events.products;
    models::Tensor output =
        layer_forward(chip_.layers[l], layer, mapping::product_operation(workload_.network, layer.node, layer.matrix),
                      input, context_, first_read, events);
    if (layer.boundary != mapping::Boundary::analog)
      events.buffer_read_bits += (events.products - products_before) * layer.inputs() * bits_;
    if (layer.amplifier == nullptr) events.buffer_write_bits += output.size() * bits_;
    return output;
  }

  models::Tensor through_unit(const mapping::AnalogUnit& unit, const models::Node& node, const models::Tensor& input,
                              LayerEvents& events) const {
    const auto number = static_cast<std::size_t>(&unit - plan_.analog_units.data());
    UnitEvents counts;
    models::Tensor output = run_unit(chip_.units[number], {unit, node, config_, context_.chip}, input,
                                     static_cast<std::uint64_t>(first_), count_, counts);
    for (const auto& [name, operations] : digital_work_beside(unit, counts)) events.digital[name] += operations;
    events.units[number] += counts;
    return output;
  }

  /// Number of the first read of one step: all samples of the set take the first step before any takes the second, so
  /// that batches do not matter. Where entries of the batch are steps in time, each sample is one step.
  std::uint64_t step_read(std::size_t l, std::int64_t products, bool streaming) {
    const std::uint64_t step = steps_[l]++;
    const auto first = static_cast<std::uint64_t>(first_);
    if (streaming) return first + step;
    const auto per_sample = static_cast<std::uint64_t>(products / count_);
    return (step * static_cast<std::uint64_t>(workload_.data.size()) + first) * per_sample;
  }

  const ProgrammedChip<T>& chip_;
  const Workload& workload_;
  const mapping::Plan& plan_;
  const ExperimentConfig& config_;
  PathContext context_;
  std::int64_t bits_, first_, count_;
  std::vector<LayerEvents> events_;
  std::vector<std::uint64_t> steps_;  ///< taken by each layer
  WrittenArrays<T> arrays_;
};

}  // namespace

template <class T>
BatchResult infer(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                  const ExperimentConfig& config, std::int64_t first, std::int64_t count, bool compare_with_float,
                  Streams* streams) {
  BatchResult result;
  result.signals.resize(mapping::row_count(plan));
  LayerOutputs expected;
  if (compare_with_float) {
    expected = float_outputs(workload.network, plan, workload.data.batch(first, count),
                             streams == nullptr ? nullptr : &streams->reference);
    for (std::size_t w = 0; w < plan.written.size(); ++w) {
      if (chip.written[w].causal && !plan.written[w].token_rows)
        for (models::Tensor& scores : expected[plan.layers.size() + w]) clear_later_tokens(scores);
    }
  }
  std::vector<std::size_t> seen(mapping::row_count(plan), 0);
  ChipPass<T> pass(chip, workload, plan, config, first, count);
  const models::Tensor outputs =
      pass.run(streams == nullptr ? nullptr : &streams->chip, [&](std::size_t layer, const models::Tensor& output) {
        if (compare_with_float) result.signals[layer] += compare(expected[layer][seen[layer]++], output);
      });
  result.events = pass.take_events();
  if (!workload.data.labels.empty()) result.predictions = predictions_of(outputs);
  result.scores = workload.data.set->score(outputs, first);
  return result;
}

template <class T>
models::Tensor infer_logits(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                            const ExperimentConfig& config, std::int64_t first, std::int64_t count, Streams* streams) {
  ChipPass<T> pass(chip, workload, plan, config, first, count);
  return pass.run(streams == nullptr ? nullptr : &streams->chip, [](std::size_t, const models::Tensor&) {});
}

#define TELLEGEN_INSTANTIATE(T)                                                                            \
  template BatchResult infer<T>(const ProgrammedChip<T>&, const Workload&, const mapping::Plan&,           \
                                const ExperimentConfig&, std::int64_t, std::int64_t, bool, Streams*);      \
  template models::Tensor infer_logits<T>(const ProgrammedChip<T>&, const Workload&, const mapping::Plan&, \
                                          const ExperimentConfig&, std::int64_t, std::int64_t, Streams*);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
