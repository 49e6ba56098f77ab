#include "tellegen/devices/fecap/fecap_array.h"

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::devices {

FecapConfig::FecapConfig() : film(find_film(film_name).film) {}

void FecapConfig::settings(Settings& v) {
  v.choice("film", film_name, film_names(), "ferroelectric film; its numbers follow and may be overridden");
  if (made_for_ != film_name) {
    film = find_film(film_name).film;
    made_for_ = film_name;
  }
  film.settings(v);
  v("area", area, "area of one capacitor", positive());
  v("imprint", imprint, "shift of the loop by asymmetric electrodes; without it and without bias there is no window");
  v("read_bias", read_bias, "constant voltage across the film while it is read");
  v("read_amplitude", read_amplitude, "largest signal voltage across the film while it is read", positive());
  v("read_time", read_time, "how long one read lasts", positive());
  v("levels", levels, "evenly spaced capacitance levels; 0: any value", between(0, 256));
  v("programming_error", programming_error, "standard deviation of the share of domains that point up", at_least(0));
  v("capacitance_spread", capacitance_spread, "relative standard deviation of the capacitance between cells",
    between(0, 0.3));
  v.section("ageing", ageing, "wake-up, fatigue, retention and imprint");
  v.require(levels != 1, "levels", "must be 0 or at least 2.");
}

FecapArray::FecapArray(const FecapConfig& config)
    : config_(config),
      fields_(config.film.kinetics),
      linear_F_(linear_capacitance_F(config.film, config.area.si())),
      read_field_V_per_m_((std::abs(config.read_bias.si()) + config.read_amplitude.si()) / config.film.thickness.si()) {
  up_F_ = state_F(PolarState::up, 0);
  down_F_ = state_F(PolarState::down, 0);
  if (up_F_ == down_F_) {
    throw InputError(
        "The two states of this ferroelectric capacitor have the same capacitance; set fecap.imprint or "
        "fecap.read_bias to something other than zero.");
  }
}

double FecapArray::state_F(PolarState state, double shift_V_per_m) const {
  const double bias_V_per_m = config_.read_bias.si() / config_.film.thickness.si();
  return small_signal_capacitance_F(config_.film, config_.area.si(), state, bias_V_per_m,
                                    config_.imprint.si() + shift_V_per_m);
}

ProgrammedCapacitors FecapArray::program(std::span<const float> target_F, const ArrayAddress& address) const {
  ProgrammedCapacitors cells{std::vector<float>(target_F.size()), std::vector<float>(target_F.size()), 0};
  address.stream(Purpose::programming).normals(0, cells.up_share);
  address.stream(Purpose::mismatch).normals(0, cells.cell_factor);
  const double steps = config_.levels - 1;
  // Four standard deviations below the mean at the largest spread allowed; a capacitor stays a capacitor.
  constexpr double least_factor = 0.01;
  for (std::size_t k = 0; k < target_F.size(); ++k) {
    double share = (target_F[k] - down_F_) / (up_F_ - down_F_);
    if (config_.levels > 0) share = std::round(share * steps) / steps;
    share += config_.programming_error * cells.up_share[k];
    // Targets at the ends round to a hair outside in float; that is no clipped draw.
    constexpr double rounding = 1e-6;
    if (share < -rounding || share > 1 + rounding) ++cells.clipped;
    cells.up_share[k] = static_cast<float>(std::clamp(share, 0.0, 1.0));
    cells.cell_factor[k] =
        static_cast<float>(std::max(least_factor, 1 + config_.capacitance_spread * cells.cell_factor[k]));
  }
  return cells;
}

double FecapArray::disturbed_share(double reads) const {
  return read_disturb(config_.film.kinetics, fields_, read_field_V_per_m_, config_.read_time.si(), reads);
}

void FecapArray::capacitances(const ProgrammedCapacitors& cells, const FecapConditions& conditions,
                              std::span<float> capacitance_F) const {
  TELLEGEN_ASSERT(cells.up_share.size() == capacitance_F.size());
  const FerroelectricAgeing& ageing = config_.ageing.ageing;
  const double kept = ageing.retained_share(conditions.age.si());
  const double switchable = ageing.remanent_share(conditions.cycles);
  // Reads turn domains towards the read field: the side of the bias; a signal about zero bias counts as positive.
  const double turned = disturbed_share(conditions.reads);
  const bool towards_up = config_.read_bias.si() >= 0;
  // Imprint makes the stored state the preferred one: the loop of up domains moves to lower fields, that of down
  // domains to higher ones.
  const double shift_V_per_m = ageing.imprint_V_per_m(conditions.age.si());
  const double down_F = linear_F_ + switchable * (state_F(PolarState::down, shift_V_per_m) - linear_F_);
  const double up_F = linear_F_ + switchable * (state_F(PolarState::up, -shift_V_per_m) - linear_F_);
  for (std::size_t k = 0; k < capacitance_F.size(); ++k) {
    // Retention lets the polarization 2 x - 1 relax towards zero; disturb turns domains that oppose the read field.
    double up = 0.5 + kept * (cells.up_share[k] - 0.5);
    up = towards_up ? up + turned * (1 - up) : up * (1 - turned);
    capacitance_F[k] = static_cast<float>(cells.cell_factor[k] * (down_F + up * (up_F - down_F)));
  }
}

}  // namespace tellegen::devices
