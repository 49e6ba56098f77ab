#include "tellegen/sim/engine/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <variant>

#include "tellegen/base/blas.h"
#include "tellegen/mapping/analog_units.h"
#include "tellegen/mapping/products.h"
#include "tellegen/mapping/written_products.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/sim/engine/expected_energy.h"
#include "tellegen/sim/engine/interconnect.h"
#include "tellegen/sim/engine/predictions.h"
#include "tellegen/sim/engine/solver_log.h"

namespace tellegen::sim {
namespace {

/// What a stage depends on, as text: the resolved configuration with everything downstream set to its default.
std::string workload_key(const ExperimentConfig& config) {
  ExperimentConfig key;
  key.network = config.network;
  key.chip.boundary = config.chip.boundary;
  key.chip.edges = config.chip.edges;
  if (mapping::asks_for(config.chip, mapping::Boundary::nonlinear_adc)) {  // what decides which activations are joined
    key.chip.tiles = config.chip.tiles;
    key.chip.tile = config.chip.tile;
    key.chip.dac.streaming = config.chip.dac.streaming;
    key.chip.drift_compensation = config.chip.drift_compensation;
  }
  key.evaluate.samples = config.evaluate.samples;
  key.evaluate.batch = config.evaluate.batch;
  key.evaluate.calibration_samples = config.evaluate.calibration_samples;
  return write_config(key);
}

std::string program_key(const ExperimentConfig& config) {
  ExperimentConfig key = config;
  key.name.clear();
  key.costs = {};
  key.chip.adc = {};
  key.chip.nonlinear_adc = {};
  key.chip.node = mapping::ChipConfig{}.node;
  key.chip.tiles.reset();
  key.chip.interconnect = {};
  const EvaluateConfig evaluate;
  key.evaluate.samples = evaluate.samples;
  key.evaluate.snr_samples = evaluate.snr_samples;
  key.evaluate.energy = evaluate.energy;
  key.evaluate.energy_values = evaluate.energy_values;
  return write_config(key);
}

template <class T>
struct ProgramCache {
  std::string key;
  std::vector<ProgrammedChip<T>> chips;
};

ChipResult merge(const Workload& workload, const mapping::Plan& plan, const std::string& metric, int chip,
                 std::vector<BatchResult>::const_iterator begin, std::vector<BatchResult>::const_iterator end) {
  ChipResult result;
  result.chip = chip;
  result.events.resize(mapping::row_count(plan));
  result.signals.resize(mapping::row_count(plan));
  std::vector<double> scores;
  for (auto batch = begin; batch != end; ++batch) {
    scores.insert(scores.end(), batch->scores.begin(), batch->scores.end());
    result.predictions.insert(result.predictions.end(), batch->predictions.begin(), batch->predictions.end());
    for (std::size_t l = 0; l < mapping::row_count(plan); ++l) {
      result.events[l] += batch->events[l];
      result.signals[l].signal += batch->signals[l].signal;
      result.signals[l].error += batch->signals[l].error;
    }
  }
  result.figures = workload.data.set->figures(scores);
  result.accuracy = figure_named(result.figures, metric, workload.data.file.string()).value;
  return result;
}

/// Batches that take part in the comparison with the float network.
bool compared(const ExperimentConfig& config, std::int64_t first) { return first < config.evaluate.snr_samples; }

/// All batches of all chips, chip after chip. Batches of a streaming network run in order, each from the states that the
/// one before it left.
template <class T>
std::vector<BatchResult> infer_all(const std::vector<ProgrammedChip<T>>& chips, const ExperimentConfig& config,
                                   const Workload& workload, const mapping::Plan& plan, std::size_t batches,
                                   int threads, const Progress& progress) {
  const std::int64_t batch = config.evaluate.batch;
  std::vector<BatchResult> results(chips.size() * batches);
  std::atomic<std::size_t> done = 0;
  const auto run = [&](std::size_t task, Streams* streams) {
    const std::int64_t first = static_cast<std::int64_t>(task % batches) * batch;
    results[task] = infer(chips[task / batches], workload, plan, config, first,
                          std::min(batch, workload.samples - first), compared(config, first), streams);
    if (progress) progress(++done, results.size());
  };
  if (!workload.network.streaming) {
    parallel_for(results.size(), threads, [&](std::size_t task) { run(task, nullptr); });
    return results;
  }
  parallel_for(chips.size(), threads, [&](std::size_t c) {
    Streams streams;
    for (std::size_t b = 0; b < batches; ++b) run(c * batches + b, &streams);
  });
  return results;
}

template <class T>
std::vector<ChipResult> run_chips(const ExperimentConfig& config, const Workload& workload, const mapping::Plan& plan,
                                  int threads, ProgramCache<T>& cache, const Progress& progress) {
  const std::size_t chips = static_cast<std::size_t>(config.evaluate.chips);
  const std::int64_t batch = config.evaluate.batch;
  const std::size_t batches = static_cast<std::size_t>((workload.samples + batch - 1) / batch);
  const std::string key = program_key(config);
  const bool cached = cache.key == key;
  if (!cached) cache.chips.assign(chips, {});
  cache.key.clear();
  parallel_for(chips, threads, [&](std::size_t c) {
    if (!cached) cache.chips[c] = program<T>(workload, plan, config, static_cast<int>(c));
    if (config.evaluate.energy != EnergyMethod::trace) check_energy_method(config, cache.chips[c]);
    calibrate(cache.chips[c], workload, plan, config);
  });
  cache.key = key;

  const std::vector<BatchResult> results = infer_all(cache.chips, config, workload, plan, batches, threads, progress);
  std::vector<ChipResult> merged;
  for (std::size_t c = 0; c < chips; ++c) {
    const auto begin = results.cbegin() + static_cast<std::ptrdiff_t>(c * batches);
    merged.push_back(merge(workload, plan, config.network.metric, static_cast<int>(c), begin,
                           begin + static_cast<std::ptrdiff_t>(batches)));
    for (const ProgrammedLayer<T>& layer : cache.chips[c].layers) {
      merged.back().spread.push_back(layer.spread);
      double faults = 0, cells = 0;
      for (const ProgrammedTile<T>& tile : layer.tiles) {
        const double count = static_cast<double>(tile.array.rows) * tile.layout.physical_columns;
        faults += tile.faults * count;
        cells += count;
      }
      merged.back().faults.push_back(faults / cells);
    }
  }
  if (config.evaluate.energy == EnergyMethod::trace) return merged;
  const bool own = config.evaluate.energy_values == ValueSource::chip;
  const ValueStatistics shared = own ? ValueStatistics() : float_values(workload, plan, config, threads);
  parallel_for(chips, threads, [&](std::size_t c) {
    const ValueStatistics values = own ? chip_values(cache.chips[c], workload, plan, config) : ValueStatistics();
    expect_energy(cache.chips[c], own ? values : shared, plan, config, merged[c].events);
  });
  return merged;
}

/// Of all chips together.
template <class T>
std::vector<LayerEvents> expected_events(const ExperimentConfig& config, const Workload& workload,
                                         const mapping::Plan& plan, int threads) {
  std::vector<std::vector<LayerEvents>> of_chip(static_cast<std::size_t>(config.evaluate.chips));
  const bool own = config.evaluate.energy_values == ValueSource::chip;
  const ValueStatistics shared = own ? ValueStatistics() : float_values(workload, plan, config, threads);
  parallel_for(of_chip.size(), threads, [&](std::size_t c) {
    auto chip = program<T>(workload, plan, config, static_cast<int>(c));
    check_energy_method(config, chip);
    if (own) calibrate(chip, workload, plan, config);
    const ValueStatistics values = own ? chip_values(chip, workload, plan, config) : ValueStatistics();
    of_chip[c] = planned_events(own ? values : shared, workload, plan, config);
    expect_energy(chip, own ? values : shared, plan, config, of_chip[c]);
  });
  std::vector<LayerEvents> sum(plan.layers.size());
  for (const std::vector<LayerEvents>& events : of_chip) {
    for (std::size_t l = 0; l < sum.size(); ++l) sum[l] += events[l];
  }
  return sum;
}

/// Who asks for what with which program.
RunResult header(const ExperimentConfig& config) {
  RunResult result;
  result.config = config;
  result.resolved_yaml = write_config(config);
  result.hash = config_hash(result.resolved_yaml);
  result.version = version();
  return result;
}

void make_plan(const Workload& workload, RunResult& result) {
  const models::Network& network = workload.network;
  const mapping::ChipConfig& chip = result.config.chip;
  if (mapping::products_of(network).empty()) {
    throw InputError(fmt::format(
        "The network '{}' has no layer with weights (Conv, Gemm, MatMul): there is nothing to put on a chip.",
        network.name));
  }
  mapping::PlanOutcome outcome = mapping::plan_greedy(network, chip);
  if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
  result.plan = std::get<mapping::Plan>(std::move(outcome));
  mapping::check_conservation(result.plan, network, chip);
  if (const auto refusal = mapping::plan_written(result.plan, network, chip)) throw RefusedError(*refusal);
  if (!result.plan.written.empty() && result.config.evaluate.energy != EnergyMethod::trace) {
    throw RefusedError(
        {"evaluate.energy works with what tiles hold, and with chip.attention.products = 'crossbar' that changes with "
         "every input.",
         "Use 'tellegen run' with evaluate.energy: trace, or set chip.attention.products: digital."});
  }
  result.edges = workload.edges;
  std::vector<double> largest;
  for (const InputRange& range : workload.inputs) largest.push_back(range.max_abs);
  mapping::place_boundaries(result.plan, network, result.edges, chip, result.config.evaluate.temperature, largest);
  mapping::place_analog_units(result.plan, network, result.edges, chip, result.config.evaluate.temperature, largest);
}

}  // namespace

struct Session::Cache {
  /// What a run begins with: the workload, kept where nothing in it has changed, and the plan.
  RunResult begin(const ExperimentConfig& config);

