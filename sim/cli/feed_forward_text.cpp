#include "tellegen/sim/cli/feed_forward_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/models/gated/gated_layer.h"
#include "tellegen/models/gated/tail_statistics.h"
#include "tellegen/sim/engine/network_changes.h"
#include "tellegen/sim/engine/network_file.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::cli {
namespace {

using Align = Table::Align;
using models::gating::TailRegion;

std::string percent(double share) { return fmt::format("{:.3f} %", 100 * share); }

std::string tail_table(const models::Network& network, const models::TestSet& set, const models::Evaluation& evaluation,
                       double threshold) {
  const auto one = models::tail_statistics(network, set, evaluation, TailRegion::positive, threshold),
             two = models::tail_statistics(network, set, evaluation, TailRegion::two_sided, threshold);
  Table table({{"layer", Align::left},
               {"phi", Align::left},
               {"g rms"},
               {"phi rms"},
               {"g beyond"},
               {"|g| beyond"},
               {"energy of phi"},
               {"energy of product"}});
  for (std::size_t i = 0; i < one.size(); ++i)
    table.row({one[i].name, one[i].function, fmt::format("{:.4f}", one[i].input_rms),
               fmt::format("{:.4f}", one[i].gate_rms), percent(one[i].occupancy), percent(two[i].occupancy),
               percent(one[i].gate_energy), percent(one[i].product_energy)});
  return table.text() +
         fmt::format("beyond: g >= {:.6g}; energy: share of the sum of squares that comes from there.\n", threshold);
}

std::string routing_table(const models::Network& network, const models::Samples& samples) {
  const std::vector<models::RoutingSummary> layers = models::routing_summaries(network, samples);
  if (layers.empty()) return "";
  std::vector<Table::Column> columns{{"routed", Align::left}, {"entropy [nat]"}, {"agree"}};
  for (const std::string& label : layers[0].palette) columns.push_back({label});
  Table table(columns);
  for (const models::RoutingSummary& layer : layers) {
    std::vector<std::string> row{layer.name, fmt::format("{:.4g}", layer.entropy_nat), percent(layer.agreement)};
    for (const double share : layer.frozen_shares) row.push_back(percent(share));
    table.row(std::move(row));
  }
  return "\n" + table.text() +
         "agree: tokens and neurons whose largest share is that of the activation to which the neuron freezes. Behind "
         "it: neurons that freeze to each activation.\n";
}

std::string compact_table(const sim::ExperimentConfig& config, const models::Network& unchanged) {
  if (!config.network.weights.bits) return "";
  const auto compacted = models::with_compact_weights(unchanged, config.network.weights.form());
  Table table({{"matrix", Align::left}, {"size"}, {"error"}, {"bits before"}, {"bits after"}, {"smaller by"}});
  for (const models::CompactMatrix& matrix : compacted.matrices)
    table.row(
        {matrix.name, fmt::format("{} x {}", matrix.outputs, matrix.inputs), percent(matrix.error),
         std::to_string(matrix.bits_before), std::to_string(matrix.bits_after),
         fmt::format("{:.2f}", static_cast<double>(matrix.bits_before) / static_cast<double>(matrix.bits_after))});
  return "\n" + table.text() + "error: rms of the change over rms of the weights. before: 32-bit floats.\n";
}

}  // namespace

std::string feed_forward_text(const sim::ExperimentConfig& config, int threads) {
  const models::Network unchanged = sim::read_network(config.network);
  sim::check_has_weights(unchanged, config.network);
  const models::Network network = sim::changed_network(config);
  if (models::gated_layers(network).empty())
    throw InputError(
        fmt::format("The network '{}' has no gated feed-forward (SwiGLU, MemGLU, PolyGLU or the like): there "
                    "is nothing to show.",
                    network.name));
  const auto set = models::load_test_set(config.network.data_file(), network, config.network.snr_db);
  const std::int64_t samples = config.evaluate.samples == 0 ? set->size() : config.evaluate.samples;
  if (samples > set->size())
    throw InputError(fmt::format("evaluate.samples = '{}' is more than '{}' holds; allowed: 1 to {}, or 0 for all.",
                                 samples, config.network.data_file().string(), set->size()));
  const models::Evaluation evaluation{samples, config.evaluate.batch, threads};
  const std::string tails = tail_table(network, *set, evaluation, config.network.intervention.threshold);
  const models::Samples calibration = [&] {
    const std::int64_t count = std::min<std::int64_t>(config.evaluate.calibration_samples, set->size());
    return set->batch(set->size() - count, count);
  };
  const auto figures = models::evaluate(network, *set, evaluation);
  const models::Figure& figure = sim::figure_named(figures, config.network.metric, config.network.data_file().string());
  return tails + routing_table(network, calibration) + compact_table(config, unchanged) +
         fmt::format("\nfloat network: {} {:.6f} ({:.4f} to {:.4f}) over {} samples\n", figure.name, figure.value,
                     figure.low, figure.high, samples);
}

}  // namespace tellegen::cli
