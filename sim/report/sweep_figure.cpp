#include "tellegen/sim/report/sweep_figure.h"
#include "tellegen/sim/engine/predictions.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "tellegen/base/unit_table.h"
#include "tellegen/sim/report/sweep_output.h"

namespace tellegen::report {
namespace {

/// Values of an axis in SI units, all of one dimension.
struct NumberAxis {
  std::size_t index = 0;
  std::vector<double> values;
  std::string unit;
};

const Unit* find_unit(std::string_view name) {
  const auto table = unit_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Unit& unit) { return name == unit.name; });
  return found == table.end() ? nullptr : &*found;
}

std::string base_unit(const Dimension& dimension) {
  for (const Unit& unit : unit_table()) {
    if (unit.dimension == dimension && unit.exponent == 0 && unit.factor == 1) return unit.name;
  }
  return "";
}

std::optional<double> plain_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, value);
  return error == std::errc{} && read == end ? std::optional(value) : std::nullopt;
}

std::optional<NumberAxis> number_axis(std::size_t index, const std::vector<std::string>& texts) {
  NumberAxis axis{index, {}, ""};
  std::optional<Dimension> dimension;
  for (const std::string& text : texts) {
    if (const auto number = plain_number(text)) {
      if (dimension) return std::nullopt;
      axis.values.push_back(*number);
      continue;
    }
    const std::size_t space = text.rfind(' ');
    const Unit* unit = space == std::string::npos ? nullptr : find_unit(std::string_view(text).substr(space + 1));
    if (unit == nullptr || (dimension && *dimension != unit->dimension)) return std::nullopt;
    if (!dimension && !axis.values.empty()) return std::nullopt;
    dimension = unit->dimension;
    axis.values.push_back(parse_quantity(text, unit->dimension));
  }
  if (dimension) axis.unit = base_unit(*dimension);
  return axis;
}

NumberAxis figure_axis(const SettingsMap& axes, const std::string& file) {
  std::optional<NumberAxis> best;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    const auto axis = number_axis(a, axes[a].second);
    if (axis && axis->values.size() > (best ? best->values.size() : 1)) best = axis;
  }
  if (!best) {
    throw InputError({file},
                     "nothing can be drawn: no axis has two values or more that are all numbers, or quantities of one "
                     "kind. Leave --plot out, or add such an axis under 'over'.");
  }
  return *best;
}

plot::Axis shown_axis(const NumberAxis& axis, const std::string& label) {
  constexpr double kLogRatio = 50;
  plot::Axis shown{label, axis.unit};
  const auto [low, high] = std::minmax_element(axis.values.begin(), axis.values.end());
  shown.log = *low > 0 && *high >= kLogRatio * *low;
  return shown;
}

/// Fractions are drawn in per cent.
double shown_scale(const sim::MetricKind& metric) { return std::string(metric.unit) == "fraction" ? 100 : 1; }

/// Of the first point that has a result.
plot::Axis metric_axis(const SweepResult& result) {
  const auto done = std::find_if(result.points.begin(), result.points.end(), [](const Point& p) { return p.done(); });
  const sim::MetricKind& metric = sim::metric_kind(done == result.points.end() ? Point{}.metric : done->metric);
  const std::string unit = metric.unit;
  return {metric.title, unit == "fraction" ? "%" : unit == "1" ? "" : unit, false, false};
}

/// One curve: points of the grid by their place on the axis.
using Curve = std::vector<std::pair<double, const Point*>>;

/// Bands come first, so that they cover no curve.
void add_curve(const std::string& name, Curve curve, int colour, plot::Panel& panel) {
  std::sort(curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  plot::Series line{.name = name, .style = plot::Style::line_points, .colour = colour};
  plot::Series band{.name = "", .style = plot::Style::band, .colour = colour};
  bool known = false;
  for (const auto& [x, point] : curve) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const sim::MetricKind& metric = sim::metric_kind(point->metric);
    const double scale = shown_scale(metric);
    const double mean = point->done() ? scale * point->accuracy.mean : nan;
    const double half = point->done() ? scale * point->accuracy.half_width : nan;
    line.x.push_back(x);
    line.y.push_back(mean);
    band.x.push_back(x);
    band.y.push_back(std::isfinite(half) ? std::max(scale * metric.low, mean - half) : nan);
    band.y_high.push_back(std::isfinite(half) ? std::min(scale * metric.high, mean + half) : nan);
    known = known || (std::isfinite(half) && half > 0);
  }
  const auto first_curve = std::find_if(panel.series.begin(), panel.series.end(),
                                        [](const plot::Series& s) { return s.style != plot::Style::band; });
  if (known) panel.series.insert(first_curve, std::move(band));
  panel.series.push_back(std::move(line));
}

}  // namespace

plot::Figure sweep_figure(const SweepResult& result) {
  const NumberAxis axis = figure_axis(result.axes, result.name);
  const std::vector<std::string> names = short_names(result.axes);
  std::vector<std::size_t> others;
  for (std::size_t a = 0; a < result.axes.size(); ++a) {
    if (a != axis.index && result.axes[a].second.size() > 1) others.push_back(a);
  }
  // Panels and curves in the order of the grid.
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Curve>>>> panels;
  const auto entry = [](auto& list, const std::string& name) -> auto& {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& e) { return e.first == name; });
    return found == list.end() ? list.emplace_back(name, typename std::decay_t<decltype(list[0].second)>{}) : *found;
  };
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const std::vector<std::string> values = shown_values(result, i);
    std::string panel, curve;
    for (std::size_t k = 0; k < others.size(); ++k) {
      std::string& text = k == 0 && others.size() > 1 ? panel : curve;
      const std::string& value = values[others[k]];
      const bool is_path = result.axes[others[k]].first == kExperimentAxis;
      text += (text.empty() ? "" : ", ") + (is_path ? value : names[others[k]] + " " + value);
    }
    const double x = axis.values[positions(result.axes, i)[axis.index]];
    entry(entry(panels, panel).second, curve).second.emplace_back(x, &result.points[i]);
  }
  plot::Figure figure{result.name + " (band: 95 % interval over chips)", {}};
  for (auto& [title, curves] : panels) {
    plot::Panel panel{title, shown_axis(axis, names[axis.index]), metric_axis(result)};
    int colour = 0;
    for (auto& [name, curve] : curves) add_curve(name, std::move(curve), colour++, panel);
    figure.panels.push_back(std::move(panel));
  }
  return figure;
}

void require_figure_axis(const std::filesystem::path& file) {
  SweepConfig sweep;
  read_config(file, sweep);
  figure_axis(sweep.over, file.string());
}

}  // namespace tellegen::report
