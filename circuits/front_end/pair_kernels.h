#pragma once
// The inner loops of threshold gates over arrays of units, once per vector unit; the same bits from every unit.

#include <cstdint>

#include "tellegen/base/vector_units.h"

namespace tellegen::circuits::kernels {

/// One pair (or one comparator) of a front-end; currents in units of y.
struct PairConstants {
  float signal_low, signal_high;  ///< the currents that carry x end here
  float gate_low, gate_high;      ///< the voltages at the gates end here
  float theta, dv_per_x;          ///< dv = dv_per_x (x - theta), in n kT/q
  float tail_constant, tail_slope;
  float split, quiescent2;  ///< class AB: tail = (|split s + sqrt(s^2 + 4 quiescent2)|) / 2, s = constant + slope x
  float four_ic;            ///< 4 times the inversion coefficient at balance per unit of tail
  float pedestal, weight;   ///< y += weight tail (share - pedestal)
  float partition;          ///< variance of I_1 per unit of tail and of share (1 - share): white noise of the pair
  float gate_variance;      ///< of dv: flicker and reference noise
  float mirror_two, mirror_step;   ///< variance of y per unit of I_2; of I_1 less that of I_2: white noise of mirrors
  float tail_white, tail_flicker;  ///< variance of the tail per unit of tail, and per tail^2
};

/// Errors of the units that the elements belong to; all null for nominal units.
struct PairErrors {
  const float* theta;      ///< added to the threshold, in x
  const float* sharpness;  ///< relative
  const float* gain;       ///< relative error of the tail current
};

/// Where a stacked pair finds its tail current (null: its own), and where a pair leaves its output current for the next
/// (null: nowhere); each with its variance.
struct PairStack {
  const float* tail_in;
  const float* variance_in;
  float* tail_out;
  float* variance_out;
};

/// PairTable as the kernels read it.
struct TableView {
  const float* cells;
  float rows_per_w;
};

/// Elements that one call handles at most.
inline constexpr std::int64_t chunk = 256;

/// y += the pair's currents, variance += their noise, for count <= chunk elements of x.
void add_pair(VectorUnit unit, const PairConstants& pair, const TableView& table, const PairErrors& errors,
              const float* x, std::int64_t count, float* y, float* variance);
/// The same for a pair of a stack. A pair of weight 0 adds nothing to y and variance.
void add_stacked_pair(VectorUnit unit, const PairConstants& pair, const TableView& table, const PairErrors& errors,
                      const PairStack& stack, const float* x, std::int64_t count, float* y, float* variance);

/// A comparator in place of the gates of the pair: share = 0, 1/2 or 1 as x + deviation normals - theta is below, at or
/// above 0. `normals` may be null; draw of element i is normals[i * stride].
void add_comparator(VectorUnit unit, const PairConstants& pair, const PairErrors& errors, float deviation,
                    const float* normals, std::int64_t stride, const float* x, std::int64_t count, float* y,
                    float* variance);

/// y = (slope x + constant) (1 + gain), x clipped to low .. high; variance = floor. gain may be null.
void start(VectorUnit unit, float slope, float constant, const float* gain, float low, float high, float floor,
           const float* x, std::int64_t count, float* y, float* variance);
/// y += sqrt(variance) normals[i * stride].
void add_noise(VectorUnit unit, const float* variance, const float* normals, std::int64_t stride, std::int64_t count,
               float* y);

}  // namespace tellegen::circuits::kernels
