#pragma once
// Nucleation-limited switching: a polycrystalline film is many domains that switch independently, each with its own
// time. Tagantsev et al., Phys. Rev. B 66:214109 (2002); Jo et al., Phys. Rev. Lett. 99:267602 (2007) for the
// Lorentzian distribution; Alessandri et al., IEEE EDL 39:1780 (2018) for distributed activation fields.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/random.h"
#include "tellegen/devices/fecap/quantities.h"

namespace tellegen::devices {

/// Merz's law: log10 of t1 = t_inf exp((E_a / E)^m), in seconds.
double merz_log10_time_s(double t_inf_s, double activation_V_per_m, double exponent, double field_V_per_m);

/// Switched share after t where log10 t0 of the domains is Lorentzian about log10 t1 with half-width `width_decades`
/// and each switches as 1 - exp(-(t/t0)^n); by quadrature, absolute error below 1e-10. The closed form 1/2 +
/// arctan(log10(t/t1)/width)/pi in its place is wrong by up to 0.085.
double lorentzian_switched_share(double log10_t_over_t1, double width_decades, double n);

/// How activation fields are distributed over the domains, truncated to 0 .. largest.
enum class ActivationLaw {
  generalised_beta,  ///< (a/b) (E/b)^(ap - 1) / (B(p,q) (1 + (E/b)^a)^(p+q)); b is a field
  normal,            ///< mean b, standard deviation `spread`
};
std::span<const std::pair<ActivationLaw, const char*>> enum_names(ActivationLaw);

/// Nucleation-limited switching of one film material.
struct SwitchingKinetics {
  ActivationLaw law = ActivationLaw::generalised_beta;
  double a = 8, p = 0.6775, q = 0.8115;             ///< of the generalised beta law
  ElectricField scale = ElectricField::si(2e8);     ///< b
  ElectricField spread = ElectricField::si(0.5e8);  ///< of the normal law
  ElectricField largest = ElectricField::si(8e8);
  Time attempt_time = Time::si(1e-7);  ///< tau_0
  double field_exponent = 3.2975;      ///< alpha: tau = tau_0 exp((E_a/E)^alpha)
  double time_exponent = 2;            ///< beta: a domain has switched with probability 1 - exp(-(t/tau)^beta)
  ElectricField offset_spread = ElectricField::si(0);  ///< local bias of a domain, normal with mean 0
  int domains = 2000;                                  ///< of a capacitor that is simulated domain by domain
  void settings(Settings& v);
};

/// Natural logarithm of tau at a field, in seconds; infinite at zero field.
double log_switching_time_s(const SwitchingKinetics& kinetics, double activation_V_per_m, double field_V_per_m);

/// The distribution of activation fields: density, quantile function and averages.
class ActivationFields {
 public:
  explicit ActivationFields(const SwitchingKinetics& kinetics);
  /// Probability density, 1/(V/m), normalised on 0 .. largest.
  double density(double field_V_per_m) const;
  /// Share of the untruncated law that lies within 0 .. largest.
  double kept() const { return kept_; }
  /// The field that a share u in (0, 1) of the domains lies below.
  double quantile_V_per_m(double u) const;
  /// Mean of `value` over the distribution; the integrand may change fast near `edge_V_per_m`.
  double mean(const std::function<double(double)>& value, double edge_V_per_m) const;

 private:
  double untruncated(double field_V_per_m) const;
  SwitchingKinetics kinetics_;
  double beta_function_;  ///< B(p, q)
  double kept_ = 1;
  std::vector<double> quantile_field_, quantile_share_;
};

/// Share of opposing domains that a field held for t_s switches, without local bias; by quadrature.
double switched_share(const SwitchingKinetics& kinetics, const ActivationFields& fields, double field_V_per_m,
                      double t_s);

/// Share that `reads` pulses of t_read_s at the read field have disturbed: the pulses add up, as long as the field
/// never changes sign between them.
double read_disturb(const SwitchingKinetics& kinetics, const ActivationFields& fields, double read_field_V_per_m,
                    double t_read_s, double reads);

/// A capacitor domain by domain, for any waveform. The progress h of each domain grows by dt/tau while the field
/// opposes it and recedes otherwise; a step switches it with probability 1 - exp(h_before^beta - h_after^beta).
class DomainEnsemble {
 public:
  /// Domain k takes element k of the stream purposes programming (activation) and mismatch (local bias); all point
  /// down.
  DomainEnsemble(const SwitchingKinetics& kinetics, std::uint64_t seed, StreamPlace place);

  /// Holds field_V_per_m for dt_s and returns the polarization as a share of P_r, -1 .. 1.
  double apply(double field_V_per_m, double dt_s);
  double polarization() const;
  std::size_t size() const { return activation_V_per_m_.size(); }
  /// Sets every domain up (+1) or down (-1) and clears its progress.
  void set_all(int direction);

 private:
  SwitchingKinetics kinetics_;
  std::uint64_t seed_;
  StreamPlace place_;
  std::uint64_t steps_ = 0;
  std::vector<double> activation_V_per_m_, offset_V_per_m_, progress_;
  std::vector<std::int8_t> direction_;
  std::vector<float> draws_;
};

}  // namespace tellegen::devices
