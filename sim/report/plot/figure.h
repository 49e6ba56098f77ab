#pragma once
// What a figure shows, independent of what draws it.

#include <optional>
#include <string>
#include <vector>

namespace tellegen::plot {

/// Values are in the unit of the axis. Linear axes whose unit takes a prefix are shown with the one that fits (25 uS,
/// not 2.5e-05 S).
struct Axis {
  std::string label;
  std::string unit;  ///< "" : none
  bool log = false;
  bool takes_prefix = true;
  std::optional<double> low = {}, high = {};
};

enum class Style {
  line,
  dashed,
  points,
  line_points,
  steps,
  band,  ///< between y and y_high
};

struct Series {
  std::string name;  ///< in the key; "" : not there
  std::vector<double> x = {}, y = {};
  std::vector<double> y_high = {};  ///< of a band, else empty
  Style style = Style::line;
  int colour = -1;  ///< number in the palette; -1: the next one
};

struct Panel {
  std::string title;
  Axis x, y;
  std::vector<Series> series = {};
};

/// One or more panels side by side.
struct Figure {
  std::string title;
  std::vector<Panel> panels;
};

}  // namespace tellegen::plot
