#pragma once
// A published macro as a file: its chip and costs as in an experiment, the product that its figures stand for, and the
// figures. Nothing here knows a macro by name.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/mapping/chip.h"

namespace tellegen::sim {

/// The dense matrix-vector product that the figures stand for, on each of `arrays` arrays at once.
struct MacroOperation {
  std::int64_t inputs = 1, outputs = 1;
  int arrays = 1;
  void settings(Settings& v);
};

/// What moves on average; nothing of it is published, all of it is assumed.
struct MacroActivity {
  double drive = 0.5;   ///< per row and input slice: mean square of the drive; of pulses their mean width or number
  double cells = 0.25;  ///< mean conductance over the largest, or share of the capacitance that is charged
  void settings(Settings& v);
};

/// How a cell consumes: conductance * v_read^2 * time of a full drive, or capacitance * v_read^2, per drive.
struct MacroCells {
  std::optional<Conductance> conductance;
  std::optional<Capacitance> capacitance;
  void settings(Settings& v);
};

/// Magnitude bits of the input are integrated one after the other, in one phase or two, and converted step by step.
struct BitPlanes {
  int input_bits = 0, output_bits = 0;
  int one_phase_up_to = 3;  ///< magnitude bits
  Time step, conversion_step, phase;
  void settings(Settings& v);
  int magnitude_bits() const;
  std::vector<int> phases() const;  ///< magnitude bits of each
  int integration_steps() const;    ///< sum over phases of 2^bits - 1
  int conversion_steps() const;     ///< sum over phases of the output bits that are not yet known
  double time_s() const;
};

/// How often there is one of a part, per product of one array.
enum class Per { none, array, row, line, output, mac, drive, conversion };
std::span<const std::pair<Per, const char*>> enum_names(Per);
/// And how often it acts, from `bit_planes`.
enum class Times { once, magnitude_bits, integration_steps, conversion_steps };
std::span<const std::pair<Times, const char*>> enum_names(Times);

/// A part that the chip model does not know: an entry of the cost tables.
struct MacroPart {
  std::string entry;
  Per per = Per::none;  ///< actions
  Times times = Times::once;
  double count = 1;
  Per instances = Per::none;  ///< where its area counts
  void settings(Settings& v);
};

/// As published; absent: not published.
struct PublishedFigures {
  std::optional<double> tops, tops_per_watt,
      tops_per_mm2;  ///< of the operations of this file (2 per multiply-accumulate)
  std::optional<Area> area;
  void settings(Settings& v);
};

using MacroSettings = std::vector<std::pair<std::string, std::vector<std::string>>>;

struct MacroPoint {
  std::string name;
  MacroSettings set;  ///< on top of the file
  PublishedFigures published;
  void settings(Settings& v);
};

struct Macro {
  std::string name, source;
  bool analog = true;
  bool simulated = false;            ///< the figures are a simulation or a projection
  std::string unverified;            ///< why the figures are not trusted; "" where they are
  std::vector<std::string> flagged;  ///< of energy, area, throughput: left out of the mean; `flag` says why
  std::string flag;
  MacroOperation operation;
  MacroActivity activity;
  MacroCells cells;
  mapping::ChipConfig chip;
  circuits::CostConfig costs;
  std::vector<std::string> components;  ///< of the ledger that the figures include
  bool control = false;                 ///< and sequencing and clock, as a share of the whole
  std::optional<BitPlanes> bit_planes;
  std::vector<MacroPart> parts;
  std::string fitted;        ///< a constant of the file that was fitted to this macro; "" where none was
  MacroSettings calibrated;  ///< factors found with the breakdown of the source, on top of the file
  std::vector<MacroPoint> points;
  void settings(Settings& v);
};

/// Reads a macro, `set` on top. Throws ConfigError.
Macro read_macro(const std::filesystem::path& file, const MacroSettings& set = {});

}  // namespace tellegen::sim
