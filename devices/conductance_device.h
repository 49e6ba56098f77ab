#pragma once
// The interface of every device that stores a conductance: whole arrays at a time, no state, no randomness of its own.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/cell_law.h"

namespace tellegen::devices {

/// Under which conditions cells are read. Age counts from the end of programming.
struct Conditions {
  Time age = Time::si(0);
  Temperature temperature = Temperature::si(300);
};

/// Where an array of cells stands: draws for cell i of it are element i of stream(purpose).
struct ArrayAddress {
  std::uint64_t seed = 0;
  StreamPlace place;
  std::uint32_t write = 0;  ///< of an array that is written again and again: which writing
  /// What each writing does is drawn anew with it (programming, relaxation); what the cells are (stuck, drift, mismatch)
  /// stays.
  Stream stream(Purpose purpose) const {
    const bool anew = purpose == Purpose::programming || purpose == Purpose::relaxation;
    return {seed, purpose, {place.chip, place.array, place.part + (anew ? write : 0)}};
  }
};

enum class Fault : std::uint8_t { none = 0, stuck_off = 1, stuck_on = 2 };

/// What programming by pulses took, for devices that count pulses.
struct PulseCount {
  std::uint64_t cells = 0;        ///< that were programmed by pulses; 0: the device does not count any
  std::uint64_t unconverged = 0;  ///< of them, those that did not come within the tolerance of their target
  std::uint64_t pulses = 0, reads = 0;
  double energy_J = 0;        ///< of pulses and verify reads
  double time_s = 0;          ///< of pulses and verify reads, one cell after the other
  double longest_cell_s = 0;  ///< of the slowest cell
  PulseCount& operator+=(const PulseCount& other);
};

/// What programming achieved. Arrays are flat; index i is cell i of the array that was asked for.
struct ProgrammedCells {
  std::vector<float> g_S;     ///< conductance right after programming
  std::vector<Fault> faults;  ///< empty where the device knows none
  std::vector<float>
      target_S;  ///< what was asked for, on the levels of the device; empty where ageing does not depend on it
  std::size_t clipped = 0;  ///< cells whose draw was below zero and that were set to zero
  PulseCount pulses = {};
};

/// Statistics of one read of each cell: conductance ~ Normal(mean, variance), independent between cells and reads.
struct ReadStatistics {
  std::vector<float> mean_S;
  std::vector<float> variance_S2;  ///< empty: noiseless
};

class ConductanceDevice {
 public:
  virtual ~ConductanceDevice() = default;
  virtual Conductance g_min() const = 0;
  virtual Conductance g_max() const = 0;
  /// Number of conductance levels that a target may take (evenly spaced g_min to g_max); 0: any value.
  virtual int levels() const = 0;
  /// Writes `target_S` (each within g_min .. g_max). Same address, same result; cells are independent.
  virtual ProgrammedCells program(std::span<const float> target_S, const ArrayAddress& address) const = 0;
  /// Mean and variance of the conductance that a read sees under `conditions`.
  virtual ReadStatistics read(const ProgrammedCells& cells, const Conditions& conditions,
                              const ArrayAddress& address) const = 0;
  /// The same into values whose memory is reused: what loops over trials and arrays call.
  virtual void program_into(std::span<const float> target_S, const ArrayAddress& address,
                            ProgrammedCells& cells) const {
    cells = program(target_S, address);
  }
  virtual void read_into(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                         ReadStatistics& statistics) const {
    statistics = read(cells, conditions, address);
  }
  /// One read of each cell without keeping its statistics: what read() and sample_read(..., noise, 0, out_S) give.
  virtual void read_once(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                         const Stream& noise, std::span<float> out_S) const;
};

/// One read of cells first .. first + out_S.size() - 1, each with its own draw (element of `noise` = number of the
/// cell). Unclipped, as the statistics are Gaussian.
void sample_read(const ReadStatistics& statistics, const Stream& noise, std::uint64_t first, std::span<float> out_S);

/// The settings of one device model; settings() lists them, make() builds the device.
class DeviceParameters {
 public:
  virtual ~DeviceParameters() = default;
  virtual void settings(Settings& v) = 0;
  virtual std::unique_ptr<ConductanceDevice> make() const = 0;
  virtual std::unique_ptr<DeviceParameters> clone() const = 0;
};

/// A line of the catalogue.
struct DeviceEntry {
  std::string name;           ///< as in `device: {model: name}`
  std::string summary;        ///< one sentence
  std::string source;         ///< paper, figure, or "definition"
  std::string smallest_yaml;  ///< a complete file: "device: {model: name}"
  std::unique_ptr<DeviceParameters> (*defaults)();
  std::string equations;  ///< how conductances scatter and age, in words and symbols
};

/// Every conductance device, in the order of the manual.
const std::vector<DeviceEntry>& device_catalog();
const std::vector<std::string>& device_names();
/// Throws InputError listing the known names.
const DeviceEntry& find_device(const std::string& name);

/// `device:` in a chip file: the model, its parameters, how current follows voltage, and the conditions under which it
/// is read.
struct DeviceConfig {
  std::string model = "ideal";
  CellLawConfig iv;
  Conditions conditions;
  DeviceConfig();
  DeviceConfig(const DeviceConfig& other);
  DeviceConfig& operator=(const DeviceConfig& other);
  std::unique_ptr<ConductanceDevice> make() const { return parameters_->make(); }
  void settings(Settings& v);

 private:
  std::unique_ptr<DeviceParameters> parameters_;
  std::string made_for_ = "ideal";  ///< the model that parameters_ belongs to
};

}  // namespace tellegen::devices
