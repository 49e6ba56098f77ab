#pragma once
// Limits of test statistics at a chosen error rate. Seeds are fixed, so a test that passes once passes always; the
// rates say how unlikely a right program would have been to fail with another seed.

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace tellegen::testing_support {

/// |z| that a standard normal exceeds with probability `rate`.
inline double normal_limit(double rate) {
  return boost::math::quantile(boost::math::complement(boost::math::normal(), rate / 2));
}

struct Interval {
  double low, high;
  bool holds(double x) const { return x >= low && x <= high; }
};
/// What chi-squared leaves on either side with probability `rate` in all.
inline Interval chi_squared_limits(double degrees, double rate) {
  const boost::math::chi_squared distribution(degrees);
  return {boost::math::quantile(distribution, rate / 2),
          boost::math::quantile(boost::math::complement(distribution, rate / 2))};
}

}  // namespace tellegen::testing_support
