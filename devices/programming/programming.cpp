#include "tellegen/devices/programming/programming.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

constexpr std::uint64_t reads_per_cell = std::uint64_t{1} << 20;

double allowed_S(const ProgramSettings& s, double target_S) {
  return s.tolerance.si() + s.relative_tolerance * target_S;
}

ProgramResult empty_result(std::size_t n) {
  ProgramResult result;
  result.g_S.resize(n);
  result.pulses.resize(n);
  result.reads.resize(n);
  result.energy_J.resize(n);
  result.time_s.resize(n);
  result.outcome.assign(n, CellOutcome::not_converged);
  return result;
}

std::vector<std::uint32_t> all_cells(std::size_t n) {
  std::vector<std::uint32_t> cells(n);
  std::iota(cells.begin(), cells.end(), 0u);
  return cells;
}

void finish(const PulsedCells& cells, ProgramResult& result) {
  cells.conductances(all_cells(cells.size()), result.g_S);
  result.unconverged =
      static_cast<std::size_t>(std::count(result.outcome.begin(), result.outcome.end(), CellOutcome::not_converged));
  result.total_energy_J = std::accumulate(result.energy_J.begin(), result.energy_J.end(), 0.0);
  result.total_time_s = std::accumulate(result.time_s.begin(), result.time_s.end(), 0.0);
  for (const double t : result.time_s) result.longest_time_s = std::max(result.longest_time_s, t);
}

/// What the controller remembers of a cell.
struct Run {
  int direction = 0;  ///< +1: raising, -1: lowering, 0: no pulse yet
  int length = 0;     ///< pulses of this direction in a row
  double width_s = 0;
};

/// Applies pulses and books them.
void pulse(PulsedCells& cells, const PulseBatch& batch, std::vector<double>& energy_J, ProgramResult& result) {
  energy_J.assign(batch.cells.size(), 0.0);
  cells.apply(batch, energy_J);
  for (std::size_t i = 0; i < batch.cells.size(); ++i) {
    const std::uint32_t cell = batch.cells[i];
    ++result.pulses[cell];
    result.energy_J[cell] += energy_J[i];
    result.time_s[cell] += batch.width_s[i];
  }
}

/// One closed-loop run over all cells, a round of read and pulse at a time.
class WriteVerify {
 public:
  WriteVerify(PulsedCells& cells, std::span<const double> target_S, const ProgramSettings& s, const Stream& noise)
      : cells_(cells),
        target_S_(target_S),
        s_(s),
        noise_(noise),
        result_(empty_result(target_S.size())),
        runs_(target_S.size(), Run{0, 0, s.width.si()}),
        open_(all_cells(target_S.size())) {}

  ProgramResult run() {
    while (!open_.empty()) {
      verify();
      choose_pulses();
      if (!open_.empty()) pulse(cells_, {open_, v_V_, width_s_}, energy_J_, result_);
    }
    finish(cells_, result_);
    return std::move(result_);
  }

 private:
  /// Reads the open cells into seen_S_.
  void verify() {
    seen_S_.resize(open_.size());
    cells_.conductances(open_, seen_S_);
    const double read_V = cells_.read_V(), read_s = s_.read_time.si();
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::uint32_t cell = open_[i];
      result_.energy_J[cell] += read_V * read_V * seen_S_[i] * read_s;
      result_.time_s[cell] += read_s;
      if (s_.read_noise.si() > 0) {
        float z = 0;
        noise_.normals(cell * reads_per_cell + result_.reads[cell], std::span(&z, 1));
        seen_S_[i] += s_.read_noise.si() * static_cast<double>(z);
      }
      ++result_.reads[cell];
    }
  }

  /// Closes cells that are done or out of pulses; voltages and widths for the others.
  void choose_pulses() {
    v_V_.clear();
    width_s_.clear();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      const std::uint32_t cell = open_[i];
      const double error_S = target_S_[cell] - seen_S_[i];
      if (std::abs(error_S) <= allowed_S(s_, target_S_[cell])) {
        result_.outcome[cell] = CellOutcome::converged;
        continue;
      }
      if (result_.pulses[cell] >= static_cast<std::uint32_t>(s_.max_pulses)) continue;
      open_[kept++] = cell;
      choose_pulse(runs_[cell], error_S > 0 ? 1 : -1);
    }
    open_.resize(kept);
  }

  void choose_pulse(Run& run, int direction) {
    if (run.direction == -direction) {
      run.width_s = std::max(run.width_s * s_.shrink, s_.shortest.si());
      run.length = 0;
    }
    run.direction = direction;
    const double first_V = (direction > 0 ? s_.raise : s_.lower).si();
    const double most_V = (direction > 0 ? s_.raise_max : s_.lower_max).si();
    const double size_V = std::min(first_V * (1 + s_.growth * run.length), most_V);
    ++run.length;
    v_V_.push_back(direction * cells_.raising_sign() * size_V);
    width_s_.push_back(run.width_s);
  }

  PulsedCells& cells_;
  std::span<const double> target_S_;
  const ProgramSettings& s_;
  const Stream& noise_;
  ProgramResult result_;
  std::vector<Run> runs_;
  std::vector<std::uint32_t> open_;  ///< cells that still need pulses
  std::vector<double> seen_S_, v_V_, width_s_, energy_J_;
};

