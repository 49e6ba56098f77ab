#pragma once
// What a trained gated feed-forward loses where the positive tail of its activation is changed (gating/memglu.h has the three ways).

#include <memory>

#include "tellegen/models/gating/memglu.h"
#include "tellegen/models/network.h"

namespace tellegen::models {

/// An activation phi whose values from `threshold` on are replaced: phi(threshold), or that times
/// tanh(g) sech(g) / (tanh(threshold) sech(threshold)), or 0. With the threshold at the peak of tanh sech the second is
/// phi(peak) 2 tanh(g) sech(g).
class TailCut final : public Operation {
 public:
  /// `activation` works on each element alone; `threshold` is above 0.
  TailCut(std::shared_ptr<const Operation> activation, gating::TailIntervention intervention, double threshold);
  std::string label() const override;
  Shape output_shape(std::span<const Shape> inputs) const override { return activation_->output_shape(inputs); }
  Tensor run(std::span<const Tensor* const> inputs) const override;
  std::string digital_unit() const override { return activation_->digital_unit(); }

 private:
  std::shared_ptr<const Operation> activation_;
  gating::TailIntervention intervention_;
  double threshold_;
};

/// The network with the tail of every gated feed-forward changed; other activations stay. Unchanged for `none`.
Network with_tail_cut(const Network& network, gating::TailIntervention intervention,
                      double threshold = gating::kMemgluPeak);

}  // namespace tellegen::models
