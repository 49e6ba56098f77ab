#include "tellegen/devices/mosfet/mosfet_card.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/devices/mosfet/cards.h"

namespace tellegen::devices {

const std::vector<MosfetEntry>& mosfet_catalog() {
  static const std::vector<MosfetEntry> catalog = [] {
    std::vector<MosfetEntry> all = n_channel_cards();
    for (MosfetEntry& entry : p_channel_cards()) all.push_back(std::move(entry));
    return all;
  }();
  return catalog;
}

const std::vector<std::string>& mosfet_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const MosfetEntry& entry : mosfet_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const MosfetEntry& find_mosfet(const std::string& name) {
  const auto& catalog = mosfet_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const MosfetEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, mosfet_names());
  throw InputError(fmt::format("'{}' is not a known transistor{} Known transistors: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(mosfet_names(), ", ")));
}

void MosfetCard::settings(Settings& v) {
  v("slope", slope, "slope factor n: gate voltage per pinch-off voltage", between(1, 3));
  v("specific_current", specific_current, "I_spec = 2 n beta (kT/q)^2 of a square transistor (W = L) at 300 K",
    positive());
  v("threshold", threshold, "V_T0 at 300 K, against the bulk, EKV charge form; magnitude for p-channel",
    between(-1, 2));
  v("supply", supply, "nominal supply voltage", positive());
  v("threshold_drift", threshold_drift, "fall of the threshold per kelvin", at_least(0));
  v("current_exponent", current_exponent, "I_spec goes as the absolute temperature to this power", between(-2, 5));
  v("a_vt_weak", a_vt_weak, "Pelgrom coefficient of the threshold difference of a pair in weak inversion", at_least(0));
  v("a_vt_strong", a_vt_strong, "the same in strong inversion", at_least(0));
  v("a_beta", a_beta, "Pelgrom coefficient of d beta / beta of a pair; 1 %*um is 0.01 um", at_least(0));
  v("flicker", flicker, "gate-referred flicker noise at 1 Hz times the root of the gate area", at_least(0));
  v("white_excess", white_excess, "white channel noise over that of the EKV channel", at_least(0));
}

MosfetConfig::MosfetConfig() : MosfetConfig(find_mosfet("bulk_28nm")) {}
MosfetConfig::MosfetConfig(const MosfetEntry& entry)
    : card_name(entry.name),
      card(entry.card),
      channel(entry.channel),
      width(entry.width),
      length(entry.length),
      made_for_(entry.name) {}

void MosfetConfig::settings(Settings& v) {
  v.choice("card", card_name, mosfet_names(), "transistor type; its numbers follow and may be overridden");
  if (made_for_ != card_name) *this = MosfetConfig(find_mosfet(card_name));
  card.settings(v);
  v("width", width, "channel width", positive());
  v("length", length, "channel length", positive());
}

}  // namespace tellegen::devices
