#pragma once
// The few statistics that reports need.

#include <cstddef>
#include <span>

namespace tellegen {

struct MeanInterval {
  double mean = 0;
  double deviation = 0;   ///< sample standard deviation
  double half_width = 0;  ///< of the 95 % confidence interval of the mean (Student t); infinite for one sample
  std::size_t samples = 0;
};
MeanInterval mean_interval(std::span<const double> samples);

/// Two-sided 95 % quantile of Student's t distribution.
double student_t_95(std::size_t degrees_of_freedom);

}  // namespace tellegen
