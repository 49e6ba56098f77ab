#include "tellegen/sim/engine/line_amplifiers.h"

#include <algorithm>
#include <cmath>

namespace tellegen::sim {

LineAmplifiers make_line_amplifiers(const circuits::Crossing& crossing, double full_scale_A, std::int64_t lines,
                                    const Stream& mismatch) {
  const circuits::CrossingErrors& errors = crossing.errors();
  const double output_per_A = std::abs(crossing.ideal(crossing.full_scale())) / full_scale_A;
  LineAmplifiers made;
  made.full_scale_A = full_scale_A;
  made.noise_A = errors.noise / output_per_A;
  std::vector<float> normals(static_cast<std::size_t>(2 * lines));
  mismatch.normals(0, normals);
  for (std::int64_t j = 0; j < lines; ++j) {
    const double for_gain = static_cast<double>(normals[static_cast<std::size_t>(j)]);
    const double for_offset = static_cast<double>(normals[static_cast<std::size_t>(lines + j)]);
    made.gain.push_back(static_cast<float>(1 + errors.gain_error + errors.gain_deviation * for_gain));
    made.offset_A.push_back(static_cast<float>((errors.offset + errors.offset_deviation * for_offset) / output_per_A));
  }
  return made;
}

template <class T>
std::int64_t amplify(const LineAmplifiers& amplifiers, std::span<T> currents, const Stream& noise,
                     std::uint64_t first_element, std::vector<float>& normals) {
  normals.resize(currents.size());
  noise.normals(first_element, normals);
  const std::size_t lines = amplifiers.gain.size();
  const T limit = static_cast<T>(amplifiers.full_scale_A), noise_A = static_cast<T>(amplifiers.noise_A);
  std::int64_t clipped = 0;
  for (std::size_t i = 0; i < currents.size(); ++i) {
    const std::size_t j = i % lines;
    const T wanted = static_cast<T>(amplifiers.gain[j]) * currents[i] + static_cast<T>(amplifiers.offset_A[j]);
    clipped += std::abs(wanted) > limit ? 1 : 0;
    currents[i] = std::clamp(wanted, -limit, limit) + noise_A * static_cast<T>(normals[i]);
  }
  return clipped;
}

template std::int64_t amplify<float>(const LineAmplifiers&, std::span<float>, const Stream&, std::uint64_t,
                                     std::vector<float>&);
template std::int64_t amplify<double>(const LineAmplifiers&, std::span<double>, const Stream&, std::uint64_t,
                                      std::vector<float>&);

}  // namespace tellegen::sim
