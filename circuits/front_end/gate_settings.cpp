#include "tellegen/circuits/front_end/gate_settings.h"

#include <algorithm>
#include <array>

namespace tellegen::circuits {
namespace {

// Parsed from text, so that a value is the double that a configuration file with the same digits gives.
template <class Q>
Assumed<Q> assumed(const char* low, const char* typical, const char* high) {
  return {parse<Q>(low), parse<Q>(typical), parse<Q>(high)};
}
devices::MosfetConfig sized(devices::MosfetConfig config, const TransistorSize& size) {
  config.width = size.width;
  config.length = size.length;
  return config;
}
TransistorSize size(const char* width, const char* length) { return {parse<Length>(width), parse<Length>(length)}; }

}  // namespace

std::span<const std::pair<Compensation, const char*>> enum_names(Compensation) {
  static constexpr std::array names{std::pair{Compensation::none, "none"},
                                    std::pair{Compensation::ptat_bias, "ptat_bias"},
                                    std::pair{Compensation::ptat_scale, "ptat_scale"}};
  return names;
}

std::span<const std::pair<GateOutput, const char*>> enum_names(GateOutput) {
  static constexpr std::array names{std::pair{GateOutput::mirror, "mirror"}, std::pair{GateOutput::direct, "direct"}};
  return names;
}

void TransistorSize::settings(Settings& v) {
  v("width", width, "channel width", positive());
  v("length", length, "channel length", positive());
}

TrimSettings::TrimSettings()
    : area_per_bit(assumed<Area>("2 um2", "4 um2", "10 um2")), current_share{0.05, 0.1, 0.25} {}

void TrimSettings::settings(Settings& v) {
  v("bits", bits, "resolution of the correction of each pair's threshold; 0: no trimming at all", between(0, 12));
  v("range_sigmas", range_sigmas, "largest correction, in standard deviations of the offset", positive());
  v("range", range, "largest correction at the gate instead of range_sigmas", positive());
  v("gain_bits", gain_bits, "resolution of the correction of each pair's tail current, same range in sigmas; 0: none",
    between(0, 12));
  v.section("area_per_bit", area_per_bit, "assumed: memory, switch and unit element of one bit");
  v.section("current_share", current_share, "assumed: current of a pair's trimming over its tail current");
}

ReferenceSettings::ReferenceSettings()
    : string_current(assumed<Current>("0.25 uA", "1 uA", "4 uA")),
      area_per_tap(assumed<Area>("1 um2", "3 um2", "8 um2")) {}

void ReferenceSettings::settings(Settings& v) {
  v("bits", bits, "resolution of threshold voltages between the rails; 0: any voltage", between(0, 16));
  v("units", units, "gates that share a resistor string", at_least(1));
  v.section("string_current", string_current, "assumed: current of a resistor string with its buffer");
  v.section("area_per_tap", area_per_tap, "assumed: switches per bit and threshold");
  v("hold", hold, "capacitance at the reference gate, whose kT/C noise moves the threshold", positive());
}

void NoiseSettings::settings(Settings& v) {
  v("bandwidth", bandwidth, "equivalent noise bandwidth; left out: that of the circuit", positive());
  v("lowest", lowest, "lowest frequency of flicker noise: one over the time between calibrations", positive());
}

LoadSettings::LoadSettings()
    : source(assumed<Capacitance>("2 fF", "5 fF", "15 fF")),
      output(assumed<Capacitance>("2 fF", "5 fF", "20 fF")),
      gate(assumed<CapacitancePerArea>("5 fF/um2", "10 fF/um2", "20 fF/um2")) {}

void LoadSettings::settings(Settings& v) {
  v.section("source", source, "assumed: common source of a pair with its wiring");
  v.section("output", output, "assumed: input of an output mirror with its wiring");
  v.section("gate", gate, "assumed: gate capacitance of the pair's transistors per area");
}

ComparatorSettings::ComparatorSettings()
    : input(size("4 um", "0.2 um")),
      bias(assumed<Current>("50 nA", "200 nA", "1 uA")),
      latch(assumed<Capacitance>("3 fF", "10 fF", "30 fF")),
      area(assumed<Area>("5 um2", "15 um2", "50 um2")) {}

void ComparatorSettings::settings(Settings& v) {
  v.section("input", input, "input transistors, whose mismatch is the offset");
  v.section("bias", bias, "assumed: preamplifier");
  v.section("latch", latch, "assumed: capacitance that a decision charges to the supply");
  v.section("area", area, "assumed: latch and switches");
  v("delay", delay, "assumed: time of a decision", positive());
}

GateSettings::GateSettings() : tail(size("1 um", "4 um")), mirror(size("1 um", "2 um")), layout_factor{2, 3, 5} {
  transistor.width = parse<Length>("2 um");
  transistor.length = parse<Length>("1 um");
}

devices::MosfetConfig GateSettings::tail_transistor() const { return sized(transistor, tail); }

devices::MosfetConfig GateSettings::comparator_transistor() const { return sized(transistor, comparator.input); }

devices::MosfetConfig GateSettings::mirror_transistor() const {
  const devices::MosfetEntry& own = devices::find_mosfet(transistor.card_name);
  const auto& catalog = devices::mosfet_catalog();
  const auto other = std::ranges::find_if(catalog, [&](const devices::MosfetEntry& entry) {
    return entry.node == own.node && entry.channel != own.channel;
  });
  devices::MosfetConfig config = sized(devices::MosfetConfig(other != catalog.end() ? *other : own), mirror);
  config.channel = devices::Channel::n;
  return config;
}

void GateSettings::settings(Settings& v) {
  v.section("transistor", transistor,
            "transistors of the pairs; tails are of the same card, mirrors of the other channel of its node");
  v.section("tail", tail, "size of tail transistors");
  v.section("mirror", mirror, "size of output mirrors");
  v("bias", bias, "largest tail current of a pair, at |x| = full_scale", positive());
  v("signed_tail", signed_tail, "how tails carry signals of both signs");
  v("quiescent", quiescent, "of class_ab: current at signal 0 over the largest signal", between(1e-6, 1));
  v("full_scale", full_scale, "|x| that tail currents carry; larger signals are clipped", between(1e-3, 1e4));
  if (!compares) v("hard_sharpness", hard_sharpness, "sharpness of pairs that stand for hard gates", positive());
  v("supply", supply, "left out: the nominal supply of the transistors", positive());
  v("common_mode", common_mode, "gate voltage at x = 0; left out: half the supply, or what headroom leaves",
    positive());
  v("attenuation", attenuation, "share of the signal's voltage that reaches the gates", between(1e-3, 1));
  v("compensation", compensation, "what follows temperature to keep the sharpness");
  v("design_temperature", design_temperature, "temperature at which the scale is chosen and gates are trimmed",
    between(Temperature::si(150), Temperature::si(500)));
  v("output", output, "mirror: currents are copied; direct: drains drive the next stage");
  v("bias_units", bias_units, "gates that share one generator of a fixed tail current", at_least(1));
  v("threshold_error", threshold_error,
    "standard deviation of untrimmed thresholds, in x; sets width and length at the given ratio", positive());
  v("scale_mismatch", scale_mismatch, "assumed: standard deviation of the sharpness from dividers and drivers",
    between(0, 0.5));
  v.section("trim", trim, "per-gate trimming; left out: none");
  if (trim && trim->bits == 0) trim.reset();
  v.section("reference", reference, "reference voltage of thresholds");
  v.section("noise", noise, "band of noise");
  v.section("loads", loads, "capacitances that settle");
  if (compares) v.section("comparator", comparator, "the comparator in front of the switches");
  v.section("layout_factor", layout_factor, "assumed: layout area over the sum of gate areas");
  v("settled_bits", settled_bits, "an evaluation lasts until half a step of this resolution", between(1, 16));
  v("evaluation", evaluation, "time that one evaluation keeps a gate busy; left out: the typical settling time",
    positive());
}

}  // namespace tellegen::circuits
