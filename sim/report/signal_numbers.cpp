#include "tellegen/sim/report/signal_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/sim/engine/predictions.h"

namespace tellegen::report {
namespace {

constexpr const char* kCounted = "counted while inferring";
constexpr const char* kNotFinite = "not_finite";
constexpr const char* kPlanned = "the plan";

Number exact(std::string id, std::string title, double value, std::string unit) {
  Number number;
  number.id = std::move(id);
  number.title = std::move(title);
  number.value = number.low = number.high = value;
  number.unit = std::move(unit);
  return number;
}

/// Why a signal to noise has no finite value; "" where it has.
std::string snr_reason(const sim::LayerSignal& signal, int samples) {
  if (std::isfinite(signal.snr_dB())) return "";
  if (samples == 0) return "No signal to noise is measured: evaluate.snr_samples is 0.";
  if (!std::isfinite(signal.signal) || !std::isfinite(signal.error))
    return std::string(kInfiniteOutputs) + " Its signal to noise is shown as '-'.";
  if (signal.signal == 0) return "The float outputs of a layer are all zero; its signal to noise is shown as '-'.";
  return "Where chip and float network agree exactly, the signal to noise has no finite value and is shown as '-'.";
}

}  // namespace

void add_counts(const sim::RunResult& result, Report& report) {
  for (std::size_t l = 0; l < result.events.size(); ++l) {
    const ReportLayer& layer = report.layers[l];
    for (const NamedCount& count : named_counts(result.events[l])) {
      Number number =
          exact("count." + layer.id + "." + count.name,
                fmt::format("{} of {}, all images and chips", count.name, layer.name), count.value, count.unit);
      number.formula = "sum over chips and images";
      number.source = kCounted;
      if (count.name == kNotFinite && count.value > 0)
        number.warnings.push_back(fmt::format(
            "{} outputs of {} are not finite: accuracies count arbitrary predictions.", count.value, layer.name));
      report.numbers.add(std::move(number));
    }
  }
}

void add_accuracy(const sim::RunResult& result, Report& report) {
  const sim::MetricKind& metric = sim::metric_kind(result.config.network.metric);
  const std::string title = metric.title, unit = metric.unit;
  const std::string formula =
      std::string(metric.name) == "top1" ? "correct predictions / images" : "the test set's own sum over its samples";
  Number reference = exact("accuracy.float", title + " of the float network", result.float_accuracy, unit);
  reference.formula = formula;
  reference.inputs = {{"images", static_cast<double>(result.samples), "1", ""}};
  reference.source = "the network on its test set, without a chip";
  report.numbers.add(std::move(reference));

  Number mean = exact("accuracy.chip", title + " on the chip, mean over chips", result.accuracy.mean, unit);
  mean.formula = "mean over chips; low and high: 95 % confidence interval of the mean (Student t)";
  mean.source = kCounted;
  for (const sim::ChipResult& chip : result.chips) {
    const std::string id = fmt::format("accuracy.chip.{}", chip.chip);
    Number number = exact(id, fmt::format("{} on chip {}", title, chip.chip), chip.accuracy, unit);
    number.formula = formula;
    number.inputs = {{"images", static_cast<double>(result.samples), "1", ""}};
    number.source = kCounted;
    report.numbers.add(std::move(number));
    mean.inputs.push_back(report.numbers.refer(fmt::format("chip {}", chip.chip), id));
  }
  mean.inputs.push_back({"standard deviation", result.accuracy.deviation, unit, ""});
  if (std::isfinite(result.accuracy.half_width)) {
    mean.inputs.push_back({kHalfWidth, result.accuracy.half_width, unit, ""});
    mean.low = std::max(metric.low, result.accuracy.mean - result.accuracy.half_width);
    mean.high = std::min(metric.high, result.accuracy.mean + result.accuracy.half_width);
  } else {
    mean.low = metric.low;
    mean.high = metric.high;
    mean.warnings.push_back("One chip gives no confidence interval; set evaluate.chips to 2 or more.");
  }
  report.numbers.add(std::move(mean));
}

void add_metrics(const sim::RunResult& result, Report& report) {
  if (result.workload == nullptr) return;
  for (std::size_t f = 0; f < result.workload->float_figures.size(); ++f) {
    const models::Figure& figure = result.workload->float_figures[f];
    const sim::MetricKind& metric = sim::metric_kind(figure.name);
    const std::string id = "metric." + figure.name;
    Number reference =
        exact(id + ".float", std::string(metric.title) + " of the float network", figure.value, metric.unit);
    reference.low = std::min(figure.low, figure.value);  // rounding puts the bounds of a full score beside it
    reference.high = std::max(figure.high, figure.value);
    reference.formula = "low and high: 95 % confidence interval over other samples of the same kind";
    reference.source = "the network on its test set, without a chip";
    report.numbers.add(std::move(reference));

    std::vector<double> values;
    for (const sim::ChipResult& chip : result.chips) values.push_back(chip.figures.at(f).value);
    const MeanInterval interval = mean_interval(values);
    Number mean =
        exact(id + ".chip", std::string(metric.title) + " on the chip, mean over chips", interval.mean, metric.unit);
    if (std::isfinite(interval.half_width)) {
      mean.low = std::max(metric.low, interval.mean - interval.half_width);
      mean.high = std::min(metric.high, interval.mean + interval.half_width);
      mean.inputs.push_back({kHalfWidth, interval.half_width, metric.unit, ""});
    }
    mean.formula = "mean over chips; low and high: 95 % confidence interval of the mean (Student t)";
    mean.source = kCounted;
    report.numbers.add(std::move(mean));
  }
}

void add_signals(const sim::RunResult& result, Report& report) {
  for (std::size_t l = 0; l < mapping::row_count(result.plan); ++l) {
    const ReportLayer& layer = report.layers[l];
    sim::LayerSignal signal;
    double faults = 0;
    for (const sim::ChipResult& chip : result.chips) {
      signal.signal += chip.signals.at(l).signal;
      signal.error += chip.signals.at(l).error;
      if (l < result.plan.layers.size()) faults += chip.faults.at(l);
    }
    Number snr = exact("snr." + layer.id, "signal to noise at the output of " + layer.name, signal.snr_dB(), "dB");
    snr.formula = "10 log10(signal / error)";
    snr.inputs = {{"signal: sum of squares of the float output", signal.signal, "1", ""},
                  {"error: sum of squares of the difference", signal.error, "1", ""}};
    snr.source = fmt::format("chip against float network on {} images, all chips", result.config.evaluate.snr_samples);
    if (const std::string reason = snr_reason(signal, result.config.evaluate.snr_samples); !reason.empty())
      snr.warnings.push_back(reason);
    report.numbers.add(std::move(snr));

    const sim::LayerEvents& events = result.events.at(l);
    const double conversions = static_cast<double>(events.conversions);
    Number clipped = exact("clipped." + layer.id, "conversions of " + layer.name + " outside the ADC range",
                           conversions > 0 ? static_cast<double>(events.clipped) / conversions : 0, "fraction");
    clipped.formula = "clipped / conversions";
    clipped.inputs = {report.numbers.refer("clipped", "count." + layer.id + ".clipped"),
                      report.numbers.refer("conversions", "count." + layer.id + ".conversions")};
    clipped.source = kCounted;
    report.numbers.add(std::move(clipped));

    if (l >= result.plan.layers.size()) continue;  // cells of rewritten tiles are counted with each writing
    Number stuck = exact("faults." + layer.id, "share of stuck cells of " + layer.name,
                         result.chips.empty() ? 0 : faults / static_cast<double>(result.chips.size()), "fraction");
    stuck.formula = "stuck cells / cells, mean over chips";
    stuck.source = "programming";
    report.numbers.add(std::move(stuck));
  }
}

void add_plan_numbers(const sim::RunResult& result, Report& report) {
  const mapping::ChipConfig rewritten = mapping::attention_chip(result.config.chip);
  Number tiles = exact("tiles", "tiles of the chip", result.plan.tiles, "1");
  tiles.formula = "sum over layers";
  tiles.source = kPlanned;
  double cells_used = 0;
  for (std::size_t l = 0; l < mapping::row_count(result.plan); ++l) {
    const ReportLayer& layer = report.layers[l];
    const mapping::LayerPlan& planned = mapping::row_of(result.plan, l);
    const mapping::ChipConfig& chip = l < result.plan.layers.size() ? result.config.chip : rewritten;
    const double count = static_cast<double>(planned.slices.size());
    Number number = exact("tiles." + layer.id, "tiles of " + layer.name, count, "1");
    number.formula = "slices of the layer, one tile each";
    number.source = kPlanned;
    report.numbers.add(std::move(number));
    tiles.inputs.push_back(report.numbers.refer(layer.id, "tiles." + layer.id));

    const double use = mapping::utilisation(planned, chip);
    cells_used += use * count;
    Number share =
        exact("utilisation." + layer.id, "cells of the tiles of " + layer.name + " that hold weights", use, "fraction");
    share.formula = "cells that hold weights / (tiles x rows x columns)";
    share.inputs = {report.numbers.refer("tiles", "tiles." + layer.id),
                    {"rows", static_cast<double>(chip.tile.rows), "1", ""},
                    {"columns", static_cast<double>(chip.tile.columns), "1", ""}};
    share.source = kPlanned;
    report.numbers.add(std::move(share));
  }
  report.numbers.add(std::move(tiles));

  Number use = exact("utilisation", "cells of the chip that hold weights",
                     result.plan.tiles > 0 ? cells_used / result.plan.tiles : 0, "fraction");
  use.formula = "mean of the layers' utilisations, weighted with their tiles";
  use.source = kPlanned;
  for (std::size_t l = 0; l < mapping::row_count(result.plan); ++l) {
    use.inputs.push_back(report.numbers.refer(report.layers[l].id, "utilisation." + report.layers[l].id));
  }
  report.numbers.add(std::move(use));

  Number macs = exact("macs", "multiply-accumulates per image", static_cast<double>(result.macs_per_image), "1");
  macs.formula = "sum over matrix layers of groups x inputs x outputs x positions";
  macs.source = "the network";
  report.numbers.add(std::move(macs));
}

}  // namespace tellegen::report
