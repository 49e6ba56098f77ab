#include "tellegen/models/convert/gate_sites.h"

#include <algorithm>
#include <map>
#include <utility>

#include "tellegen/models/operators/arithmetic.h"
#include "tellegen/models/operators/average_pool.h"
#include "tellegen/models/operators/convolution.h"
#include "tellegen/models/operators/max_pool.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/models/operators/reshape.h"
#include "tellegen/models/operators/transpose.h"

namespace tellegen::models {
namespace {

template <class T>
const T* as(const Operation& operation) {
  return dynamic_cast<const T*>(&operation);
}

bool zero_stays_zero(const Pointwise& activation) {
  const Tensor zero{{1}, {0.0F}};
  const Tensor* inputs[] = {&zero};
  return activation.run(inputs).data[0] == 0;
}

bool never_falls(const Pointwise& activation) {
  using Kind = Pointwise::Kind;
  switch (activation.kind()) {
    case Kind::relu:
    case Kind::clip:
    case Kind::sigmoid:
    case Kind::tanh:
      return true;
    case Kind::leaky_relu:
    case Kind::hard_sigmoid:
    case Kind::elu:
      return activation.a() >= 0;
    case Kind::softplus:
      return true;
    case Kind::silu:
    case Kind::swish:
    case Kind::hard_swish:
    case Kind::gelu_erf:
    case Kind::gelu_tanh:
    case Kind::mish:
    case Kind::tanh_sech:
      return false;
  }
  return false;
}

bool has_padding(const Convolution& convolution) {
  const Window& window = convolution.window();
  return std::any_of(window.pad_begin.begin(), window.pad_begin.end(), [](std::int64_t p) { return p > 0; }) ||
         std::any_of(window.pad_end.begin(), window.pad_end.end(), [](std::int64_t p) { return p > 0; });
}

std::pair<Obstacle, std::string> judge_product(const Pointwise& activation, const Node& next) {
  const auto* convolution = as<Convolution>(*next.operation);
  if (convolution != nullptr && has_padding(*convolution) && !zero_stays_zero(activation)) {
    return {Obstacle::padding, "'" + next.name + "' pads its input with zeros, and " + activation.label() +
                                   " of zero is not zero: padded rows would be driven."};
  }
  return {Obstacle::none, "'" + next.name + "' is a product with constant weights."};
}

std::pair<Obstacle, std::string> judge_obstacle(const Pointwise& activation, const Node& next) {
  const Operation& operation = *next.operation;
  if (as<MaxPool>(operation) != nullptr) {
    return {Obstacle::order, "'" + next.name + "' takes maxima, and " + activation.label() +
                                 " is not monotone: the largest input need not give the largest output."};
  }
  if (as<AveragePool>(operation) != nullptr || as<GlobalAveragePool>(operation) != nullptr)
    return {Obstacle::average, "'" + next.name + "' averages in the digital part."};
  if (const auto* arithmetic = as<Arithmetic>(operation)) {
    const bool product =
        arithmetic->kind() == Arithmetic::Kind::multiply || arithmetic->kind() == Arithmetic::Kind::divide;
    if (product)
      return {
          Obstacle::product,
          "'" + next.name + "' multiplies values of the network with each other: that needs a multiplier per channel."};
    return {Obstacle::sum,
            "'" + next.name + "' adds values of the network: the sum stands between activation and product."};
  }
  return {Obstacle::other_operation,
          "'" + next.name + "' (" + operation.label() + ") is no product with constant weights."};
}

/// Follows the readers of one value.
class Walk {
 public:
  Walk(const Network& network, const Pointwise& activation, std::size_t node)
      : network_(network), activation_(activation), start_(node) {}

  std::vector<Follower> followers() {
    follow(network_.nodes[start_].output, {});
    return std::move(found_);
  }

 private:
  bool commutes(const Operation& operation) const {
    if (as<Reshape>(operation) != nullptr || as<Transpose>(operation) != nullptr) return true;
    return as<MaxPool>(operation) != nullptr && never_falls(activation_);
  }

