#include "tellegen/circuits/converter/adc.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/circuits/converter/converter_kernels.h"
#include "tellegen/circuits/cost/adc_cost.h"

namespace tellegen::circuits {
namespace {

/// Values whose normals stay in the first-level cache.
constexpr std::size_t noise_chunk = 4096;

/// Noise of decisions stands apart from the noise of ENOB, which counts elements from 0.
constexpr std::uint64_t kFirstDecision = std::uint64_t{1} << 60;

/// White noise that lowers a converter over `width` with quantisation step `step` to `enob` effective bits.
double noise_of_enob(double enob, double width, double step) {
  const double signal = width * width / 8;  // power of a full-scale sine
  const double all = signal / std::pow(10.0, (6.02 * enob + 1.76) / 10);
  return std::sqrt(std::max(0.0, all - step * step / 12));
}

template <class T>
void add_noise(double sigma_A, std::span<T> currents, const Stream& noise, std::uint64_t first_element,
               ArrayScratch<T>& scratch) {
  if (scratch.normals.size() < noise_chunk) scratch.normals.resize(noise_chunk);
  for (std::size_t first = 0; first < currents.size(); first += noise_chunk) {
    const std::span<T> part = currents.subspan(first, std::min(noise_chunk, currents.size() - first));
    noise.normals(first_element + first, std::span(scratch.normals).first(part.size()));
    kernels::add_scaled(best_vector_unit(), static_cast<T>(sigma_A), scratch.normals.data(),
                        static_cast<std::int64_t>(part.size()), part.data());
  }
}

/// One value after the other, by converters with errors or that compute a function. Returns how many values were outside
/// the range.
template <class Bank, class T>
std::int64_t convert_each(const Adc& adc, const Bank& bank, std::span<T> currents, const Stream& noise,
                          std::uint64_t first_element, ArrayScratch<T>& scratch) {
  const double low = adc.quantiser.kind == QuantiserKind::sign_magnitude ? -adc.quantiser.high : adc.quantiser.low;
  const std::size_t draws = static_cast<std::size_t>(bank.draws());
  const std::size_t chunk = draws == 0 ? currents.size() : std::max<std::size_t>(1, noise_chunk / draws);
  if (scratch.normals.size() < chunk * draws) scratch.normals.resize(chunk * draws);
  std::int64_t clipped = 0;
  for (std::size_t first = 0; first < currents.size(); first += chunk) {
    const std::span<T> part = currents.subspan(first, std::min(chunk, currents.size() - first));
    const std::span<float> normals = std::span(scratch.normals).first(part.size() * draws);
    if (draws > 0) noise.normals(kFirstDecision + (first_element + first) * draws, normals);
    for (std::size_t i = 0; i < part.size(); ++i) {
      const double x = static_cast<double>(part[i]);
      const auto line = static_cast<int>((first_element + first + i) % static_cast<std::uint64_t>(adc.lines));
      clipped += x >= low && x <= adc.quantiser.high ? 0 : 1;
      part[i] = static_cast<T>(bank.convert(x, line, normals.subspan(i * draws, draws)));
    }
  }
  return clipped;
}

}  // namespace

std::span<const std::pair<RangeMethod, const char*>> enum_names(RangeMethod) {
  static constexpr std::array<std::pair<RangeMethod, const char*>, 4> names = {{{RangeMethod::max, "max"},
                                                                                {RangeMethod::percentile, "percentile"},
                                                                                {RangeMethod::analytic, "analytic"},
                                                                                {RangeMethod::mse, "mse"}}};
  return names;
}

void RangeConfig::settings(Settings& v) {
  v("method", method,
    "how the full scale is found: the largest sampled current, a percentile of it, the rms expected, or the least mean "
    "squared error over the samples");
  v("percentile", percentile, "share of sampled line currents inside the full scale, in percent",
    Allowed{0.0, 100.0, true});
  v("sigmas", sigmas,
    "full scale of method analytic: |mean| and this many standard deviations of a line current for random inputs",
    between(0.1, 1000));
}

void AdcConfig::settings(Settings& v) {
  v.choice("kind", kind, adc_kinds(), "architecture of the converter; decides the cost, and how errors act");
  v("bits", bits, "resolution of one conversion");
  v("quantiser", quantiser, "how the range is cut into codes");
  v("enob", enob, "effective number of bits; what is missing to bits is white noise", between(0.5, 16.0));
  v("columns_per_adc", columns_per_adc, "lines that take turns on one converter", at_least(1));
  v("rate", rate, "conversions per second of one converter", between(units::Hz, 1000 * units::GHz));
  v.section("range", range, "how the full scale is found");
  struct KindedErrors {
    AdcErrors& errors;
    const std::string& kind;
    void settings(Settings& inner) { errors.settings(inner, kind); }
  } kinded{errors, kind};
  v.section("errors", kinded, "what is wrong with the converters; without, each is its quantiser");
  v("calibration", calibration, "what of the fixed errors is measured and taken off digitally");
  v.require(!bits.ideal() || !errors.any(), "bits", "= 'ideal' has no errors; give 1 to 16 bits, or no errors.");
  v.require(kind != "sense_amplifier" || bits.bits == 1, "bits",
            "must be 1 for kind 'sense_amplifier': it is one comparator.");
  v.require(calibration != AdcCalibration::table || bits.bits <= 12, "calibration",
            "= 'table' holds a value for each code; it is for up to 12 bits.");
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

Adc make_adc(const AdcConfig& config, double full_scale_A, bool bipolar, const Stream& mismatch, int lines) {
  Adc adc = make_adc(config, full_scale_A, bipolar);
  if (config.bits.ideal() || !config.errors.any()) return adc;
  const AdcBank::Design design{config.kind, config.errors, config.calibration, config.columns_per_adc, lines};
  adc.bank = std::make_shared<const AdcBank>(design, adc.quantiser, mismatch);
  adc.lines = lines;
  return adc;
}

Adc make_nonlinear_adc(const AdcConfig& config, const NonlinearAdcConfig& how, const ScalarFunction& function,
                       const Adc& linear, double x_per_A, const Stream& mismatch, int lines) {
  Adc adc = linear;
  adc.bank = nullptr;
  adc.lines = lines;
  NonlinearBank::Design design;
  design.function = function;
  design.method = how.method;
  design.bits = config.bits.bits;
  design.input_bits = how.input_bits_for(config.bits.bits);
  design.low_A = linear.quantiser.kind == QuantiserKind::sign_magnitude ? -linear.quantiser.high : linear.quantiser.low;
  design.high_A = linear.quantiser.high;
  design.x_per_A = x_per_A;
  design.kind = config.kind;
  design.errors = config.errors;
  design.calibration = config.calibration;
  design.columns_per_adc = config.columns_per_adc;
  design.lines = lines;
  adc.nonlinear = std::make_shared<const NonlinearBank>(design, mismatch);
  return adc;
}

template <class T>
ConversionCounts convert(const Adc& adc, std::span<T> currents, const Stream& noise, std::uint64_t first_element,
                         ArrayScratch<T>& scratch) {
  ConversionCounts counts;
  counts.conversions = static_cast<std::int64_t>(currents.size());
  if (adc.noise_A > 0) add_noise(adc.noise_A, currents, noise, first_element, scratch);
  counts.clipped = adc.nonlinear ? convert_each(adc, *adc.nonlinear, currents, noise, first_element, scratch)
                   : adc.bank    ? convert_each(adc, *adc.bank, currents, noise, first_element, scratch)
                                 : quantise(adc.quantiser, currents);
  return counts;
}

template ConversionCounts convert(const Adc&, std::span<float>, const Stream&, std::uint64_t, ArrayScratch<float>&);
template ConversionCounts convert(const Adc&, std::span<double>, const Stream&, std::uint64_t, ArrayScratch<double>&);

}  // namespace tellegen::circuits
