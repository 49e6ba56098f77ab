#pragma once
// Laws for the price of one analog-to-digital conversion. Each takes the same description of the converter, reads what
// it knows and leaves a warning, naming the model and the bound, where the converter is outside of what the law was
// fitted to. No law is scaled between nodes: the regression and NeuroSim's take the node themselves, the others are
// analog.

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/cost_table.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// One converter as its price sees it.
struct AdcUse {
  /// sar: the law of `costs.adc`; flash, ramp, sense_amplifier: comparators counted; cco: counts counted, or with
  /// survey_2025 its median; pipeline, cyclic, time_based: medians of the survey.
  std::string kind = "sar";
  double bits = 8;  ///< effective number of bits; 0: ideal, costs nothing
  Length node = Length::si(32e-9);
  Frequency rate = Frequency::si(1e9);  ///< conversions per second of one ADC
  int rows = 128;                       ///< of the array it converts; read by zigzag_2023
  /// Of the column it converts; read by neurosim_sar, whose power includes the column's read current. Infinite: that
  /// part is left out, because the energy of the cells is counted on its own.
  double column_ohm = std::numeric_limits<double>::infinity();
  double read_voltage_V = 0.5;  ///< neurosim_sar
  double temperature_K = 300;   ///< neurosim_sar
};

/// Andrulis et al. 2024: regression over published converters. Bounded by the smaller of two figures of merit.
struct AndrulisLaw {
  LawOrigin origin;
  double fs_c0 = 0, fs_c1 = 0;                       ///< throughput bound of the figure of merit [dB], per ln(Hz)
  double fe_c0 = 0, fe_c1 = 0;                       ///< resolution bound [dB], per bit
  double e_c0 = 0, e_cT = 0, e_cb = 0, e_shift = 0;  ///< ln of energy [pJ]: constant, per ln(nm), per ln(bits), offset
  double a_c0 = 0, a_cT = 0, a_cf = 0, a_ce = 0;     ///< ln of area [um2]: constant, per ln(nm), ln(Hz), ln(pJ)
  double bits_min = 4;                               ///< below: flash law
  double bits_max = 14;                              ///< above: extrapolated
  Frequency rate_max = Frequency::si(1e10);
  void settings(Settings& v);
  /// Below bits_min the comparators of a flash converter are counted, each at 1 / (2^bits_min - 1) of the price at
  /// bits_min.
  Price price(const AdcUse& use) const;
};

/// The ISAAC converter with a resolution law from the breakdown of the silicon it is based on: part linear, part
/// exponential.
struct IsaacAdcLaw {
  LawOrigin origin;
  Power power;
  Frequency rate = Frequency::si(1);  ///< of the paper's table, at which the energy is stated
  Frequency rate_in_text;             ///< the paper's text has another one
  Area area;
  double bits = 8;
  double exponential_power = 0, exponential_area = 0;  ///< share of the capacitive DAC
  double bits_min = 0, bits_max = 0;
  Frequency rate_max;
  void settings(Settings& v);
  Price price(const AdcUse& use) const;
};

/// NeuroSim's successive-approximation converter: power fitted to circuit simulation, area in transistor footprints.
struct NeuroSimAdcLaw {
  struct Row {
    Length node;
    std::vector<double> abcd;       ///< uW per bit, uW, column current term, its exponent
    std::optional<Area> footprint;  ///< of a minimum transistor
    void settings(Settings& v);
  };
  LawOrigin origin;
  std::vector<Row> low_standby_power, high_performance;
  std::string roadmap = "LSTP";                    ///< LSTP or HP
  std::vector<double> n_footprints, p_footprints;  ///< transistors of the first bit, of each further one
  double bits_min = 0, bits_max = 0;
  void settings(Settings& v);
  Price price(const AdcUse& use) const;
};

/// ZigZag-IMC's converter law at 28 nm.
struct ZigzagAdcLaw {
  LawOrigin origin;
  double area_c0 = 0, area_c1 = 0, area_large = 0;  ///< um2: 10^(c0 + c1 N) 2^N, from bits_large on: area_large 2^N
  double bits_large = 12;
  double delay_per_row_ns = 0, delay_ns = 0;               ///< per bit
  double energy_linear_fF = 0, energy_exponential_fF = 0;  ///< (linear N + exponential 4^N) Vdd^2
  double bits_min = 0, bits_max = 0;
  Voltage supply;  ///< of its node
  void settings(Settings& v);
  Price price(const AdcUse& use) const;
};

/// Statistics of the ADC performance survey: a fit for SAR converters, medians for the others. `kind` is one of
/// `architectures`.
struct SurveyLaw {
  struct Architecture {
    std::string kind;
    int designs = 0;
    std::vector<Energy> walden;  ///< per step of the effective resolution: 10th percentile, median
    std::vector<Area> area;
    void settings(Settings& v);
  };
  struct Fit {
    std::vector<double> coefficients;  ///< constant, per ln(nm), per ln(Hz), per bit
    double sd = 0;                     ///< of the logarithm
    void settings(Settings& v);
    double at(const AdcUse& use) const;
  };
  LawOrigin origin;
  double bits_min = 0, bits_max = 0;
  std::vector<Architecture> architectures;
  Fit sar_energy, sar_area;  ///< ln(pJ), ln(um2)
  void settings(Settings& v);
  Price sar_price(const AdcUse& use) const;
  Price median_price(const std::string& kind, const AdcUse& use) const;
  /// As a pipeline converter, with the area of one of its stages: the stage is used once per bit.
  Price cyclic_price(const AdcUse& use) const;
};

/// Kinds of ADC that have a price.
std::span<const std::string> adc_kinds();

/// One comparator in 2^N steps. `comparator` is at the chip's node already.
Price ramp_price(const AdcUse& use, const Price& comparator);
/// Oscillator and counter, on average half of the full count. `counter` is at the chip's node already.
Price cco_price(const AdcUse& use, const Price& counter);

/// Figures of merit of a converter, for comparison with surveys.
double walden_J_per_step(double power_W, double rate_Hz, double enob);
double schreier_dB(double power_W, double rate_Hz, double enob);

}  // namespace tellegen::circuits
