#pragma once
// The interface of every elementwise front-end: an analog circuit in front of the rows of a crossbar, one unit per row,
// that turns x into y = gate(x). Objects are immutable and made for one gate, one design and one temperature.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/price.h"
#include "tellegen/circuits/front_end/energy_book.h"
#include "tellegen/circuits/front_end/gate_function.h"

namespace tellegen::circuits {

/// Deviations of each unit from the nominal circuit, fixed at manufacture: structure of arrays. Value u of plane k is at
/// values[k * units + u]; what plane k means (threshold in x, relative gain, ...) is FrontEnd::error_planes()[k].
struct UnitErrors {
  std::int64_t units = 0;
  std::vector<float> values;
  std::span<const float> plane(std::size_t k) const {
    return std::span(values).subspan(k * static_cast<std::size_t>(units), static_cast<std::size_t>(units));
  }
  std::span<float> plane(std::size_t k) {
    return std::span(values).subspan(k * static_cast<std::size_t>(units), static_cast<std::size_t>(units));
  }
};

/// One kind of deviation.
struct ErrorPlane {
  std::string name;      ///< "pair 1: threshold"
  std::string unit;      ///< "x", "y" or "" (relative)
  double deviation = 0;  ///< standard deviation of a unit as manufactured, before trimming
};

/// Where the circuit stops following its gate.
struct InputLimits {
  double x_low = 0, x_high = 0;        ///< signals beyond are clipped to these (the currents that carry x end there)
  double gate_low = 0, gate_high = 0;  ///< where the voltage of the gates reaches a supply rail or a pair's headroom
                                       ///< ends: beyond, the sharpness no longer acts (harmless once a gate is steered)
};

/// Noise referred to the input at the first threshold, in units of x, over `bandwidth_Hz`.
struct FrontEndNoise {
  double bandwidth_Hz = 0;  ///< equivalent noise bandwidth: the setting, or that of the circuit itself
  double white_x = 0;       ///< thermal and shot noise of the pair
  double flicker_x = 0;     ///< from noise_low (1 / time between calibrations) to the bandwidth
  double reference_x = 0;   ///< of the threshold's reference voltage
  double mirror_x = 0;      ///< of output mirrors
  double tail_x = 0;        ///< of the tail, as far as it reaches the output there
  double total_x() const;
};

/// A permanent current out of the supply while the unit is on.
struct SupplyBranch {
  std::string name;
  Band current_A;
  std::string from;  ///< how the current follows from the design, or which assumption it is
};

/// A capacitance that has to settle.
struct Load {
  std::string name;
  Band capacitance_F;
  Band resistance_ohm;  ///< what it settles through, at the tail current that flows at the threshold
  std::string from;
};

struct AreaPart {
  std::string name;
  Band area_m2;
  std::string from;
};

/// What one unit costs.
struct FrontEndCost {
  double supply_V = 0;
  std::vector<SupplyBranch> branches;
  std::vector<Load> loads;
  std::vector<AreaPart> areas;
  Band power_W;             ///< supply times all branches
  double bandwidth_Hz = 0;  ///< -3 dB, typical loads
  Band settling_s;          ///< to half a step of `settled_bits`; low from the smallest loads
  double evaluation_s = 0;  ///< how long one evaluation keeps the unit busy: the setting, or the typical settling
  Band dynamic_J;           ///< charging of the loads per evaluation
  Band energy_J;            ///< of one evaluation: power times evaluation_s, and dynamic_J
  Band area_m2;
  std::vector<std::string> assumptions;  ///< full sentences
};

class FrontEnd {
 public:
  virtual ~FrontEnd() = default;

  /// The mathematics that the circuit stands for.
  virtual const GateFunction& gate() const = 0;
  /// The nominal circuit: no mismatch, no noise; in double, exact within the model.
  virtual double transfer(double x) const = 0;
  /// Largest |evaluate - transfer| within limits() that float and tables bring, in units of y.
  virtual double table_error() const = 0;
  virtual InputLimits limits() const = 0;

  virtual const std::vector<ErrorPlane>& error_planes() const = 0;
  /// Errors of units first_unit .. first_unit + units - 1, trimmed where the design trims. Same stream and number of a
  /// unit, same errors. Give each array of units its own stream (Purpose::mismatch).
  virtual UnitErrors sample(const Stream& mismatch, std::uint64_t first_unit, std::int64_t units) const = 0;

  /// y = circuit(x) for samples one after another: element i belongs to unit i % errors.units, and x.size() is a
  /// multiple of errors.units; units = 0 is the nominal circuit. `noise` adds one evaluation's noise: element i uses
  /// draws (first_element + i) * draws_per_element() and following; null is noiseless. y may be x. No allocation; the
  /// result does not depend on how a batch is cut.
  virtual void evaluate(std::span<const float> x, const UnitErrors& errors, const Stream* noise,
                        std::uint64_t first_element, std::span<float> y) const = 0;
  virtual int draws_per_element() const = 0;

  /// Standard deviation of y at x from noise.
  virtual double output_noise(double x) const = 0;
  virtual const FrontEndNoise& noise() const = 0;

  virtual const FrontEndCost& cost() const = 0;
  /// Where the energy of one evaluation goes that starts with the unit settled at x_before and keeps it at x for
  /// `duration_s`; typical values.
  virtual EnergyBook energy(double x_before, double x, double duration_s) const = 0;
};

/// One evaluation and one unit for the ledger, which then holds its output for another `held_s`: no static power, as units
/// are switched off between evaluations (FrontEndCost::power_W is what they take where that is not so).
Price evaluation_price(const FrontEndCost& cost, double held_s);

/// The settings of one circuit; settings() lists them, make() builds it for a gate.
class FrontEndParameters {
 public:
  virtual ~FrontEndParameters() = default;
  virtual void settings(Settings& v) = 0;
  /// Throws InputError where the gate is not one for this circuit, RefusedError where the design has no headroom.
  virtual std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const = 0;
  virtual std::unique_ptr<FrontEndParameters> clone() const = 0;
};

/// A line of the catalogue.
struct FrontEndEntry {
  std::string name;           ///< as in `front_end: {circuit: name}`
  std::string summary;        ///< one sentence
  std::string source;         ///< paper, textbook, or "own derivation"
  std::string smallest_yaml;  ///< a complete file: "front_end: {circuit: name}"
  std::unique_ptr<FrontEndParameters> (*defaults)();
  GateFunction example;   ///< a gate that the circuit can do: what `characterize` shows unless told otherwise
  std::string equations;  ///< transfer and errors in words and symbols
};

/// Every elementwise front-end, in the order of the manual.
const std::vector<FrontEndEntry>& front_end_catalog();
const std::vector<std::string>& front_end_names();
/// Throws InputError listing the known names.
const FrontEndEntry& find_front_end(const std::string& name);

/// `front_end:` in a file: the circuit and its own settings in the same mapping.
struct FrontEndConfig {
  std::string circuit = "differential_pair";
  FrontEndConfig();
  FrontEndConfig(const FrontEndConfig& other);
  FrontEndConfig& operator=(const FrontEndConfig& other);
  std::unique_ptr<FrontEnd> make(const GateFunction& gate, Temperature temperature) const {
    return parameters_->make(gate, temperature);
  }
  void settings(Settings& v);
  /// Those of the circuit alone, for mappings that choose it in another way.
  void circuit_settings(Settings& v);

 private:
  std::unique_ptr<FrontEndParameters> parameters_;
  std::string made_for_;  ///< the circuit that parameters_ belongs to
};

}  // namespace tellegen::circuits
