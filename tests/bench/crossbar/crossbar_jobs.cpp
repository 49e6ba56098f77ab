#include "crossbar_jobs.h"

#include <time.h>

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cstring>
#include <random>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"

namespace tellegen::bench {
namespace {

using Matrix = Eigen::SparseMatrix<double>;

/// Column by column of cells: first its row nodes, then its column nodes.
Matrix nodal_matrix(const ArrayJob& job) {
  const circuits::Segments segments = circuits::segments_of(job.wires);
  const std::int64_t rows = job.wires.rows;
  const std::int64_t columns = job.wires.columns;
  const auto w = [&](std::int64_t i, std::int64_t j) { return j * 2 * rows + i; };
  const auto b = [&](std::int64_t i, std::int64_t j) { return w(i, j) + rows; };
  std::vector<Eigen::Triplet<double>> entries;
  const auto ground = [&](std::int64_t a, double g_S) { entries.emplace_back(a, a, g_S); };
  const auto join = [&](std::int64_t a, std::int64_t c, double g_S) {
    ground(a, g_S);
    ground(c, g_S);
    entries.emplace_back(a, c, -g_S);
    entries.emplace_back(c, a, -g_S);
  };
  for (std::int64_t i = 0; i < rows; ++i) {
    ground(w(i, 0), segments.row(i, 0));
    for (std::int64_t j = 0; j < columns; ++j) {
      join(w(i, j), b(i, j), job.cell_S[static_cast<std::size_t>(i * columns + j)]);
      if (j > 0) join(w(i, j - 1), w(i, j), segments.row(i, j));
      if (i > 0) join(b(i - 1, j), b(i, j), segments.column(i, j));
    }
  }
  for (std::int64_t j = 0; j < columns; ++j) ground(b(rows - 1, j), segments.column(rows, j));
  Matrix out(2 * rows * columns, 2 * rows * columns);
  out.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

double thread_seconds() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::vector<double> medians_s(int repetitions, const std::vector<std::function<void()>>& contestants) {
  std::vector<std::vector<double>> samples(contestants.size());
  for (int r = -1; r < repetitions; ++r) {
    for (std::size_t k = 0; k < contestants.size(); ++k) {
      const double start_s = thread_seconds();
      contestants[k]();
      if (r >= 0) samples[k].push_back(thread_seconds() - start_s);
    }
  }
  std::vector<double> out;
  for (std::vector<double>& sample : samples) {
    std::ranges::sort(sample);
    out.push_back(sample[sample.size() / 2]);
  }
  return out;
}

ArrayJob plain_job(std::int64_t rows, std::int64_t columns) {
  ArrayJob out;
  out.wires.rows = rows;
  out.wires.columns = columns;
  out.wires.row_segment_ohm = out.wires.column_segment_ohm = 1;
  std::mt19937_64 bits(1);
  std::uniform_real_distribution<double> uniform(1e-5, 1e-4);
  out.cell_S.resize(static_cast<std::size_t>(rows * columns));
  for (double& cell_S : out.cell_S) cell_S = uniform(bits);
  return out;
}

SparseTimes time_sparse_solver(const ArrayJob& job) {
  const Matrix matrix = nodal_matrix(job);
  const Eigen::Index rows = job.wires.rows;
  Eigen::SimplicialLDLT<Matrix, Eigen::Lower, Eigen::AMDOrdering<int>> ldlt;
  SparseTimes out;
  const double start_s = thread_seconds();
  ldlt.analyzePattern(matrix);
  const double ordered_s = thread_seconds();
  ldlt.factorize(matrix);
  const double factored_s = thread_seconds();
  TELLEGEN_ASSERT(ldlt.info() == Eigen::Success);
  const double driver_S = 1 / job.wires.row_segment_ohm;
  double sum = 0;
  constexpr Eigen::Index block = 32;  // right-hand sides at a time: a few hundred of them would fill the memory
  for (Eigen::Index first = 0; first < rows; first += block) {
    const Eigen::Index count = std::min(block, rows - first);
    Eigen::MatrixXd right = Eigen::MatrixXd::Zero(matrix.rows(), count);
    for (Eigen::Index k = 0; k < count; ++k) right(first + k, k) = driver_S;
    const Eigen::MatrixXd node_V = ldlt.solve(right);
    sum += node_V(matrix.rows() - 1, 0);
  }
  TELLEGEN_ASSERT(sum > 0);
  out.order_s = ordered_s - start_s;
  out.factor_s = factored_s - ordered_s;
  out.solve_s = thread_seconds() - factored_s;
  return out;
}

double product_flops_per_s() {
  constexpr std::int64_t side = 1024;
  const std::vector<double> a(side * side, 1.0);
  const std::vector<double> b(side * side, 2.0);
  std::vector<double> c(side * side);
  const double time_s =
      medians_s(5, {[&] { multiply(side, side, side, a.data(), side, b.data(), side, 0.0, c.data(), side); }})[0];
  return 2.0 * side * side * side / time_s;
}

double copy_bytes_per_s() {
  constexpr std::size_t bytes = 64U << 20U;
  const std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes);
  const double time_s = medians_s(5, {[&] { std::memcpy(to.data(), from.data(), bytes); }})[0];
  return 2.0 * static_cast<double>(bytes) / time_s;
}

}  // namespace tellegen::bench
