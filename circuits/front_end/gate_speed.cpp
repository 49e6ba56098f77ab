#include "tellegen/circuits/front_end/gate_speed.h"

#include <algorithm>
#include <boost/math/tools/roots.hpp>
#include <cmath>
#include <numbers>

#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mosfet.h"

namespace tellegen::circuits {
namespace {

namespace ekv = devices::ekv;

double at(const Band& band, Corner corner) {
  return corner == Corner::low ? band.low : corner == Corner::high ? band.high : band.typical;
}

/// 1 / (sum of g_ms of both sides) at balance: kT/q over the tail current in weak inversion.
double source_ohm(const ThresholdDesign& design, double tail) {
  const devices::Mosfet pair(design.settings.transistor, Temperature::si(design.temperature_K));
  const double q = ekv::charge_of_current(design.ic_per_tail * tail);
  return design.thermal_V / (2 * pair.specific_current_A() * q);
}

/// 1 / g_m of a mirror's input at half the tail.
double mirror_ohm(const ThresholdDesign& design, double tail) {
  const devices::MosfetConfig config = design.settings.mirror_transistor();
  const devices::Mosfet mirror(config, Temperature::si(design.temperature_K));
  const double i_A = design.current_per_y_A * tail / 2;
  const double efficiency = ekv::transconductance_efficiency(i_A / mirror.specific_current_A());
  return mirror.slope() * design.thermal_V / (i_A * efficiency);
}

}  // namespace

double TwoPoles::bandwidth_Hz() const {
  // |1 + j w t1|^2 |1 + j w t2|^2 = 2, a quadratic in w^2.
  const double a = first_s * first_s * second_s * second_s, b = first_s * first_s + second_s * second_s;
  const double w2 = 2 / (b + std::sqrt(b * b + 4 * a));
  return std::sqrt(w2) / (2 * std::numbers::pi);
}

double TwoPoles::settling_s(int bits) const {
  const double remaining = std::ldexp(1.0, -(bits + 1));
  const double slow = std::max(first_s, second_s), fast = std::min(first_s, second_s);
  if (!(fast > 0)) return -std::log(remaining) * slow;
  const auto left = [&](double t) {
    const double close = (slow - fast) / slow;
    // Equal poles: (1 + t/T) exp(-t/T); else (T1 exp(-t/T1) - T2 exp(-t/T2)) / (T1 - T2).
    if (close < 1e-6) return (1 + t / slow) * std::exp(-t / slow) - remaining;
    return (slow * std::exp(-t / slow) - fast * std::exp(-t / fast)) / (slow - fast) - remaining;
  };
  std::uintmax_t steps = 200;
  const double latest = -std::log(remaining) * (slow + fast) * 2;
  const auto [before, after] =
      boost::math::tools::toms748_solve(left, 0.0, latest, boost::math::tools::eps_tolerance<double>(45), steps);
  return (before + after) / 2;
}

std::vector<Load> gate_loads(const ThresholdDesign& design) {
  double tail = 0;
  for (const DesignedPair& pair : design.pairs) {
    tail = tail > 0 ? std::min(tail, pair.tail_at_threshold) : pair.tail_at_threshold;
  }
  std::vector<Load> loads;
  if (!(tail > 0)) return loads;
  loads.push_back({"common source", design.settings.loads.source.band(), Band::exact(source_ohm(design, tail)),
                   "1 / g_ms of both transistors, kT/q over the tail current in weak inversion"});
  if (design.settings.output == GateOutput::mirror) {
    loads.push_back({"mirror input", design.settings.loads.output.band(), Band::exact(mirror_ohm(design, tail)),
                     "1 / g_m of the mirror at half the tail current"});
  }
  return loads;
}

TwoPoles gate_poles(const std::vector<Load>& loads, Corner corner) {
  const auto constant_s = [&](std::size_t k) {
    return k < loads.size() ? at(loads[k].capacitance_F, corner) * loads[k].resistance_ohm.typical : 0.0;
  };
  return {constant_s(0), constant_s(1)};
}

}  // namespace tellegen::circuits
