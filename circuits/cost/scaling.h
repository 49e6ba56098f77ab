#pragma once
// Logic from one technology node to another: Stillmaker and Baas, Integration 58 (2017). One family of rows is used
// throughout (high performance below 65 nm). Only for digital logic: not for converters, wires or memory cells.

#include <optional>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"

namespace tellegen::circuits {

/// Polynomials of one row in the supply voltage, constant term last.
struct ScalingRow {
  std::string name;  ///< "65", "HP45", "LP45"
  Length node;
  std::vector<double> delay, energy, power;
  void settings(Settings& v);
};
/// Area of the same logic: factors[j] = how many times smaller than at node j, rounded as printed.
struct AreaRow {
  Length node;
  std::vector<double> factors;
  void settings(Settings& v);
};
struct SupplyRow {
  Length node;
  Voltage supply;
  void settings(Settings& v);
};

struct ScalingTable {
  std::string source;
  std::vector<ScalingRow> rows;
  std::vector<AreaRow> area;  ///< square: columns are the nodes of the rows
  std::vector<SupplyRow> supplies;
  std::string supply_source;
  void settings(Settings& v);
};

/// What to multiply with, and how it was found.
struct ScalingFactors {
  double energy = 1, area = 1, delay = 1;
  std::string path;                   ///< "none" where the nodes are equal
  std::vector<std::string> warnings;  ///< nodes outside 7 to 180 nm, supplies outside 0.6 V to 1.2 V
};

class NodeScaling {
 public:
  explicit NodeScaling(ScalingTable table);
  /// Ratios of one polynomial between two rows by name ("HP45", "LP14"). Throws InputError for a name that is not
  /// there.
  double energy(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const;
  double delay(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const;
  double power(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const;
  /// Between any two nodes, logarithms interpolated where a node is not tabulated.
  double area(Length from, Length to) const;
  /// High-performance rows at nominal supplies, or at `v_from` where the source states one.
  ScalingFactors factors(Length from, std::optional<Voltage> v_from, Length to) const;
  /// Supply of a node, interpolated in the logarithm of the node.
  Voltage supply(Length node) const;

 private:
  ScalingTable table_;
};

}  // namespace tellegen::circuits
