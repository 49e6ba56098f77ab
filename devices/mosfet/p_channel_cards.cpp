// p-channel transistors. All voltages are magnitudes.

#include <fmt/format.h>

#include "tellegen/devices/mosfet/cards.h"

namespace tellegen::devices {
namespace {

MosfetEntry gf180_pmos_3p3() {
  return {"gf180_pmos_3p3",
          "3.3 V p-channel transistor of the open 180 nm process, 10 um by 1.2 um.",
          fmt::format("google/globalfoundries-pdk-libs-gf180mcu_fd_pr 160f91b3 (Apache-2.0), {}; threshold drift and "
                      "temperature exponent from the same at -40 to 125 C; matching as in the kit; flicker assumed "
                      "equal to that of the n-channel type",
                      extraction),
          Confidence::extracted,
          "mosfet: {card: gf180_pmos_3p3}",
          length("180 nm"),
          length("10 um"),
          length("1.2 um"),
          {.slope = 1.4169,
           .specific_current = current("0.1039 uA"),
           .threshold = voltage("0.7012 V"),
           .supply = voltage("3.3 V"),
           .threshold_drift = drift("0.96 mV/K"),
           .current_exponent = 1.1,
           .a_vt_weak = matching("6.66 mV*um"),
           .a_vt_strong = matching("6.66 mV*um"),
           .a_beta = length("0.0028 um"),
           .flicker = matching("0.01147 mV*um"),
           .white_excess = 1.65}};
}

MosfetEntry sky130_pfet_01v8() {
  return {
      "sky130_pfet_01v8",
      "1.8 V p-channel transistor of the open 130 nm process, 2 um by 1 um.",
      "google/skywater-pdk-libs-sky130_fd_pr d738d0a2 (Apache-2.0), bin 41 simulated with ngspice 39 at 300 K and "
      "half the supply: I_spec and V_T0 fitted to the current from 1.1 to 1.8 V of gate voltage (within 6 %); slope "
      "assumed, because the slope of the kit's model wanders from 1.2 to 2.2 in weak inversion; matching from its "
      "per-device spread of the threshold, 4.4 to 7.4 mV um by bin, middle taken; flicker simulated; temperature "
      "and white noise assumed",
      Confidence::assumed,
      "mosfet: {card: sky130_pfet_01v8}",
      length("130 nm"),
      length("2 um"),
      length("1 um"),
      {.slope = 1.4,
       .specific_current = current("0.198 uA"),
       .threshold = voltage("0.985 V"),
       .supply = voltage("1.8 V"),
       .threshold_drift = drift("1 mV/K"),
       .current_exponent = 1,
       .a_vt_weak = matching("8.3 mV*um"),
       .a_vt_strong = matching("8.3 mV*um"),
       .a_beta = length("0 um"),
       .flicker = matching("0.0118 mV*um"),
       .white_excess = 1}};
}

MosfetEntry ptm_65nm_pmos() {
  return {"ptm_65nm_pmos",
          "1.1 V p-channel transistor of the predictive 65 nm card, 1 um by 0.5 um.",
          fmt::format("PTM 65 nm bulk, p-channel card as stored in a public schematic file, {}; temperature exponent "
                      "from the same at -40 to 125 C; 1 mV/K assumed (the card itself has almost none); the card is "
                      "predictive and its noise uncalibrated; matching taken from the n-channel type",
                      extraction),
          Confidence::extracted,
          "mosfet: {card: ptm_65nm_pmos}",
          length("65 nm"),
          length("1 um"),
          length("0.5 um"),
          {.slope = 1.5002,
           .specific_current = current("0.2697 uA"),
           .threshold = voltage("0.3970 V"),
           .supply = voltage("1.1 V"),
           .threshold_drift = drift("1 mV/K"),
           .current_exponent = -0.2,
           .a_vt_weak = matching("3.5 mV*um"),
           .a_vt_strong = matching("3.5 mV*um"),
           .a_beta = length("0.015 um"),
           .flicker = matching("0.001694 mV*um"),
           .white_excess = 1.39}};
}

MosfetEntry bulk_28nm_pmos() {
  MosfetEntry entry = bulk_28nm();
  entry.name = "bulk_28nm_pmos";
  entry.summary = "Working values of a planar 28 nm high-k p-channel transistor, 1 um by 0.2 um.";
  entry.source =
      "no card was read: values of the right size for this node, holes 2.5 times slower than the electrons of "
      "bulk_28nm";
  entry.smallest_yaml = "mosfet: {card: bulk_28nm_pmos}";
  entry.card.specific_current = current("0.32 uA");
  return entry;
}

}  // namespace

std::vector<MosfetEntry> p_channel_cards() {
  std::vector<MosfetEntry> all{gf180_pmos_3p3(), sky130_pfet_01v8(), ptm_65nm_pmos(), bulk_28nm_pmos()};
  for (MosfetEntry& entry : all) entry.channel = Channel::p;
  return all;
}

}  // namespace tellegen::devices
