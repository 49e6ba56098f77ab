#include "tellegen/circuits/converter/adc.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/circuits/converter/converter_kernels.h"

namespace tellegen::circuits {
namespace {

/// Values whose normals stay in the first-level cache.
constexpr std::size_t noise_chunk = 4096;

/// White noise that lowers a converter over `width` with quantisation step `step` to `enob` effective bits.
double noise_of_enob(double enob, double width, double step) {
  const double signal = width * width / 8;  // power of a full-scale sine
  const double all = signal / std::pow(10.0, (6.02 * enob + 1.76) / 10);
  return std::sqrt(std::max(0.0, all - step * step / 12));
}

}  // namespace

std::span<const std::pair<RangeMethod, const char*>> enum_names(RangeMethod) {
  static constexpr std::array<std::pair<RangeMethod, const char*>, 3> names = {
      {{RangeMethod::max, "max"}, {RangeMethod::percentile, "percentile"}, {RangeMethod::analytic, "analytic"}}};
  return names;
}

void RangeConfig::settings(Settings& v) {
  v("method", method,
    "how the full scale is found: the largest sampled current, a percentile of it, or the rms expected");
  v("percentile", percentile, "share of sampled line currents inside the full scale, in percent",
    Allowed{0.0, 100.0, true});
  v("sigmas", sigmas,
    "full scale of method analytic: |mean| and this many standard deviations of a line current for random inputs",
    between(0.1, 1000));
}

void AdcConfig::settings(Settings& v) {
  static const std::array<std::string, 3> kinds = {"sar", "flash", "ramp"};
  v.choice("kind", kind, kinds, "architecture of the converter; decides the cost");
  v("bits", bits, "resolution of one conversion");
  v("quantiser", quantiser, "how the range is cut into codes");
  v("enob", enob, "effective number of bits; what is missing to bits is white noise", between(0.5, 16.0));
  v("columns_per_adc", columns_per_adc, "lines that take turns on one converter", at_least(1));
  v("rate", rate, "conversions per second of one converter", between(units::Hz, 1000 * units::GHz));
  v.section("range", range, "how the full scale is found");
  v.require(quantiser != QuantiserKind::sign_magnitude || bits.bits != 1, "bits",
            "= '1' leaves no bit beside the sign: quantiser 'sign_magnitude' needs 2 bits or more; "
            "use quantiser: endpoint or mid_rise for 1 bit.");
  v.require(!enob || bits.ideal() || *enob <= bits.bits, "enob",
            "is above bits; the effective bits cannot exceed the resolution.");
}

Adc make_adc(const AdcConfig& config, double full_scale_A, bool bipolar) {
  TELLEGEN_ASSERT(full_scale_A > 0);
  Adc adc;
  adc.quantiser.kind = config.quantiser;
  if (!bipolar && config.quantiser == QuantiserKind::sign_magnitude) adc.quantiser.kind = QuantiserKind::endpoint;
  adc.quantiser.resolution = config.bits;
  adc.quantiser.low = bipolar ? -full_scale_A : 0.0;
  adc.quantiser.high = full_scale_A;
  if (config.enob) {
    const double step = config.bits.ideal() ? 0.0 : adc.quantiser.step();
    adc.noise_A = noise_of_enob(*config.enob, adc.quantiser.high - adc.quantiser.low, step);
  }
  return adc;
}

template <class T>
ConversionCounts convert(const Adc& adc, std::span<T> currents, const Stream& noise, std::uint64_t first_element,
                         ArrayScratch<T>& scratch) {
  ConversionCounts counts;
  counts.conversions = static_cast<std::int64_t>(currents.size());
  if (adc.noise_A <= 0) {
    counts.clipped = quantise(adc.quantiser, currents);
    return counts;
  }
  if (scratch.normals.size() < noise_chunk) scratch.normals.resize(noise_chunk);
  const T sigma_A = static_cast<T>(adc.noise_A);
  for (std::size_t first = 0; first < currents.size(); first += noise_chunk) {
    const std::span<T> part = currents.subspan(first, std::min(noise_chunk, currents.size() - first));
    noise.normals(first_element + first, std::span(scratch.normals).first(part.size()));
    kernels::add_scaled(best_vector_unit(), sigma_A, scratch.normals.data(), static_cast<std::int64_t>(part.size()),
                        part.data());
    counts.clipped += quantise(adc.quantiser, part);
  }
  return counts;
}

template ConversionCounts convert(const Adc&, std::span<float>, const Stream&, std::uint64_t, ArrayScratch<float>&);
template ConversionCounts convert(const Adc&, std::span<double>, const Stream&, std::uint64_t, ArrayScratch<double>&);

}  // namespace tellegen::circuits
