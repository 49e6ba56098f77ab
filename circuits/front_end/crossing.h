#pragma once
// How a value crosses from one analog circuit to the next without a converter: amplifiers that turn the current of a
// column into a voltage or copy it, a stage that holds it, a multiplier of two of them.

#include <memory>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

/// First-order errors of one crossing; standard deviations over circuits where they are random.
struct CrossingErrors {
  double gain_error = 0;      ///< systematic: actual gain / ideal gain - 1
  double gain_deviation = 0;  ///< random, relative
  double offset = 0;          ///< systematic, at the output, in its unit
  double offset_deviation = 0;
  double noise = 0;         ///< rms at the output over the whole band
  double bandwidth_Hz = 0;  ///< -3 dB
  double input_ohm = 0;     ///< what the source sees; 0 where that means nothing
};

class Crossing {
 public:
  virtual ~Crossing() = default;
  virtual const char* input_unit() const = 0;   ///< "A" or "V"
  virtual const char* output_unit() const = 0;  ///< "A" or "V"
  /// Largest input of either sign that is meant.
  virtual double full_scale() const = 0;
  /// What the crossing should give, and what the nominal circuit gives, systematic errors included.
  virtual double ideal(double input) const = 0;
  virtual double transfer(double input) const = 0;
  virtual const CrossingErrors& errors() const = 0;
  virtual const FrontEndCost& cost() const = 0;
  /// Where the energy goes of `duration_s` at `input`, from a settled `input_before`.
  virtual EnergyBook energy(double input_before, double input, double duration_s) const = 0;
};

class CrossingParameters {
 public:
  virtual ~CrossingParameters() = default;
  virtual void settings(Settings& v) = 0;
  /// Throws RefusedError where the design cannot work.
  virtual std::unique_ptr<Crossing> make(Temperature temperature) const = 0;
  virtual std::unique_ptr<CrossingParameters> clone() const = 0;
};

/// A line of the catalogue.
struct CrossingEntry {
  std::string name;     ///< as in `crossing: {circuit: name}`
  std::string summary;  ///< one sentence
  std::string equations;
  std::string source;
  std::string smallest_yaml;  ///< a complete file: "crossing: {circuit: name}"
  std::unique_ptr<CrossingParameters> (*defaults)();
};

const std::vector<CrossingEntry>& crossing_catalog();
const std::vector<std::string>& crossing_names();
/// Throws InputError listing the known names.
const CrossingEntry& find_crossing(const std::string& name);
CrossingEntry transimpedance_entry();
CrossingEntry current_conveyor_entry();
CrossingEntry sample_hold_entry();
CrossingEntry multiplier_entry();

/// `crossing:` in a file: the circuit and its own settings in the same mapping.
struct CrossingConfig {
  std::string circuit = "transimpedance";
  CrossingConfig();
  CrossingConfig(const CrossingConfig& other);
  CrossingConfig& operator=(const CrossingConfig& other);
  std::unique_ptr<Crossing> make(Temperature temperature) const { return parameters_->make(temperature); }
  void settings(Settings& v);

 private:
  std::unique_ptr<CrossingParameters> parameters_;
  std::string made_for_;  ///< the circuit that parameters_ belongs to
};

}  // namespace tellegen::circuits
