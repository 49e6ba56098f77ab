#include "tellegen/mapping/conversion.h"

#include <algorithm>
#include <cmath>

#include "tellegen/mapping/gate_fit.h"
#include "tellegen/models/convert/gate_sites.h"
#include "tellegen/models/operators/pointwise.h"

namespace tellegen::mapping {
namespace {

using models::Pointwise;
using models::gating::ThresholdGate;

/// Networks compute in float: what differs by less is the same function.
constexpr double kRounding = 2e-6;

/// Largest |gate - activation| on [-8, 8].
double largest_error(const ThresholdGate& gate, const Pointwise& activation) {
  constexpr int kPoints = 1601;
  models::Tensor x{{kPoints}, {}};
  for (int i = 0; i < kPoints; ++i) x.data.push_back(static_cast<float>(-8 + 16.0 * i / (kPoints - 1)));
  const models::Tensor* inputs[] = {&x};
  const models::Tensor y = activation.run(inputs);
  double error = 0;
  for (std::size_t i = 0; i < y.data.size(); ++i) {
    const double got = models::gating::value(gate, static_cast<double>(x.data[i]));
    error = std::max(error, std::abs(got - static_cast<double>(y.data[i])));
  }
  return error < kRounding ? 0 : error;
}

}  // namespace

std::vector<ConversionSite> conversion_sites(const models::Network& network) {
  std::vector<ConversionSite> sites;
  for (const models::GateSite& found : models::gate_sites(network)) {
    const models::Node& node = network.nodes[found.node];
    const auto& activation = dynamic_cast<const Pointwise&>(*node.operation);
    ConversionSite site;
    site.activation = node.name;
    site.function = activation.label();
    site.gate = threshold_gate_of(activation);
    if (site.gate) {
      site.error = largest_error(*site.gate, activation);
      site.parameters = static_cast<std::int64_t>(site.gate->theta.size() + site.gate->tau.size());
    }
    for (const models::Follower& follower : found.followers) {
      site.reader = network.nodes[follower.node].name;
      site.legal = follower.legal();
      site.why = follower.why;
      sites.push_back(site);
    }
  }
  return sites;
}

}  // namespace tellegen::mapping
