// n-channel transistors.

#include <fmt/format.h>

#include "tellegen/devices/mosfet/cards.h"

namespace tellegen::devices {
namespace {

std::string n_extraction() {
  return std::string(extraction) +
         "; temperature exponent of I_spec fitted to the slope of a simulated pair from -40 to 125 C; 1 mV/K assumed";
}

MosfetEntry gf180_nmos_3p3() {
  return {
      "gf180_nmos_3p3",
      "3.3 V n-channel transistor of the open 180 nm process, 2 um by 1 um.",
      fmt::format("google/globalfoundries-pdk-libs-gf180mcu_fd_pr 9f992d5a (Apache-2.0), {}; matching as in the kit",
                  n_extraction()),
      Confidence::extracted,
      "mosfet: {card: gf180_nmos_3p3}",
      length("180 nm"),
      length("2 um"),
      length("1 um"),
      {.slope = 1.3966,
       .specific_current = current("0.3852 uA"),
       .threshold = voltage("0.6763 V"),
       .supply = voltage("3.3 V"),
       .threshold_drift = drift("1 mV/K"),
       .current_exponent = 1.7,
       .a_vt_weak = matching("7.15 mV*um"),
       .a_vt_strong = matching("7.15 mV*um"),
       .a_beta = length("0.007 um"),
       .flicker = matching("0.01147 mV*um"),
       .white_excess = 1.27}};
}

MosfetEntry sky130_nfet_01v8() {
  return {
      "sky130_nfet_01v8",
      "1.8 V n-channel transistor of the open 130 nm process, 2 um by 1 um.",
      fmt::format("google/skywater-pdk-libs-sky130_fd_pr f62031a1 (Apache-2.0), {}; matching from its statistical "
                  "parameters one by one: the subthreshold offset (voff) doubles the scatter in weak inversion, and "
                  "the kit has no mismatch of beta",
                  n_extraction()),
      Confidence::extracted,
      "mosfet: {card: sky130_nfet_01v8}",
      length("130 nm"),
      length("2 um"),
      length("1 um"),
      {.slope = 1.3738,
       .specific_current = current("0.8458 uA"),
       .threshold = voltage("0.6204 V"),
       .supply = voltage("1.8 V"),
       .threshold_drift = drift("1 mV/K"),
       .current_exponent = 2.7,
       .a_vt_weak = matching("11.1 mV*um"),
       .a_vt_strong = matching("5.6 mV*um"),
       .a_beta = length("0 um"),
       .flicker = matching("0.01739 mV*um"),
       .white_excess = 1.76}};
}

MosfetEntry sky130_nfet_01v8_short() {
  MosfetEntry entry = sky130_nfet_01v8();
  entry.name = "sky130_nfet_01v8_short";
  entry.summary = "1.8 V n-channel transistor of the open 130 nm process at its shortest, 2 um by 0.15 um.";
  entry.smallest_yaml = "mosfet: {card: sky130_nfet_01v8_short}";
  entry.length = length("0.15 um");
  entry.card.slope = 1.4450;
  entry.card.specific_current = current("0.5855 uA");
  entry.card.threshold = voltage("0.6722 V");
  entry.card.flicker = matching("0.01029 mV*um");
  entry.card.white_excess = 1.81;
  return entry;
}

MosfetEntry ptm_65nm() {
  return {"ptm_65nm",
          "1.1 V n-channel transistor of the predictive 65 nm card, 1 um by 0.5 um.",
          fmt::format("PTM 65 nm bulk as stored in mkfzdmr/TDC-CMOS-Designs 1e165e72, {}; the card is predictive, with "
                      "a pessimistic slope, much gate leakage (not modelled here) and uncalibrated noise; matching: "
                      "M. Pelgrom's lecture of 2013 as quoted elsewhere, beta assumed",
                      n_extraction()),
          Confidence::extracted,
          "mosfet: {card: ptm_65nm}",
          length("65 nm"),
          length("1 um"),
          length("0.5 um"),
          {.slope = 1.5732,
           .specific_current = current("2.664 uA"),
           .threshold = voltage("0.4454 V"),
           .supply = voltage("1.1 V"),
           .threshold_drift = drift("1 mV/K"),
           .current_exponent = 1.2,
           .a_vt_weak = matching("3.5 mV*um"),
           .a_vt_strong = matching("3.5 mV*um"),
           .a_beta = length("0.015 um"),
           .flicker = matching("0.005416 mV*um"),
           .white_excess = 1.456}};
}

}  // namespace

MosfetEntry bulk_28nm() {
  return {"bulk_28nm",
          "Working values of a planar 28 nm high-k n-channel transistor, 1 um by 0.2 um.",
          "no card was read: values of the right size for this node; mobility as T^-1.5",
          Confidence::assumed,
          "mosfet: {card: bulk_28nm}",
          length("28 nm"),
          length("1 um"),
          length("0.2 um"),
          {.slope = 1.45,
           .specific_current = current("0.8 uA"),
           .threshold = voltage("0.45 V"),
           .supply = voltage("0.9 V"),
           .threshold_drift = drift("1 mV/K"),
           .current_exponent = 0.5,
           .a_vt_weak = matching("2.25 mV*um"),
           .a_vt_strong = matching("2.25 mV*um"),
           .a_beta = length("0.01 um"),
           .flicker = matching("0.005 mV*um"),
           .white_excess = 1}};
}

std::vector<MosfetEntry> n_channel_cards() {
  return {gf180_nmos_3p3(), sky130_nfet_01v8(), sky130_nfet_01v8_short(), ptm_65nm(), bulk_28nm()};
}

}  // namespace tellegen::devices