/// Conductances of a cell without spread after 0, 1, ..., most equal pulses.
std::vector<double> nominal_curve(const PulsedCells& cells, double v_V, double width_s, int most) {
  const auto one = cells.nominal(1);
  const std::uint32_t cell[1] = {0};
  const double v[1] = {v_V}, width[1] = {width_s};
  std::vector<double> curve_S;
  for (int n = 0; n <= most; ++n) {
    double g_S[1], energy_J[1] = {0};
    one->conductances(cell, g_S);
    curve_S.push_back(g_S[0]);
    one->apply({cell, v, width}, energy_J);
  }
  return curve_S;
}

std::uint32_t nearest_count(const std::vector<double>& curve_S, double target_S) {
  std::size_t best = 0;
  for (std::size_t n = 1; n < curve_S.size(); ++n) {
    if (std::abs(curve_S[n] - target_S) < std::abs(curve_S[best] - target_S)) best = n;
  }
  return static_cast<std::uint32_t>(best);
}

}  // namespace

void ProgramSettings::settings(Settings& v) {
  v("raise", raise, "size of the first pulse that raises the conductance", positive());
  v("lower", lower, "size of the first pulse that lowers it", positive());
  v("raise_max", raise_max, "largest size of a raising pulse", positive());
  v.require(raise <= raise_max, "raise_max", "must be at least raise.");
  v("lower_max", lower_max, "largest size of a lowering pulse", positive());
  v.require(lower <= lower_max, "lower_max", "must be at least lower.");
  v("growth", growth, "growth from pulse to pulse of one polarity, as a share of the first size", at_least(0));
  v("width", width, "width of the first pulses", positive());
  v("shrink", shrink, "factor of the width each time a cell passes its target", between(0.01, 1));
  v("shortest", shortest, "widths do not shrink below this", at_least(0));
  v("read_time", read_time, "duration of one verify read", at_least(0));
  v("tolerance", tolerance, "accepted distance from the target", at_least(0));
  v("relative_tolerance", relative_tolerance, "accepted distance as a share of the target, added to tolerance",
    at_least(0));
  v("read_noise", read_noise, "standard deviation of one verify read", at_least(0));
  v("max_pulses", max_pulses, "most pulses for one cell", between(0, 1e6));
}

ProgramSettings around(const PulsePair& pulses) {
  ProgramSettings s;
  s.raise = Voltage::si(std::abs(pulses.raise_V));
  s.lower = Voltage::si(std::abs(pulses.lower_V));
  s.raise_max = 1.5 * s.raise;
  s.lower_max = 1.5 * s.lower;
  s.growth = 0.02;
  s.width = Time::si(pulses.width_s);
  return s;
}

ProgramResult write_verify(PulsedCells& cells, std::span<const double> target_S, const ProgramSettings& settings,
                           const Stream& noise) {
  TELLEGEN_ASSERT(target_S.size() == cells.size());
  return WriteVerify(cells, target_S, settings, noise).run();
}

ProgramResult program_open_loop(PulsedCells& cells, std::span<const double> target_S, const ProgramSettings& s) {
  TELLEGEN_ASSERT(target_S.size() == cells.size());
  ProgramResult result = empty_result(target_S.size());
  if (target_S.empty()) return result;
  const double width_s = s.width.si();
  const double raise_V = cells.raising_sign() * s.raise.si(), lower_V = -cells.raising_sign() * s.lower.si();
  const auto up_S = nominal_curve(cells, raise_V, width_s, s.max_pulses);
  const auto down_S = nominal_curve(cells, lower_V, width_s, s.max_pulses);
  std::vector<std::uint32_t> wanted(target_S.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = nearest_count(target_S[i] > up_S[0] ? up_S : down_S, target_S[i]);
  }
  std::vector<double> energy_J, v_V;
  for (std::uint32_t round = 0;; ++round) {
    std::vector<std::uint32_t> open;
    v_V.clear();
    for (std::uint32_t cell = 0; cell < wanted.size(); ++cell) {
      if (wanted[cell] <= round) continue;
      open.push_back(cell);
      v_V.push_back(target_S[cell] > up_S[0] ? raise_V : lower_V);
    }
    if (open.empty()) break;
    const std::vector<double> width(open.size(), width_s);
    pulse(cells, {open, v_V, width}, energy_J, result);
  }
  cells.conductances(all_cells(cells.size()), result.g_S);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const bool there = std::abs(result.g_S[i] - target_S[i]) <= allowed_S(s, target_S[i]);
    result.outcome[i] = there ? CellOutcome::converged : CellOutcome::not_converged;
  }
  finish(cells, result);
  return result;
}

}  // namespace tellegen::devices
