#include "tellegen/sim/report/run_file.h"
#include "tellegen/sim/engine/predictions.h"

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/mapping/plan_table.h"
#include "tellegen/sim/report/boundaries.h"
#include "tellegen/sim/report/columns.h"
#include "tellegen/sim/report/number_columns.h"
#include "tellegen/sim/report/programming_numbers.h"

namespace tellegen::report {
namespace {

void write_heading(Hdf5Writer& file, const Report& report) {
  file.attribute("", "name", report.name);
  file.attribute("", "title", report.title);
  file.attribute("", "extent", report.extent);
  file.attribute("", "sample", report.sample);
  file.attribute("", "source", report.source);
  file.attribute("", "version", report.version);
  file.attribute("", "config_hash", report.config_hash);
  file.attribute("", "config", report.config_yaml);
  file.attribute("", "seed", static_cast<std::int64_t>(report.seed));
  ColumnWriter layers(file, "layers");
  layers.text("id", column(report.layers, [](const ReportLayer& layer) { return layer.id; }));
  layers.text("name", column(report.layers, [](const ReportLayer& layer) { return layer.name; }));
  layers.text("operation", column(report.layers, [](const ReportLayer& layer) { return layer.operation; }));
  file.write("components", std::span<const std::string>(report.components));
  file.write("log", std::span<const std::string>(report.log));
}

void write_counts(Hdf5Writer& file, const sim::RunResult& result, const Report& report) {
  for (std::size_t l = 0; l < result.events.size(); ++l) {
    const std::string group = "counts/" + report.layers[l].id;
    ColumnWriter columns(file, group);
    for (const NamedCount& count : named_counts(result.events[l])) {
      if (count.whole) {
        columns.whole(count.name, {static_cast<std::int64_t>(count.value)}, count.unit);
      } else {
        columns.real(count.name, {count.value}, count.unit);
      }
    }
    file.attribute(group, "name", report.layers[l].name);
  }
}

void write_signals(Hdf5Writer& file, const sim::RunResult& result) {
  const std::size_t chips = result.chips.size(), layers = result.plan.layers.size(),
                    rows = mapping::row_count(result.plan);
  std::vector<double> signal, error, faults;
  for (const sim::ChipResult& chip : result.chips) {
    for (std::size_t l = 0; l < rows; ++l) {
      signal.push_back(chip.signals.at(l).signal);
      error.push_back(chip.signals.at(l).error);
    }
    for (std::size_t l = 0; l < layers; ++l) faults.push_back(chip.faults.at(l));
  }
  const auto write = [&](const std::string& path, const std::vector<double>& values, std::size_t columns) {
    file.write(path, std::span<const double>(values), {chips, columns});
    file.attribute(path, "unit", "1");
  };
  write("signals/signal", signal, rows);
  write("signals/error", error, rows);
  write("signals/faults", faults, layers);
}

/// How far cells ended from their targets, [layers][levels], over all chips: what the device did.
void write_spread(Hdf5Writer& file, const sim::RunResult& result) {
  using Level = sim::CellSpread::Level;
  const std::vector<std::uint64_t> shape{result.spread.size(), sim::CellSpread::levels};
  const auto write = [&](const std::string& name, const std::string& unit, auto get) {
    std::vector<double> values;
    for (const sim::CellSpread& layer : result.spread) {
      for (const Level& level : layer.level) values.push_back(level.cells > 0 ? get(level) : 0);
    }
    file.write("cells/" + name, std::span<const double>(values), shape);
    file.attribute("cells/" + name, "unit", unit);
  };
  const auto mean = [](double sum, const Level& level) { return sum / static_cast<double>(level.cells); };
  write("count", "1", [](const Level& level) { return static_cast<double>(level.cells); });
  write("target", "S", [&](const Level& level) { return mean(level.target_S, level); });
  write("programmed_error_mean", "S", [&](const Level& level) { return mean(level.programmed_S, level); });
  write("programmed_error_deviation", "S", [](const Level& level) {
    return sim::spread_deviation(level.cells, level.programmed_S, level.programmed_square_S2);
  });
  write("read_error_mean", "S", [&](const Level& level) { return mean(level.read_S, level); });
  write("read_error_deviation", "S",
        [](const Level& level) { return sim::spread_deviation(level.cells, level.read_S, level.read_square_S2); });
}

void write_predictions(Hdf5Writer& file, const sim::RunResult& result) {
  const std::uint64_t samples = static_cast<std::uint64_t>(result.samples);
  std::vector<std::int64_t> predictions;
  for (const sim::ChipResult& chip : result.chips)
    predictions.insert(predictions.end(), chip.predictions.begin(), chip.predictions.end());
  if (predictions.empty()) return;  // samples of this set have no class
  TELLEGEN_ASSERT(predictions.size() == samples * result.chips.size());
  file.write("predictions", std::span<const std::int64_t>(predictions), {result.chips.size(), samples});
  file.attribute("predictions", "unit", "class");
  if (result.workload != nullptr) {
    const std::vector<int>& known = result.workload->data.labels;
    const std::vector<std::int64_t> labels(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(samples));
    file.write("labels", std::span<const std::int64_t>(labels), {samples});
    file.attribute("labels", "unit", "class");
  }
}

/// The metric that was asked for, and below metrics/NAME all that the test set has.
void write_metrics(Hdf5Writer& file, const sim::RunResult& result) {
  const std::string unit = sim::metric_kind(result.config.network.metric).unit;
  ColumnWriter columns(file, "accuracy");
  columns.real("chip", column(result.chips, [](const sim::ChipResult& chip) { return chip.accuracy; }), unit);
  columns.real("float", {result.float_accuracy}, unit);
  file.attribute("accuracy", "metric", result.config.network.metric);
  if (result.workload == nullptr) return;
  for (std::size_t f = 0; f < result.workload->float_figures.size(); ++f) {
    const models::Figure& figure = result.workload->float_figures[f];
    const std::string figure_unit = sim::metric_kind(figure.name).unit;
    ColumnWriter metric(file, "metrics/" + figure.name);
    metric.real("chip", column(result.chips, [f](const sim::ChipResult& chip) { return chip.figures.at(f).value; }),
                figure_unit);
    metric.real("float", {figure.value, figure.low, figure.high}, figure_unit);
  }
}

template <class Rows>
void write_price_columns(ColumnWriter& columns, const Rows& rows) {
  columns.text("source", column(rows, [](const auto& row) { return row.price.from.source; }));
  columns.text("evidence", column(rows, [](const auto& row) { return row.price.from.evidence; }));
  columns.text("scaling", column(rows, [](const auto& row) { return row.price.from.scaling; }));
  columns.text("spread", column(rows, [](const auto& row) { return row.price.from.spread; }));
}

template <class Rows, class Get>
void write_band(ColumnWriter& columns, const std::string& name, const std::string& unit, const Rows& rows, Get get) {
  columns.real(name + "_low", column(rows, [&](const auto& row) { return get(row).low; }), unit);
  columns.real(name, column(rows, [&](const auto& row) { return get(row).typical; }), unit);
  columns.real(name + "_high", column(rows, [&](const auto& row) { return get(row).high; }), unit);
}

void write_energy(Hdf5Writer& file, const std::vector<sim::EnergyRow>& rows) {
  ColumnWriter columns(file, "ledger/energy");
  columns.text("layer", column(rows, [](const auto& row) { return row.layer; }));
  columns.text("component", column(rows, [](const auto& row) { return row.component; }));
  columns.real("count", column(rows, [](const auto& row) { return row.count; }), "count_unit per image");
  columns.text("count_unit", column(rows, [](const auto& row) { return row.count_unit; }));
  write_band(columns, "price", "J per count_unit", rows, [](const auto& row) { return row.price.energy_J; });
  write_band(columns, "energy", "J", rows, [](const auto& row) { return row.energy_J; });
  write_price_columns(columns, rows);
}

void write_area(Hdf5Writer& file, const std::vector<sim::AreaRow>& rows) {
  ColumnWriter columns(file, "ledger/area");
  columns.text("layer", column(rows, [](const auto& row) { return row.layer; }));
  columns.text("component", column(rows, [](const auto& row) { return row.component; }));
  columns.real("instances", column(rows, [](const auto& row) { return row.instances; }), "1");
  write_band(columns, "price", "m2", rows, [](const auto& row) { return row.price.area_m2; });
  write_band(columns, "price_static_power", "W", rows, [](const auto& row) { return row.price.static_W; });
  write_band(columns, "area", "m2", rows, [](const auto& row) { return row.area_m2; });
  write_band(columns, "static_power", "W", rows, [](const auto& row) { return row.static_W; });
  write_price_columns(columns, rows);
}

void write_latency(Hdf5Writer& file, const std::vector<sim::LatencyRow>& rows) {
  ColumnWriter columns(file, "ledger/latency");
  columns.text("layer", column(rows, [](const auto& row) { return row.layer; }));
  columns.real("positions", column(rows, [](const auto& row) { return row.positions; }), "1");
  columns.real("input_slices", column(rows, [](const auto& row) { return row.input_slices; }), "1");
  columns.real("lines_per_adc", column(rows, [](const auto& row) { return row.lines_per_adc; }), "1");
  columns.real("drive", column(rows, [](const auto& row) { return row.drive_s; }), "s");
  columns.real("conversion", column(rows, [](const auto& row) { return row.conversion_s; }), "s");
  columns.real("units", column(rows, [](const auto& row) { return row.units_s; }), "s");
  columns.real("latency", column(rows, [](const auto& row) { return row.latency_s; }), "s");
}

void write_plan(Hdf5Writer& file, const sim::RunResult& result) {
  std::vector<mapping::TileSlice> slices;
  std::vector<std::string> layers;
  for (std::size_t l = 0; l < mapping::row_count(result.plan); ++l) {
    const mapping::LayerPlan& layer = mapping::row_of(result.plan, l);
    for (const mapping::TileSlice& slice : layer.slices) {
      layers.push_back(layer.name);
      slices.push_back(slice);
    }
  }
  ColumnWriter columns(file, "plan");
  const auto whole = [&](const char* name, auto get) {
    columns.whole(name, column(slices, [&](const mapping::TileSlice& slice) { return std::int64_t{get(slice)}; }), "1");
  };
  columns.text("layer", layers);
  whole("tile", [](const auto& slice) { return slice.tile; });
  whole("row_begin", [](const auto& slice) { return slice.row_begin; });
  whole("row_end", [](const auto& slice) { return slice.row_end; });
  whole("output_begin", [](const auto& slice) { return slice.output_begin; });
  whole("output_end", [](const auto& slice) { return slice.output_end; });
  whole("rows_used", [](const auto& slice) { return slice.rows_used; });
  whole("columns_used", [](const auto& slice) { return slice.columns_used; });
}

/// Stored as a signed integer with the same bits; from 2^53 on the reader rounds.
std::uint64_t read_seed(const Hdf5Reader& file, const std::filesystem::path& path) {
  const double stored = file.number_attribute("", "seed");
  constexpr double kLimit = 0x1p63;
  if (!(stored >= -kLimit && stored < kLimit)) {
    throw InputError({path.string()}, "the file is damaged: its seed is not an integer. Run the experiment again.");
  }
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(stored));
}

}  // namespace

