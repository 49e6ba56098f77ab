#pragma once
// Signed weights to non-negative conductances and back. decode(encode(w)) = w: after rounding to the integer grid
// exactly for weights on that grid, to rounding for analog cells (a conductance is a float).
//
// With L = cell_levels and S = slices a weight is an integer q = w Q / scale, |q| <= Q:
// - differential: Q = L^S - 1; the base-L digits of |q| on the plus columns where q > 0, else on the minus columns;
// - offset, unit_column: Q = floor((L^S - 1) / 2); the digits of q + Z, Z = floor(L^S / 2), on single columns;
// so integer weights with scale = Q are kept as they are. Digit d of a cell is g_min + d (g_max - g_min) / (L - 1).
// Analog cells (L = 0): differential |w| / scale, the others (1 + w / scale) / 2, linear from g_min to g_max.
// Weights beyond the scale saturate.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"

namespace tellegen::mapping {

enum class Encoding {
  differential,  ///< two columns per weight slice, one of them at g_min
  offset,        ///< one column; the constant part is subtracted digitally with the sum of the inputs
  unit_column,   ///< one column; the constant part is read by reference columns of the array and subtracted
};
std::span<const std::pair<Encoding, const char*>> enum_names(Encoding);
enum class Subtraction { analog, digital };  ///< of a differential pair: before one ADC, or after two
std::span<const std::pair<Subtraction, const char*>> enum_names(Subtraction);
enum class ScaleScope { per_layer, per_column };
std::span<const std::pair<ScaleScope, const char*>> enum_names(ScaleScope);
enum class BiasPlace { digital, rows };
std::span<const std::pair<BiasPlace, const char*>> enum_names(BiasPlace);

struct EncodingConfig {
  Encoding encoding = Encoding::differential;
  Subtraction subtract = Subtraction::analog;
  ScaleScope scale = ScaleScope::per_column;
  BiasPlace bias = BiasPlace::digital;
  int cell_levels = 0;  ///< levels of one cell; 0: analog, then slices must be 1
  int slices = 1;       ///< cells per weight (and polarity), most significant digit first in columns
  void settings(Settings& v);
};

/// One converted line of an array: the current of column `plus` less that of column `minus` (-1: none).
/// It adds factor * (line value in units of conductance * input) to output `output`; output -1: to every output
/// (reference column).
struct Line {
  int plus = -1;
  int minus = -1;
  int output = -1;
  double factor = 0;  ///< weight per siemens, before the output's scale
};

/// How a block of K x N weights lies on columns. The same for every block of a layer with the same N.
/// Columns: output by output; in it slices, most significant first; in it plus, then minus. Reference columns stand
/// last, slice by slice.
struct Layout {
  int outputs = 0;
  int physical_columns = 0;
  std::vector<Line> lines;
  double input_sum_factor = 0;  ///< offset: y_n += input_sum_factor * sum_i x_i (before the output's scale)
};
Layout make_layout(const EncodingConfig& config, int outputs, Conductance g_min, Conductance g_max);
/// Physical columns of one output, and of the references that an array needs besides.
int columns_per_output(const EncodingConfig& config);
int reference_columns(const EncodingConfig& config);
/// Lines that are converted for one output; every reference column is one line more.
int lines_per_output(const EncodingConfig& config);
/// Q of above: |w| = scale is this many steps of the integer grid; 0 for analog cells, which have no grid.
std::int64_t largest_magnitude(const EncodingConfig& config);
/// L^S is at most this: conductances are floats, and on much finer grids neighbouring weights become the same.
inline constexpr std::int64_t kLargestGrid = std::int64_t{1} << 20;

/// Scale of each output: |w| = scale means the largest encodable magnitude. weights row-major [N][K]. Zero columns get
/// scale 1.
std::vector<double> weight_scales(const EncodingConfig& config, std::span<const float> weights, std::int64_t outputs);

/// Target conductances, row-major [K][layout.physical_columns], of weights [N][K].
std::vector<float> encode(const EncodingConfig& config, const Layout& layout, std::span<const float> weights,
                          std::int64_t rows, std::span<const double> scales, Conductance g_min, Conductance g_max);
/// Weights [N][K] that cells g_S [K][physical_columns] stand for: scale_n (sum over lines factor (G+ - G-) +
/// input_sum_factor).
std::vector<double> decode(const Layout& layout, std::span<const float> g_S, std::int64_t rows,
                           std::span<const double> scales);

}  // namespace tellegen::mapping
