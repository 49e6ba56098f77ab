#pragma once
// `chip.attention:` who multiplies two computed matrices (queries with keys, weights of attention with values).

#include <optional>
#include <span>
#include <string>
#include <utility>

#include "tellegen/base/config.h"
#include "tellegen/devices/conductance_device.h"

namespace tellegen::mapping {

/// digital: a multiplication and an addition per term. crossbar: the second factor is written into tiles with every
/// input, the first drives their rows.
enum class MatrixProducts { digital, crossbar };
std::span<const std::pair<MatrixProducts, const char*>> enum_names(MatrixProducts);

/// Which value is the largest conductance. calibrated: one per head, found with the calibration samples; beyond it cells
/// saturate. own: the largest of each column as it is written, so the whole matrix must be there first.
enum class WrittenScale { calibrated, own };
std::span<const std::pair<WrittenScale, const char*>> enum_names(WrittenScale);

/// Defaults of device, footprint and pulses follow the kind of cell.
struct AttentionConfig {
  MatrixProducts products = MatrixProducts::digital;
  std::optional<int> rows, columns;  ///< of one tile; none: as chip.tile
  std::string cell = "gain_cell";    ///< whose pulses are priced, and whose endurance counts: circuits::written_cells()
  devices::DeviceConfig device;      ///< the cells, as they are after one write
  double cell_area_F2 = 48;
  double pulses = 1;      ///< of one write, on average
  int cells_at_once = 0;  ///< that are written at once in one tile; 0: all of a token
  WrittenScale scale = WrittenScale::calibrated;
  AttentionConfig();
  void settings(Settings& v);

 private:
  void set_defaults();
  std::string made_for_;  ///< the cell that the defaults belong to
};

}  // namespace tellegen::mapping
