#pragma once
// Sample moments and their z scores against a known normal distribution, for tests with a fixed seed.

#include <cmath>
#include <cstddef>
#include <span>

namespace tellegen::devices::test {

struct Moments {
  double mean = 0;
  double variance = 0;
  std::size_t samples = 0;
};

template <class Values>
Moments moments(const Values& values) {
  Moments m;
  m.samples = values.size();
  for (const auto x : values) m.mean += static_cast<double>(x);
  m.mean /= static_cast<double>(m.samples);
  for (const auto x : values) m.variance += (static_cast<double>(x) - m.mean) * (static_cast<double>(x) - m.mean);
  m.variance /= static_cast<double>(m.samples - 1);
  return m;
}

/// How many standard errors the sample mean lies from `mean`.
inline double mean_z(const Moments& m, double mean, double sigma) {
  return (m.mean - mean) / (sigma / std::sqrt(static_cast<double>(m.samples)));
}
/// The same for the variance; the samples are normal.
inline double variance_z(const Moments& m, double sigma) {
  return (m.variance / (sigma * sigma) - 1.0) / std::sqrt(2.0 / static_cast<double>(m.samples - 1));
}

/// Two-sided error rate 1e-7 of one test.
inline constexpr double z_limit = 5.33;

}  // namespace tellegen::devices::test
