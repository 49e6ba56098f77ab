#pragma once
// One matrix layer as the signal passes it: inputs to codes, codes to drives, drives to currents, currents to codes,
// and the digital recombination of slices, row blocks and references. Used by calibration and inference alike.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/models/operation.h"
#include "tellegen/sim/engine/drive_power.h"
#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// What the path needs to know besides the programmed layer.
struct PathContext {
  std::uint64_t seed = 0;
  std::uint32_t chip = 0;
  DriveForm drive;
  double full_drive_s = 0;  ///< how long a full-scale drive lasts
};
PathContext path_context(const ExperimentConfig& config, int chip);

/// Scratch of one thread.
template <class T>
struct PathScratch {
  std::vector<T> drive, currents, outputs;
  std::vector<T> driven;           ///< drives by DACs that differ from row to row, as `drive`
  std::vector<T> gated;            ///< drives behind threshold gates, as `drive`
  std::vector<float> gate_values;  ///< in front of and behind the gates of one tile
  DriveSums<T> sums;
  std::vector<float> patches;
  circuits::ArrayScratch<T> array;
  LawScratch<T> law;
  double law_power_W = 0;  ///< of the last tile_currents, where its cells do not follow Ohm's law
};

/// A batch of inputs of one layer behind its DACs. Converting is elementwise, so it is done once per input value,
/// before patches repeat the values.
template <class T>
class LayerInput {
 public:
  LayerInput(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const models::MatrixOperation& operation,
             const models::Tensor& input);
  /// Matrix-vector products of the batch.
  std::int64_t products() const { return products_; }
  int slices() const { return static_cast<int>(drives_.size()); }
  /// scratch.drive[count][layer rows]: drives of products first .. first + count - 1 in one input slice, a full-scale
  /// bias row at the end of each group where the layer has them.
  void gather(int slice, std::int64_t first, std::int64_t count, PathScratch<T>& scratch) const;

 private:
  const mapping::LayerPlan& plan_;
  const models::MatrixOperation& operation_;
  std::int64_t products_;
  std::vector<models::Tensor> drives_;  ///< per input slice
  std::vector<T> bias_drive_;           ///< per input slice
};

/// Raw currents of one tile and input slice into scratch.currents[count][lines]; scratch.drive must hold the slice's
/// drives. Returns what drives the cells, [count][layer rows], of which the tile's rows count: scratch.drive,
/// scratch.driven where the DACs of rows differ, or scratch.gated where the layer has threshold gates.
template <class T>
const T* tile_currents(const ProgrammedLayer<T>& layer, const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan,
                       const PathContext& context, int input_slice, std::uint64_t first_read, std::int64_t count,
                       PathScratch<T>& scratch);

/// Weight-times-input value of one ampere on a line, for the scale of its output; a reference line (output -1) carries its
/// factor only. `drive_value`: of a full drive.
template <class T>
double value_per_ampere(const ProgrammedTile<T>& tile, const ProgrammedLayer<T>& layer, const mapping::Line& line,
                        double drive_value, double v_read_V);

/// The whole path of products first .. first + count - 1 to scratch.outputs[count][outputs]: weights times inputs, gain
/// applied, no digital bias; behind converters that compute an activation, its values. `first_read` numbers the first of
/// them for the noise. Counts what happens into `events`.
template <class T>
void layer_outputs(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
                   const LayerInput<T>& input, std::int64_t first, std::int64_t count, std::uint64_t first_read,
                   PathScratch<T>& scratch, LayerEvents& events);

/// The layer's whole output tensor for a batch, bias included, in blocks of kPatchBlock products.
/// `first_read` is the number of the batch's first product: sample times positions. A gate of the node belongs to `layer`.
template <class T>
models::Tensor layer_forward(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan,
                             const models::MatrixOperation& operation, const models::Tensor& input,
                             const PathContext& context, std::uint64_t first_read, LayerEvents& events);

}  // namespace tellegen::sim
