#include "tellegen/devices/fecap/switching.h"

#include <algorithm>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

using Quadrature = boost::math::quadrature::gauss_kronrod<double, 31>;

/// Integral over consecutive pieces; `cuts` need not be sorted, those outside low .. high are left out.
template <class Function>
double integrate_pieces(const Function& f, double low, double high, std::vector<double> cuts, double tolerance) {
  constexpr unsigned depth = 12;
  cuts.push_back(low);
  cuts.push_back(high);
  std::sort(cuts.begin(), cuts.end());
  double sum = 0;
  for (std::size_t k = 0; k + 1 < cuts.size(); ++k) {
    const double from = std::max(cuts[k], low), to = std::min(cuts[k + 1], high);
    if (to > from) sum += Quadrature::integrate(f, from, to, depth, tolerance);
  }
  return sum;
}

/// 1 - exp(-(t/tau)^beta) from the logarithm of t/tau.
double switched(double log_ratio, double beta) {
  constexpr double largest_exponent = 700;
  return -std::expm1(-std::exp(std::min(beta * log_ratio, largest_exponent)));
}

constexpr double quadrature_tolerance = 1e-12;

}  // namespace

std::span<const std::pair<ActivationLaw, const char*>> enum_names(ActivationLaw) {
  static constexpr std::pair<ActivationLaw, const char*> names[] = {
      {ActivationLaw::generalised_beta, "generalised_beta"}, {ActivationLaw::normal, "normal"}};
  return names;
}

void SwitchingKinetics::settings(Settings& v) {
  v("law", law, "how activation fields are distributed over the domains");
  v("a", a, "generalised beta law: first shape", positive());
  v("p", p, "generalised beta law: second shape", positive());
  v("q", q, "generalised beta law: third shape", positive());
  v("scale", scale, "scale b of the generalised beta law, mean of the normal law", positive());
  v("spread", spread, "standard deviation of the normal law", positive());
  v("largest", largest, "activation fields are truncated to 0 .. largest", positive());
  v("attempt_time", attempt_time, "tau_0 in tau = tau_0 exp((E_a/E)^alpha)", positive());
  v("field_exponent", field_exponent, "alpha in tau = tau_0 exp((E_a/E)^alpha)", between(0.1, 10));
  v("time_exponent", time_exponent, "beta: a domain has switched with probability 1 - exp(-(t/tau)^beta)",
    between(0.1, 10));
  v("offset_spread", offset_spread, "standard deviation of the local bias field of a domain", at_least(0));
  v("domains", domains, "domains of a capacitor that is simulated domain by domain", between(1, 1000000));
  v.require(scale < largest, "scale", "must be below largest.");
}

double merz_log10_time_s(double t_inf_s, double activation_V_per_m, double exponent, double field_V_per_m) {
  return std::log10(t_inf_s) + std::pow(activation_V_per_m / field_V_per_m, exponent) / std::numbers::ln10;
}

double lorentzian_switched_share(double log10_t_over_t1, double width_decades, double n) {
  // In theta = arctan(log10(t0/t1) / width) the Lorentzian is uniform, however narrow. Domains far faster than the
  // pulse all switch and domains far slower none: at `low` exp(-(t/t0)^n) is zero to the last digit, at `high` 1 - exp
  // is 1e-20.
  const auto angle = [&](double x) { return std::atan(x / width_decades); };
  const auto integrand = [&](double theta) {
    return switched((log10_t_over_t1 - width_decades * std::tan(theta)) * std::numbers::ln10, n) / std::numbers::pi;
  };
  const double low = log10_t_over_t1 - 4 / n, high = log10_t_over_t1 + 20 / n;
  std::vector<double> cuts;
  for (const double decades : {-1.0, -0.5, 0.0, 1.0, 3.0, 8.0}) cuts.push_back(angle(log10_t_over_t1 + decades / n));
  return 0.5 + angle(low) / std::numbers::pi +
         integrate_pieces(integrand, angle(low), angle(high), cuts, quadrature_tolerance);
}

double log_switching_time_s(const SwitchingKinetics& kinetics, double activation_V_per_m, double field_V_per_m) {
  return std::log(kinetics.attempt_time.si()) +
         std::pow(activation_V_per_m / std::abs(field_V_per_m), kinetics.field_exponent);
}

double ActivationFields::untruncated(double field_V_per_m) const {
  const double b = kinetics_.scale.si();
  if (kinetics_.law == ActivationLaw::normal) {
    const double s = kinetics_.spread.si(), z = (field_V_per_m - b) / s;
    return std::exp(-z * z / 2) / (s * std::sqrt(2 * std::numbers::pi));
  }
  const double a = kinetics_.a, p = kinetics_.p, q = kinetics_.q, ratio = field_V_per_m / b;
  return a / b * std::pow(ratio, a * p - 1) / (beta_function_ * std::pow(1 + std::pow(ratio, a), p + q));
}

