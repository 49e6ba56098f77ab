#include "tellegen/models/gated/tail_statistics.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/gated/gated_layer.h"

namespace tellegen::models {

namespace {

/// Of one layer in one batch.
struct Sums {
  double count = 0, inside = 0, input = 0, gate = 0, gate_inside = 0, product = 0, product_inside = 0;
  Sums& operator+=(const Sums& other) {
    count += other.count;
    inside += other.inside;
    input += other.input;
    gate += other.gate;
    gate_inside += other.gate_inside;
    product += other.product;
    product_inside += other.product_inside;
    return *this;
  }
};

double square(float x) { return static_cast<double>(x) * static_cast<double>(x); }
double ratio_of(double part, double whole) { return whole > 0 ? part / whole : 0; }

Sums sums_of(const Tensor& input, const Tensor& gated, const Tensor& hidden, gating::TailRegion region,
             double threshold) {
  Sums sums;
  sums.count = static_cast<double>(input.data.size());
  for (std::size_t i = 0; i < input.data.size(); ++i) {
    const double g = static_cast<double>(input.data[i]);
    const bool inside = g >= threshold || (region == gating::TailRegion::two_sided && -g >= threshold);
    const double gate = square(gated.data[i]), product = square(hidden.data[i]);
    sums.input += g * g;
    sums.gate += gate;
    sums.product += product;
    if (!inside) continue;
    sums.inside += 1;
    sums.gate_inside += gate;
    sums.product_inside += product;
  }
  return sums;
}

/// Keeps the three values of each layer until the last of them is there.
std::vector<Sums> measure(const Network& network, const std::vector<GatedLayer>& layers, const Tensor& samples,
                          const Hooks& base, gating::TailRegion region, double threshold) {
  std::map<ValueId, Tensor> kept;
  for (const GatedLayer& layer : layers)
    for (const ValueId value : {layer.gate, layer.gated}) kept[value] = {};
  std::vector<Sums> sums(layers.size());
  Hooks hooks = base;
  hooks.observer = [&](const Node& node, std::size_t, const Tensor& output) {
    if (const auto found = kept.find(node.output); found != kept.end()) found->second = output;
    for (std::size_t i = 0; i < layers.size(); ++i)
      if (layers[i].hidden == node.output)
        sums[i] = sums_of(kept.at(layers[i].gate), kept.at(layers[i].gated), output, region, threshold);
  };
  execute(network, samples, hooks);
  return sums;
}

}  // namespace

std::vector<TailStatistics> tail_statistics(const Network& network, const TestSet& set, const Evaluation& evaluation,
                                            gating::TailRegion region, double threshold) {
  TELLEGEN_ASSERT(evaluation.samples >= 0 && evaluation.samples <= set.size() && evaluation.batch > 0);
  const std::vector<GatedLayer> layers = gated_layers(network);
  const std::int64_t samples = evaluation.samples == 0 ? set.size() : evaluation.samples, batch = evaluation.batch;
  std::vector<std::vector<Sums>> batches(static_cast<std::size_t>((samples + batch - 1) / batch));
  StreamMemory memory;
  Hooks hooks;
  if (network.streaming) hooks.memory = &memory;
  parallel_for(batches.size(), network.streaming ? 1 : evaluation.threads, [&](std::size_t index) {
    const std::int64_t first = static_cast<std::int64_t>(index) * batch;
    batches[index] =
        measure(network, layers, set.batch(first, std::min(batch, samples - first)), hooks, region, threshold);
  });
  std::vector<TailStatistics> result;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    Sums all;
    for (const std::vector<Sums>& one : batches) all += one[i];
    result.push_back({layers[i].name, layers[i].function, ratio_of(all.inside, all.count),
                      ratio_of(all.gate_inside, all.gate), ratio_of(all.product_inside, all.product),
                      std::sqrt(ratio_of(all.input, all.count)), std::sqrt(ratio_of(all.gate, all.count))});
  }
  return result;
}

}  // namespace tellegen::models
