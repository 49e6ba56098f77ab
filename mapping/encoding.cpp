#include "tellegen/mapping/encoding.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::mapping {
namespace {

bool is_pair(const EncodingConfig& config) { return config.encoding == Encoding::differential; }

/// The integers that one weight's cells can hold: codes 0 .. codes - 1, of which `zero` stands for weight zero.
struct Grid {
  std::int64_t codes = 1;
  std::int64_t magnitude = 0;  ///< largest |q|
  std::int64_t zero = 0;
};

Grid grid_of(const EncodingConfig& config) {
  Grid grid;
  for (int s = 0; s < config.slices; ++s) {
    grid.codes *= config.cell_levels;
    TELLEGEN_ASSERT(grid.codes <= kLargestGrid);
  }
  if (is_pair(config)) {
    grid.magnitude = grid.codes - 1;
  } else {
    grid.magnitude = (grid.codes - 1) / 2;
    grid.zero = grid.codes / 2;
  }
  TELLEGEN_ASSERT(grid.magnitude > 0);
  return grid;
}

void check(const EncodingConfig& config) {
  TELLEGEN_ASSERT(config.slices >= 1);
  TELLEGEN_ASSERT(config.cell_levels >= 2 || (config.cell_levels == 0 && config.slices == 1));
}

/// Weight per siemens of a cell of slice `slice`, for scale 1.
double line_factor(const EncodingConfig& config, int slice, double span_S) {
  if (config.cell_levels == 0) return (is_pair(config) ? 1.0 : 2.0) / span_S;
  const double steps_per_S = (config.cell_levels - 1) / span_S;
  const double place_value = std::pow(config.cell_levels, config.slices - 1 - slice);
  return place_value * steps_per_S / static_cast<double>(grid_of(config).magnitude);
}

/// Writes the cells of one weight: slices * (1 or 2) neighbouring columns of one row.
class CellWriter {
 public:
  CellWriter(const EncodingConfig& config, double g_min_S, double g_max_S)
      : pair_(is_pair(config)),
        slices_(config.slices),
        levels_(config.cell_levels),
        g_min_S_(g_min_S),
        span_S_(g_max_S - g_min_S) {
    check(config);
    if (levels_ == 0) return;
    grid_ = grid_of(config);
    for (int d = 0; d < levels_; ++d) {
      level_S_.push_back(static_cast<float>(g_min_S + d * span_S_ / (levels_ - 1)));
    }
  }

  void write_weight(double weight, double scale, float* cells_S) const {
    if (levels_ == 0) {
      const double share = std::clamp(weight / scale, -1.0, 1.0);
      cells_S[0] = analog_S(pair_ ? std::max(share, 0.0) : (1 + share) / 2);
      if (pair_) cells_S[1] = analog_S(std::max(-share, 0.0));
      return;
    }
    const double limit = static_cast<double>(grid_.magnitude);
    const auto q = static_cast<std::int64_t>(std::clamp(std::nearbyint(weight * limit / scale), -limit, limit));
    if (pair_) {
      write_digits(std::max<std::int64_t>(q, 0), cells_S, 2);
      write_digits(std::max<std::int64_t>(-q, 0), cells_S + 1, 2);
    } else {
      write_digits(q + grid_.zero, cells_S, 1);
    }
  }

  /// The cells of the reference columns: those of weight zero.
  void write_reference(float* cells_S) const { write_weight(0, 1, cells_S); }

 private:
  float analog_S(double share) const { return static_cast<float>(g_min_S_ + share * span_S_); }
  void write_digits(std::int64_t code, float* cells_S, int stride) const {
    for (int s = slices_ - 1; s >= 0; --s) {
      cells_S[s * stride] = level_S_[static_cast<std::size_t>(code % levels_)];
      code /= levels_;
    }
  }

  bool pair_;
  int slices_, levels_;
  double g_min_S_, span_S_;
  Grid grid_;
  std::vector<float> level_S_;  ///< conductance of each digit
};

void add_output_lines(const EncodingConfig& config, int output, double span_S, std::vector<Line>& lines) {
  const int first = output * columns_per_output(config);
  for (int s = 0; s < config.slices; ++s) {
    const double factor = line_factor(config, s, span_S);
    if (!is_pair(config)) {
      lines.push_back({first + s, -1, output, factor});
    } else if (config.subtract == Subtraction::analog) {
      lines.push_back({first + 2 * s, first + 2 * s + 1, output, factor});
    } else {
      lines.push_back({first + 2 * s, -1, output, factor});
      lines.push_back({first + 2 * s + 1, -1, output, -factor});
    }
  }
}

/// What every row adds to an offset-coded output besides its weight, negated: the code of zero, and g_min under every
/// digit.
double offset_correction(const EncodingConfig& config, double g_min_S, double span_S) {
  if (config.cell_levels == 0) return -(1 + 2 * g_min_S / span_S);
  const Grid grid = grid_of(config);
  return -(static_cast<double>(grid.zero) + static_cast<double>(grid.codes - 1) * g_min_S / span_S) /
         static_cast<double>(grid.magnitude);
}

}  // namespace