void write_run_file(const std::filesystem::path& path, const sim::RunResult& result, const Report& report) {
  Hdf5Writer file(path);
  write_heading(file, report);
  write_counts(file, result, report);
  write_signals(file, result);
  if (!result.spread.empty()) write_spread(file, result);
  write_programming(file, result);
  write_predictions(file, result);
  write_metrics(file, result);
  write_energy(file, result.ledger.energy);
  write_area(file, result.ledger.area);
  write_latency(file, result.ledger.latency);
  write_plan(file, result);
  write_boundaries(file, report.edges);
  write_numbers(file, report.numbers);
  file.commit();
}

Report read_run_file(const std::filesystem::path& path) {
  const Hdf5Reader file(path);
  if (!file.has("numbers/id")) {
    throw InputError({path.string()},
                     "this HDF5 file holds no numbers of a report. Give the run.h5 that 'tellegen run' wrote.");
  }
  Report report;
  report.name = file.text_attribute("", "name");
  report.title = file.text_attribute("", "title");
  report.extent = file.text_attribute("", "extent");
  report.sample = file.text_attribute("", "sample");
  report.source = file.text_attribute("", "source");
  report.version = file.text_attribute("", "version");
  report.config_hash = file.text_attribute("", "config_hash");
  report.config_yaml = file.text_attribute("", "config");
  report.seed = read_seed(file, path);
  const std::vector<std::string> ids = file.strings("layers/id"), names = file.strings("layers/name"),
                                 operations = file.strings("layers/operation");
  if (names.size() != ids.size() || operations.size() != ids.size()) {
    throw InputError({path.string()},
                     "the file is damaged: its lists of layers differ in length. Run the experiment again.");
  }
  for (std::size_t l = 0; l < ids.size(); ++l) report.layers.push_back({ids[l], names[l], operations[l]});
  report.components = file.strings("components");
  report.edges = read_boundaries(file, path);
  if (file.has("log")) report.log = file.strings("log");
  report.numbers = read_numbers(file, path);
  return report;
}

}  // namespace tellegen::report
