#include "tellegen/circuits/front_end/pair_law.h"

#include <algorithm>
#include <array>
#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <utility>

#include "tellegen/devices/mosfet/ekv.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

/// dv - logit = rise(q1) - rise(q2): what inversion adds to the exponential law; increasing in the charge.
double rise(double q) { return 2 * q - std::log1p(q); }

PairShares shares_of_logit(double logit) { return {1 / (1 + std::exp(-logit)), 1 / (1 + std::exp(logit))}; }

struct Charges {
  double one, two;
};
Charges charges(const PairShares& shares, double ic) {
  return {ekv::charge_of_current(2 * ic * shares.one), ekv::charge_of_current(2 * ic * shares.two)};
}

double voltage_of_logit(double logit, const Charges& q) { return logit + rise(q.one) - rise(q.two); }

/// d share / d dv = 1 / (2 ic (1/q1 + 1/q2)), because di/dv = q on each side.
double slope(const Charges& q, double ic) { return q.one * q.two / ((q.one + q.two) * 2 * ic); }

/// Solves for dv > 0; the logit lies between dv - rise(all of the tail) and dv.
double positive_logit(double dv, double ic) {
  double low = std::max(0.0, dv - rise(ekv::charge_of_current(2 * ic)));
  double high = dv;
  double logit = std::clamp(dv * ekv::transconductance_efficiency(ic), low, high);
  constexpr int most_steps = 100;
  for (int step = 0; step < most_steps; ++step) {
    const PairShares shares = shares_of_logit(logit);
    const Charges q = charges(shares, ic);
    const double lacking = dv - voltage_of_logit(logit, q);
    (lacking > 0 ? low : high) = logit;
    const double newton = lacking * slope(q, ic) / (shares.one * shares.two);
    double next = logit + newton;
    if (!(next > low && next < high)) next = low + (high - low) / 2;
    const double moved = std::abs(next - logit);
    logit = next;
    if (moved <= 1e-16 * std::max(1.0, logit)) break;
  }
  return logit;
}

double logit_of_voltage(double dv, double ic) {
  // Beyond this the smaller share has no normal double left.
  constexpr double most = 600;
  if (ic <= 0 || dv == 0) return std::clamp(dv, -most, most);
  const double logit = positive_logit(std::abs(dv), ic);
  return std::copysign(std::min(logit, most), dv);
}

}  // namespace

double pair_voltage(double share, double ic) {
  const double logit = std::log(share / (1 - share));
  return voltage_of_logit(logit, charges({share, 1 - share}, ic));
}

PairShares pair_shares(double dv, double ic) { return shares_of_logit(logit_of_voltage(dv, ic)); }

double pair_slope(double dv, double ic) {
  const PairShares shares = pair_shares(dv, ic);
  return ic <= 0 ? shares.one * shares.two : slope(charges(shares, ic), ic);
}

double source_depth(double dv, double ic) { return ekv::voltage_of_current(2 * ic * pair_shares(dv, ic).two); }

NearestSigmoid nearest_sigmoid(double ic) {
  if (ic <= 0) return {};
  // The deviation is odd in dv, so one half is enough; shares beyond the last differ by less than what is looked for.
  constexpr int points = 500;
  constexpr double last_logit = 14;
  std::array<double, points> dv, share;
  for (int k = 0; k < points; ++k) {
    const double logit = last_logit * (k + 1) / points;
    const PairShares shares = shares_of_logit(logit);
    dv[k] = voltage_of_logit(logit, charges(shares, ic));
    share[k] = shares.two;
  }
  const auto deviation = [&](double sharpness) {
    double largest = 0;
    for (int k = 0; k < points; ++k) {
      largest = std::max(largest, std::abs(share[k] - 1 / (1 + std::exp(sharpness * dv[k]))));
    }
    return largest;
  };
  const double centre = ekv::transconductance_efficiency(ic);
  constexpr int bits = 40;
  const auto [sharpness, least] = boost::math::tools::brent_find_minima(deviation, 0.5 * centre, 1.5 * centre, bits);
  return {sharpness, least};
}

double balanced_noise_factor(double ic) {
  if (ic <= 0) return 1;
  // Each side carries i = ic; its channel noise is 2 q I times 2 (mean charge) / i, and half of it reaches I_1 as half
  // the amplitude from either side: the same factor for both.
  return 2 * ekv::mean_charge(ekv::charge_of_current(ic), 0) / ic;
}

}  // namespace tellegen::circuits
