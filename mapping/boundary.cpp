#include "tellegen/mapping/boundary.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tellegen/base/error.h"
#include "tellegen/mapping/adc_function.h"
#include "tellegen/mapping/complete_sums.h"
#include "tellegen/mapping/gate_designs.h"
#include "tellegen/mapping/gate_fit.h"
#include "tellegen/mapping/nonlinear_boundary.h"
#include "tellegen/models/convert/fused_activations.h"
#include "tellegen/models/convert/gate_sites.h"
#include "tellegen/models/operators/convolution.h"

namespace tellegen::mapping {
namespace {

using models::Follower;
using models::GateSite;

Boundary asked_for(const ChipConfig& chip, const std::string& layer) {
  for (const EdgeSetting& edge : chip.edges) {
    if (edge.layer == layer) return edge.boundary;
  }
  return chip.boundary;
}

void check_layers(const models::Network& network, const ChipConfig& chip) {
  std::set<std::string> listed;
  for (const EdgeSetting& edge : chip.edges) {
    if (!listed.insert(edge.layer).second) {
      throw InputError(fmt::format(
          "chip.edges: layer = '{}' is listed twice; a layer has one boundary in front of it. Keep one.", edge.layer));
    }
    std::string known;
    bool found = false;
    for (const models::Node& node : network.nodes) {
      if (dynamic_cast<const models::MatrixOperation*>(node.operation.get()) == nullptr) continue;
      found = found || node.name == edge.layer;
      known += (known.empty() ? "" : ", ") + node.name;
    }
    if (!found) {
      throw InputError(fmt::format("chip.edges: layer = '{}' is not a layer of the network '{}'; allowed: {}.",
                                   edge.layer, network.name, known));
    }
  }
}

/// A boundary that nothing would obey is a mistake.
void check_used(const std::vector<Edge>& edges, const ChipConfig& chip) {
  for (const EdgeSetting& setting : chip.edges) {
    const bool used = std::any_of(edges.begin(), edges.end(), [&](const Edge& e) { return e.reader == setting.layer; });
    if (!used) {
      throw InputError(
          fmt::format("chip.edges: layer = '{}' has no activation straight in front of it, so it has no boundary to "
                      "set. Leave it out.",
                      setting.layer));
    }
  }
}

bool one_value_per_row(const models::Operation& operation) {
  const auto* convolution = dynamic_cast<const models::Convolution*>(&operation);
  if (convolution == nullptr) return true;
  const models::Window& window = convolution->window();
  const models::Window::Pair one{1, 1}, none{0, 0};
  return window.kernel == one && window.stride == one && window.pad_begin == none && window.pad_end == none;
}

/// Whether `to` can take its inputs from `from` without converters: an empty string, or what stands between them.
class AnalogLink {
 public:
  AnalogLink(const models::Network& network, const Plan& plan, const ChipConfig& chip)
      : network_(network), plan_(plan), chip_(chip) {
    for (std::size_t l = 0; l < plan.layers.size(); ++l) {
      if (!plan.layers[l].matrix) layer_of_node_[plan.layers[l].node] = l;  // what states give stays digital
    }
  }

  /// The layer that would have to speak to `to`.
  std::optional<std::size_t> from(std::size_t to) const {
    const models::Node& node = network_.nodes[plan_.layers[to].node];
    const std::optional<std::size_t> source = models::producer(network_, node.inputs.at(0));
    if (!source) return std::nullopt;
    const auto layer = layer_of_node_.find(*source);
    if (layer == layer_of_node_.end()) return std::nullopt;
    return layer->second;
  }

  std::string obstacle(std::size_t to) const {
    const std::optional<std::size_t> source = from(to);
    if (!source) return "what comes before the gate is not the sum of one array, but digital work";
    const LayerPlan& before = plan_.layers[*source];
    const LayerPlan& after = plan_.layers[to];
    const models::Node& node = network_.nodes[before.node];
    if (node.fused) return fmt::format("the ADCs of '{}' compute {}", before.name, node.fused->activation->label());
    const std::string lacking = what_sums_lack(network_, before, chip_);
    if (!lacking.empty()) return lacking;
    const models::Operation& next = *network_.nodes[after.node].operation;
    if (!one_value_per_row(next) || before.positions != after.positions)
      return fmt::format("'{}' needs values of several positions at once, which only a memory holds", after.name);
    return "";
  }

