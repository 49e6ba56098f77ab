#pragma once
// One device under any drive, integrated with error control (Dormand-Prince 5(4), Boost.Odeint). Steps end where dx/dt
// is not smooth and where the state reaches or leaves a limit, so that no step spans a kink. Where dx/dt jumps and both
// sides push the state against the jump, the state slides along it (the limit of ever smaller steps).

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "tellegen/devices/memristor/memristor.h"

namespace tellegen::devices {

enum class DriveKind { voltage, current };
std::span<const std::pair<DriveKind, const char*>> enum_names(DriveKind);

/// The drive over time: volts or amperes, as a function of seconds; continuous.
struct Drive {
  DriveKind kind = DriveKind::voltage;
  std::function<double(double t_s)> value;
};

struct AdaptiveSettings {
  double tolerance = 1e-10;   ///< error of one step, relative to the state and to its range
  double longest_step_s = 0;  ///< steps are not longer; 0: a hundredth of the whole time
  std::size_t most_steps = 5000000;
};

/// States at the times that were asked for.
struct Trajectory {
  std::vector<double> x;
  std::vector<double> v_V;
  std::vector<double> i_A;
  std::size_t steps = 0;   ///< accepted steps
  std::size_t events = 0;  ///< of these, how many ended at a threshold, an edge or a limit
};

/// States at `t_s` (rising; x0 is the state at the first of them). Throws RefusedError where the steps run out.
Trajectory integrate_adaptively(const MemristorModel& model, const Drive& drive, double x0, std::span<const double> t_s,
                                const AdaptiveSettings& settings = {});

}  // namespace tellegen::devices
