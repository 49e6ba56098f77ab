#pragma once
// Parameter sets of transistors: a few numbers per transistor type, from public model cards.

#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/devices/technology/confidence.h"

namespace tellegen::devices {

using MatchingCoefficient = Quantity<3, 1, -3, -1, 0>;  ///< V m
using VoltageDrift = Quantity<2, 1, -3, -1, -1>;        ///< V/K

/// Which carriers the channel has: electrons or holes.
enum class Channel { n, p };
/// -1 for p: its voltages against the bulk and its currents are those of an n-channel transistor with changed sign.
inline double sign_of(Channel channel) { return channel == Channel::p ? -1 : 1; }

/// One transistor type at 300 K, saturated, bulk at the source's ground. EKV charge form. Of p-channel types all
/// voltages are magnitudes: those of the mirrored n-channel transistor.
struct MosfetCard {
  double slope = 1.45;                             ///< n: gate voltage per pinch-off voltage
  Current specific_current = Current::si(0.8e-6);  ///< I_spec of a square transistor (W = L)
  Voltage threshold = Voltage::si(0.45);           ///< V_T0, referred to the bulk
  Voltage supply = Voltage::si(0.9);               ///< nominal
  /// How the two move with temperature: V_T0 falls by threshold_drift per kelvin, I_spec goes as (T/300 K)^exponent.
  VoltageDrift threshold_drift = VoltageDrift::si(1e-3);
  double current_exponent = 0.5;
  /// Pelgrom coefficients of the DIFFERENCE of two equal transistors (a factor sqrt(2) above those of one).
  MatchingCoefficient a_vt_weak = MatchingCoefficient::si(2.25e-9);
  MatchingCoefficient a_vt_strong = MatchingCoefficient::si(2.25e-9);
  Length a_beta = Length::si(1e-8);  ///< share times length: 1 %*um is 0.01 um
  /// Gate-referred flicker noise density at 1 Hz of a gate of 1 m^2, as amplitude: S_VG = flicker^2 / (W L f).
  MatchingCoefficient flicker = MatchingCoefficient::si(1e-11);
  double white_excess = 1;  ///< channel noise over the thermal noise of the EKV channel
  void settings(Settings& v);
};

/// A line of the catalogue of transistors.
struct MosfetEntry {
  std::string name;
  std::string summary;        ///< one sentence
  std::string source;         ///< model card or paper, by quantity where they differ
  Confidence confidence;      ///< of slope, specific current and threshold
  std::string smallest_yaml;  ///< a complete file: "mosfet: {card: name}"
  Length node;
  Length width, length;  ///< of the transistor that the card was extracted from: the defaults of a transistor
  MosfetCard card;
  Channel channel = Channel::n;
};

const std::vector<MosfetEntry>& mosfet_catalog();
const std::vector<std::string>& mosfet_names();
/// Throws InputError listing the known names.
const MosfetEntry& find_mosfet(const std::string& name);

/// `mosfet:` in a file: the card, its numbers (each may be overridden) and the size.
struct MosfetConfig {
  std::string card_name = "bulk_28nm";
  MosfetCard card;
  Channel channel = Channel::n;  ///< of the card; not a setting
  Length width, length;
  MosfetConfig();
  explicit MosfetConfig(const MosfetEntry& entry);
  void settings(Settings& v);

 private:
  std::string made_for_;  ///< the card that the numbers belong to
};

}  // namespace tellegen::devices
