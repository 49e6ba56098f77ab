#pragma once
// What values drive the rows of each layer, from one pass of the float network, or of a chip over a few samples: enough to
// know the energies that depend on values without inferring everything.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tellegen/models/tensor.h"
#include "tellegen/sim/engine/drive_power.h"
#include "tellegen/sim/engine/load.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// DAC and gate of a layer as designed, without tiles, and what its rows are meant to conduct.
struct DesignedLayer {
  ProgrammedLayer<float> path;
  std::vector<double> row_S;  ///< [rows]: sum of the cells' targets along the row, all tiles
};

/// The values of one tensor behind the DACs' quantisation: one bin per code, or 4096 over the full scale where the DAC is
/// ideal. Lines are charged alike, so a value counts as often as it drives a row. Rows with large weights are often those
/// that are driven much, so for cells it counts with the conductance of each row as well. Padding is in neither.
struct ValueHistogram {
  std::vector<double> counts;          ///< by bin
  std::vector<double> conductances_S;  ///< by bin: of the rows driven, as designed
  std::vector<double> sums;            ///< of the values in the bin, in codes (ideal: over the full scale)
};

/// What drives one layer. Padding of a convolution is geometry, not a value: it is known for each row.
struct LayerValues {
  std::int64_t products = 0;            ///< seen
  ValueHistogram histogram;             ///< where energy is histogram
  std::vector<double> padding;          ///< [inputs]: share of products in which the row is driven by padding
  std::vector<DriveSums<double>> sums;  ///< per input slice, by row, over all products; where energy is row_moments
  /// Per input slice: drives of some products, [reads][layer rows]; only with wires, whose rows share current.
  std::vector<std::vector<double>> reads;
  std::map<std::string, std::int64_t> digital;  ///< operations of digital units that follow the layer
  LayerValues& operator+=(const LayerValues& other);
};

/// Gathers them for one layer whose DACs and gates are as designed.
class ValueCollector {
 public:
  /// At most `kept_reads` products are kept for the wires. Refers to all that it is given.
  ValueCollector(const models::MatrixOperation& operation, const mapping::LayerPlan& plan,
                 const DesignedLayer& designed, const ExperimentConfig& config, std::int64_t kept_reads);
  /// `input` as it is put into the layer, before a gate.
  void add(const models::Tensor& input);
  LayerValues take() { return std::move(values_); }

 private:
  void add_to_histogram(const models::Tensor& input);
  void add_to_rows(const models::Tensor& input);
  void gate(std::vector<float>& drives) const;

  const models::MatrixOperation& operation_;
  const mapping::LayerPlan& plan_;
  const ExperimentConfig& config_;
  const DesignedLayer& designed_;
  std::int64_t kept_reads_;
  LayerValues values_;
};

struct ValueStatistics {
  std::int64_t samples = 0;
  std::vector<LayerValues> layers;      ///< as Plan::layers
  std::vector<DesignedLayer> designed;  ///< as Plan::layers
};

/// As Plan::layers; conductances of rows only where energy is histogram.
std::vector<DesignedLayer> designed_layers(const Workload& workload, const mapping::Plan& plan,
                                           const ExperimentConfig& config);

/// Of the float network over the evaluated samples. The same for any number of threads.
ValueStatistics float_values(const Workload& workload, const mapping::Plan& plan, const ExperimentConfig& config,
                             int threads);

/// Of a calibrated chip over the calibration samples; its reads repeat no noise of others.
template <class T>
ValueStatistics chip_values(const ProgrammedChip<T>& chip, const Workload& workload, const mapping::Plan& plan,
                            const ExperimentConfig& config);

/// Drives in the middle of each bin in input slice s, behind DACs and gates as designed; empty bins give 0.
std::vector<double> bin_drives(const ValueHistogram& histogram, const ProgrammedLayer<float>& designed, int slice);

}  // namespace tellegen::sim
