#include "tellegen/sim/engine/law_tile.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tellegen/sim/engine/law_reads.h"
#include "tellegen/sim/engine/line_matrix.h"

namespace tellegen::sim {
namespace {

using devices::CellLaw;

std::size_t term_count(const CellLaw& law) { return std::holds_alternative<devices::MiloLaw>(law) ? 3 : 1; }

/// a_t(G) in siemens per volt^t.
double coefficient(const CellLaw& law, std::size_t term, double g_S) {
  if (term == 0) return g_S;
  if (!(g_S > 0)) return 0;  // an open cell has no logarithm
  TELLEGEN_ASSERT(std::holds_alternative<devices::MiloLaw>(law));
  return term == 1 ? devices::MiloLaw::square_A_per_V2(g_S) : devices::MiloLaw::cube_A_per_V3(g_S);
}

/// h_t(v): the current of 1 S in the first term.
double shape_V(const CellLaw& law, std::size_t term, double v_V) {
  if (std::holds_alternative<devices::MiloLaw>(law)) return term == 0 ? v_V : term == 1 ? v_V * v_V : v_V * v_V * v_V;
  return std::visit([v_V](const auto& known) { return known.current_A(1.0, v_V); }, law);
}

/// Drives to stimuli: h_t(u v_read) / v_read, or for |u| of the time h_t(+-v_read) / v_read.
template <class T>
void stimulate(const CellLaw& law, std::size_t term, const DriveForm& form, std::span<const T> drives, T* stimulus) {
  const double at_full = shape_V(law, term, form.v_read_V) / form.v_read_V;
  const double at_minus = shape_V(law, term, -form.v_read_V) / form.v_read_V;
  for (std::size_t k = 0; k < drives.size(); ++k) {
    const double u = static_cast<double>(drives[k]);
    double value = 0;
    if (form.by_width) {
      value = u < 0 ? -u * at_minus : u * at_full;
    } else if (u != 0) {
      value = shape_V(law, term, u * form.v_read_V) / form.v_read_V;
    }
    stimulus[k] = static_cast<T>(value);
  }
}

/// Adds voltage times current of all rows: a pulse has the height u, or full height with the sign of u.
template <class T>
double power_W(const circuits::Array<T>& term, const DriveForm& form, std::span<const T> drives, const T* stimulus) {
  double sum_W = 0;
  for (std::size_t i = 0; i < drives.size(); ++i) {
    const double u = static_cast<double>(drives[i]);
    const double height = form.by_width ? (u < 0 ? -1.0 : 1.0) : u;
    sum_W += height * static_cast<double>(stimulus[i]) * term.row_power_W[i];
  }
  return sum_W;
}

template <class T>
double product_currents(const LawTile<T>& tile, const DriveForm& form, const T* drives, std::int64_t stride,
                        std::int64_t count, const Stream& noise, std::uint64_t first_read, T* currents,
                        LawScratch<T>& scratch) {
  const std::int64_t rows = tile.terms[0].rows, lines = tile.terms[0].lines;
  scratch.stimulus.resize(static_cast<std::size_t>(count * rows));
  scratch.part.resize(static_cast<std::size_t>(count * lines));
  double sum_W = 0;
  for (std::size_t t = 0; t < tile.terms.size(); ++t) {
    for (std::int64_t r = 0; r < count; ++r) {
      const std::span<const T> drive(drives + r * stride, static_cast<std::size_t>(rows));
      T* stimulus = scratch.stimulus.data() + r * rows;
      stimulate(tile.law, t, form, drive, stimulus);
      sum_W += power_W(tile.terms[t], form, drive, stimulus);
    }
    T* to = t == 0 ? currents : scratch.part.data();
    circuits::read_currents(tile.terms[t], scratch.stimulus.data(), rows, count, noise, first_read, to, scratch.array);
    if (t > 0) std::transform(currents, currents + count * lines, to, currents, std::plus<T>());
  }
  return sum_W;
}

}  // namespace

bool is_ohmic(const CellLaw& law) { return std::holds_alternative<devices::OhmicLaw>(law); }

LawSolver law_solver(const mapping::ChipConfig& chip, bool has_read_noise) {
  if (chip.crossbar.fidelity == mapping::Fidelity::circuit) return LawSolver::newton;
  const bool one_term = term_count(chip.device.iv.make()) == 1;
  return one_term || !has_read_noise ? LawSolver::products : LawSolver::cells;
}

template <class T>
LawTile<T> make_law_tile(const mapping::ChipConfig& chip, const TileCells& cells) {
  LawTile<T> tile;
  tile.law = chip.device.iv.make();
  tile.solver = law_solver(chip, !cells.read.variance_S2.empty());
  if (tile.solver != LawSolver::products) {
    if (tile.solver == LawSolver::newton)
      tile.wires = chip.crossbar.wires.wires(cells.rows, cells.layout.physical_columns);
    tile.cell_S.assign(cells.read.mean_S.begin(), cells.read.mean_S.end());
    for (const float variance_S2 : cells.read.variance_S2)
      tile.deviation_S.push_back(std::sqrt(static_cast<double>(variance_S2)));
    return tile;
  }
  for (std::size_t t = 0; t < term_count(tile.law); ++t) {
    std::vector<float> coefficients;
    for (const float g_S : cells.read.mean_S)
      coefficients.push_back(static_cast<float>(coefficient(tile.law, t, static_cast<double>(g_S))));
    const std::span<const float> variance_S2 =
        t == 0 ? std::span<const float>(cells.read.variance_S2) : std::span<const float>();
    tile.terms.push_back(line_matrix<T>(cells.layout, cells.rows, coefficients, variance_S2, chip.dac.v_read.si()));
  }
  return tile;
}

std::vector<float> secant_conductances(const CellLaw& law, std::span<const float> cell_S, double v_read_V) {
  std::vector<float> out;
  out.reserve(cell_S.size());
  std::visit(
      [&](const auto& known) {
        for (const float g_S : cell_S) {
          const double g = static_cast<double>(g_S);
          out.push_back(g > 0 ? static_cast<float>(known.current_A(g, v_read_V) / v_read_V) : 0.0F);
        }
      },
      law);
  return out;
}

double read_gain(const CellLaw& law, Conductance g_min, Conductance g_max, double v_read_V) {
  const auto current_A = [&](Conductance g) {
    if (!(g.si() > 0)) return 0.0;
    return std::visit([&](const auto& known) { return known.current_A(g.si(), v_read_V); }, law);
  };
  return (current_A(g_max) - current_A(g_min)) / ((g_max - g_min).si() * v_read_V);
}

std::vector<double> power_shares(const CellLaw& law, const DriveForm& form, double u) {
  std::vector<double> shares;
  const double height = form.by_width ? (u < 0 ? -1.0 : 1.0) : u;
  for (std::size_t t = 0; t < term_count(law); ++t) {
    double stimulus = 0;
    stimulate<double>(law, t, form, {&u, 1}, &stimulus);
    shares.push_back(height * stimulus);
  }
  return shares;
}

template <class T>
double law_currents(const LawTile<T>& tile, const mapping::Layout& layout, const DriveForm& form, const T* drives,
                    std::int64_t stride, std::int64_t rows, std::int64_t count, const Stream& noise,
                    std::uint64_t first_read, T* currents, LawScratch<T>& scratch) {
  if (tile.solver == LawSolver::products)
    return product_currents(tile, form, drives, stride, count, noise, first_read, currents, scratch);
  LawReads reads(tile.law, tile.wires, layout, tile.cell_S, tile.deviation_S);
  double sum_W = 0;
  std::vector<double> drive(static_cast<std::size_t>(rows)), current(layout.lines.size());
  for (std::int64_t r = 0; r < count; ++r) {
    std::copy_n(drives + r * stride, rows, drive.begin());
    sum_W += reads.read(form, drive, noise, first_read + static_cast<std::uint64_t>(r), current);
    std::transform(current.begin(), current.end(), currents + r * static_cast<std::int64_t>(current.size()),
                   [](double value_A) { return static_cast<T>(value_A); });
  }
  return sum_W;
}

#define TELLEGEN_INSTANTIATE(T)                                                                                        \
  template LawTile<T> make_law_tile<T>(const mapping::ChipConfig&, const TileCells&);                                  \
  template double law_currents<T>(const LawTile<T>&, const mapping::Layout&, const DriveForm&, const T*, std::int64_t, \
                                  std::int64_t, std::int64_t, const Stream&, std::uint64_t, T*, LawScratch<T>&);
TELLEGEN_INSTANTIATE(float)
TELLEGEN_INSTANTIATE(double)
#undef TELLEGEN_INSTANTIATE

}  // namespace tellegen::sim
