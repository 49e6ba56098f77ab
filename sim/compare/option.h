#pragma once
// An option of the comparison as its file states it, and the sizes that resizing finds.

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/converter/nonlinear_adc.h"
#include "tellegen/circuits/digital/piecewise_linear.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"

namespace tellegen::compare {

/// digital: ADC, digital unit, DAC. tg_after_dac: ADC, DAC, front-end. nonlinear_adc: an ADC that computes, DAC. analog:
/// amplifier, front-end. Where the reader is digital there is no DAC behind digital results, and an ADC behind analog
/// ones.
enum class PathKind { digital, tg_after_dac, nonlinear_adc, analog };
std::span<const std::pair<PathKind, const char*>> enum_names(PathKind);

/// table: one word per code of the ADC. lines: piecewise linear.
enum class UnitKind { table, lines };
std::span<const std::pair<UnitKind, const char*>> enum_names(UnitKind);

/// What of a front-end is tried out besides its size; empty lists: as the file has it.
struct SearchConfig {
  std::vector<int> trim_bits;
  std::vector<Current> bias;
  bool any() const { return !trim_bits.empty() || !bias.empty(); }
  void settings(Settings& v);
};

struct OptionConfig {
  std::string name;
  PathKind path = PathKind::digital;
  circuits::AdcConfig adc;  ///< bits: the most that resizing takes; enob is found by it
  circuits::DacConfig dac;
  UnitKind unit = UnitKind::table;
  circuits::SegmentPlacement placement = circuits::SegmentPlacement::even;
  bool hard_wired = false;
  circuits::NonlinearMethod method = circuits::NonlinearMethod::count;
  Frequency ramp_clock = Frequency::si(1e9);  ///< steps of the ramp per second
  double reference_deviation = 0;  ///< of the non-linear ADC, over the full scale of x; the least that resizing takes
  circuits::FrontEndConfig front_end;
  SearchConfig search;  ///< of front_end
  circuits::SoftmaxConfig softmax;
  circuits::CrossingConfig amplifier, multiplier;
  double amplifier_residual = 1;  ///< share of random gain and offset errors that calibration leaves
  OptionConfig();
  void settings(Settings& v);
};

/// What resizing finds. Those that a path does not have stay as they are.
struct Sizes {
  double enob = 0;               ///< of ADCs; their bits are the next whole number
  int word_bits = 0;             ///< of digital results and of the DAC behind them
  int segments = 0;              ///< of piecewise linear units
  double area = 1;               ///< of transistors of front-end and amplifiers, as a factor on the file's
  double multiplier_area = 1;    ///< of the multiplier's transistors, of gated layers
  std::optional<int> trim_bits;  ///< of front-ends, where it is searched
  std::optional<double> bias_A;  ///< likewise
  /// Of a non-linear ADC, over the full scale of x: of the end of its ramp, or of the middle of its linear converter.
  double deviation = 0;
};

/// One option for each combination of what it searches; the option itself where it searches nothing.
std::vector<OptionConfig> combinations(const OptionConfig& option);

/// The option's circuits with every transistor's width and length times sqrt(area) and the capacitances of their nodes times
/// area, so that mismatch and noise both go as one over sqrt(area); for inputs up to x_scale. Throws InputError.
circuits::FrontEndConfig resized(const circuits::FrontEndConfig& front_end, double area, double x_scale);
circuits::SoftmaxConfig resized(const circuits::SoftmaxConfig& softmax, double area);
circuits::CrossingConfig resized(const circuits::CrossingConfig& crossing, double area);

}  // namespace tellegen::compare
