#pragma once
// One matrix layer as the signal passes it: inputs to codes, codes to drives, drives to currents, currents to codes,
// and the digital recombination of slices, row blocks and references. Used by calibration and inference alike.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/sim/engine/events.h"
#include "tellegen/sim/engine/program.h"

namespace tellegen::sim {

/// What the path needs to know besides the programmed layer.
struct PathContext {
  std::uint64_t seed = 0;
  std::uint32_t chip = 0;
  double v_read_V = 0;
  double pulse_s = 0;
};

/// Scratch of one thread.
template <class T>
struct PathScratch {
  std::vector<T> codes, drive, currents, outputs, squares;
  circuits::ArrayScratch<T> array;
};

/// Fills scratch.codes[count][layer rows] from patches[count][patch width]: quantised inputs, a full-scale bias row at
/// the end where the layer has one.
template <class T>
void quantise_inputs(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const float* patches,
                     std::int64_t count, PathScratch<T>& scratch);

/// Raw currents of one tile and input slice into scratch.currents[count][lines]; scratch.drive must hold the slice's
/// drives.
template <class T>
void tile_currents(const ProgrammedTile<T>& tile, const mapping::LayerPlan& plan, const PathContext& context,
                   int input_slice, std::uint64_t first_read, std::int64_t count, PathScratch<T>& scratch);

/// The whole path from scratch.codes to scratch.outputs[count][outputs] (weights times inputs, gain applied, no digital
/// bias). Counts what happens into `events`.
template <class T>
void layer_outputs(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const PathContext& context,
                   std::uint64_t first_read, std::int64_t count, PathScratch<T>& scratch, LayerEvents& events);

/// The layer's whole output tensor for a batch, bias included: blocks of kPatchBlock patch rows through layer_outputs.
/// `first_read` is the number of the batch's first product: sample times positions.
template <class T>
models::Tensor layer_forward(const ProgrammedLayer<T>& layer, const mapping::LayerPlan& plan, const models::Node& node,
                             const models::Tensor& input, const PathContext& context, std::uint64_t first_read,
                             LayerEvents& events);

}  // namespace tellegen::sim
