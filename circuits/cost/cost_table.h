#pragma once
// Cost tables: facts with their source, as they stand in configs/costs/*.yaml.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

/// How a source came to its number. Where it gives a single one, this decides the spread that is assumed:
/// silicon x/1.5, synthesis x/2, the others x/4.
enum class Evidence { silicon, synthesis, simulation, paper_table, memory };
std::span<const std::pair<Evidence, const char*>> enum_names(Evidence);
double assumed_spread(Evidence evidence);
std::string name_of(Evidence evidence);

/// Factors on the typical value where several sources or a survey give them; 0 < low <= 1 <= high, low < high.
struct Spread {
  double low = 1, high = 1;
  std::string from;  ///< what the factors were measured against
  void settings(Settings& v);
  Band around(double typical) const { return {low * typical, typical, high * typical}; }
};
/// The stated spread, or the assumed one that says so: "assumed x/4 (paper_table)".
Spread spread_or_assumed(const std::optional<Spread>& stated, Evidence evidence);

/// Source, evidence, node and spread of a law; a law's file carries its coefficients beside it.
struct LawOrigin {
  std::string source;
  Evidence evidence = Evidence::memory;
  std::optional<Length> node;  ///< absent: the law takes the node
  std::optional<Spread> energy_spread, area_spread;
  void settings(Settings& v);
  /// Provenance of a price at `node_nm`; scaling "none".
  Provenance provenance(double node_nm) const;
  Band energy(double typical_J) const;
  Band area(double typical_m2) const;
};

/// How an entry may be brought to another node.
enum class Scaling { logic, none };
std::span<const std::pair<Scaling, const char*>> enum_names(Scaling);

/// One priced part. Energy is per action; where a source gives power at a rate, energy = power / rate.
struct CostEntry {
  std::string name, what, source;
  Evidence evidence = Evidence::memory;
  Length node;                    ///< 0: the price belongs to no node (memories off the chip)
  std::optional<Voltage> supply;  ///< absent: nominal of the node
  Scaling scaling = Scaling::none;
  std::optional<Energy> energy;
  std::optional<Power> power;
  std::optional<Frequency> rate;
  std::optional<Area> area;
  std::optional<Power> static_power;
  std::optional<Time> latency;
  int bits = 0;            ///< width of the operands, or bits moved by one action; 0 where that means nothing
  std::int64_t bytes = 0;  ///< capacity, of memories
  std::optional<Spread> spread;
  std::string note;
  void settings(Settings& v);
  /// At the node of its source, unscaled.
  Price price() const;
};

/// A unit composed of entries: one action of the unit is one action of each part.
struct CostUnit {
  std::string set, unit;
  std::vector<std::string> parts;
  std::string note;
  void settings(Settings& v);
};

/// One file of entries and units.
struct CostTable {
  std::vector<CostEntry> entries;
  std::vector<CostUnit> units;
  void settings(Settings& v);
};

/// A publication or repository, and how far it was checked.
struct Source {
  std::string key, reference, checked, licence;
  void settings(Settings& v);
};
struct SourceList {
  std::vector<Source> sources;
  void settings(Settings& v);
};

}  // namespace tellegen::circuits
