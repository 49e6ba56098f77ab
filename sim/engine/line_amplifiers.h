#pragma once
// Amplifiers behind the lines of a tile, where their currents go to the next array without converters.

#include <cstdint>
#include <span>
#include <vector>

#include "tellegen/base/random.h"
#include "tellegen/circuits/front_end/crossing.h"

namespace tellegen::sim {

/// First-order errors of one amplifier per line. Each is made so that its full scale is that of its tile's lines: errors
/// scale with it. Signals beyond are clipped.
struct LineAmplifiers {
  double full_scale_A = 0;
  double noise_A = 0;
  std::vector<float> gain;      ///< [lines]: actual over ideal
  std::vector<float> offset_A;  ///< [lines]
};

/// `mismatch`: draw j for the gain of line j, lines + j for its offset.
LineAmplifiers make_line_amplifiers(const circuits::Crossing& crossing, double full_scale_A, std::int64_t lines,
                                    const Stream& mismatch);

/// currents[reads][lines] in place; value i uses draw first_element + i of `noise`. Returns how many were clipped.
template <class T>
std::int64_t amplify(const LineAmplifiers& amplifiers, std::span<T> currents, const Stream& noise,
                     std::uint64_t first_element, std::vector<float>& normals);

}  // namespace tellegen::sim
