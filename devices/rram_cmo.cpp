#include "tellegen/devices/rram_cmo.h"

#include "tellegen/devices/array_kernel.h"
#include "tellegen/devices/spread.h"

namespace tellegen::devices {
namespace {

constexpr Conductance lowest = Conductance::si(9e-6), highest = Conductance::si(88.2e-6);

/// mean_S holds standard normal draws on entry.
struct Relax {
  TELLEGEN_KERNEL static void run(const float* programmed_S, std::size_t count, float shift_S, float sigma_S,
                                  float* mean_S) {
    for (std::size_t i = 0; i < count; ++i) mean_S[i] = programmed_S[i] + shift_S + sigma_S * mean_S[i];
  }
};

struct ReadVariance {
  TELLEGEN_KERNEL static void run(const float* mean_S, std::size_t count, float log_time, float* variance_S2) {
    for (std::size_t i = 0; i < count; ++i) {
      const float amplitude_S = 1e-6f * CmoLaw::read_amplitude_uS(mean_S[i] * 1e6f);
      variance_S2[i] = amplitude_S * amplitude_S * log_time;
    }
  }
};

class RramCmoDevice final : public StatisticalDevice {
 public:
  explicit RramCmoDevice(const RramCmoParameters& p) : StatisticalDevice(p.range) {
    const auto line = CmoLaw::programming_sigma(p.acceptance);
    programming_ = {static_cast<float>(line.absolute_uS * 1e-6), static_cast<float>(line.proportional)};
  }

 private:
  void program_block(std::uint64_t first, std::span<const float> target_S, const CellStreams& streams,
                     std::span<float> g_S) const override {
    streams.programming.normals(first, g_S);
    vectorised<AddAffineError>(target_S.data(), target_S.size(), programming_, g_S.data());
  }

  void age_block(const Block& block, const Conditions& conditions, const CellStreams& streams,
                 std::span<float> mean_S) const override {
    const double age_s = conditions.age.si();
    if (age_s == 0) {
      std::copy(block.programmed_S.begin(), block.programmed_S.end(), mean_S.begin());
      return;
    }
    streams.relaxation.normals(block.first, mean_S);
    vectorised<Relax>(block.programmed_S.data(), mean_S.size(), static_cast<float>(CmoLaw::mean_shift_uS(age_s) * 1e-6),
                      static_cast<float>(CmoLaw::relaxation_sigma_uS(age_s) * 1e-6), mean_S.data());
  }

  bool reads_with_noise() const override { return true; }

  void variance_block(const Block& /*block*/, std::span<const float> mean_S, const Conditions& conditions,
                      std::span<float> variance_S2) const override {
    vectorised<ReadVariance>(mean_S.data(), mean_S.size(),
                             static_cast<float>(CmoLaw::read_log_time(conditions.age.si())), variance_S2.data());
  }

  AffineSpread programming_;
};

}  // namespace

std::span<const std::pair<CmoAcceptance, const char*>> enum_names(CmoAcceptance) {
  static constexpr std::pair<CmoAcceptance, const char*> names[] = {{CmoAcceptance::two_per_mille, "0.2 %"},
                                                                    {CmoAcceptance::two_percent, "2 %"}};
  return names;
}

RramCmoParameters::RramCmoParameters() {
  range.g_min = lowest;
  range.g_max = highest;
}

void RramCmoParameters::settings(Settings& v) {
  range.settings(v);
  require_measured(v, range, lowest, highest);
  v("acceptance", acceptance, "how near its target write-verify leaves a cell, as a share of the target");
}

std::unique_ptr<ConductanceDevice> RramCmoParameters::make() const { return std::make_unique<RramCmoDevice>(*this); }
std::unique_ptr<DeviceParameters> RramCmoParameters::clone() const {
  return std::make_unique<RramCmoParameters>(*this);
}

DeviceEntry rram_cmo_entry() {
  return {"rram_cmo",
          "RRAM of conductive metal oxide on HfO2: write-verify to 0.2 % or 2 %, relaxation with the logarithm of "
          "time, 1/f noise.",
          "Falcone et al., IBM Zurich; fits as in aihwkit 4545f11b",
          "device: {model: rram_cmo}",
          []() -> std::unique_ptr<DeviceParameters> { return std::make_unique<RramCmoParameters>(); },
          "Programming: sigma = a + b G, by acceptance. Relaxation: mean -0.0890 ln(t) uS, sigma 0.0420 "
          "ln(t) + 0.4118 uS. Read: sigma = 0.0277 log10(G) sqrt(ln((t + 1 us) / 2 us)) uS."};
}

}  // namespace tellegen::devices
