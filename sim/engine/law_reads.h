#pragma once
// Reads of non-linear cells one after the other, as circuits: the slow reference.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/crossbar/array_law.h"
#include "tellegen/circuits/crossbar/wires.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/sim/engine/law_tile.h"

namespace tellegen::sim {

class LawReads {
 public:
  /// `wires` without rows: none. `deviation_S` of one read of each cell; empty: noiseless.
  LawReads(const devices::CellLaw& law, const circuits::Wires& wires, const mapping::Layout& layout,
           std::span<const double> cell_S, std::span<const double> deviation_S);

  /// Currents of the lines by drive[rows] in `current_A`; every cell drawn anew where it is noisy, but not below 0 S.
  /// Pulses of several widths are one operating point for each time between two ends. Returns the power of the sources,
  /// times the share of the full time [W]. Throws RefusedError where an operating point is not found.
  double read(const DriveForm& form, std::span<const double> drive, const Stream& noise, std::uint64_t number,
              std::span<double> current_A);

 private:
  struct Point {
    std::vector<double> output_A;  ///< [columns]
    double source_W = 0;
  };
  void draw(const Stream& noise, std::uint64_t number);
  Point solve(std::span<const double> input_V) const;

  const devices::CellLaw& law_;
  const circuits::Wires& wires_;
  const mapping::Layout& layout_;
  std::span<const double> cell_S_, deviation_S_;
  circuits::ArrayLaw cells_;
};

}  // namespace tellegen::sim
