#include "tellegen/models/gated/tail_cut.h"

#include <algorithm>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/models/gated/gated_layer.h"

namespace tellegen::models {

using gating::TailIntervention;

TailCut::TailCut(std::shared_ptr<const Operation> activation, TailIntervention intervention, double threshold)
    : activation_(std::move(activation)), intervention_(intervention), threshold_(threshold) {
  TELLEGEN_ASSERT(threshold > 0 && intervention != TailIntervention::none);
}

std::string TailCut::label() const {
  const char* how = intervention_ == TailIntervention::cap     ? "capped "
                    : intervention_ == TailIntervention::decay ? "decaying "
                                                               : "cut ";
  return how + activation_->label();
}

Tensor TailCut::run(std::span<const Tensor* const> inputs) const {
  const std::vector<float>& g = inputs[0]->data;
  Tensor capped = *inputs[0];
  for (float& x : capped.data)
    if (static_cast<double>(x) >= threshold_) x = static_cast<float>(threshold_);
  const Tensor* only[] = {&capped};
  Tensor result = activation_->run(only);
  if (intervention_ == TailIntervention::cap) return result;
  const double at_threshold = gating::memglu_gate(threshold_);
  for (std::size_t i = 0; i < g.size(); ++i) {
    const double x = static_cast<double>(g[i]);
    if (x < threshold_) continue;
    const bool removed = intervention_ == TailIntervention::remove;
    result.data[i] *= removed ? 0.0F : static_cast<float>(gating::memglu_gate(x) / at_threshold);
  }
  return result;
}

Network with_tail_cut(const Network& network, TailIntervention intervention, double threshold) {
  if (intervention == TailIntervention::none) return network;
  Network changed = network;
  for (const GatedLayer& layer : gated_layers(network))
    for (const std::size_t activation : layer.activations) {
      std::shared_ptr<const Operation>& operation = changed.nodes[activation].operation;
      operation = std::make_shared<const TailCut>(operation, intervention, threshold);
    }
  return changed;
}

}  // namespace tellegen::models
