#include "tellegen/circuits/converter/dac.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/circuits/converter/converter_kernels.h"
#include "tellegen/circuits/converter/linearity.h"

namespace tellegen::circuits {
namespace {

/// Bits of the magnitude of a code.
int magnitude_bits(const Dac& dac) {
  const int bits = dac.config.bits.bits - (dac.is_signed ? 1 : 0);
  if (bits < 1) {
    throw RefusedError({"dac.bits = '1' cannot drive signed inputs: the sign takes the only bit.",
                        "Use dac.bits: 2 or more, or a network whose inputs are never negative."});
  }
  return bits;
}

bool is_sliced(const Dac& dac) { return dac.config.streaming == Streaming::bit_serial && !dac.config.bits.ideal(); }

/// The transfer curve of the DACs for digits of `bits` bits, sign kept.
template <class T>
void bend(const DacConfig& config, int bits, std::span<T> drive) {
  const double full_drive_s = config.full_drive().si();
  std::vector<double> ladder;
  if (config.nonlinearity.parasitic > 0) {
    const Stream none(0, Purpose::mismatch, {});  // without mismatch no draw counts
    ladder = dac_levels(dac_bit_weights(config.kind, bits, 0, config.nonlinearity.parasitic, none, 0));
  }
  const double largest = std::ldexp(1.0, bits) - 1;
  for (T& u : drive) {
    double magnitude = std::abs(static_cast<double>(u));
    if (!ladder.empty()) magnitude = ladder[static_cast<std::size_t>(std::lround(magnitude * largest))];
    const double bent = config.nonlinearity.at(magnitude, full_drive_s);
    u = static_cast<T>(u < T(0) ? -bent : bent);
  }
}

double largest_digit(const Dac& dac) { return std::ldexp(1.0, dac.config.bits_per_slice) - 1; }

}  // namespace

std::span<const std::pair<Streaming, const char*>> enum_names(Streaming) {
  static constexpr std::array<std::pair<Streaming, const char*>, 2> names = {
      {{Streaming::full, "full"}, {Streaming::bit_serial, "bit_serial"}}};
  return names;
}

bool DacNonlinearity::any() const {
  return gain != 0 || offset != 0 || second != 0 || third != 0 || parasitic != 0 || edge_loss != Time{};
}

void DacNonlinearity::settings(Settings& v) {
  v("gain", gain, "relative error of the full scale", between(-0.9, 10));
  v("offset", offset, "added to every drive, over the full scale", between(-1, 1));
  v("second", second, "drive u becomes u + second u (1 - u)", between(-1, 1));
  v("third", third, "and + third u (1 - u) (1 - 2 u)", between(-1, 1));
  v("parasitic", parasitic, "kinds c2c and r2r: load of each node of the ladder to ground, in units of C or 1 / R",
    between(0, 10));
  v("edge_loss", edge_loss, "kind pwm: each pulse is shorter by this", between(Time::si(0), Time::si(1e-3)));
}

double DacNonlinearity::at(double u, double full_drive_s) const {
  const double width = u > 0 ? std::max(0.0, u - edge_loss.si() / full_drive_s) : 0.0;
  const double bow = width * (1 - width);
  return (1 + gain) * (width + second * bow + third * bow * (1 - 2 * width)) + offset;
}

bool DacMismatch::any() const { return element != 0 || gain != 0 || offset != 0 || edge != Time{}; }

void DacMismatch::settings(Settings& v, const std::string& kind) {
  v("element", element,
    "kinds capacitive, c2c, r2r: relative standard deviation of one unit; 0.01 for a plate capacitor of 1 um2 (IHP "
    "SG13G2)",
    between(0, 0.5));
  v("gain", gain, "relative standard deviation of a row's full scale", between(0, 0.5));
  v("offset", offset, "standard deviation of what is added to every drive of a row, over the full scale",
    between(0, 0.5));
  v("edge", edge, "kind pwm: standard deviation of what the pulses of a row are longer or shorter by",
    between(Time::si(0), Time::si(1e-3)));
  v.require(element == 0 || kind == "capacitive" || kind == "c2c" || kind == "r2r", "element",
            "is of kinds capacitive, c2c and r2r; kind '" + kind + "' has no units to match.");
  v.require(edge == Time{} || kind == "pwm", "edge", "is of kind pwm; kind '" + kind + "' has no pulse widths.");
}

void DacConfig::settings(Settings& v) {
  static const std::array<std::string, 5> kinds = {"capacitive", "c2c", "r2r", "pwm", "one_bit"};
  v.choice("kind", kind, kinds, "how the row voltage is made; decides the cost");
  v("bits", bits, "resolution of the inputs; signed inputs use one bit for the sign");
  v("streaming", streaming, "drive a row with the whole code at once (full), or slice by slice (bit_serial)");
  v("bits_per_slice", bits_per_slice, "bits driven at once where streaming is bit_serial", between(1, 16));
  v("v_read", v_read, "row voltage of a full-scale drive", between(1e-6 * units::V, 100 * units::V));
  v("pulse", pulse, "how long a row is driven per slice; kinds other than pwm", between(1e-3 * units::ns, units::s));
  v("pwm_step", pwm_step, "kind pwm: how long one code lasts; the row is at full voltage for code times this",
    between(1e-3 * units::ns, units::ms));
  v.section("nonlinearity", nonlinearity, "transfer curve that all DACs have in common");
  struct KindedMismatch {
    DacMismatch& mismatch;
    const std::string& kind;
    void settings(Settings& inner) { mismatch.settings(inner, kind); }
  } kinded{mismatch, kind};
  v.section("mismatch", kinded, "how the DACs of the rows differ from each other; without, they are alike");
  v.require(nonlinearity.edge_loss == Time{} || kind == "pwm", "kind",
            "= '" + kind + "' has no pulse widths: nonlinearity.edge_loss is of kind pwm.");
  v.require(nonlinearity.parasitic == 0 || kind == "c2c" || kind == "r2r", "kind",
            "= '" + kind + "' is no ladder: nonlinearity.parasitic is of kinds c2c and r2r.");
  const bool one_at_a_time = streaming == Streaming::bit_serial && bits_per_slice == 1;
  v.require(mismatch.element == 0 || !bits.ideal(), "bits",
            "= 'ideal' has no units to match; give 1 to 16 bits, or no mismatch.element.");
  v.require(
      kind != "one_bit" || one_at_a_time, "kind",
      "= 'one_bit' drives one bit at a time; set streaming: bit_serial and bits_per_slice: 1, or use another kind.");
  v.require(kind != "one_bit" || !bits.ideal(), "bits",
            "= 'ideal' cannot be cut into single bits; use 1 to 16 bits with kind 'one_bit'.");
}

Time DacConfig::full_drive() const {
  if (kind != "pwm" || bits.ideal()) return pulse;
  const int at_once = streaming == Streaming::bit_serial ? bits_per_slice : bits.bits;
  return (std::ldexp(1.0, at_once) - 1) * pwm_step;
}

int Dac::slices() const {
  if (!is_sliced(*this)) return 1;
  return (magnitude_bits(*this) + config.bits_per_slice - 1) / config.bits_per_slice;
}

std::int64_t Dac::max_code() const {
  TELLEGEN_ASSERT(!config.bits.ideal());
  return (std::int64_t{1} << magnitude_bits(*this)) - 1;
}

double Dac::slice_weight(int slice) const {
  if (!is_sliced(*this)) return full_scale;
  const double unit = full_scale / static_cast<double>(max_code());
  return unit * std::ldexp(largest_digit(*this), slice * config.bits_per_slice);
}

int Dac::digit_bits() const { return is_sliced(*this) ? config.bits_per_slice : magnitude_bits(*this); }

template <class T>
std::int64_t to_codes(const Dac& dac, std::span<T> values) {
  TELLEGEN_ASSERT(dac.full_scale > 0);
  if (dac.config.bits.ideal()) {
    kernels::divide(best_vector_unit(), static_cast<T>(dac.full_scale), static_cast<std::int64_t>(values.size()),
                    values.data());
    return 0;
  }
  kernels::Grid<T> grid{};
  grid.high = static_cast<T>(dac.full_scale);
  grid.low = dac.is_signed ? -grid.high : T(0);
  grid.codes_per_unit = static_cast<T>(static_cast<double>(dac.max_code()) / dac.full_scale);
  grid.step = 1;
  return kernels::to_levels(best_vector_unit(), grid, values.data(), static_cast<std::int64_t>(values.size()));
}

template <class T>
void slice_drive(const Dac& dac, std::span<const T> codes, int slice, std::span<T> drive) {
  TELLEGEN_ASSERT(codes.size() == drive.size());
  TELLEGEN_ASSERT(slice >= 0 && slice < dac.slices());
  if (dac.config.bits.ideal()) {
    std::ranges::copy(codes, drive.begin());
    return;
  }
  const int bits = dac.digit_bits();
  kernels::digits(best_vector_unit(), codes.data(), static_cast<std::int64_t>(codes.size()), slice * bits, bits,
                  drive.data());
  if (dac.config.nonlinearity.any()) bend(dac.config, bits, drive);
}

template std::int64_t to_codes(const Dac&, std::span<float>);
template std::int64_t to_codes(const Dac&, std::span<double>);
template void slice_drive(const Dac&, std::span<const float>, int, std::span<float>);
template void slice_drive(const Dac&, std::span<const double>, int, std::span<double>);

}  // namespace tellegen::circuits
