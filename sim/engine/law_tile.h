#pragma once
// Tiles whose cells do not follow Ohm's law (chip.device.iv).
//
// Without wires a law is a sum of products i(G, v) = sum_t a_t(G) h_t(v): sinh and cubic are one, milo is three. So
// line currents are a sum of products of stimuli h_t(v) with matrices a_t(G), exact for heights and widths of pulses.
// With wires every read is solved by Newton's method, cells drawn where they have read noise: the slow reference.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/crossbar/array.h"
#include "tellegen/circuits/crossbar/wires.h"
#include "tellegen/devices/cell_law.h"
#include "tellegen/mapping/chip.h"
#include "tellegen/mapping/encoding.h"
#include "tellegen/sim/engine/tile_cells.h"

namespace tellegen::sim {

bool is_ohmic(const devices::CellLaw& law);

/// How reads of such a tile are computed.
enum class LawSolver {
  products,  ///< one per term of the law
  cells,     ///< no wires, but read noise that has no closed form (milo): every cell drawn, currents added up
  newton,    ///< wires: one operating point after the other
};
LawSolver law_solver(const mapping::ChipConfig& chip, bool has_read_noise);

template <class T>
struct LawTile {
  devices::CellLaw law;
  LawSolver solver = LawSolver::products;
  std::vector<circuits::Array<T>> terms;  ///< of solver products: a_t(G) v_read; read noise is with the first
  circuits::Wires wires;                  ///< of the others, as the two below
  std::vector<double> cell_S;             ///< [rows][columns]
  std::vector<double> deviation_S;        ///< of one read of each cell; empty: noiseless
};

/// The law of `chip` on the cells of one tile.
template <class T>
LawTile<T> make_law_tile(const mapping::ChipConfig& chip, const TileCells& cells);

/// Conductance of every cell as a full-scale drive sees it, i(G, v_read) / v_read.
std::vector<float> secant_conductances(const devices::CellLaw& law, std::span<const float> cell_S, double v_read_V);

/// How much more current a step of conductance makes at v_read than by Ohm's law: what digital factors divide by.
double read_gain(const devices::CellLaw& law, Conductance g_min, Conductance g_max, double v_read_V);

/// What drives are: u = 1 means v_read, as height of a pulse or for the whole of its time.
struct DriveForm {
  double v_read_V = 0;
  bool by_width = false;
};

/// What one row takes by drive u, without wires: share[t] of terms[t].row_power_W of its row. Of solver products.
std::vector<double> power_shares(const devices::CellLaw& law, const DriveForm& form, double u);

/// Scratch of one thread.
template <class T>
struct LawScratch {
  std::vector<T> stimulus, part;
  circuits::ArrayScratch<T> array;
};

/// currents[count][lines] of drives[count][stride]. Returns the power that the sources give, summed over reads, each
/// weighted with the share of a full drive's time that it lasts [W]. Draws as read_currents, or, where cells are drawn,
/// element (first_read + r) * cells + k. Throws RefusedError where an operating point is not found.
template <class T>
double law_currents(const LawTile<T>& tile, const mapping::Layout& layout, const DriveForm& form, const T* drives,
                    std::int64_t stride, std::int64_t rows, std::int64_t count, const Stream& noise,
                    std::uint64_t first_read, T* currents, LawScratch<T>& scratch);

}  // namespace tellegen::sim
