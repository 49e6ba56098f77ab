#include "tellegen/mapping/nonlinear_boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <variant>

#include "tellegen/mapping/adc_function.h"
#include "tellegen/mapping/complete_sums.h"
#include "tellegen/models/convert/fused_activations.h"

namespace tellegen::mapping {
namespace {

/// What a converter lacks that knows only one scale for all lines of an array, and one slice of the inputs.
std::string what_converters_lack(const ChipConfig& chip) {
  if (chip.dac.streaming == circuits::Streaming::bit_serial)
    return "slices of the inputs are added up digitally; set chip.dac.streaming: full";
  if (chip.tile.encoding.scale != ScaleScope::per_layer)
    return "each column has a scale of its own, and converters have one; set chip.tile.scale: per_layer";
  if (chip.drift_compensation == Compensation::per_column)
    return "each column has a factor against drift, and converters have one; set chip.drift_compensation: per_layer";
  return "";
}

class Joining {
 public:
  Joining(const models::Network& network, const ChipConfig& chip)
      : network_(network), chip_(chip), outcome_(plan_greedy(network, chip)) {}

  /// The layer whose converters would compute it; nothing where no product stands before.
  const LayerPlan* layer_before(const models::Node& activation) const {
    const std::optional<std::size_t> product = models::producer(network_, activation.inputs.at(0));
    const Plan* plan = std::get_if<Plan>(&outcome_);
    if (!product || plan == nullptr) return nullptr;
    const std::optional<std::size_t> layer = layer_of(*plan, *product);
    return layer ? &plan->layers[*layer] : nullptr;
  }

  std::string obstacle(const models::Node& activation) const {
    if (std::holds_alternative<Refusal>(outcome_)) return "the network has no place on the chip";
    const LayerPlan* layer = layer_before(activation);
    if (layer == nullptr) return "what comes before it is not the sum of one array, but digital work";
    const std::string lacking = what_sums_lack(network_, *layer, chip_);
    return lacking.empty() ? what_converters_lack(chip_) : lacking;
  }

 private:
  const models::Network& network_;
  const ChipConfig& chip_;
  PlanOutcome outcome_;
};

}  // namespace

models::Network join_activations(const models::Network& network, std::vector<Edge>& edges, const ChipConfig& chip) {
  const Joining joining(network, chip);
  std::set<std::string> joined;
  for (const models::Node& node : network.nodes) {
    const auto asking = std::find_if(edges.begin(), edges.end(), [&](const Edge& edge) {
      return edge.activation == node.name && edge.asked == Boundary::nonlinear_adc;
    });
    if (asking == edges.end()) continue;
    const std::string obstacle = joining.obstacle(node);
    if (obstacle.empty()) joined.insert(node.name);
    const std::string asker = asking->reader;
    for (Edge& edge : edges) {
      if (edge.activation != node.name || edge.taken != Boundary::digital) continue;
      if (!obstacle.empty()) {
        if (edge.asked == Boundary::nonlinear_adc)
          edge.why = fmt::format("Not by the ADC: {}. Taken: digital.", obstacle);
        continue;
      }
      edge.taken = Boundary::nonlinear_adc;
      const std::string before = joining.layer_before(node)->name;
      edge.why = edge.asked == Boundary::nonlinear_adc
                     ? fmt::format("The ADCs of '{}' compute it.", before)
                     : fmt::format("The ADCs of '{}' compute it for '{}', and so for all that read it.", before, asker);
    }
  }
  return joined.empty() ? network : models::fuse_activations(network, joined);
}

}  // namespace tellegen::mapping
