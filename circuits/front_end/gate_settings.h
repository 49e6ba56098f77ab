#pragma once
// The settings of threshold gates made of differential pairs or comparators: sizes, currents, and every assumption that
// costs are computed with.

#include <optional>
#include <string>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/front_end/assumed.h"
#include "tellegen/circuits/front_end/gate_network.h"
#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::circuits {

using CapacitancePerArea = Quantity<-4, -1, 4, 2, 0>;

/// What keeps the sharpness as temperature changes. Weak inversion: tau goes as 1/T at a fixed scale.
///  none        scale (volts per unit of x) and bias are fixed
///  ptat_bias   the bias is proportional to absolute temperature: g_m keeps, tau does not
///  ptat_scale  scale and references are proportional to absolute temperature: tau keeps in weak inversion
enum class Compensation { none, ptat_bias, ptat_scale };
std::span<const std::pair<Compensation, const char*>> enum_names(Compensation);

/// mirror: currents are copied to the next stage; direct: the drains are the output, what they drive stands at the
/// supply.
enum class GateOutput { mirror, direct };
std::span<const std::pair<GateOutput, const char*>> enum_names(GateOutput);

struct TransistorSize {
  Length width, length;
  void settings(Settings& v);
};

/// Per-gate trimming after manufacture: a correction of the threshold of each pair, and one of its tail current.
struct TrimSettings {
  int bits = 5;
  double range_sigmas = 3;        ///< range as multiple of the standard deviation of the offset
  std::optional<Voltage> range;   ///< instead of range_sigmas: largest correction, either sign, at the gate
  int gain_bits = 5;              ///< of the tail current; 0: not trimmed
  Assumed<Area> area_per_bit;     ///< cell of memory, switch and unit element
  Assumed<double> current_share;  ///< trim branch of a pair over its tail current
  TrimSettings();
  void settings(Settings& v);
};

/// The threshold's reference voltage: a tap of a resistor string between the rails that gates share.
struct ReferenceSettings {
  int bits = 8;    ///< 0: any voltage
  int units = 64;  ///< gates that share a string
  Assumed<Current> string_current;
  Assumed<Area> area_per_tap;                  ///< switches per bit and gate
  Capacitance hold = Capacitance::si(50e-15);  ///< at the reference gate; its kT/C noise adds to the threshold
  void settings(Settings& v);
  ReferenceSettings();
};

struct NoiseSettings {
  std::optional<Frequency> bandwidth;   ///< equivalent noise bandwidth; absent: that of the circuit
  Frequency lowest = Frequency::si(1);  ///< flicker noise counts from here
  void settings(Settings& v);
};

struct LoadSettings {
  Assumed<Capacitance> source, output;  ///< common source of a pair; input of an output mirror
  Assumed<CapacitancePerArea> gate;     ///< gate capacitance per area of the pair's transistors
  LoadSettings();
  void settings(Settings& v);
};

/// Only of circuits that compare.
struct ComparatorSettings {
  TransistorSize input;
  Assumed<Current> bias;       ///< of its preamplifier
  Assumed<Capacitance> latch;  ///< charged to the supply by every decision
  Assumed<Area> area;          ///< of latch and switches; the input pair is counted by its size
  Time delay = Time::si(2e-9);
  ComparatorSettings();
  void settings(Settings& v);
};

struct GateSettings {
  bool compares = false;             ///< not a setting: which of the two circuits this is
  devices::MosfetConfig transistor;  ///< of the pairs; tails use the same card
  TransistorSize tail, mirror;
  Current bias = Current::si(10e-9);  ///< the largest tail current at |x| = full_scale
  SignedTail signed_tail = SignedTail::class_ab;
  double quiescent = 0.05;
  double full_scale = 8;
  double hard_sharpness = 30;  ///< tau that stands for a hard kernel
  std::optional<Voltage> supply, common_mode;
  double attenuation = 1;
  Compensation compensation = Compensation::none;
  Temperature design_temperature = Temperature::si(300);
  GateOutput output = GateOutput::mirror;
  int bias_units = 16;                    ///< gates that share a bias generator
  std::optional<double> threshold_error;  ///< sizes the pair: sigma(theta) before trimming, in x
  double scale_mismatch = 0.002;
  std::optional<TrimSettings> trim;
  ReferenceSettings reference;
  NoiseSettings noise;
  LoadSettings loads;
  ComparatorSettings comparator;
  Assumed<double> layout_factor;
  int settled_bits = 8;
  std::optional<Time> evaluation;

  GateSettings();
  void settings(Settings& v);
  Voltage supply_or_nominal() const { return supply.value_or(transistor.card.supply); }
  /// A tail: the card of the pairs at its size.
  devices::MosfetConfig tail_transistor() const;
  /// An output mirror stands at the other rail: the catalogue's card of the same node with the other channel. Seen from
  /// its rail it is an n-channel transistor, and is returned as one.
  devices::MosfetConfig mirror_transistor() const;
  /// The input pair of a comparator.
  devices::MosfetConfig comparator_transistor() const;
};

}  // namespace tellegen::circuits
