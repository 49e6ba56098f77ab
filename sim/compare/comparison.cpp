#include "tellegen/sim/compare/comparison.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>

#include "tellegen/base/config_tree.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::compare {
namespace {

template <class T>
bool names_differ(const std::vector<T>& list) {
  std::set<std::string> names;
  return std::all_of(list.begin(), list.end(), [&](const T& item) { return names.insert(item.name).second; });
}
template <class T>
bool names_printable(const std::vector<T>& list) {
  return std::all_of(list.begin(), list.end(), [&](const T& item) { return is_printable(item.name); });
}

Row row_of(const Task& task, double asked_error) {
  Row row;
  row.option = task.option.name;
  row.layer = task.layer.name;
  row.path = task.option.path;
  row.lines = task.option.unit == UnitKind::lines && task.layer.function != Function::softmax;
  row.asked_error = asked_error;
  row.resized = resize(task, asked_error);
  if (row.has_cost()) row.cost = cost_of(make_path(task, row.resized.sizes, task.around.priced_at));
  return row;
}

/// Whether `row` is to be shown rather than `other`: it reaches the error for less energy, or comes nearer to it.
bool is_better(const Row& row, const Row& other) {
  if (row.comparable() != other.comparable()) return row.comparable();
  if (row.has_cost() != other.has_cost()) return row.has_cost();
  return row.comparable() ? row.cost.energy_J.typical < other.cost.energy_J.typical
                          : row.resized.error < other.resized.error;
}

/// The best of all combinations that the option searches.
Row make_row(const Task& task, double asked_error) {
  std::optional<Row> best;
  for (const OptionConfig& option : combinations(task.option)) {
    Row row = row_of({task.layer, task.samples, option, task.around}, asked_error);
    if (!option.search.trim_bits.empty()) row.resized.sizes.trim_bits = option.search.trim_bits.front();
    if (!option.search.bias.empty()) row.resized.sizes.bias_A = option.search.bias.front().si();
    if (!best || is_better(row, *best)) best = std::move(row);
  }
  return *best;
}

NetworkTotal total_of(const ComparisonConfig& config, const std::vector<Row>& rows, std::size_t error,
                      std::size_t option) {
  const std::size_t errors = config.errors.size(), options = config.options.size();
  NetworkTotal total;
  total.option = config.options[option].name;
  total.asked_error = config.errors[error];
  for (std::size_t l = 0; l < config.layers.size(); ++l) {
    const Row& row = rows[(l * errors + error) * options + option];
    const LayerConfig& layer = config.layers[l];
    const std::int64_t waves = (layer.per_inference() + layer.lanes - 1) / layer.lanes;
    total.comparable = total.comparable && row.comparable();
    total.energy_J += static_cast<double>(layer.per_inference()) * row.cost.energy_J;
    total.area_m2 += static_cast<double>(layer.lanes) * row.cost.area_m2;
    total.latency_s += static_cast<double>(waves) * row.cost.latency_s;
  }
  return total;
}

}  // namespace

void ComparisonConfig::settings(Settings& v) {
  v.list_of_sections("layers", layers, "activations that are compared, layer by layer");
  v.require(!layers.empty(), "layers", "must have at least one entry, for example {name: gate, function: silu}.");
  v.require(names_differ(layers), "layers", "must have names that differ from each other.");
  v.require(names_printable(layers), "layers", "must have printable names.");
  v.list("errors", errors, "allowed RMS error of the output over its full scale, 95th percentile of circuits",
         between(1e-5, 0.5));
  v.require(!errors.empty(), "errors", "must have at least one entry, for example 0.01.");
  v.list_of_sections("options", options, "the alternatives, in the order of the table");
  v.require(!options.empty(), "options", "must have at least one entry, for example {name: table, path: digital}.");
  v.require(names_differ(options), "options", "must have names that differ from each other.");
  v.require(names_printable(options), "options", "must have printable names.");
  v("samples", samples, "pre-activations of each layer (rows of a softmax) that each circuit meets", between(1, 1e6));
  v("circuits", circuits, "sampled circuits of each option", between(1, 1e5));
  v.list("temperatures", temperatures, "circuits work at these, in turn",
         between(Temperature::si(200), Temperature::si(450)));
  v.require(!temperatures.empty(), "temperatures", "must have at least one entry, for example 300 K.");
  v("priced_at", priced_at, "temperature that energy and latency are stated at",
    between(Temperature::si(200), Temperature::si(450)));
  v("node", node, "technology of converters and digital units", between(Length::si(3e-9), Length::si(1e-6)));
  v("rows", rows, "of the arrays in front", between(1, 65536));
  v("seed", seed, "of circuits and samples");
  v.section("costs", costs, "where prices come from");
}

bool compares_activations(const std::filesystem::path& file) {
  return detail::parse_yaml_file(file).find("layers") != nullptr;
}

Comparison run_comparison(const std::string& name, const ComparisonConfig& config,
                          const std::filesystem::path& cost_folder, int threads, const Progress& progress) {
  Comparison result;
  result.name = name;
  result.config = config;
  result.resolved_yaml = write_config(config);
  result.hash = sim::config_hash(result.resolved_yaml);
  result.version = sim::version();
  const circuits::CostModel costs(config.costs, cost_folder);
  const Surroundings around{&costs,           config.node,     config.rows, config.temperatures,
                            config.priced_at, config.circuits, config.seed};
  std::vector<LayerSamples> samples;
  for (const LayerConfig& layer : config.layers)
    samples.push_back(gather(layer, config.samples, config.seed, config.beside));
  const std::size_t errors = config.errors.size(), options = config.options.size();
  result.rows.resize(config.layers.size() * errors * options);
  std::atomic<std::size_t> done = 0;
  parallel_for(result.rows.size(), threads, [&](std::size_t i) {
    const std::size_t l = i / options / errors;
    const Task task{config.layers[l], samples[l], config.options[i % options], around};
    result.rows[i] = make_row(task, config.errors[i / options % errors]);
    if (progress) progress(++done, result.rows.size());
  });
  for (std::size_t e = 0; e < errors; ++e) {
    for (std::size_t o = 0; o < options; ++o) result.totals.push_back(total_of(config, result.rows, e, o));
  }
  result.break_even = find_break_even(result.rows);
  return result;
}

Comparison run_comparison(const std::filesystem::path& file, const Overrides& overrides,
                          const std::filesystem::path& cost_folder, int threads, const Progress& progress) {
  ComparisonConfig config;
  config.beside = file;
  read_config(file, config, overrides);
  return run_comparison(printable(file.stem().string()), config, cost_folder, threads, progress);
}

}  // namespace tellegen::compare
