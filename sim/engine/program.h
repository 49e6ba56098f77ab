#pragma once
// Stage 3: weights to conductances on sampled devices, and from them the arrays that multiply.

#include <cstdint>
#include <optional>
#include <vector>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/crossbar/array.h"
#include "tellegen/mapping/plan.h"
#include "tellegen/sim/engine/analog_units.h"
#include "tellegen/sim/engine/cell_spread.h"
#include "tellegen/sim/engine/law_tile.h"
#include "tellegen/sim/engine/line_amplifiers.h"
#include "tellegen/sim/engine/load.h"
#include "tellegen/sim/engine/row_drives.h"
#include "tellegen/sim/engine/row_gates.h"
#include "tellegen/sim/engine/written_layer.h"

namespace tellegen::sim {

/// Read noise of every cell, passed on to the lines to first order: I_j += sum_k line_A[j][k] drop[k] n_k, drop = drops u.
struct CellNoise {
  std::vector<double> drops;   ///< [cells][rows]: share of v_read across cell k per drive of row i
  std::vector<double> line_A;  ///< [lines][cells]: sensitivity of the line times deviation of the cell times v_read
  bool empty() const { return line_A.empty(); }
};

/// One tile slice, programmed. Lines of the array follow `layout.lines`.
template <class T>
struct ProgrammedTile {
  mapping::TileSlice slice;
  mapping::Layout layout;
  circuits::Array<T> array;
  std::vector<double> admittance_S;  ///< [rows][rows], source currents per row voltage; empty without wires
  CellNoise cell_noise;              ///< where every cell is drawn; else empty
  std::optional<LawTile<T>> law;     ///< where cells do not follow Ohm's law; `array` is then what a full drive sees
  double read_gain = 1;              ///< of such cells: current per step of conductance at v_read, over Ohm's law
  std::optional<circuits::RowDacs> dacs;     ///< of its rows; nothing where all are alike
  circuits::UnitErrors gate_errors;          ///< of the threshold gates of its rows; no units where there are none
  circuits::Adc adc;                         ///< set by calibrate
  std::optional<LineAmplifiers> amplifiers;  ///< instead of converters; set by calibrate
  double faults = 0;                         ///< share of stuck cells
};

template <class T>
struct ProgrammedLayer {
  std::size_t node = 0;
  circuits::Dac dac;
  LayerGate gate;              ///< behind the DACs; no circuit where the boundary is digital
  std::vector<double> scales;  ///< [outputs]: weight value of the largest encodable magnitude
  std::vector<T> gain;         ///< [outputs]: drift compensation, set by calibrate (1 without)
  std::vector<ProgrammedTile<T>> tiles;
  CellSpread spread;                         ///< of all its cells
  std::vector<float> weights_as_programmed;  ///< [outputs][rows] at age zero: what drift compensation refers to
  /// Whether cells see drives of both signs.
  bool signed_drives() const { return gate ? gate.is_signed : dac.is_signed; }
  /// Value of a full drive of input slice s at the cells.
  double drive_value(int s) const { return gate ? gate.full_scale : dac.slice_weight(s); }
};

template <class T>
struct ProgrammedChip {
  int chip = 0;
  std::vector<ProgrammedLayer<T>> layers;  ///< as Plan::layers
  std::vector<WrittenLayer> written;       ///< as Plan::written; set by calibrate
  std::vector<ProgrammedUnit> units;       ///< as Plan::analog_units
};

/// Draws are addressed by (seed, chip, tile): the same for any number of threads and any order.
template <class T>
ProgrammedChip<T> program(const Workload& workload, const mapping::Plan& plan, const ExperimentConfig& config,
                          int chip);

}  // namespace tellegen::sim