ActivationFields::ActivationFields(const SwitchingKinetics& kinetics)
    : kinetics_(kinetics), beta_function_(boost::math::beta(kinetics.p, kinetics.q)) {
  // Quantiles from the sum of a fine grid: monotone, and far finer than any number of domains resolves.
  constexpr std::size_t cells = 4096;
  const double step = kinetics.largest.si() / cells;
  quantile_field_.assign(1, 0.0);
  quantile_share_.assign(1, 0.0);
  for (std::size_t k = 0; k < cells; ++k) {
    const double from = step * static_cast<double>(k);
    const double share = boost::math::quadrature::gauss<double, 7>::integrate([&](double e) { return untruncated(e); },
                                                                              from, from + step);
    quantile_field_.push_back(from + step);
    quantile_share_.push_back(quantile_share_.back() + share);
  }
  kept_ = integrate_pieces([&](double e) { return untruncated(e); }, 0, kinetics.largest.si(),
                           {0.5 * kinetics.scale.si(), kinetics.scale.si(), 1.5 * kinetics.scale.si()},
                           quadrature_tolerance);
  for (double& share : quantile_share_) share /= quantile_share_.back();
}

double ActivationFields::density(double field_V_per_m) const {
  return field_V_per_m < 0 || field_V_per_m > kinetics_.largest.si() ? 0.0 : untruncated(field_V_per_m) / kept_;
}

double ActivationFields::quantile_V_per_m(double u) const {
  const auto above = std::upper_bound(quantile_share_.begin() + 1, quantile_share_.end() - 1, u);
  const auto k = static_cast<std::size_t>(above - quantile_share_.begin());
  const double share = quantile_share_[k] - quantile_share_[k - 1];
  const double weight = share > 0 ? (u - quantile_share_[k - 1]) / share : 0.5;
  return quantile_field_[k - 1] + weight * (quantile_field_[k] - quantile_field_[k - 1]);
}

double ActivationFields::mean(const std::function<double(double)>& value, double edge_V_per_m) const {
  const double b = kinetics_.scale.si();
  return integrate_pieces([&](double e) { return untruncated(e) * value(e); }, 0, kinetics_.largest.si(),
                          {0.5 * b, b, 1.5 * b, 0.5 * edge_V_per_m, edge_V_per_m, 1.5 * edge_V_per_m},
                          quadrature_tolerance) /
         kept_;
}

double switched_share(const SwitchingKinetics& kinetics, const ActivationFields& fields, double field_V_per_m,
                      double t_s) {
  if (field_V_per_m == 0 || t_s <= 0) return 0;
  const double log_t = std::log(t_s);
  // Domains up to this activation field have switched: tau = t.
  const double steps = std::max(log_t - std::log(kinetics.attempt_time.si()), 1e-3);
  const double edge = std::abs(field_V_per_m) * std::pow(steps, 1 / kinetics.field_exponent);
  return fields.mean(
      [&](double activation) {
        return switched(log_t - log_switching_time_s(kinetics, activation, field_V_per_m), kinetics.time_exponent);
      },
      edge);
}

double read_disturb(const SwitchingKinetics& kinetics, const ActivationFields& fields, double read_field_V_per_m,
                    double t_read_s, double reads) {
  return switched_share(kinetics, fields, read_field_V_per_m, reads * t_read_s);
}

DomainEnsemble::DomainEnsemble(const SwitchingKinetics& kinetics, std::uint64_t seed, StreamPlace place)
    : kinetics_(kinetics),
      seed_(seed),
      place_(place),
      progress_(static_cast<std::size_t>(kinetics.domains), 0.0),
      direction_(progress_.size(), -1),
      draws_(progress_.size()) {
  const ActivationFields fields(kinetics);
  Stream(seed, Purpose::programming, place).uniforms(0, draws_);
  for (const float u : draws_) activation_V_per_m_.push_back(fields.quantile_V_per_m(u));
  Stream(seed, Purpose::mismatch, place).normals(0, draws_);
  for (const float z : draws_) offset_V_per_m_.push_back(kinetics.offset_spread.si() * z);
}

void DomainEnsemble::set_all(int direction) {
  TELLEGEN_ASSERT(direction == 1 || direction == -1);
  std::fill(direction_.begin(), direction_.end(), static_cast<std::int8_t>(direction));
  std::fill(progress_.begin(), progress_.end(), 0.0);
}

double DomainEnsemble::polarization() const {
  long sum = 0;
  for (const std::int8_t direction : direction_) sum += direction;
  return static_cast<double>(sum) / static_cast<double>(direction_.size());
}

double DomainEnsemble::apply(double field_V_per_m, double dt_s) {
  Stream(seed_, Purpose::relaxation, place_).uniforms(steps_ * size(), draws_);
  ++steps_;
  const double log_dt = std::log(dt_s);
  for (std::size_t k = 0; k < size(); ++k) {
    const double local_V_per_m = field_V_per_m - offset_V_per_m_[k];
    if (local_V_per_m == 0) continue;
    const double step = std::exp(log_dt - log_switching_time_s(kinetics_, activation_V_per_m_[k], local_V_per_m));
    const double before = progress_[k];
    if (local_V_per_m * direction_[k] > 0) {
      progress_[k] = std::max(0.0, before - step);
      continue;
    }
    progress_[k] = before + step;
    const double switches =
        -std::expm1(std::pow(before, kinetics_.time_exponent) - std::pow(progress_[k], kinetics_.time_exponent));
    if (static_cast<double>(draws_[k]) < switches) {
      direction_[k] = static_cast<std::int8_t>(-direction_[k]);
      progress_[k] = 0;
    }
  }
  return polarization();
}

}  // namespace tellegen::devices
