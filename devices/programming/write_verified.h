#pragma once
// Conductance cells that are brought to their targets pulse by pulse: a dynamic memristor, or measured pulse curves,
// as `device:` of a chip.

#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/programming/programming.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// What the pulses act on.
enum class PulsedKind { memristor, curves };
std::span<const std::pair<PulsedKind, const char*>> enum_names(PulsedKind);

/// With or without reading after each pulse.
enum class ProgramScheme { write_verify, open_loop };
std::span<const std::pair<ProgramScheme, const char*>> enum_names(ProgramScheme);

/// Measured pulse-response curves and the pulses they were measured with.
struct PulseCurves {
  std::filesystem::path file = "configs/devices/measured/ltp_ltd.csv";
  Voltage raise = Voltage::si(1);
  Voltage lower = Voltage::si(-1);
  Time width = Time::si(1e-6);
  void settings(Settings& v);
};

/// Cells start in the initial state of the model (or at the start of the raising curve) and do not forget: a model that
/// moves without voltage is read at age 0 only. Defaults of range, pulses and read voltage follow the choice of cells.
struct WriteVerifiedParameters final : DeviceParameters {
  PulsedKind cells = PulsedKind::memristor;
  MemristorConfig memristor;
  PulseCurves curves;
  CellRange range;
  ProgramScheme scheme = ProgramScheme::write_verify;
  ProgramSettings program;
  PulseSpread switching;
  Voltage read_voltage;
  double read_noise = 0;
  WriteVerifiedParameters();
  void settings(Settings& v) override;
  /// Throws InputError where the curves cannot be used, or g_min or g_max are outside what a cell can be.
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;

 private:
  void set_defaults();
  std::string chosen_cells() const;
  std::string made_for_;  ///< the cells that the defaults belong to
};

DeviceEntry write_verified_entry();

}  // namespace tellegen::devices
