#pragma once
// Dynamic memristors: one state x per device, a current i(x, v) and a rate dx/dt(x, v). Arrays are given as one vector
// per quantity; a virtual call is made per array, never per device. Nothing here is random: draws are arguments.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"

namespace tellegen::devices {

/// The state of a model, in its own SI unit ("1" where it has none).
struct StateRange {
  double low = 0;
  double high = 1;
  double initial = 0.5;
  const char* name = "x";
  const char* unit = "1";
  double width() const { return high - low; }
};

/// Voltages over many devices during `steps` equal time steps. Device i sees amplitude_V[i] * shape.
struct ArrayDrive {
  std::span<const double> amplitude_V = {};  ///< one per device
  std::span<const double> duration_s = {};   ///< of the whole drive; one per device
  std::span<const double> shape = {};        ///< 2 steps + 1 samples, half a step apart; empty: 1 throughout (a pulse)
  int steps = 0;                             ///< 0 (only for pulses): as many as the model asks for
  std::span<const double> rate_factor = {};  ///< multiplies dx/dt of each device (spread of switching speed); empty: 1
  std::span<const float> noise_draws = {};   ///< standard normal, `steps` in a row for each device; empty: no noise
};

/// A model with its parameters. Immutable, so usable from any thread.
class MemristorModel {
 public:
  virtual ~MemristorModel() = default;
  virtual StateRange state() const = 0;
  /// The sign of the voltage that raises the conductance: +1 or -1.
  virtual int raising_sign() const = 0;

  /// One device: current [A] at a voltage [V], voltage at a current (the inverse), and dx/dt [state unit per second]
  /// before the limits of the state are applied. x is taken as it is.
  virtual double current_A(double x, double v_V) const = 0;
  virtual double voltage_V(double x, double i_A) const = 0;
  virtual double rate_per_s(double x, double v_V) const = 0;
  /// Functions of (x, v) that change sign where dx/dt is not smooth (thresholds, edges of windows).
  virtual std::size_t event_count() const = 0;
  virtual void events(double x, double v_V, std::span<double> values) const = 0;

  /// Many devices at once; all spans have the same length.
  virtual void currents(std::span<const double> x, std::span<const double> v_V, std::span<double> i_A) const = 0;
  virtual void rates(std::span<const double> x, std::span<const double> v_V, std::span<double> rate_per_s) const = 0;

  /// Moves the states `x` of many devices with a fixed step and adds the energy that each takes up (energy_J, empty:
  /// not wanted). Pulses of models with a closed form are exact; everything else is a fourth-order Runge-Kutta step.
  /// After each step x is clipped to its range; a rate pointing out of the range counts as zero.
  virtual void advance(const ArrayDrive& drive, std::span<double> x, std::span<double> energy_J) const = 0;
  /// Whether a pulse of constant voltage has a closed form, so that `advance` is exact for it.
  virtual bool pulses_are_exact() const = 0;
  /// Whether dx/dt has a random part.
  virtual bool is_noisy() const = 0;
};

/// Conductance i / v [S] at a read voltage.
double conductance_S(const MemristorModel& model, double x, double read_V);

/// The settings of one model.
class MemristorParameters {
 public:
  virtual ~MemristorParameters() = default;
  virtual void settings(Settings& v) = 0;
  virtual std::unique_ptr<MemristorModel> make() const = 0;
  virtual std::unique_ptr<MemristorParameters> clone() const = 0;
};

/// Pulses that move a device by a few per cent of its range: where programming starts from.
struct PulsePair {
  double raise_V = 1;   ///< voltage that raises the conductance, with its sign
  double lower_V = -1;  ///< voltage that lowers it, with its sign
  double width_s = 1e-6;
  double read_V = 0.1;
};

/// A line of the catalogue.
struct MemristorEntry {
  std::string name;           ///< as in `memristor: {model: name}`
  std::string summary;        ///< one sentence
  std::string equations;      ///< state equation and current, in words and symbols
  std::string source;         ///< paper of the equations; of the default parameters
  std::string smallest_yaml;  ///< a complete file: "memristor: {model: name}"
  PulsePair pulses;           ///< for the default parameters
  std::unique_ptr<MemristorParameters> (*defaults)();
};

/// Every dynamic memristor, in the order of the manual.
const std::vector<MemristorEntry>& memristor_catalog();
const std::vector<std::string>& memristor_names();
/// Throws InputError listing the known names.
const MemristorEntry& find_memristor(const std::string& name);

/// A model from the inside of a mapping: "vteam, v_on: -0.5 V". Throws ConfigError as a file would.
std::unique_ptr<MemristorModel> make_memristor(const std::string& settings);

/// `memristor:` of a file: a model and its parameters.
struct MemristorConfig {
  std::string model = "hp";
  MemristorConfig();
  /// The named model with its defaults.
  explicit MemristorConfig(const std::string& name);
  MemristorConfig(const MemristorConfig& other);
  MemristorConfig& operator=(const MemristorConfig& other);
  std::unique_ptr<MemristorModel> make() const { return parameters_->make(); }
  const MemristorParameters& parameters() const { return *parameters_; }
  void settings(Settings& v);

 private:
  std::unique_ptr<MemristorParameters> parameters_;
  std::string made_for_ = "hp";  ///< the model that parameters_ belongs to
};

}  // namespace tellegen::devices