  std::filesystem::path cost_folder;
  int threads = 0;
  std::string workload_key;
  std::shared_ptr<const Workload> workload;
  ProgramCache<float> single;
  ProgramCache<double> double_precision;
};

Session::Session(std::filesystem::path cost_folder, int threads) : cache_(std::make_unique<Cache>()) {
  use_single_threaded_blas();
  cache_->cost_folder = std::move(cost_folder);
  cache_->threads = threads > 0 ? threads : machine_threads();
}
Session::~Session() = default;

int Session::threads() const { return cache_->threads; }

RunResult Session::plan_only(const ExperimentConfig& config) {
  RunResult result = header(config);
  auto work = std::make_shared<Workload>(load_network(config));
  make_plan(*work, result);
  result.macs_per_image = mapping::multiply_accumulates(result.plan);
  result.workload = std::move(work);
  return result;
}

RunResult Session::Cache::begin(const ExperimentConfig& config) {
  const std::string key = sim::workload_key(config);
  if (workload == nullptr || workload_key != key) {
    RunResult planned = header(config);
    make_plan(load_network(config), planned);  // a refusal comes before the long work
    workload = std::make_shared<Workload>(load(config, threads));
    workload_key = key;
  }
  RunResult result = header(config);
  result.workload = workload;
  make_plan(*workload, result);
  result.macs_per_image = mapping::multiply_accumulates(result.plan);
  result.samples = workload->samples;
  result.float_accuracy = workload->float_accuracy;
  return result;
}

RunResult Session::expect(const ExperimentConfig& config) {
  TELLEGEN_ASSERT(config.evaluate.energy != EnergyMethod::trace);
  const circuits::CostModel costs(config.costs, cache_->cost_folder);
  RunResult result = cache_->begin(config);
  const Workload& workload = *result.workload;
  result.log.push_back(energy_log(config, workload));
  result.events = config.evaluate.precision == Precision::single
                      ? expected_events<float>(config, workload, result.plan, cache_->threads)
                      : expected_events<double>(config, workload, result.plan, cache_->threads);
  result.ledger = price(result.events, result.plan, config, costs);
  add_interconnect(result.ledger, workload.network, result.plan, config, costs);
  return result;
}

RunResult Session::run(const ExperimentConfig& config, const Progress& progress) {
  const circuits::CostModel costs(config.costs, cache_->cost_folder);
  RunResult result = cache_->begin(config);
  const Workload& workload = *result.workload;
  result.log = solver_log(config, result.plan, result.samples);
  if (std::string sentence = energy_log(config, workload); !sentence.empty()) result.log.push_back(std::move(sentence));
  if (config.evaluate.precision == Precision::single) {
    result.chips = run_chips<float>(config, workload, result.plan, cache_->threads, cache_->single, progress);
  } else {
    result.chips =
        run_chips<double>(config, workload, result.plan, cache_->threads, cache_->double_precision, progress);
  }
  std::vector<double> accuracies;
  result.events.resize(mapping::row_count(result.plan));
  result.spread.resize(result.plan.layers.size());
  for (const ChipResult& chip : result.chips) {
    accuracies.push_back(chip.accuracy);
    for (std::size_t l = 0; l < result.events.size(); ++l) result.events[l] += chip.events[l];
    for (std::size_t l = 0; l < result.spread.size(); ++l) result.spread[l] += chip.spread[l];
  }
  result.accuracy = mean_interval(accuracies);
  result.ledger = price(result.events, result.plan, config, costs);
  add_interconnect(result.ledger, workload.network, result.plan, config, costs);
  return result;
}

std::string version() { return TELLEGEN_VERSION; }

}  // namespace tellegen::sim