 private:
  const models::Network& network_;
  const Plan& plan_;
  const ChipConfig& chip_;
  std::map<std::size_t, std::size_t> layer_of_node_;
};

void refuse_streams(const ChipConfig& chip) {
  if (chip.dac.streaming == circuits::Streaming::bit_serial) {
    throw InputError(
        "chip.dac.streaming = 'bit_serial' cannot drive threshold gates: a gate needs its whole input at once. Set "
        "chip.dac.streaming: full, or chip.boundary: digital.");
  }
  if (chip.dac.by_width()) {
    throw InputError(
        "chip.dac.kind = 'pwm' cannot drive threshold gates: a gate takes a voltage, not the width of a pulse. Take "
        "another kind, or set chip.boundary: digital.");
  }
  if (chip.tile.encoding.encoding == Encoding::offset) {
    throw InputError(
        "chip.tile.encoding = 'offset' takes off the constant part of the weights with the digital sum of the inputs, "
        "which nobody knows behind threshold gates. Take differential or unit_column, or set chip.boundary: digital.");
  }
}

}  // namespace

bool asks_for(const ChipConfig& chip, Boundary boundary) {
  return chip.boundary == boundary || std::any_of(chip.edges.begin(), chip.edges.end(),
                                                  [&](const EdgeSetting& edge) { return edge.boundary == boundary; });
}

GatedNetwork gate_network(const models::Network& network, const ChipConfig& chip) {
  check_layers(network, chip);
  GatedNetwork result;
  std::vector<GateSite> sites = models::gate_sites(network);
  bool any = false;
  for (GateSite& site : sites) {
    const models::Node& activation = network.nodes[site.node];
    std::vector<Follower> moved;
    for (const Follower& follower : site.followers) {
      const std::string& reader = network.nodes[follower.node].name;
      const Boundary asked = asked_for(chip, reader);
      Edge edge{activation.name, activation.operation->label(), reader, asked, Boundary::digital, follower.why};
      if (asked == Boundary::nonlinear_adc) {
        edge.why = "";  // of the product before, not of the reader: join_activations
      } else if (!follower.legal()) {
        if (asked != Boundary::digital) edge.why += " The activation stays digital.";
      } else if (asked != Boundary::digital && !gate_of(*activation.operation)) {
        edge.why = fmt::format("No single threshold gate is {}. The activation stays digital.", edge.function);
      } else if (asked == Boundary::digital) {
        edge.why = "Asked for.";
      } else {
        edge.taken = Boundary::tg_after_dac;
        moved.push_back(follower);
        any = true;
      }
      result.edges.push_back(std::move(edge));
    }
    site.followers = std::move(moved);
  }
  check_used(result.edges, chip);
  result.network = any ? models::move_gates(network, sites) : network;
  if (asks_for(chip, Boundary::nonlinear_adc)) result.network = join_activations(result.network, result.edges, chip);
  return result;
}

void place_boundaries(Plan& plan, const models::Network& gated, std::vector<Edge>& edges, const ChipConfig& chip,
                      Temperature temperature, std::span<const double> largest) {
  const AnalogLink link(gated, plan, chip);
  GateDesigns designs(chip.front_end, temperature);
  std::shared_ptr<const circuits::Crossing> amplifier;
  for (std::size_t l = 0; l < plan.layers.size(); ++l) {
    LayerPlan& layer = plan.layers[l];
    const models::Node& node = gated.nodes[layer.node];
    if (node.fused) layer.adc_function = adc_function_of(*node.fused->activation).value();
    if (!node.gate) {
      const bool by_converters = std::any_of(edges.begin(), edges.end(), [&](const Edge& edge) {
        return edge.reader == layer.name && edge.taken == Boundary::nonlinear_adc;
      });
      if (by_converters) layer.boundary = Boundary::nonlinear_adc;
      continue;
    }
    refuse_streams(chip);
    layer.boundary = Boundary::tg_after_dac;
    const FittedGate fitted =
        designs.fit(gate_of(*node.gate->activation).value(), largest.empty() ? 0 : largest[layer.node]);
    layer.gate_scale = fitted.x_scale;
    layer.front_end = fitted.circuit;
    const auto edge = std::find_if(edges.begin(), edges.end(), [&](const Edge& e) {
      return e.reader == layer.name && e.activation == node.gate->name;
    });
    TELLEGEN_ASSERT(edge != edges.end());
    if (edge->asked != Boundary::analog) continue;
    const std::string obstacle = link.obstacle(l);
    if (!obstacle.empty()) {
      edge->why = fmt::format("Not analog: {}. Taken: tg_after_dac.", obstacle);
      continue;
    }
    edge->taken = Boundary::analog;
    edge->why = fmt::format("Straight from the amplifiers of '{}'.", plan.layers[*link.from(l)].name);
    layer.boundary = Boundary::analog;
    if (amplifier == nullptr) amplifier = chip.crossing.make(temperature);
    plan.layers[*link.from(l)].amplifier = amplifier;
  }
}

}  // namespace tellegen::mapping
