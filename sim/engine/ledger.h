#pragma once
// Stage 6: counts times prices. Every total is the sum of its rows.

#include <string>
#include <vector>

#include "tellegen/circuits/cost/cost_model.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/experiment.h"

namespace tellegen::sim {

/// Energy of one component in one layer, per image.
struct EnergyRow {
  std::string layer, component;
  double count = 0;  ///< actions per image (cells and lines: joules or volts squared, see `count_unit`)
  std::string count_unit;
  circuits::Price price;
  circuits::Band energy_J;  ///< count * price.energy_J
};
/// Area and static power of one component in one layer.
struct AreaRow {
  std::string layer, component;
  double instances = 0;
  circuits::Price price;
  circuits::Band area_m2;  ///< instances * price.area_m2
  circuits::Band static_W;
};
struct LatencyRow {
  std::string layer;
  double positions = 0, input_slices = 0, lines_per_adc = 0;
  double drive_s = 0, conversion_s = 0;  ///< of one input slice
  double latency_s = 0;  ///< positions * slices * max(drive, lines_per_adc * conversion) + units + writes
  double units_s = 0;    ///< of circuits between converters that follow the layer
  double writes_s = 0;   ///< of all tokens of a product on rewritten tiles, one after the other
};
/// How often the cells of a product on rewritten tiles are written, and how often they can be.
struct WearRow {
  std::string layer;
  double writes_per_cell = 0;  ///< per image, of the cells in use
  circuits::Band endurance;    ///< writes of one cell
  std::string source;
};
struct Ledger {
  std::vector<EnergyRow> energy;
  std::vector<AreaRow> area;
  std::vector<LatencyRow> latency;
  std::vector<WearRow> wear;
  std::vector<std::string> warnings;  ///< extrapolations, without repeats
  std::string note;                   ///< what of the chip is not counted; full sentences
};

/// `events` per row of the plan (mapping::row_of), summed over images and chips alike: the ledger is per image.
Ledger price(const std::vector<LayerEvents>& events, const mapping::Plan& plan, const ExperimentConfig& config,
             const circuits::CostModel& costs);

circuits::Band total_energy_J(const Ledger& ledger, const std::string& layer = "", const std::string& component = "");
circuits::Band total_area_m2(const Ledger& ledger, const std::string& layer = "", const std::string& component = "");
double total_latency_s(const Ledger& ledger);

}  // namespace tellegen::sim
