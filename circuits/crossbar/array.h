#pragma once
// A programmed array ready to multiply at the functional level: line currents = drives x effective matrix, plus read
// noise in closed form. Independent Gaussian noise of the cells is, at a line, exactly Gaussian with variance sum_i
// u_i^2 var_ij: a second product and one normal per line and read, never one per cell. Wires make rows take voltage
// from each other: a third product, see fast_variance.h.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/converter/quantiser.h"

namespace tellegen::circuits {

/// T is float or double (double where a partial sum can exceed 2^24). Row-major [rows][lines].
template <class T>
struct Array {
  std::int64_t rows = 0;
  std::int64_t lines = 0;           ///< converted outputs: pairs already subtracted where that is done in analog
  std::vector<T> current_A;         ///< line current per unit drive (drive u = 1 means v_read on the row)
  std::vector<T> variance_A2;       ///< its variance per read and unit drive squared; empty: noiseless
  std::vector<double> row_power_W;  ///< dissipation of all cells of a row at unit drive: v_read^2 sum_j G_ij
  std::vector<T> shared_A = {};     ///< (drives x this)^2 is taken from the variance; empty: nothing is
};

/// What converting did, summed over a call.
struct ConversionCounts {
  std::int64_t conversions = 0;
  std::int64_t clipped = 0;
};

/// Reads per group: read n stands in row n mod 24 of a product of whole groups. OpenBLAS takes 2, 4, 8 or 12 rows at
/// once, each with its own order of sums, so a read that keeps its place in a group keeps its bits.
inline constexpr std::int64_t read_group = 24;

/// Scratch memory of one thread, grown as needed.
template <class T>
struct ArrayScratch {
  std::vector<T> drive, current, drive_squared, variance, joined, products;
  std::vector<float> normals;
};

/// currents[count][lines] = drives[count][rows] x matrix + noise. `drives` has row stride `stride`.
/// Read r of line j uses element (first_read + r) * lines + j of `noise`. A read's result does not depend on how reads
/// are split into calls or threads: products run in groups of `read_group` reads, incomplete ones filled up with zeros.
/// Calls that begin and end at multiples of read_group are fastest.
template <class T>
void read_currents(const Array<T>& array, const T* drives, std::int64_t stride, std::int64_t count, const Stream& noise,
                   std::uint64_t first_read, T* currents, ArrayScratch<T>& scratch);

}  // namespace tellegen::circuits
