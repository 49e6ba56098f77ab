#include "tellegen/base/statistics.h"

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"

namespace tellegen {

double student_t_95(std::size_t degrees_of_freedom) {
  TELLEGEN_ASSERT(degrees_of_freedom >= 1);
  return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees_of_freedom)), 0.975);
}

MeanInterval mean_interval(std::span<const double> samples) {
  TELLEGEN_ASSERT(!samples.empty());
  MeanInterval result;
  result.samples = samples.size();
  const auto count = static_cast<double>(samples.size());
  for (const double x : samples) result.mean += x / count;
  if (samples.size() == 1) {
    result.half_width = std::numeric_limits<double>::infinity();
    return result;
  }
  double squares = 0;  // around the mean, in a second pass: no cancellation
  for (const double x : samples) squares += (x - result.mean) * (x - result.mean);
  result.deviation = std::sqrt(squares / (count - 1));
  result.half_width = student_t_95(samples.size() - 1) * result.deviation / std::sqrt(count);
  return result;
}

}  // namespace tellegen
