#pragma once
// Hysteresis with memory of turning points: Miller's saturated loop, and minor loops as affine images of it that join
// the last two turning points. Jiang et al., Symposium on VLSI Technology 141 (1997); Miller et al., J. Appl. Phys.
// 68:6463 (1990). Rate independent.

#include <cstddef>
#include <span>
#include <vector>

namespace tellegen::devices {

enum class Branch { ascending = 1, descending = -1 };

/// P(E) = P_s tanh((E -+ E_c) / (2 delta)); delta is such that the remanent polarization at E = 0 is P_r.
struct SaturatedLoop {
  double saturation_C_per_m2, coercive_V_per_m, delta_V_per_m;
  /// Needs 0 < remanent < saturation and coercive > 0.
  static SaturatedLoop from_remanent(double remanent_C_per_m2, double saturation_C_per_m2, double coercive_V_per_m);
  double polarization(double field_V_per_m, Branch branch) const;
  /// dP/dE.
  double slope(double field_V_per_m, Branch branch) const;
};

/// The history of one capacitor.
class PreisachHysteresis {
 public:
  /// On a branch of the saturated loop, with nothing to remember.
  PreisachHysteresis(const SaturatedLoop& loop, double field_V_per_m, Branch branch);

  /// Moves the field monotonously to field_V_per_m and returns the polarization there, C/m^2.
  double apply(double field_V_per_m);

  double field_V_per_m() const { return now_.field; }
  double polarization_C_per_m2() const { return now_.polarization; }
  /// Turning points that still matter.
  std::size_t depth() const { return turning_points_.size(); }

 private:
  struct Point {
    double field, polarization;
  };
  double on_branch(double field) const;

  SaturatedLoop loop_;
  Point now_;
  Branch branch_;
  std::vector<Point> turning_points_;
};

/// One field for each capacitor of an array; polarization_C_per_m2[k] becomes that of capacitor k.
void apply_fields(std::span<PreisachHysteresis> capacitors, std::span<const double> field_V_per_m,
                  std::span<double> polarization_C_per_m2);

}  // namespace tellegen::devices
