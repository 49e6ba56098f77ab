#pragma once
// What the transfer matrix is timed against: a general sparse solver, a matrix product and a copy, in the same run.

#include <cstdint>
#include <functional>
#include <vector>

#include "tellegen/circuits/crossbar/wires.h"

namespace tellegen::bench {

/// Processor time of this thread [s]; not hurt by other programs as long as they leave the caches alone.
double thread_seconds();

/// Median time of each contestant; they take turns, after one warm-up each.
std::vector<double> medians_s(int repetitions, const std::vector<std::function<void()>>& contestants);

struct ArrayJob {
  circuits::Wires wires;
  std::vector<double> cell_S;
};
/// 1 ohm per segment, conductances uniform from 10 to 100 uS.
ArrayJob plain_job(std::int64_t rows, std::int64_t columns);

/// One repetition of the general way: ordering, factorisation, one solve per row [s].
struct SparseTimes {
  double order_s = 0;
  double factor_s = 0;
  double solve_s = 0;
  double total_s() const { return order_s + factor_s + solve_s; }
};
/// Eigen's SimplicialLDLT with approximate minimum degree, matrix already assembled; driven from the left, sensed at
/// the bottom.
SparseTimes time_sparse_solver(const ArrayJob& job);

/// double products per second of a 1024 x 1024 x 1024 product, times two.
double product_flops_per_s();
/// Bytes read and written per second when copying 64 MB.
double copy_bytes_per_s();

}  // namespace tellegen::bench