int columns_per_output(const EncodingConfig& config) { return config.slices * (is_pair(config) ? 2 : 1); }

int reference_columns(const EncodingConfig& config) {
  return config.encoding == Encoding::unit_column ? config.slices : 0;
}

int lines_per_output(const EncodingConfig& config) {
  const bool both_converted = is_pair(config) && config.subtract == Subtraction::digital;
  return config.slices * (both_converted ? 2 : 1);
}

std::int64_t largest_magnitude(const EncodingConfig& config) {
  check(config);
  return config.cell_levels == 0 ? 0 : grid_of(config).magnitude;
}

Layout make_layout(const EncodingConfig& config, int outputs, Conductance g_min, Conductance g_max) {
  check(config);
  TELLEGEN_ASSERT(outputs >= 0 && g_min.si() >= 0 && g_max > g_min);
  const double span_S = (g_max - g_min).si();
  Layout layout;
  layout.outputs = outputs;
  layout.physical_columns = outputs * columns_per_output(config) + reference_columns(config);
  for (int n = 0; n < outputs; ++n) add_output_lines(config, n, span_S, layout.lines);
  for (int s = 0; s < reference_columns(config); ++s) {
    layout.lines.push_back({outputs * columns_per_output(config) + s, -1, -1, -line_factor(config, s, span_S)});
  }
  if (config.encoding == Encoding::offset) layout.input_sum_factor = offset_correction(config, g_min.si(), span_S);
  return layout;
}

std::vector<double> weight_scales(const EncodingConfig& config, std::span<const float> weights, std::int64_t outputs) {
  const auto count = static_cast<std::size_t>(outputs);
  TELLEGEN_ASSERT(outputs > 0 ? weights.size() % count == 0 : weights.empty());
  const std::size_t row_length = outputs > 0 ? weights.size() / count : 0;
  std::vector<double> scales(count, 0.0);
  for (std::size_t n = 0; n < count; ++n) {
    for (const float w : weights.subspan(n * row_length, row_length)) {
      scales[n] = std::max(scales[n], std::abs(static_cast<double>(w)));
    }
  }
  if (config.scale == ScaleScope::per_layer && count > 0) {
    std::fill(scales.begin(), scales.end(), *std::max_element(scales.begin(), scales.end()));
  }
  std::replace(scales.begin(), scales.end(), 0.0, 1.0);
  return scales;
}

std::vector<float> encode(const EncodingConfig& config, const Layout& layout, std::span<const float> weights,
                          std::int64_t rows, std::span<const double> scales, Conductance g_min, Conductance g_max) {
  const auto outputs = static_cast<std::size_t>(layout.outputs);
  const auto row_count = static_cast<std::size_t>(rows);
  const auto columns = static_cast<std::size_t>(layout.physical_columns);
  const auto per_output = static_cast<std::size_t>(columns_per_output(config));
  TELLEGEN_ASSERT(weights.size() == outputs * row_count && scales.size() == outputs);
  TELLEGEN_ASSERT(columns == outputs * per_output + static_cast<std::size_t>(reference_columns(config)));
  const CellWriter writer(config, g_min.si(), g_max.si());
  std::vector<float> g_S(row_count * columns);
  for (std::size_t k = 0; k < row_count; ++k) {
    float* const row_S = g_S.data() + k * columns;
    for (std::size_t n = 0; n < outputs; ++n) {
      writer.write_weight(static_cast<double>(weights[n * row_count + k]), scales[n], row_S + n * per_output);
    }
    if (reference_columns(config) > 0) writer.write_reference(row_S + outputs * per_output);
  }
  return g_S;
}

std::vector<double> decode(const Layout& layout, std::span<const float> g_S, std::int64_t rows,
                           std::span<const double> scales) {
  const auto outputs = static_cast<std::size_t>(layout.outputs);
  const auto row_count = static_cast<std::size_t>(rows);
  const auto columns = static_cast<std::size_t>(layout.physical_columns);
  TELLEGEN_ASSERT(g_S.size() == row_count * columns && scales.size() == outputs);
  std::vector<double> weights(outputs * row_count);
  for (std::size_t k = 0; k < row_count; ++k) {
    const auto row_S = g_S.subspan(k * columns, columns);
    std::vector<double> sums(outputs, 0.0);
    double common = layout.input_sum_factor;
    for (const Line& line : layout.lines) {
      const auto cell_S = [&](int column) {
        return column < 0 ? 0.0 : static_cast<double>(row_S[static_cast<std::size_t>(column)]);
      };
      const double value = line.factor * (cell_S(line.plus) - cell_S(line.minus));
      (line.output < 0 ? common : sums[static_cast<std::size_t>(line.output)]) += value;
    }
    for (std::size_t n = 0; n < outputs; ++n) weights[n * row_count + k] = scales[n] * (sums[n] + common);
  }
  return weights;
}

}  // namespace tellegen::mapping
