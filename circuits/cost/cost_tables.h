#pragma once
// All cost tables of a folder in memory, checked against each other.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tellegen/circuits/cost/cell_write.h"
#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/circuits/cost/dac_cost.h"
#include "tellegen/circuits/cost/flash_cost.h"
#include "tellegen/circuits/cost/scaling.h"

namespace tellegen::circuits {

/// Wires above the cells, per length.
struct WireRule {
  LawOrigin origin;
  Quantity<-3, -1, 4, 2, 0> capacitance;
  void settings(Settings& v);
};

/// Sequencing and clock of a tile, as a share of the whole.
struct ControlRule {
  LawOrigin origin;
  double energy_share = 0, area_share = 0;
  void settings(Settings& v);
};

/// configs/costs/periphery.yaml
struct PeripheryTable {
  WireRule wire;
  ControlRule control;
  FlashRule flash;
  std::string sample_hold, comparator, counter;  ///< entries
  std::vector<CostEntry> entries;
  void settings(Settings& v);
};

/// configs/costs/digital_*.yaml: entries by what they do, narrow to wide.
struct DigitalTable {
  std::vector<std::string> shift_add, add, multiply;
  std::vector<CostEntry> entries;
  void settings(Settings& v);
};

struct CostTables {
  /// Reads every table; throws ConfigError where one is wrong, an entry is there twice, or a name or source does not
  /// resolve.
  CostTables(const CostConfig& config, const std::filesystem::path& folder);

  CostConfig config;
  SourceList sources;
  AndrulisLaw andrulis;
  IsaacAdcLaw isaac;
  NeuroSimAdcLaw neurosim;
  ZigzagAdcLaw zigzag;
  SurveyLaw survey;
  DacTable dac;
  PeripheryTable periphery;
  std::map<std::string, DigitalTable> digital;  ///< by value of costs.digital
  CostTable activation, interconnect;
  CellWriteTable cell_writes;
  MemoryTable memory;
  NodeScaling scaling;
  std::map<std::string, CostEntry> entries;
  std::vector<std::string> order;  ///< names of entries as read

  const CostEntry& entry(const std::string& name) const;
  /// An entry at `node`: logic is scaled, analog is not and says so.
  Price at_node(const CostEntry& entry, Length node) const;

 private:
  void add(const std::vector<CostEntry>& list, const std::filesystem::path& file);
  void check(const std::filesystem::path& folder) const;
};

/// Values of the settings of `costs:`.
std::span<const std::string> adc_laws();
std::span<const std::string> dac_laws();
std::span<const std::string> digital_tables();
std::span<const std::string> activation_sets();
std::span<const std::string> memory_tables();

}  // namespace tellegen::circuits
