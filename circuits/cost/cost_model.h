#pragma once
// Prices of all components of a chip: `costs:` of an experiment picks the sources, the tables in configs/costs/ hold
// the facts.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/cell_write.h"
#include "tellegen/circuits/cost/cost_table.h"
#include "tellegen/circuits/cost/memory_cost.h"
#include "tellegen/circuits/cost/price.h"
#include "tellegen/circuits/cost/roll_up.h"

namespace tellegen::circuits {

/// A factor per component on top of its price, 1 unless the user has a better figure; printed with every price it
/// changes.
struct ComponentScales {
  double adc = 1, dac = 1, row_line = 1, cell = 1, sample_hold = 1, digital = 1, activation = 1, memory = 1,
         interconnect = 1;
  void settings(Settings& v);
};

/// Section `costs:` of an experiment.
struct CostConfig {
  std::string adc = "andrulis_2024";      ///< one of adc_laws(); for SAR converters
  std::string dac = "zigzag_2023";        ///< zigzag_2023 | c2c_ladder | brahms_2021; for capacitive DACs
  std::string digital = "isaac_2016";     ///< isaac_2016 | horowitz_2014: shift-add, add, multiply
  std::string activation = "isaac_2016";  ///< isaac_2016 | chen_2020 | horowitz_2014: digital activation units
  std::string memory = "cacti7";          ///< cacti7 | isaac_2016: buffers
  ComponentScales energy_scale;           ///< on energy and static power
  ComponentScales area_scale;
  void settings(Settings& v);
};

/// One row driver as its price sees it.
struct DacUse {
  std::string kind = "capacitive";  ///< capacitive | c2c | r2r | pwm | one_bit
  int bits = 8;                     ///< driven at once; 0: ideal, costs nothing
  Length node = Length::si(32e-9);
  Time pulse = Time::si(10e-9);  ///< how long the row is driven: an R-2R ladder draws current all the time
};

struct CostTables;

/// Reads the tables once; the prices are pure functions of their arguments. Throws ConfigError where a table is wrong.
class CostModel {
 public:
  /// `folder` holds the tables (configs/costs of the source tree, or the user's own).
  CostModel(const CostConfig& config, const std::filesystem::path& folder);
  ~CostModel();
  CostModel(CostModel&&) noexcept;

  /// Per conversion; area per ADC; latency of one conversion.
  Price adc_conversion(const AdcUse& use) const;
  /// Per drive of one row (one slice of a bit-serial input); area per row. Zero drives are drives.
  Price dac_drive(const DacUse& use) const;
  /// Per squared volt of drive on one row: the capacitance of a wire along `columns` cells of sqrt(cell_area_F2) * node
  /// pitch. The engine counts sum u^2 v_read^2 over driven rows. No area: the wire lies above the cells.
  Price row_line(int columns, double cell_area_F2, Length node) const;
  /// Energy 1 J per action: the engine counts the joules of the cells, V^2 G t. Area of one cell: cell_area_F2 *
  /// node^2.
  Price cell(double cell_area_F2, Length node) const;
  /// Per write of one cell of a kind (written_cells()), which takes `pulses` pulses on average; latency of one write. No
  /// area: the cell is priced by cell().
  Price cell_write(const std::string& cell, double pulses, Length node) const;
  /// How many writes such a cell takes.
  const CellWrite& written_cell(const std::string& cell) const;
  /// Per sampled column; area per column.
  Price sample_hold(Length node) const;
  /// Per word; area per unit. `bits` is the width of the result.
  Price shift_add(int bits, Length node) const;
  Price add(int bits, Length node) const;
  Price multiply(int bits, Length node) const;
  /// Per element; area per unit. One action of max_pool is one comparison, of average_pool one addition, of softmax one
  /// element of the vector. Units: activation_units(). "" costs nothing; another name throws InputError with a
  /// proposal.
  Price activation(const std::string& unit, Length node) const;
  /// Per bit read or written; area and static power of the whole buffer. cacti7 takes the smallest tabulated memory
  /// that holds `bytes` (several of the largest where none does) at the node nearest by ratio, then scales it as logic.
  Price buffer(Access access, std::int64_t bytes, Length node) const;

  /// Sequencing and clock of a circuit whose other parts are `rest`: a share of the whole. One instance; one action is what
  /// rest.energy_J stands for.
  Price control(const Total& rest) const;

  /// Any entry of the tables by name, at the node of its source, unscaled. Throws InputError with a proposal.
  Price entry(const std::string& name) const;
  /// The same at another node: logic is scaled, analog is not and says so.
  Price entry(const std::string& name, Length node) const;
  /// The facts behind it.
  const CostEntry& fact(const std::string& name) const;
  const SourceList& sources() const;
  const CostConfig& config() const;

 private:
  std::unique_ptr<const CostTables> tables_;
};

/// "relu", "sigmoid", ...: what activation() knows.
std::span<const std::string> activation_units();

}  // namespace tellegen::circuits
