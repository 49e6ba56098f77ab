#pragma once
// Bringing cells to their target conductances by pulses: once and for all (open loop), or by reading after each pulse
// (write-verify). Pulses, energy and time are counted; cells that do not get there are part of the result.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/programming/pulsed_cells.h"

namespace tellegen::devices {

/// The pulses of a scheme. Sizes of voltages; polarities come from the device.
struct ProgramSettings {
  Voltage raise = Voltage::si(1);      ///< size of the first pulse of a run that raises the conductance
  Voltage lower = Voltage::si(1);      ///< of a run that lowers it
  Voltage raise_max = Voltage::si(1);  ///< runs of equal polarity grow up to this size
  Voltage lower_max = Voltage::si(1);
  double growth = 0;  ///< growth from pulse to pulse of a run, as a share of the first size
  Time width = Time::si(1e-6);
  double shrink = 0.5;                         ///< width factor each time a cell passes its target; 1: never narrower
  Time shortest = Time::si(0);                 ///< widths do not shrink below this
  Time read_time = Time::si(100e-9);           ///< of one verify
  Conductance tolerance = Conductance::si(0);  ///< |g - target| within this plus relative_tolerance * target is done
  double relative_tolerance = 0.01;
  Conductance read_noise = Conductance::si(0);  ///< standard deviation of one verify
  int max_pulses = 200;                         ///< per cell
  void settings(Settings& v);
};
/// Settings around the pulses of a catalogue entry: runs grow by 2 % of the first pulse up to 1.5 times its size.
ProgramSettings around(const PulsePair& pulses);

enum class CellOutcome : std::uint8_t { converged = 0, not_converged = 1 };

/// One entry per cell.
struct ProgramResult {
  std::vector<double> g_S;  ///< true conductance at the end
  std::vector<std::uint32_t> pulses;
  std::vector<std::uint32_t> reads;
  std::vector<double> energy_J;      ///< of pulses and reads
  std::vector<double> time_s;        ///< pulses and reads of the cell, one after the other
  std::vector<CellOutcome> outcome;  ///< by what the scheme saw: with read noise a converged cell may be off
  std::size_t unconverged = 0;
  double total_energy_J = 0;
  double total_time_s = 0;    ///< all cells one after the other
  double longest_time_s = 0;  ///< all cells side by side
};

/// Reads, and pulses towards the target until the read value is within tolerance or the pulses are used up. Cell i of
/// the array goes to target_S[i]. Read noise of cell i in its read k is element 2^20 i + k of `noise`.
ProgramResult write_verify(PulsedCells& cells, std::span<const double> target_S, const ProgramSettings& settings,
                           const Stream& noise);

/// Pulses of equal size and width, as many as a cell without spread would need (rounded to whole pulses, at most
/// max_pulses); cells are not read. All cells must start in the same state. `outcome` says which are within tolerance.
ProgramResult program_open_loop(PulsedCells& cells, std::span<const double> target_S, const ProgramSettings& settings);

}  // namespace tellegen::devices
