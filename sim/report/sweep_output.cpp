#include "tellegen/sim/report/sweep_output.h"
#include "tellegen/sim/engine/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "tellegen/base/output_file.h"
#include "tellegen/base/table.h"
#include "tellegen/sim/report/columns.h"
#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct PointColumn {
  std::string name, unit;
  double (*get)(const Point&);
};

const std::vector<PointColumn>& point_columns() {
  static const std::vector<PointColumn> columns = {
      {"accuracy_mean", "fraction", [](const Point& p) { return p.accuracy.mean; }},
      {"accuracy_deviation", "fraction", [](const Point& p) { return p.accuracy.deviation; }},
      {"accuracy_half_width", "fraction", [](const Point& p) { return p.accuracy.half_width; }},
      {"float_accuracy", "fraction", [](const Point& p) { return p.float_accuracy; }},
      {"energy", "J", [](const Point& p) { return p.energy_J.typical; }},
      {"energy_low", "J", [](const Point& p) { return p.energy_J.low; }},
      {"energy_high", "J", [](const Point& p) { return p.energy_J.high; }},
      {"area", "m2", [](const Point& p) { return p.area_m2.typical; }},
      {"area_low", "m2", [](const Point& p) { return p.area_m2.low; }},
      {"area_high", "m2", [](const Point& p) { return p.area_m2.high; }},
      {"latency", "s", [](const Point& p) { return p.latency_s; }}};
  return columns;
}

/// The values alone, in the order of the axes.
std::vector<std::string> labels_of(const SweepResult& result) {
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < result.points.size(); ++i)
    labels.push_back(fmt::format("{}", fmt::join(shown_values(result, i), ", ")));
  return labels;
}

/// The metric of all points that have a result; "" where they differ.
std::string common_metric(const SweepResult& result) {
  std::string common;
  for (const Point& point : result.points) {
    if (!point.done()) continue;
    if (!common.empty() && common != point.metric) return "";
    common = point.metric;
  }
  return common.empty() ? Point{}.metric : common;
}

/// The unit of columns of accuracies; points of several metrics have none in common.
std::string accuracy_unit(const SweepResult& result) {
  const std::string metric = common_metric(result);
  return metric.empty() ? "1" : sim::metric_kind(metric).unit;
}

/// Fractions in points of a per cent.
std::string change_text(const MeanInterval& difference, const std::string& unit) {
  const std::string mean =
      unit == "fraction" ? fmt::format("{:+.2f}", 100 * difference.mean) : fmt::format("{:+.3g}", difference.mean);
  if (!std::isfinite(difference.half_width)) return mean;
  if (all_equal(difference.half_width)) return mean + " (all chips equal)";
  return fmt::format("{} +- {}", mean, half_width_text(difference.half_width, unit));
}

std::string notes(const SweepResult& result, const std::vector<std::string>& labels) {
  std::string text;
  std::set<std::string> seen;
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    for (const std::string& warning : result.points[i].warnings) {
      if (seen.insert(warning).second) text += fmt::format("note ({}): {}\n", labels[i], warning);
    }
  }
  return text;
}

std::string paired_table(const SweepResult& result) {
  if (result.paired.empty()) return "";
  std::vector<Table::Column> columns;
  const std::vector<std::string> names = short_names(result.axes);
  for (std::size_t a = 0; a < names.size(); ++a) {
    if (result.axes[a].first != result.compare_axis) columns.push_back({names[a], Table::Align::left});
  }
  columns.push_back({"from", Table::Align::left});
  columns.push_back({"to", Table::Align::left});
  const std::string unit = accuracy_unit(result), metric = common_metric(result);
  const std::string title = metric.empty() ? "the metric" : sim::metric_kind(metric).title;
  columns.push_back(
      {fmt::format("change of {}{} (95 %, paired chips)", title, unit == "fraction" ? " in points" : "")});
  Table table(columns);
  for (const PairedDifference& pair : result.paired) {
    std::vector<std::string> cells = shown_values(result, pair.point);
    cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(result.axis_index(result.compare_axis)));
    cells.push_back(pair.from);
    cells.push_back(pair.to);
    cells.push_back(change_text(pair.difference, unit));
    table.row(std::move(cells));
  }
  return fmt::format("\nalong {}\n{}", result.compare_axis, table.text());
}

void write_points(Hdf5Writer& file, const SweepResult& result) {
  std::vector<std::uint64_t> shape;
  for (const std::size_t size : result.shape()) shape.push_back(size);
  for (const PointColumn& wanted : point_columns()) {
    const std::vector<double> values =
        column(result.points, [&](const Point& point) { return point.done() ? wanted.get(point) : kNaN; });
    file.write("points/" + wanted.name, std::span<const double>(values), shape);
    file.attribute("points/" + wanted.name, "unit", wanted.unit == "fraction" ? accuracy_unit(result) : wanted.unit);
  }
  std::size_t chips = 0;
  for (const Point& point : result.points) chips = std::max(chips, point.chip_accuracy.size());
  std::vector<double> accuracies;
  for (const Point& point : result.points) {
    accuracies.insert(accuracies.end(), point.chip_accuracy.begin(), point.chip_accuracy.end());
    accuracies.insert(accuracies.end(), chips - point.chip_accuracy.size(), kNaN);
  }
  shape.push_back(chips);
  file.write("points/chip_accuracy", std::span<const double>(accuracies), shape);
  file.attribute("points/chip_accuracy", "unit", accuracy_unit(result));
  ColumnWriter columns(file, "points");
  columns.text("metric", column(result.points, [](const Point& point) { return point.metric; }));
  columns.text("refusal", column(result.points, [](const Point& point) { return point.refusal; }));
  columns.text("config_hash", column(result.points, [](const Point& point) { return point.config_hash; }));
}

