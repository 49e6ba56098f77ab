#include "tellegen/models/gated/routing.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "tellegen/models/executor.h"
#include "tellegen/models/gated/largest_share.h"
#include "tellegen/models/gated/routed_activation.h"
#include "tellegen/models/onnx/rewrite.h"
#include "tellegen/models/operators/selection.h"

namespace tellegen::models {

namespace {

using Choice = std::vector<std::size_t>;

std::size_t largest(const double* row, std::size_t size) {
  return static_cast<std::size_t>(std::max_element(row, row + size) - row);
}

double entropy(const double* shares, std::size_t size) {
  double sum = 0;
  for (std::size_t k = 0; k < size; ++k) sum -= shares[k] > 0 ? shares[k] * std::log(shares[k]) : 0;
  return sum;
}

/// What was seen of one layer, with rows of K numbers for each token and neuron.
struct Seen {
  std::size_t kinds = 0, neurons = 0;
  std::vector<double> mean_logit;   ///< [neurons][K], times tokens
  std::vector<std::uint32_t> wins;  ///< [neurons][K]: tokens whose largest share it is
  double entropy_sum = 0;
  std::size_t rows = 0;

  void add_logits(const Tensor& logits) {
    mean_logit.resize(neurons * kinds, 0);
    for (std::size_t i = 0; i < logits.data.size(); ++i)
      mean_logit[i % mean_logit.size()] += static_cast<double>(logits.data[i]);
  }
  void add_shares(std::span<const double> shares) {
    wins.resize(neurons * kinds, 0);
    for (std::size_t at = 0; at < shares.size(); at += kinds, ++rows) {
      entropy_sum += entropy(shares.data() + at, kinds);
      ++wins[at % wins.size() + largest(shares.data() + at, kinds)];
    }
  }
  Choice frozen() const {
    Choice choice;
    for (std::size_t neuron = 0; neuron < neurons; ++neuron)
      choice.push_back(largest(mean_logit.data() + neuron * kinds, kinds));
    return choice;
  }
};

/// Constant shares order activations as logits do.
Seen seen_constants(const RoutedActivation& routed) {
  Seen seen{routed.palette.size(), routed.shares.size(), {}, {}, 0, 0};
  for (const std::vector<double>& row : routed.shares)
    seen.mean_logit.insert(seen.mean_logit.end(), row.begin(), row.end());
  seen.add_shares(seen.mean_logit);
  return seen;
}

/// Runs the network once where shares have to be watched.
std::vector<Seen> watch(const Network& network, const std::vector<RoutedActivation>& all, const Samples& samples) {
  std::vector<Seen> result;
  std::map<ValueId, std::size_t> logits, shares;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].softmax) {
      result.push_back(seen_constants(all[i]));
      continue;
    }
    const Node& softmax = network.nodes[*all[i].softmax];
    const Shape& shape = network.values[static_cast<std::size_t>(softmax.output)].shape;
    result.push_back({static_cast<std::size_t>(shape.back()), static_cast<std::size_t>(shape.end()[-2]), {}, {}, 0, 0});
    logits[softmax.inputs[0]] = i;
    shares[softmax.output] = i;
  }
  if (logits.empty()) return result;
  execute(network, samples(), {}, [&](const Node& node, std::size_t, const Tensor& output) {
    if (const auto found = logits.find(node.output); found != logits.end()) result[found->second].add_logits(output);
    if (const auto found = shares.find(node.output); found != shares.end())
      result[found->second].add_shares(std::vector<double>(output.data.begin(), output.data.end()));
  });
  return result;
}

void freeze(Network& network, const RoutedActivation& routed, Choice choice) {
  onnx::replace(network, routed.root, routed.nodes, "activation per neuron",
                std::make_shared<const Selection>(routed.palette, std::move(choice)), {routed.gate});
}

}  // namespace

Network with_routing(const Network& network, Routing routing, const Samples& samples) {
  const std::vector<RoutedActivation> all = routed_activations(network);
  if (routing == Routing::soft || all.empty()) return network;
  Network changed = network;
  const std::vector<Seen> seen =
      routing == Routing::frozen ? watch(network, all, samples) : std::vector<Seen>(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (routing == Routing::frozen)
      freeze(changed, all[i], seen[i].frozen());
    else if (!all[i].softmax)
      freeze(changed, all[i], seen_constants(all[i]).frozen());
    else
      changed.nodes[*all[i].softmax].operation = std::make_shared<const LargestShare>();
  }
  onnx::remove_unread(changed);
  return changed;
}

std::vector<RoutingSummary> routing_summaries(const Network& network, const Samples& samples) {
  const std::vector<RoutedActivation> all = routed_activations(network);
  const std::vector<Seen> seen = watch(network, all, samples);
  std::vector<RoutingSummary> summaries;
  for (std::size_t i = 0; i < all.size(); ++i) {
    RoutingSummary summary{network.nodes[all[i].root].name, {}, std::vector<double>(seen[i].kinds, 0), 0, 0};
    for (const Pointwise& activation : all[i].palette) summary.palette.push_back(activation.label());
    const Choice choice = seen[i].frozen();
    for (std::size_t neuron = 0; neuron < choice.size(); ++neuron) {
      summary.frozen_shares[choice[neuron]] += 1.0 / static_cast<double>(choice.size());
      summary.agreement += static_cast<double>(seen[i].wins[neuron * seen[i].kinds + choice[neuron]]);
    }
    summary.agreement /= static_cast<double>(seen[i].rows);
    summary.entropy_nat = seen[i].entropy_sum / static_cast<double>(seen[i].rows);
    summaries.push_back(std::move(summary));
  }
  return summaries;
}

}  // namespace tellegen::models
