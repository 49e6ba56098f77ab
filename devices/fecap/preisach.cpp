#include "tellegen/devices/fecap/preisach.h"

#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::devices {

SaturatedLoop SaturatedLoop::from_remanent(double remanent_C_per_m2, double saturation_C_per_m2,
                                           double coercive_V_per_m) {
  TELLEGEN_ASSERT(remanent_C_per_m2 > 0 && remanent_C_per_m2 < saturation_C_per_m2 && coercive_V_per_m > 0);
  const double share = remanent_C_per_m2 / saturation_C_per_m2;
  return {saturation_C_per_m2, coercive_V_per_m, coercive_V_per_m / std::log((1 + share) / (1 - share))};
}

double SaturatedLoop::polarization(double field_V_per_m, Branch branch) const {
  const double centre = static_cast<int>(branch) * coercive_V_per_m;
  return saturation_C_per_m2 * std::tanh((field_V_per_m - centre) / (2 * delta_V_per_m));
}

double SaturatedLoop::slope(double field_V_per_m, Branch branch) const {
  const double centre = static_cast<int>(branch) * coercive_V_per_m;
  const double sech = 1 / std::cosh((field_V_per_m - centre) / (2 * delta_V_per_m));
  return saturation_C_per_m2 / (2 * delta_V_per_m) * sech * sech;
}

PreisachHysteresis::PreisachHysteresis(const SaturatedLoop& loop, double field_V_per_m, Branch branch)
    : loop_(loop), now_{field_V_per_m, loop.polarization(field_V_per_m, branch)}, branch_(branch) {}

double PreisachHysteresis::on_branch(double field) const {
  if (turning_points_.empty()) return loop_.polarization(field, branch_);
  const Point& from = turning_points_.back();
  // The branch heads for the turning point before the last, or for saturation where there is none.
  const double end = static_cast<int>(branch_) * loop_.saturation_C_per_m2;
  const bool to_saturation = turning_points_.size() < 2;
  const Point* to = to_saturation ? nullptr : &turning_points_[turning_points_.size() - 2];
  const double shape_from = loop_.polarization(from.field, branch_);
  const double shape_to = to_saturation ? end : loop_.polarization(to->field, branch_);
  const double polarization_to = to_saturation ? end : to->polarization;
  // Both ends saturated to the last digit: there is nothing left to move.
  if (shape_to == shape_from) return from.polarization;
  const double share = (loop_.polarization(field, branch_) - shape_from) / (shape_to - shape_from);
  return from.polarization + (polarization_to - from.polarization) * share;
}

double PreisachHysteresis::apply(double field_V_per_m) {
  if (field_V_per_m == now_.field) return now_.polarization;
  const Branch heading = field_V_per_m > now_.field ? Branch::ascending : Branch::descending;
  if (heading != branch_) {
    turning_points_.push_back(now_);
    branch_ = heading;
  }
  // Wipe-out: a loop that is closed is forgotten with both of its turning points.
  const auto closes = [&](const Point& point) {
    return heading == Branch::ascending ? field_V_per_m >= point.field : field_V_per_m <= point.field;
  };
  while (turning_points_.size() >= 2 && closes(turning_points_[turning_points_.size() - 2])) {
    turning_points_.resize(turning_points_.size() - 2);
  }
  now_ = {field_V_per_m, on_branch(field_V_per_m)};
  return now_.polarization;
}

void apply_fields(std::span<PreisachHysteresis> capacitors, std::span<const double> field_V_per_m,
                  std::span<double> polarization_C_per_m2) {
  TELLEGEN_ASSERT(capacitors.size() == field_V_per_m.size() && capacitors.size() == polarization_C_per_m2.size());
  for (std::size_t k = 0; k < capacitors.size(); ++k) polarization_C_per_m2[k] = capacitors[k].apply(field_V_per_m[k]);
}

}  // namespace tellegen::devices
