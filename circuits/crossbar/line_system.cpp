#include "tellegen/circuits/crossbar/line_system.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tellegen::circuits {
namespace {

using line_kernels::Chains;
using line_kernels::panel;
using line_kernels::strip;

std::int64_t rounded_up(std::int64_t n, std::int64_t unit) { return (n + unit - 1) / unit * unit; }

/// A power of two between rows would put a whole column into few sets of the cache.
std::int64_t stride_of(std::int64_t columns) {
  const std::int64_t stride = rounded_up(columns, strip);
  return stride % 256 == 0 ? stride + strip : stride;
}

/// Fresh memory costs more than the solve it is for: what the last system of this thread used is taken over.
AlignedNumbers& spare_memory() {
  thread_local AlignedNumbers spare;
  return spare;
}
constexpr std::int64_t most_spare = std::int64_t{16} << 20;  // numbers: 128 MiB

/// Hands out pieces of one block; `count` numbers from the next cache line on.
class Pieces {
 public:
  explicit Pieces(double* start) : start_(start) {}
  double* take(std::int64_t count) {
    double* out = start_ == nullptr ? nullptr : start_ + used_;
    used_ += rounded_up(count, 8);
    return out;
  }
  std::int64_t used() const { return used_; }

 private:
  double* start_;
  std::int64_t used_ = 0;
};

/// The conductance that all segments first .. last of all wires have; 0 where they differ or are not finite.
template <class SegmentOf>
double common_S(std::int64_t wires, std::int64_t first, std::int64_t last, const SegmentOf& segment_S) {
  if (first > last) return 1;  // no inner segment: any value will do
  const double value_S = segment_S(0, first);
  if (std::isinf(value_S)) return 0;
  for (std::int64_t wire = 0; wire < wires; ++wire) {
    for (std::int64_t s = first; s <= last; ++s) {
      if (segment_S(wire, s) != value_S) return 0;
    }
  }
  return value_S;
}

/// Distance between panels of rows.
std::int64_t panel_distance(std::int64_t columns) { return panel * (columns + 1); }

void take_chains(Pieces& pieces, Chains& chains, std::int64_t size, std::int64_t wires) {
  chains.share = pieces.take(size);
  if (chains.segment_S == 0) {
    chains.self_ohm = pieces.take(size);
    chains.inner_S = pieces.take(size);
  }
  chains.start_S = pieces.take(wires);
  chains.end_S = pieces.take(wires);
  chains.end_ohm = pieces.take(wires);
  chains.reach = pieces.take(wires);
  chains.gain_S = pieces.take(wires);
}

}  // namespace

LineSystem::LineSystem(Segments segments, VectorUnit unit) : segments_(std::move(segments)), unit_(unit) {
  const std::int64_t rows = segments_.rows;
  const std::int64_t columns = segments_.columns;
  const std::int64_t stride = stride_of(columns);
  const std::int64_t padded_rows = rounded_up(rows, panel);
  size_ = padded_rows * stride;
  grid_.rows = rows;
  grid_.columns = columns;
  grid_.stride = stride;
  const auto row_S = [this](auto i, auto s) { return segments_.row(i, s); };
  const auto column_S = [this](auto j, auto s) { return segments_.column(s, j); };
  grid_.row_chains.nodes = columns;
  grid_.row_chains.step = panel;
  grid_.row_chains.segment_S = common_S(rows, 1, columns - 1, row_S);
  grid_.column_chains.nodes = rows;
  grid_.column_chains.step = stride;
  grid_.column_chains.segment_S = common_S(columns, 1, rows - 1, column_S);
  const auto place = [&](Pieces pieces) {
    for (double** array :
         {&cell_S_, &row_A_, &column_A_, &column_V_, &v_.x_V, &v_.r_A, &v_.z_V, &v_.p_V, &v_.ap_A, &v_.sp_A}) {
      *array = pieces.take(size_);
    }
    take_chains(pieces, grid_.row_chains, padded_rows / panel * panel_distance(columns), padded_rows);
    take_chains(pieces, grid_.column_chains, (rows + 1) * stride, stride);
    grid_.work = pieces.take(strip * rows + panel * columns);
    return pieces.used();
  };
  const std::int64_t needed = place(Pieces(nullptr));
  std::swap(memory_, spare_memory());
  if (memory_.size() < needed) memory_ = AlignedNumbers(needed);
  place(Pieces(memory_.data()));
  grid_.g_S = cell_S_;
  for (double* array : {cell_S_, row_A_, column_A_, column_V_, v_.x_V, v_.r_A, v_.z_V, v_.p_V, v_.ap_A, v_.sp_A}) {
    for (std::int64_t i = 0; i < rows; ++i) std::fill(array + i * stride + columns, array + (i + 1) * stride, 0.0);
    std::fill(array + rows * stride, array + size_, 0.0);
  }
  set_row_chains();
  set_column_chains();
}

