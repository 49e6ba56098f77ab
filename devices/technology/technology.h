#pragma once
// Tables of technology nodes: supply, wires, gate capacitance. What logic costs from node to node is not here but with
// the cost tables.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/devices/technology/confidence.h"
#include "tellegen/devices/technology/wires.h"

namespace tellegen::devices {

/// Which level of metal a wire is on: rows and columns of arrays are local.
enum class WireLevel { local, semi_global, global };
std::span<const std::pair<WireLevel, const char*>> enum_names(WireLevel);

/// One published opinion about the wires of a node. Sources differ by a factor of 2 to 3 below 45 nm: sweep it.
struct WireRow {
  std::string source;  ///< neurosim, cacti_aggressive, cacti_conservative or dsent
  WireLevel level;
  Length width;  ///< 0 where the source does not say
  WirePerLength per_length;
};

/// A line of the catalogue.
struct TechnologyEntry {
  std::string name;  ///< "cmos_32nm"
  std::string summary;
  std::string source;
  Confidence confidence;
  std::string smallest_yaml;  ///< a complete file: "technology: {name: cmos_32nm}"
  Length node;
  Voltage supply;
  Voltage read_voltage;                                  ///< usual for reading resistive cells; 0 where no source says
  std::optional<CapacitancePerLength> gate_capacitance;  ///< per width, ideal, high performance; planar nodes
  std::vector<WireRow> wires;                            ///< the first is the one taken where nothing is said
};

const std::vector<TechnologyEntry>& technology_catalog();
const std::vector<std::string>& technology_names();
/// Throws InputError listing the known names.
const TechnologyEntry& find_technology(const std::string& name);
/// Throws InputError listing the sources that the node has at this level.
const WireRow& find_wires(const TechnologyEntry& technology, const std::string& source, WireLevel level);

/// Local wires (first source) and supply of any node between the largest and the smallest of the catalogue, straight
/// between tabulated nodes in logarithms. Throws InputError outside.
struct InterpolatedNode {
  Voltage supply;
  Length wire_width;
  WirePerLength wires;
};
InterpolatedNode interpolate_node(Length node);

/// `technology:` in a file: a node, and which wires; every number may be overridden.
struct TechnologyConfig {
  std::string name = "cmos_32nm";
  std::string wires = "neurosim";  ///< source of the local wires
  Voltage supply;
  Length wire_width;  ///< F of the array's pitch
  ResistancePerLength wire_resistance;
  CapacitancePerLength wire_capacitance;
  double pitch_along_row = cross_point.along_row, pitch_along_column = cross_point.along_column;
  TechnologyConfig();
  void settings(Settings& v);
  Length node() const { return find_technology(name).node; }
  /// Wire between two neighbouring cells of a row, of a column.
  WireSegment row_segment() const;
  WireSegment column_segment() const;

 private:
  void take(const TechnologyEntry& entry, const WireRow& row);
  std::string made_for_;
};

}  // namespace tellegen::devices
