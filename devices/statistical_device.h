#pragma once
// What all statistical devices share: range, levels, stuck cells, clipping at zero, and the walk over an array in
// blocks. A model adds three formulas over one block of cells.

#include <cstdint>
#include <span>

#include "tellegen/devices/cell_range.h"
#include "tellegen/devices/conductance_device.h"

namespace tellegen::devices {

/// The draws of one array of cells.
struct CellStreams {
  explicit CellStreams(const ArrayAddress& address)
      : programming(address.stream(Purpose::programming)),
        drift(address.stream(Purpose::drift)),
        relaxation(address.stream(Purpose::relaxation)),
        mismatch(address.stream(Purpose::mismatch)) {}
  Stream programming, drift, relaxation, mismatch;
};

/// Programs and reads in blocks of at most block_cells cells. Stuck cells stand at g_min or g_max whatever was asked
/// for and do not age; reading them is as noisy as reading any other cell.
class StatisticalDevice : public ConductanceDevice {
 public:
  explicit StatisticalDevice(const CellRange& range) : range_(range) {}
  Conductance g_min() const override { return range_.g_min; }
  Conductance g_max() const override { return range_.g_max; }
  int levels() const override { return range_.levels; }
  ProgrammedCells program(std::span<const float> target_S, const ArrayAddress& address) const override;
  ReadStatistics read(const ProgrammedCells& cells, const Conditions& conditions,
                      const ArrayAddress& address) const override;
  void program_into(std::span<const float> target_S, const ArrayAddress& address,
                    ProgrammedCells& programmed) const override;
  void read_into(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 ReadStatistics& statistics) const override;
  void read_once(const ProgrammedCells& cells, const Conditions& conditions, const ArrayAddress& address,
                 const Stream& noise, std::span<float> out_S) const override;

 protected:
  /// A block of programmed cells; `first` is the number of its first cell in the array.
  struct Block {
    std::uint64_t first = 0;
    std::span<const float> programmed_S;
    std::span<const float> target_S;  ///< empty unless ages_from_target()
    std::span<float> scratch;         ///< one value per cell that age_block may leave for variance_block
  };
  /// What programming to `target_S` gives, before clipping at zero. Both spans have the same size.
  virtual void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                             std::span<float> g_S) const = 0;
  /// Whether age_block needs the targets, so that they must be kept.
  virtual bool ages_from_target() const { return false; }
  /// Mean conductance under `conditions`, before clipping at zero.
  virtual void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                         std::span<float> mean_S) const = 0;
  virtual bool reads_with_noise() const = 0;
  /// Variance of one read of cells whose mean is `mean_S`.
  virtual void variance_block(const Block& block, std::span<const float> mean_S, const Conditions& conditions,
                              std::span<float> variance_S2) const = 0;

 private:
  void require_whole(const ProgrammedCells& cells) const;
  /// Mean and variance of the cells from `first` on, as many as mean_S has; variance_S2 is empty where reads have no
  /// noise.
  void read_block(const ProgrammedCells& cells, std::size_t first, const Conditions& conditions,
                  const CellStreams& streams, std::span<float> mean_S, std::span<float> variance_S2) const;

  CellRange range_;
};

}  // namespace tellegen::devices