LineSystem::~LineSystem() {
  if (memory_.size() <= most_spare && memory_.size() > spare_memory().size()) std::swap(memory_, spare_memory());
}

/// Chains beyond the array are there to fill the lanes: open at both ends.
void LineSystem::set_row_chains() {
  Chains& chains = grid_.row_chains;
  const std::int64_t rows = grid_.rows;
  const std::int64_t columns = grid_.columns;
  for (std::int64_t i = 0; i < rounded_up(rows, panel); ++i) {
    chains.start_S[i] = i < rows ? segments_.row(i, columns) : 0;
    chains.end_S[i] = i < rows ? segments_.row(i, 0) : 0;
    if (chains.inner_S == nullptr) continue;
    double* to = chains.inner_S + i / panel * panel_distance(columns) + i % panel;
    for (std::int64_t s = 0; s <= columns; ++s) to[s * panel] = i < rows ? segments_.row(i, columns - s) : 0;
  }
}

void LineSystem::set_column_chains() {
  Chains& chains = grid_.column_chains;
  const std::int64_t rows = grid_.rows;
  for (std::int64_t j = 0; j < grid_.stride; ++j) {
    chains.start_S[j] = j < grid_.columns ? segments_.column(0, j) : 0;
    chains.end_S[j] = j < grid_.columns ? segments_.column(rows, j) : 0;
    if (chains.inner_S == nullptr) continue;
    for (std::int64_t s = 0; s <= rows; ++s) {
      chains.inner_S[s * grid_.stride + j] = j < grid_.columns ? segments_.column(s, j) : 0;
    }
  }
}

void LineSystem::factor() {
  line_kernels::factor_columns(unit_, grid_);
  line_kernels::factor_rows(unit_, grid_);
}

LineGains LineSystem::gains() {
  const Chains& row = grid_.row_chains;
  const Chains& column = grid_.column_chains;
  const double row_reach = *std::min_element(row.reach, row.reach + grid_.rows);
  const double column_reach = *std::min_element(column.reach, column.reach + grid_.columns);
  constexpr double loose = 50;
  const double simple = 1 / (1 - (1 - row_reach) * (1 - column_reach));
  return {simple < loose ? simple : solved_amplification(), {column.gain_S, column.gain_S + grid_.columns}};
}

/// q = 1 + q', where q' answers S q' = (cells, columns, cells) 1. The residual z of q' is M q - q', so q - M q = 1 - z.
double LineSystem::solved_amplification() {
  constexpr double good_residual = 0.1;
  constexpr int iterations = 1000;
  const std::vector<double> row_A(row_A_, row_A_ + size_);
  const std::vector<double> column_A(column_A_, column_A_ + size_);
  std::fill_n(row_A_, size_, 0.0);
  std::copy_n(cell_S_, size_, column_A_);
  start();
  iterate(good_residual, iterations);
  solve_columns();
  const double theta = 1 - row_residual();
  std::copy(row_A.begin(), row_A.end(), row_A_);
  std::copy(column_A.begin(), column_A.end(), column_A_);
  if (!(theta > 0)) return std::numeric_limits<double>::infinity();
  return (1 + *std::max_element(v_.x_V, v_.x_V + size_)) / theta;
}

double LineSystem::start() {
  iterations_ = 0;
  // The residual with all nodes at 0 V is row_A; solved through the row wires it is the first guess.
  line_kernels::Iterates v = v_;
  v.r_A = row_A_;
  v.z_V = v_.x_V;
  const double largest_V = line_kernels::solve_rows(unit_, grid_, v, 0).largest_z_V;
  line_kernels::solve_columns(unit_, grid_, column_A_, v_.x_V, column_V_, v_.r_A);
  residual_ = line_kernels::solve_rows(unit_, grid_, v_, 0);
  return largest_V;
}

double LineSystem::iterate(double limit_V, int iterations) {
  double beta = 0;
  for (int step = 0; step < iterations && residual_.largest_z_V > limit_V; ++step) {
    const double curvature = line_kernels::apply(unit_, grid_, v_, beta);
    if (!(curvature > 0)) break;  // nothing but rounding is left
    const double r_dot_z = residual_.r_dot_z;
    residual_ = line_kernels::solve_rows(unit_, grid_, v_, r_dot_z / curvature);
    beta = residual_.r_dot_z / r_dot_z;
    ++iterations_;
  }
  for (std::int64_t k = 0; k < size_; ++k) v_.x_V[k] += v_.z_V[k];
  return residual_.largest_z_V;
}

void LineSystem::solve_columns() { line_kernels::solve_columns(unit_, grid_, column_A_, v_.x_V, column_V_, nullptr); }

double LineSystem::row_residual() {
  line_kernels::residual(unit_, grid_, segments_.row_S.data(), row_A_, column_V_, v_);
  residual_ = line_kernels::solve_rows(unit_, grid_, v_, 0);
  return residual_.largest_z_V;
}

}  // namespace tellegen::circuits
