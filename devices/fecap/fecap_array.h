#pragma once
// An array of ferroelectric capacitors that store a capacitance between that of the down and of the up state, read by
// charge: programming with error, and what age, cycles and reads do. Whole arrays at a time.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/devices/fecap/ageing.h"
#include "tellegen/devices/fecap/film.h"
#include "tellegen/devices/fecap/small_signal.h"

namespace tellegen::devices {

/// `fecap:` in a file: the film, the capacitor, how it is read, and how cells differ.
struct FecapConfig {
  std::string film_name = "hzo_10nm";
  FerroelectricFilm film;
  Area area = Area::si(0.25e-12);
  ElectricField imprint = ElectricField::si(0.6e8);  ///< built-in asymmetry of the electrodes
  Voltage read_bias = Voltage::si(0);
  Voltage read_amplitude = Voltage::si(0.1);
  Time read_time = Time::si(10e-9);
  int levels = 0;                    ///< 0: any value
  double programming_error = 0.02;   ///< standard deviation of the share of up domains
  double capacitance_spread = 0.05;  ///< relative standard deviation of the capacitance between cells
  AgeingConfig ageing;
  FecapConfig();
  void settings(Settings& v);

 private:
  std::string made_for_ = "hzo_10nm";
};

/// What has happened since programming.
struct FecapConditions {
  Time age = Time::si(0);
  double cycles = 1;  ///< full switching cycles of the cell's life
  double reads = 0;   ///< since programming
};

struct ProgrammedCapacitors {
  std::vector<float> up_share;     ///< domains that point up, 0 .. 1
  std::vector<float> cell_factor;  ///< capacitance of the cell over the nominal one, > 0
  std::size_t clipped = 0;         ///< cells whose draw left 0 .. 1
};

class FecapArray {
 public:
  explicit FecapArray(const FecapConfig& config);

  /// Capacitances of the two pure states as programmed and pristine; which of them is the larger one depends on the
  /// sign of imprint and bias.
  Capacitance up() const { return Capacitance::si(up_F_); }
  Capacitance down() const { return Capacitance::si(down_F_); }
  /// Writes targets between the two states. Same address, same result; cells are independent.
  ProgrammedCapacitors program(std::span<const float> target_F, const ArrayAddress& address) const;
  /// Capacitance of each cell under `conditions`.
  void capacitances(const ProgrammedCapacitors& cells, const FecapConditions& conditions,
                    std::span<float> capacitance_F) const;
  /// Share of domains that so many reads have turned towards the read field.
  double disturbed_share(double reads) const;

 private:
  FecapConfig config_;
  ActivationFields fields_;
  double linear_F_, up_F_, down_F_, read_field_V_per_m_;

  /// Of a pure state whose loop has moved by shift_V_per_m beyond the built-in imprint.
  double state_F(PolarState state, double shift_V_per_m) const;
};

}  // namespace tellegen::devices
