#pragma once
// `chip:` of an experiment: everything about the hardware. A chip file (configs/chips) is that same mapping under the
// same root key, so that it can be pasted into an experiment, and messages and overrides call a setting by the same
// path in both.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/crossbar/wire_settings.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/mapping/analog_units_config.h"
#include "tellegen/mapping/attention_config.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/mapping/interconnect.h"

namespace tellegen::mapping {

struct TileConfig {
  int rows = 128;
  int columns = 128;
  EncodingConfig encoding;  ///< its settings stand in the tile mapping itself
  void settings(Settings& v);
};

enum class Compensation { none, per_layer, per_column };  ///< of drift: one digital factor from the calibration samples
std::span<const std::pair<Compensation, const char*>> enum_names(Compensation);

/// Of the crossbar: functional adds the device's programming and read statistics, circuit the resistance of the wires.
enum class Fidelity { ideal, functional, circuit };
std::span<const std::pair<Fidelity, const char*>> enum_names(Fidelity);

/// How read noise passes the wires where fidelity is circuit. fast: one normal per line and read, lines independent, deviations exact for
/// equal drives. exact: every cell is drawn and passed on to first order, so lines are correlated as they are; for small tiles.
enum class NoiseThroughWires { fast, exact };
std::span<const std::pair<NoiseThroughWires, const char*>> enum_names(NoiseThroughWires);

struct CrossbarConfig {
  Fidelity fidelity = Fidelity::functional;
  circuits::WireSettings wires;  ///< used where fidelity is circuit; its settings stand in the crossbar mapping itself
  NoiseThroughWires read_noise = NoiseThroughWires::fast;
  double cell_area_F2 = 48;  ///< cell footprint in squared feature sizes (1T1R: 48)
  void settings(Settings& v);
};

/// How values cross into a layer. digital: ADC, digital activation, DAC. tg_after_dac: ADC, DAC, activation by a
/// threshold gate in front of each row. nonlinear_adc: the ADC computes the activation, then DAC. analog: amplifiers
/// straight into such gates, without converters.
enum class Boundary { digital, tg_after_dac, nonlinear_adc, analog };
std::span<const std::pair<Boundary, const char*>> enum_names(Boundary);

/// The boundary in front of one layer, where it is not chip.boundary.
struct EdgeSetting {
  std::string layer;
  Boundary boundary = Boundary::digital;
  void settings(Settings& v);
};

struct ChipConfig {
  Length node = Length::si(32e-9);  ///< technology node of the periphery
  std::optional<int> tiles;         ///< how many tiles there are; absent: as many as needed
  TileConfig tile;
  devices::DeviceConfig device;
  CrossbarConfig crossbar;
  circuits::DacConfig dac;
  circuits::AdcConfig adc;
  circuits::NonlinearAdcConfig nonlinear_adc;  ///< used where a boundary is nonlinear_adc; all else is as in `adc`
  Compensation drift_compensation = Compensation::per_layer;
  Boundary boundary = Boundary::digital;  ///< of all edges that are not in `edges`
  std::vector<EdgeSetting> edges;
  circuits::FrontEndConfig front_end;  ///< used where a boundary has threshold gates
  InterconnectConfig interconnect;     ///< between tiles, and off the chip
  circuits::CrossingConfig crossing;   ///< from the columns of one array to the gates of the next, where it is analog
  AnalogUnitsConfig analog_units;      ///< what circuits between converters compute
  AttentionConfig attention;           ///< products of two computed matrices
  void settings(Settings& v);

 private:
  void require_attention(Settings& v) const;
};

/// The chip as its rewritten tiles see it: their size, their cells.
ChipConfig attention_chip(const ChipConfig& chip);

/// A file with a chip alone: `chip: {...}`.
struct ChipFile {
  ChipConfig chip;
  void settings(Settings& v);
};
/// Reads such a file; overrides start with "chip.". Throws ConfigError.
ChipConfig read_chip(const std::filesystem::path& file, const Overrides& overrides = {});

}  // namespace tellegen::mapping
