#pragma once
// RRAM of conductive metal oxide on HfO2 (IBM Zurich, Falcone et al.): fits as in IBM's aihwkit (commit 4545f11b, MIT).

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "tellegen/devices/real_math.h"
#include "tellegen/devices/statistical_device.h"

namespace tellegen::devices {

/// How near the target write-verify stops, as a share of the target.
enum class CmoAcceptance { two_per_mille, two_percent };
std::span<const std::pair<CmoAcceptance, const char*>> enum_names(CmoAcceptance);

/// The published fits; conductances 9 to 88.2 uS.
struct CmoLaw {
  struct Line {
    double absolute_uS, proportional;
  };
  /// Standard deviation of the programmed conductance.
  static Line programming_sigma(CmoAcceptance acceptance) {
    return acceptance == CmoAcceptance::two_percent ? Line{0.0112185391, 0.01129027418} : Line{0.00081107, 0.00106879};
  }
  /// Relaxation after verification, the same for all conductances; the fits begin at 1 s, and an earlier age counts as
  /// 1 s.
  static double mean_shift_uS(double age_s) { return -0.08900206 * std::log(std::max(age_s, 1.0)); }
  static double relaxation_sigma_uS(double age_s) { return 0.04201137 * std::log(std::max(age_s, 1.0)) + 0.41183342; }

  /// 1/f read noise of a read pulse of 1 us: sigma = read_amplitude * sqrt(read_log_time).
  template <class Real>
  TELLEGEN_KERNEL static Real read_amplitude_uS(Real g_uS) {
    const Real log10_g =
        ln(g_uS < Real(1) ? Real(1) : g_uS) * Real(0.43429448190325182);  // no noise is known below 1 uS
    return Real(0.0277316483) * log10_g;
  }
  static double read_log_time(double age_s) { return std::max(0.0, std::log((age_s + 1e-6) / 2e-6)); }
};

struct RramCmoParameters final : DeviceParameters {
  CellRange range;
  CmoAcceptance acceptance = CmoAcceptance::two_per_mille;
  RramCmoParameters();
  void settings(Settings& v) override;
  std::unique_ptr<ConductanceDevice> make() const override;
  std::unique_ptr<DeviceParameters> clone() const override;
};

DeviceEntry rram_cmo_entry();

}  // namespace tellegen::devices
