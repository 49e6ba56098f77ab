#include "tellegen/sim/engine/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::sim {
namespace {

/// Largest magnitude and sign of what the float network puts into each matrix layer.
std::vector<InputRange> input_ranges(const models::Network& network, const models::Dataset& data, std::int64_t samples,
                                     int threads) {
  std::vector<InputRange> ranges(network.nodes.size());
  std::mutex merging;
  const std::int64_t first = data.size() - samples;
  constexpr std::int64_t batch = 64;
  parallel_for(static_cast<std::size_t>((samples + batch - 1) / batch), threads, [&](std::size_t b) {
    const std::int64_t begin = static_cast<std::int64_t>(b) * batch;
    models::execute(
        network, data.batch(first + begin, std::min(batch, samples - begin)),
        [&](const models::Node& node, std::size_t index, const models::Tensor& input) {
          const auto [low, high] = std::minmax_element(input.data.begin(), input.data.end());
          {
            const std::lock_guard lock(merging);
            InputRange& range = ranges[index];
            range.max_abs = std::max({range.max_abs, static_cast<double>(*high), -static_cast<double>(*low)});
            range.is_signed = range.is_signed || *low < 0;
          }
          const models::Tensor* inputs[] = {&input};
          return node.operation->run(inputs);
        });
  });
  return ranges;
}

void check_samples(const ExperimentConfig& config, const models::Dataset& data) {
  if (config.evaluate.samples > data.size()) {
    throw InputError(fmt::format("evaluate.samples = '{}' is more than '{}' holds; allowed: 1 to {}, or 0 for all.",
                                 config.evaluate.samples, data.file.string(), data.size()));
  }
  if (config.evaluate.calibration_samples > data.size()) {
    throw InputError(fmt::format("evaluate.calibration_samples = '{}' is more than '{}' holds; allowed: 1 to {}.",
                                 config.evaluate.calibration_samples, data.file.string(), data.size()));
  }
}

}  // namespace

Workload load(const ExperimentConfig& config, int threads, const Progress& progress) {
  Workload work;
  work.network = models::import_onnx(config.network.onnx_file());
  work.data = models::load_dataset(config.network.data_file(), work.network);
  check_samples(config, work.data);
  work.samples = config.evaluate.samples == 0 ? work.data.size() : config.evaluate.samples;
  work.inputs = input_ranges(work.network, work.data,
                             std::min<std::int64_t>(config.evaluate.calibration_samples, work.data.size()), threads);

  work.float_predictions.resize(static_cast<std::size_t>(work.samples));
  const std::int64_t batch = config.evaluate.batch;
  const std::size_t batches = static_cast<std::size_t>((work.samples + batch - 1) / batch);
  std::atomic<std::size_t> done = 0;
  parallel_for(batches, threads, [&](std::size_t b) {
    const std::int64_t first = static_cast<std::int64_t>(b) * batch;
    const models::Tensor logits =
        models::execute(work.network, work.data.batch(first, std::min(batch, work.samples - first)));
    std::ranges::copy(predictions_of(logits), work.float_predictions.begin() + first);
    if (progress) progress(++done, batches);
  });
  work.float_accuracy = share_right(work.float_predictions, work.data.labels);
  return work;
}

}  // namespace tellegen::sim
