#include "tellegen/devices/memristor/adaptive.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/dense_output_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/generation.hpp>
#include <boost/numeric/odeint/stepper/runge_kutta_dopri5.hpp>
#include <cmath>
#include <limits>
#include <optional>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

namespace odeint = boost::numeric::odeint;
using DormandPrince = odeint::runge_kutta_dopri5<double>;
using Stepper = odeint::result_of::make_dense_output<DormandPrince>::type;

/// Walks from time to time; t_s_ and x_ are where it stands.
class Integrator {
 public:
  Integrator(const MemristorModel& model, const Drive& drive, double x0, double t_s, double longest_step_s,
             const AdaptiveSettings& settings)
      : model_(model),
        drive_(drive),
        range_(model.state()),
        longest_s_(longest_step_s),
        next_s_(longest_step_s),
        steps_left_(settings.most_steps),
        stepper_(odeint::make_dense_output(settings.tolerance * range_.width(), settings.tolerance, DormandPrince())),
        before_(model.event_count()),
        after_(model.event_count()),
        between_(model.event_count()),
        t_s_(t_s),
        x_(std::clamp(x0, range_.low, range_.high)) {}

  double x() const { return x_; }
  std::size_t steps() const { return steps_; }
  std::size_t events() const { return events_; }
  double voltage(double x, double t_s) const {
    const double value = drive_.value(t_s);
    return drive_.kind == DriveKind::voltage ? value : model_.voltage_V(x, value);
  }

  void advance_to(double end_s) {
    while (end_s - t_s_ > 4 * std::numeric_limits<double>::epsilon() * std::abs(end_s)) {
      if (steps_left_-- == 0) refuse("the steps run out");
      if (is_held(t_s_)) {
        wait(std::min(t_s_ + longest_s_, end_s));
      } else if (edge_ != no_edge) {
        slide(std::min(t_s_ + longest_s_, end_s));
      } else {
        step(std::min({next_s_, longest_s_, end_s - t_s_}));
        if (next_s_ < 1e-6 * longest_s_) look_for_edge();
      }
    }
    t_s_ = end_s;
  }

 private:
  static constexpr std::size_t no_edge = static_cast<std::size_t>(-1);

  double rate(double x, double t_s) const {
    const double inside = std::clamp(x, range_.low, range_.high);
    return model_.rate_per_s(inside, voltage(inside, t_s));
  }
  /// Whether x stands at a limit and is pushed against it.
  bool is_held(double t_s) const {
    return (x_ >= range_.high && rate(x_, t_s) > 0) || (x_ <= range_.low && rate(x_, t_s) < 0);
  }
  [[noreturn]] void refuse(const char* why) const {
    throw RefusedError({fmt::format("The adaptive integration stops at t = {:.6g} s: {}.", t_s_, why),
                        "Allow a larger tolerance, more steps, or a smaller drive."});
  }

  /// Stays at the limit up to end_s or up to where the push turns inward.
  void wait(double end_s) {
    if (is_held(end_s)) {
      t_s_ = end_s;
      return;
    }
    t_s_ = bisect(t_s_, end_s, [&](double t_s) { return !is_held(t_s); });
    ++events_;
  }

  double event(std::size_t k, double x, double t_s) const {
    model_.events(x, voltage(x, t_s), between_);
    return between_[k];
  }

  /// Where event function k is zero near x_, if it changes its sign with x within a hundredth of the range.
  std::optional<double> edge(std::size_t k, double t_s) const {
    for (double reach = 1e-12 * range_.width(); reach < 0.01 * range_.width(); reach *= 4) {
      double low = x_ - reach, high = x_ + reach;
      const bool low_side = event(k, low, t_s) > 0;
      if (low_side == (event(k, high, t_s) > 0)) continue;
      while (true) {
        const double middle = low + 0.5 * (high - low);
        if (middle <= low || middle >= high) return middle;
        ((event(k, middle, t_s) > 0) == low_side ? low : high) = middle;
      }
    }
    return std::nullopt;
  }

  /// Whether x sticks to the moving edge k: the rates on both sides push it there faster than the edge goes.
  bool slides(std::size_t k, double t_s) const {
    const auto now = edge(k, t_s), next = edge(k, t_s + 1e-6 * longest_s_);
    const double aside = 1e-9 * range_.width();
    if (!now || !next || *now > range_.high + aside || *now < range_.low - aside) return false;
    const double speed = (*next - *now) / (1e-6 * longest_s_);
    const auto free_rate = [&](double x) { return model_.rate_per_s(x, voltage(x, t_s)); };
    return free_rate(*now - aside) > speed && free_rate(*now + aside) < speed;
  }

  /// Steps collapse in front of an edge that throws x back within a step: no change of sign is seen there.
  void look_for_edge() {
    for (std::size_t k = 0; k < before_.size() && edge_ == no_edge; ++k) {
      const auto at = edge(k, t_s_);
      if (at && std::abs(*at - x_) < 1e-8 * range_.width() && slides(k, t_s_)) edge_ = k;
    }
    next_s_ = edge_ == no_edge ? next_s_ : longest_s_;
  }