void write_paired(Hdf5Writer& file, const SweepResult& result) {
  if (result.paired.empty()) return;
  ColumnWriter columns(file, "paired");
  std::size_t other = 0;
  for (const auto& [name, values] : result.axes) {
    if (name == result.compare_axis) continue;
    columns.text(name, column(result.paired, [other](const PairedDifference& pair) { return pair.others[other]; }));
    ++other;
  }
  columns.text("from", column(result.paired, [](const PairedDifference& pair) { return pair.from; }));
  columns.text("to", column(result.paired, [](const PairedDifference& pair) { return pair.to; }));
  columns.real("difference", column(result.paired, [](const PairedDifference& pair) { return pair.difference.mean; }),
               accuracy_unit(result));
  columns.real("deviation",
               column(result.paired, [](const PairedDifference& pair) { return pair.difference.deviation; }),
               accuracy_unit(result));
  columns.real("half_width",
               column(result.paired, [](const PairedDifference& pair) { return pair.difference.half_width; }),
               accuracy_unit(result));
}

void write_sweep_file(const std::filesystem::path& path, const SweepResult& result) {
  Hdf5Writer file(path);
  file.attribute("", "source", "tellegen sweep " + result.name);
  file.attribute("", "config", result.resolved_yaml);
  file.attribute("", "config_hash", result.hash);
  file.attribute("", "version", result.version);
  std::vector<std::string> order;
  for (const auto& [name, values] : result.axes) {
    order.push_back(name);
    file.write("axes/" + name, std::span<const std::string>(values));
  }
  file.write("axes/order", std::span<const std::string>(order));
  write_points(file, result);
  write_paired(file, result);
  file.commit();
}

}  // namespace

std::vector<std::string> short_names(const SettingsMap& axes) {
  std::vector<std::string> names;
  for (const auto& [name, values] : axes) {
    std::vector<std::string> parts;
    const std::vector<std::string> settings = settings_of(name);
    for (const std::string& setting : settings) {
      const std::size_t last = setting.rfind('.');
      const std::size_t before =
          settings.size() > 1 || last == std::string::npos || last == 0 ? last : setting.rfind('.', last - 1);
      parts.push_back(before == std::string::npos ? setting : setting.substr(before + 1));
    }
    names.push_back(fmt::format("{}", fmt::join(parts, ", ")));
  }
  for (std::size_t a = 0; a < names.size(); ++a) {
    if (std::count(names.begin(), names.end(), names[a]) > 1) names[a] = axes[a].first;
  }
  return names;
}

std::vector<std::string> shown_values(const SweepResult& result, std::size_t index) {
  std::vector<std::string> values = result.values(index);
  for (std::size_t a = 0; a < values.size(); ++a) {
    if (result.axes[a].first == kExperimentAxis) values[a] = std::filesystem::path(values[a]).stem().string();
  }
  return values;
}

std::string sweep_table(const SweepResult& result) {
  std::vector<Table::Column> columns;
  for (const std::string& name : short_names(result.axes)) columns.push_back({name, Table::Align::left});
  const std::string metric = common_metric(result);
  if (metric.empty()) columns.push_back({"metric", Table::Align::left});
  const std::string chip =
      metric.empty() ? "chip (95 %)" : fmt::format("chip {} (95 %)", sim::metric_kind(metric).title);
  for (const std::string& title :
       {std::string("float"), chip, std::string("energy/image"), std::string("area"), std::string("latency")})
    columns.push_back({title});
  Table table(columns);
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const Point& point = result.points[i];
    std::vector<std::string> cells = shown_values(result, i);
    const sim::MetricKind& kind = sim::metric_kind(point.metric);
    if (metric.empty()) cells.push_back(point.done() ? kind.title : "");
    if (point.done()) {
      for (const std::string& cell : {value_text(point.float_accuracy, kind.unit),
                                      interval_text(point.accuracy, kind.unit), value_text(point.energy_J.typical, "J"),
                                      value_text(point.area_m2.typical, "m2"), value_text(point.latency_s, "s")}) {
        cells.push_back(cell);
      }
    } else {
      cells.insert(cells.end(), {"", "refused", "", "", ""});
    }
    table.row(std::move(cells));
  }
  const std::vector<std::string> labels = labels_of(result);
  return table.text() + refusal_lines(result.point_list(), labels) + notes(result, labels) + paired_table(result);
}

std::string sweep_csv(const SweepResult& result) {
  std::string text;
  for (const auto& [name, values] : result.axes) text += csv_field(name) + ",";
  for (const PointColumn& wanted : point_columns())
    text += wanted.name + (wanted.unit == "fraction" ? "" : "_" + wanted.unit) + ",";
  text += "metric,config_hash,refusal\n";
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const Point& point = result.points[i];
    for (const std::string& value : result.values(i)) text += csv_field(value) + ",";
    for (const PointColumn& wanted : point_columns()) text += (point.done() ? csv_number(wanted.get(point)) : "") + ",";
    text += csv_field(point.metric) + "," + csv_field(point.config_hash) + "," + csv_field(point.refusal) + "\n";
  }
  return text;
}

void write_sweep_output(const std::filesystem::path& folder, const SweepResult& result) {
  OutputFolder output(folder);
  output.write("sweep.h5", [&](const std::filesystem::path& file) { write_sweep_file(file, result); });
  output.write_text("sweep.csv", sweep_csv(result));
  output.commit();
}

}  // namespace tellegen::report
