#pragma once
// The entries of the catalogue of transistors, by kind of channel.

#include "tellegen/devices/mosfet/mosfet_card.h"

namespace tellegen::devices {

// Parsed from text, so that a value is the double that a configuration file with the same digits gives.
inline Current current(const char* text) { return parse<Current>(text); }
inline Voltage voltage(const char* text) { return parse<Voltage>(text); }
inline Length length(const char* text) { return parse<Length>(text); }
inline MatchingCoefficient matching(const char* text) { return parse<MatchingCoefficient>(text); }
inline VoltageDrift drift(const char* text) { return parse<VoltageDrift>(text); }

/// How slope, specific current and threshold were found in a model card.
inline constexpr const char* extraction =
    "simulated with ngspice 39 at 300 K and half the supply: slope from the largest g_m/I_D, I_spec where g_m/I_D has "
    "fallen to that of inversion coefficient 1, V_T0 from the gate voltage there";

std::vector<MosfetEntry> n_channel_cards();
std::vector<MosfetEntry> p_channel_cards();

/// What the p-channel transistor of the same node is made from.
MosfetEntry bulk_28nm();

}  // namespace tellegen::devices