  void follow(ValueId value, const std::vector<std::size_t>& between) {
    if (value == network_.output) {
      found_.push_back(
          {start_, between, Obstacle::network_output, "It is the output of the network: no product follows."});
    }
    for (std::size_t index = start_ + 1; index < network_.nodes.size(); ++index) {
      const Node& next = network_.nodes[index];
      if (std::find(next.inputs.begin(), next.inputs.end(), value) == next.inputs.end()) continue;
      if (as<MatrixOperation>(*next.operation) != nullptr) {
        const auto [obstacle, why] = judge_product(activation_, next);
        found_.push_back({index, between, obstacle, why});
      } else if (commutes(*next.operation)) {
        std::vector<std::size_t> longer = between;
        longer.push_back(index);
        follow(next.output, longer);
      } else {
        const auto [obstacle, why] = judge_obstacle(activation_, next);
        found_.push_back({index, between, obstacle, why});
      }
    }
  }

  const Network& network_;
  const Pointwise& activation_;
  std::size_t start_;
  std::vector<Follower> found_;
};

/// Rewrites a network: clones of nodes on the way read the value before the activation.
class Mover {
 public:
  Mover(const Network& network, const std::vector<GateSite>& sites) : old_(network), moved_(network) {
    moved_.nodes.clear();
    for (const GateSite& site : sites) {
      for (const Follower& follower : site.followers) {
        if (follower.legal()) gate_of_[follower.node] = {site.node, &follower};
      }
    }
  }

  Network run() {
    for (std::size_t index = 0; index < old_.nodes.size(); ++index) {
      Node node = old_.nodes[index];
      if (const auto found = gate_of_.find(index); found != gate_of_.end()) {
        const Node& activation = old_.nodes[found->second.first];
        node.gate = Gate{activation.name, activation.operation, activation.source};
        node.inputs = {before_activation(activation, *found->second.second)};
      }
      moved_.nodes.push_back(std::move(node));
    }
    drop_unread();
    return std::move(moved_);
  }

 private:
  /// The input of the activation, behind clones of what stands between it and the product.
  ValueId before_activation(const Node& activation, const Follower& follower) {
    ValueId value = activation.inputs[0];
    for (const std::size_t index : follower.between) {
      const auto key = std::make_pair(value, index);
      if (const auto known = clones_.find(key); known != clones_.end()) {
        value = known->second;
        continue;
      }
      Node clone = old_.nodes[index];
      clone.name += " of " + activation.name + "'s input";
      clone.inputs = {value};
      moved_.values.push_back(old_.values[static_cast<std::size_t>(clone.output)]);
      moved_.values.back().name += " of " + activation.name + "'s input";
      clone.output = static_cast<ValueId>(moved_.values.size()) - 1;
      moved_.nodes.push_back(clone);
      clones_[key] = clone.output;
      value = clone.output;
    }
    return value;
  }

  void drop_unread() {
    std::vector<bool> read(moved_.values.size(), false);
    read[static_cast<std::size_t>(moved_.output)] = true;
    std::vector<Node> kept;
    for (auto node = moved_.nodes.rbegin(); node != moved_.nodes.rend(); ++node) {
      if (!read[static_cast<std::size_t>(node->output)]) continue;
      for (const ValueId input : node->inputs) read[static_cast<std::size_t>(input)] = true;
      kept.push_back(std::move(*node));
    }
    std::reverse(kept.begin(), kept.end());
    moved_.nodes = std::move(kept);
  }

  const Network& old_;
  Network moved_;
  std::map<std::size_t, std::pair<std::size_t, const Follower*>> gate_of_;
  std::map<std::pair<ValueId, std::size_t>, ValueId> clones_;
};

}  // namespace

bool GateSite::any_legal() const {
  return std::any_of(followers.begin(), followers.end(), [](const Follower& f) { return f.legal(); });
}
bool GateSite::all_legal() const {
  return std::all_of(followers.begin(), followers.end(), [](const Follower& f) { return f.legal(); });
}

std::vector<GateSite> gate_sites(const Network& network) {
  std::vector<GateSite> sites;
  for (std::size_t index = 0; index < network.nodes.size(); ++index) {
    const auto* activation = as<Pointwise>(*network.nodes[index].operation);
    if (activation != nullptr) sites.push_back({index, Walk(network, *activation, index).followers()});
  }
  return sites;
}

Network move_gates(const Network& network, const std::vector<GateSite>& sites) { return Mover(network, sites).run(); }

}  // namespace tellegen::models
