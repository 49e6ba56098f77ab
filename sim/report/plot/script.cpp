// Figures as gnuplot programs.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/sim/report/plot/gnuplot.h"

namespace tellegen::plot {
namespace {

// Okabe and Ito: distinct for colour-blind readers too.
constexpr std::array<const char*, 8> palette = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                "#E69F00", "#56B4E9", "#7F7F7F", "#000000"};
constexpr int panel_width = 640, height = 480;
constexpr int least_plot_width = 520;  // beside the key, so that labels of tics do not touch

/// A gnuplot string without any escapes: single quotes, doubled inside.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') result += '\'';
    if (c != '\n') result += c;
  }
  return result + "'";
}

struct Prefix {
  const char* sign = "";
  double factor = 1;
};

/// The prefix that makes the largest magnitude 1 to 1000.
Prefix prefix_for(double largest) {
  static constexpr std::array<Prefix, 10> prefixes = {{{"G", 1e9},
                                                       {"M", 1e6},
                                                       {"k", 1e3},
                                                       {"", 1},
                                                       {"m", 1e-3},
                                                       {"u", 1e-6},
                                                       {"n", 1e-9},
                                                       {"p", 1e-12},
                                                       {"f", 1e-15},
                                                       {"a", 1e-18}}};
  for (const Prefix& prefix : prefixes) {
    if (largest >= prefix.factor * (1 - 1e-9)) return prefix;
  }
  return {};
}

/// How an axis is shown.
struct Shown {
  Prefix prefix;
  std::string label;
};

Shown shown(const Axis& axis, double largest) {
  Shown result;
  if (axis.takes_prefix && !axis.log && !axis.unit.empty()) result.prefix = prefix_for(largest);
  const std::string unit = result.prefix.sign + axis.unit;
  result.label = unit.empty() ? axis.label : axis.label + " (" + unit + ")";
  return result;
}

double largest_of(const std::vector<double>& values, double so_far) {
  for (const double value : values) {
    if (std::isfinite(value)) so_far = std::max(so_far, std::abs(value));
  }
  return so_far;
}

std::string axis_commands(char name, const Axis& axis, const Shown& as) {
  std::string text = fmt::format("set {}label {} noenhanced\n", name, quoted(as.label));
  if (axis.log) {
    text += fmt::format("set logscale {0}\nset format {0} '10^{{%T}}'\n", name);
  } else {
    text += fmt::format("unset logscale {0}\nset format {0} '%g'\n", name);
  }
  const auto bound = [&](const std::optional<double>& b) {
    return b ? fmt::format("{:.9g}", *b / as.prefix.factor) : std::string("*");
  };
  return text + fmt::format("set {}range [{}:{}]\n", name, bound(axis.low), bound(axis.high));
}

std::string style_text(const Series& series, int colour) {
  const char* rgb = palette[static_cast<std::size_t>(colour) % palette.size()];
  switch (series.style) {
    case Style::band:
      return fmt::format("with filledcurves fs transparent solid 0.2 noborder lc rgb '{}'", rgb);
    case Style::dashed:
      return fmt::format("with lines lw 2 dt 2 lc rgb '{}'", rgb);
    case Style::points:
      return fmt::format("with points pt 7 ps 0.5 lc rgb '{}'", rgb);
    case Style::line_points:
      return fmt::format("with linespoints lw 1.5 pt 7 ps 0.5 lc rgb '{}'", rgb);
    case Style::steps:
      return fmt::format("with histeps lw 1.5 lc rgb '{}'", rgb);
    case Style::line:
      break;
  }
  return fmt::format("with lines lw 2 lc rgb '{}'", rgb);
}

/// A value that a log axis cannot show, or that is no number, breaks the line.
std::string number(double value, double factor, bool log) {
  return !std::isfinite(value) || (log && value <= 0) ? "NaN" : fmt::format("{:.7g}", value / factor);
}

