#include "tellegen/mapping/traffic.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tellegen/mapping/written_products.h"
#include "tellegen/models/operators/recurrent.h"

namespace tellegen::mapping {
namespace {

using Owner = std::optional<std::size_t>;

double values_of(const models::Network& network, models::ValueId value) {
  double count = 1;
  for (const std::int64_t size : network.values.at(static_cast<std::size_t>(value)).shape)
    count *= static_cast<double>(models::is_batch(size) ? -size : size);
  return count;
}

/// Collects transfers node by node; a value goes to a layer once, however many of its nodes read it.
class Collector {
 public:
  Collector(const models::Network& network, const Plan& plan)
      : network_(network), plan_(plan), owner_(network.values.size()) {}

  std::vector<Transfer> take() {
    for (std::size_t n = 0; n < network_.nodes.size(); ++n) pass(n);
    return std::move(transfers_);
  }

 private:
  void pass(std::size_t n) {
    const models::Node& node = network_.nodes[n];
    const bool recurrent = dynamic_cast<const models::Recurrent*>(node.operation.get()) != nullptr;
    const std::optional<std::size_t> product = written_of(plan_, n);
    Owner owner = recurrent ? last_matrix(n) : layer_of(plan_, n);
    if (product) owner = plan_.layers.size() + *product;
    if (!owner) {
      for (const models::ValueId input : node.inputs) owner = later(owner, owner_[static_cast<std::size_t>(input)]);
    }
    if (owner) {
      for (std::size_t i = 0; i < node.inputs.size(); ++i) send(node.inputs[i], *owner, product && i == 1);
    }
    for (std::size_t l = 0; recurrent && l < plan_.layers.size(); ++l) {
      const LayerPlan& layer = plan_.layers[l];
      if (layer.node != n || l == *owner) continue;
      transfers_.push_back({owner, l, static_cast<double>(layer.positions * layer.inputs())});
      transfers_.push_back({l, *owner, static_cast<double>(layer.positions * layer.outputs())});
    }
    owner_[static_cast<std::size_t>(node.output)] = owner;
  }

  Owner last_matrix(std::size_t node) const {
    Owner last;
    for (std::size_t l = 0; l < plan_.layers.size(); ++l) {
      if (plan_.layers[l].node == node) last = l;
    }
    return last;
  }

  /// The one whose node comes later; written products stand behind all layers, so numbers alone do not tell.
  Owner later(Owner one, Owner other) const {
    if (!one || !other) return std::max(one, other);
    return std::pair(row_of(plan_, *one).node, one) < std::pair(row_of(plan_, *other).node, other) ? other : one;
  }

  void send(models::ValueId value, std::size_t to, bool written) {
    const Owner from = owner_[static_cast<std::size_t>(value)];
    if (from == Owner(to) || !sent_.insert({value, to}).second) return;
    const bool digital = row_of(plan_, to).boundary != Boundary::analog;
    transfers_.push_back({from, to, values_of(network_, value), digital, written});
  }

  const models::Network& network_;
  const Plan& plan_;
  std::vector<Owner> owner_;  ///< of each value
  std::set<std::pair<models::ValueId, std::size_t>> sent_;
  std::vector<Transfer> transfers_;
};

void add(LayerTraffic& traffic, double bits, const Path& path) {
  traffic.bits += bits;
  traffic.router_bits += bits * path.routers;
  traffic.pitch_bits += bits * path.pitches;
}

/// Of the values that drive rows.
double driven_share(const LayerPlan& layer, const TileSlice& slice) {
  return static_cast<double>(slice.rows()) / static_cast<double>(layer.rows());
}

/// Of the values that are written.
double written_share(const LayerPlan& layer, const TileSlice& slice) {
  return static_cast<double>(slice.rows() * slice.outputs()) /
         static_cast<double>(layer.rows() * layer.outputs_per_group);
}

int mesh_side(int tiles) { return static_cast<int>(std::ceil(std::sqrt(tiles))); }

}  // namespace

std::vector<Transfer> transfers(const models::Network& network, const Plan& plan) {
  return Collector(network, plan).take();
}

Path path_between(Topology topology, int tiles, int from, int to) {
  if (topology == Topology::none || from == to) return {};
  if (topology == Topology::bus) return {0, static_cast<double>(tiles)};
  if (topology == Topology::mesh) {
    const int side = mesh_side(tiles);
    const int hops = std::abs(from % side - to % side) + std::abs(from / side - to / side);
    return {hops + 1.0, static_cast<double>(hops)};
  }
  int level = 0;  // of the router that has both tiles below it
  for (; from != to; ++level) {
    from /= 4;
    to /= 4;
  }
  return {2.0 * level - 1, 2 * (std::ldexp(1.0, level) - 1)};
}

std::vector<LayerTraffic> traffic(const models::Network& network, const Plan& plan, Topology topology,
                                  std::int64_t value_bits, std::int64_t sum_bits) {
  std::vector<LayerTraffic> all(row_count(plan));
  for (const Transfer& transfer : transfers(network, plan)) {
    if (!transfer.digital) continue;
    std::vector<int> senders;
    if (transfer.from) {
      for (const TileSlice& slice : row_of(plan, *transfer.from).slices) senders.push_back(slice.tile);
    } else {
      senders.push_back(0);
    }
    const LayerPlan& layer = row_of(plan, transfer.to);
    const double bits = transfer.values * static_cast<double>(value_bits) / static_cast<double>(senders.size());
    for (const TileSlice& slice : layer.slices) {
      const double share = transfer.written ? written_share(layer, slice) : driven_share(layer, slice);
      for (const int sender : senders)
        add(all[transfer.to], bits * share, path_between(topology, plan.tiles, sender, slice.tile));
    }
  }
  for (std::size_t l = 0; l < all.size(); ++l) {
    const LayerPlan& layer = row_of(plan, l);
    std::map<std::int64_t, int> first_tile;  // by first output
    for (const TileSlice& slice : layer.slices) {
      const auto [first, is_first] = first_tile.try_emplace(slice.output_begin, slice.tile);
      const double bits = static_cast<double>(layer.positions * slice.outputs() * sum_bits);
      if (!is_first) add(all[l], bits, path_between(topology, plan.tiles, slice.tile, first->second));
    }
  }
  return all;
}

Fabric fabric(Topology topology, int tiles) {
  if (topology == Topology::none || tiles < 2) return {};
  if (topology == Topology::bus) return {0, static_cast<double>(tiles)};
  Fabric built;
  if (topology == Topology::mesh) {
    const int side = mesh_side(tiles);
    built.routers = tiles;
    for (int tile = 0; tile < tiles; ++tile) {
      const bool right = tile % side + 1 < side && tile + 1 < tiles, below = tile + side < tiles;
      built.pitches += 2.0 * ((right ? 1 : 0) + (below ? 1 : 0));
    }
    return built;
  }
  double length = 1;  // from a router of this level to each of its four
  for (int below = tiles; below > 1; length *= 2) {
    built.pitches += 2 * length * below;
    below = (below + 3) / 4;
    built.routers += below;
  }
  return built;
}

std::int64_t input_values(const models::Network& network) {
  return static_cast<std::int64_t>(values_of(network, network.input));
}

}  // namespace tellegen::mapping