  /// Follows the edge up to end_s or up to where x comes loose.
  void slide(double end_s) {
    const std::size_t k = edge_;
    if (!slides(k, end_s)) {
      end_s = bisect(t_s_, end_s, [&](double t_s) { return !slides(k, t_s); });
      edge_ = no_edge;
      ++events_;
    }
    x_ = std::clamp(edge(k, end_s).value_or(x_), range_.low, range_.high);
    t_s_ = end_s;
    ++steps_;
  }

  /// One step of at most h_s, or the part of it up to the first event.
  void step(double h_s) {
    const double start_s = t_s_, x0 = x_;
    take(x0, start_s, h_s);
    const double end_s = stepper_.current_time();
    const double event_s = first_event(start_s, x0, end_s);
    if (event_s < end_s) {
      // The step is taken again up to the event: interpolated states are less exact than steps.
      take(x0, start_s, event_s - start_s);
      ++events_;
    }
    t_s_ = stepper_.current_time();
    x_ = std::clamp(stepper_.current_state(), range_.low, range_.high);
    ++steps_;
    if (event_s < end_s && last_event_ != no_edge && slides(last_event_, t_s_)) edge_ = last_event_;
  }

  void take(double x0, double start_s, double h_s) {
    stepper_.initialize(x0, start_s, h_s);
    try {
      stepper_.do_step([&](double x, double& dxdt, double t_s) { dxdt = rate(x, t_s); });
    } catch (const odeint::odeint_error&) {
      refuse("no step is short enough for the tolerance");
    }
    const bool rejected = stepper_.current_time() - start_s < h_s * (1 - 1e-9);
    next_s_ = rejected ? stepper_.current_time_step() : std::max(next_s_, stepper_.current_time_step());
  }

  double state_at(double t_s) {
    double x = 0;
    stepper_.calc_state(t_s, x);
    return x;
  }

  /// The first time after start_s at which an event function has changed its sign or x has left its range; end_s if
  /// none.
  double first_event(double start_s, double x0, double end_s) {
    const double x1 = stepper_.current_state();
    model_.events(x0, voltage(x0, start_s), before_);
    model_.events(x1, voltage(x1, end_s), after_);
    double first_s = end_s;
    last_event_ = no_edge;
    for (std::size_t k = 0; k < before_.size(); ++k) {
      if (before_[k] * after_[k] >= 0) continue;
      const double sign = before_[k] > 0 ? 1 : -1;
      const double at_s = bisect(start_s, end_s, [&](double t_s) { return sign * event(k, state_at(t_s), t_s) < 0; });
      if (at_s < first_s) last_event_ = k;
      first_s = std::min(first_s, at_s);
    }
    if (x1 > range_.high || x1 < range_.low) {
      const double at_s = bisect(start_s, end_s, [&](double t_s) {
        const double x = state_at(t_s);
        return x > range_.high || x < range_.low;
      });
      if (at_s < first_s) last_event_ = no_edge;
      first_s = std::min(first_s, at_s);
    }
    return first_s;
  }

  /// The first representable time at which `changed` holds; it does not at low_s and does at high_s.
  template <class Changed>
  static double bisect(double low_s, double high_s, Changed changed) {
    while (true) {
      const double middle_s = low_s + 0.5 * (high_s - low_s);
      if (middle_s <= low_s || middle_s >= high_s) return high_s;
      (changed(middle_s) ? high_s : low_s) = middle_s;
    }
  }

  const MemristorModel& model_;
  const Drive& drive_;
  StateRange range_;
  double longest_s_, next_s_;
  std::size_t steps_left_;
  Stepper stepper_;
  std::vector<double> before_, after_;  ///< values of the event functions
  mutable std::vector<double> between_;
  double t_s_, x_;
  std::size_t last_event_ = no_edge;  ///< event function that ended the last step
  std::size_t edge_ = no_edge;        ///< event function along whose zero x slides
  std::size_t steps_ = 0, events_ = 0;
};

}  // namespace

std::span<const std::pair<DriveKind, const char*>> enum_names(DriveKind) {
  static constexpr std::array<std::pair<DriveKind, const char*>, 2> names{
      {{DriveKind::voltage, "voltage"}, {DriveKind::current, "current"}}};
  return names;
}

Trajectory integrate_adaptively(const MemristorModel& model, const Drive& drive, double x0, std::span<const double> t_s,
                                const AdaptiveSettings& settings) {
  TELLEGEN_ASSERT(!t_s.empty() && std::is_sorted(t_s.begin(), t_s.end()));
  const double longest_s =
      settings.longest_step_s > 0 ? settings.longest_step_s : std::max((t_s.back() - t_s.front()) / 100, 1e-300);
  Integrator integrator(model, drive, x0, t_s.front(), longest_s, settings);
  Trajectory result;
  for (const double t : t_s) {
    integrator.advance_to(t);
    const double value = drive.value(t);
    const bool by_voltage = drive.kind == DriveKind::voltage;
    result.x.push_back(integrator.x());
    result.v_V.push_back(by_voltage ? value : model.voltage_V(integrator.x(), value));
    result.i_A.push_back(by_voltage ? model.current_A(integrator.x(), value) : value);
  }
  result.steps = integrator.steps();
  result.events = integrator.events();
  return result;
}

}  // namespace tellegen::devices