std::string data_block(const std::string& name, const Series& series, const Panel& panel, const Shown& x,
                       const Shown& y) {
  std::string text = name + " << EOD\n";
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    text += number(series.x[i], x.prefix.factor, panel.x.log) + " " + number(series.y[i], y.prefix.factor, panel.y.log);
    if (series.style == Style::band) text += " " + number(series.y_high[i], y.prefix.factor, panel.y.log);
    text += "\n";
  }
  return text + "EOD\n";
}

std::string panel_commands(const Panel& panel, std::size_t index) {
  double largest_x = 0, largest_y = 0;
  for (const Series& series : panel.series) {
    TELLEGEN_ASSERT(series.x.size() == series.y.size());
    TELLEGEN_ASSERT(series.style != Style::band || series.y_high.size() == series.y.size());
    largest_x = largest_of(series.x, largest_x);
    largest_y = largest_of(series.y_high, largest_of(series.y, largest_y));
  }
  const Shown x = shown(panel.x, largest_x), y = shown(panel.y, largest_y);
  std::string text = fmt::format("set title {} noenhanced\n", quoted(panel.title));
  text += axis_commands('x', panel.x, x) + axis_commands('y', panel.y, y);
  std::string plots;
  int next_colour = 0;
  for (std::size_t s = 0; s < panel.series.size(); ++s) {
    const Series& series = panel.series[s];
    const std::string name = fmt::format("$panel{}series{}", index, s);
    text += data_block(name, series, panel, x, y);
    const int colour = series.colour >= 0 ? series.colour : next_colour++;
    const std::string key = series.name.empty() ? "notitle" : "title " + quoted(series.name) + " noenhanced";
    plots += fmt::format("{}{} using {} {} {}", plots.empty() ? "plot " : ", \\\n     ", name,
                         series.style == Style::band ? "1:2:3" : "1:2", style_text(series, colour), key);
  }
  return text + plots + "\n";
}

/// What the key beside a panel takes, by its longest name; characters of the terminals' fonts are about this wide.
int key_width(const Figure& figure) {
  constexpr int character = 9, sample = 50;
  std::size_t longest = 0;
  for (const Panel& panel : figure.panels) {
    for (const Series& series : panel.series) longest = std::max(longest, series.name.size());
  }
  return longest == 0 ? 0 : sample + character * static_cast<int>(longest);
}

}  // namespace

void require_figure_format(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".svg" || extension == ".png") return;
  throw InputError(
      fmt::format("'{}' is not a figure that can be drawn; allowed: a name that ends in .svg or .png.", file.string()));
}

std::string gnuplot_script(const Figure& figure, const std::filesystem::path& file,
                           const std::filesystem::path& output) {
  require_figure_format(file);
  const std::size_t panels = figure.panels.size();
  const int width = std::max(panel_width, least_plot_width + key_width(figure)) * static_cast<int>(panels);
  const bool svg = file.extension() == ".svg";
  std::string text = "set encoding utf8\n";
  text +=
      svg ? fmt::format("set terminal svg size {},{} font 'Helvetica,14' background rgb 'white'\n", width, height)
          : fmt::format("set terminal pngcairo size {},{} font 'Helvetica,12' background rgb 'white'\n", width, height);
  text += "set output " + quoted(output.string()) + "\n";
  text +=
      "set border 3 lw 1 lc rgb '#444444'\nset tics nomirror out scale 0.6\nset grid lc rgb '#E0E0E0' lt 1 lw 0.6\n"
      "set key outside right top vertical Left reverse samplen 2 spacing 1.15\n";
  text += fmt::format("set multiplot layout 1,{} title {} noenhanced font ',14'\n", panels, quoted(figure.title));
  for (std::size_t p = 0; p < panels; ++p) text += panel_commands(figure.panels[p], p);
  return text + "unset multiplot\nunset output\n";
}

}  // namespace tellegen::plot
