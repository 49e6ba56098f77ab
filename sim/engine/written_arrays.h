#pragma once
// Products of two computed matrices on crossbars. The second factor of each sample is written into tiles, the first
// drives their rows through the DACs, and the ADCs read their columns: cells, converters and currents are those of every
// other layer, only that their weights change with every sample.
//
// Where no token looks ahead the tokens are written one by one, and token t is read when tokens 0 .. t are there: the
// others' cells are not driven, or not converted. Else all are written before the first is read.

#include <cstdint>
#include <memory>
#include <vector>

#include "tellegen/sim/engine/layer_path.h"
#include "tellegen/sim/engine/load.h"

namespace tellegen::sim {

/// Products, without their arrays: converters still to be calibrated. Throws RefusedError where chip.attention.scale is
/// own and tokens are written one by one.
std::vector<WrittenLayer> written_layers(const Workload& workload, const mapping::Plan& plan,
                                         const ExperimentConfig& config);

/// Which draws a sample takes: of its writes, and of its reads.
struct WrittenPlace {
  std::uint32_t write = 0;
  std::uint64_t sample = 0;
};
/// Calibration samples draw others than evaluated ones.
inline constexpr WrittenPlace calibration_place{std::uint32_t{1} << 30, std::uint64_t{1} << 32};

/// The tiles of one chip that are rewritten.
template <class T>
class WrittenArrays {
 public:
  WrittenArrays(const ExperimentConfig& config, int chip);

  /// Sets the ADC ranges of `layer` by some samples of a batch.
  void calibrate(WrittenLayer& layer, const mapping::LayerPlan& plan, const models::Tensor& first,
                 const models::Tensor& second) const;

  /// first x second, [batch, ..., m, n], sample b with the draws of place + b. Counts what happens into `events`. Right of
  /// the diagonal of queries x keys whose tokens are written one by one stand zeros: nobody reads them.
  models::Tensor multiply(const WrittenLayer& layer, const mapping::LayerPlan& plan, const models::Tensor& first,
                          const models::Tensor& second, WrittenPlace place, LayerEvents& events) const;

 private:
  struct Sample {
    models::Tensor first;  ///< [1, heads, m, k]
    ProgrammedLayer<T> layer;
    std::vector<std::vector<float>> cells_S;  ///< of each tile, [rows][physical columns]
    std::shared_ptr<const models::MatrixOperation> operation;
  };
  Sample write(const WrittenLayer& layer, const mapping::LayerPlan& plan, const models::Tensor& first,
               const models::Tensor& second, std::int64_t sample, std::uint32_t write) const;
  models::Tensor read_by_token(const Sample& sample, const mapping::LayerPlan& plan, std::uint64_t first_read,
                               LayerEvents& events) const;
  void add_token(const Sample& sample, const mapping::LayerPlan& plan, std::int64_t token,
                 ProgrammedLayer<T>& live) const;
  void set_range(WrittenLayer& layer, const mapping::LayerPlan& plan, const ProgrammedTile<T>& tile,
                 std::vector<T>& magnitudes) const;

  ExperimentConfig config_;  ///< with the tiles and cells of chip.attention
  std::unique_ptr<const devices::ConductanceDevice> device_;
  PathContext context_;
};

}  // namespace tellegen::sim
