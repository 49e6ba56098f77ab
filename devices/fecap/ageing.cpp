#include "tellegen/devices/fecap/ageing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

AgeingEntry none() {
  return {"none",
          "A film that neither cycles nor time change.",
          "definition",
          Confidence::published,
          "fecap: {ageing: {data: none}}",
          {}};
}

AgeingEntry epitaxial_5nm() {
  AgeingEntry entry{
      "epitaxial_5nm",
      "Epitaxial Hf0.5Zr0.5O2 below 5 nm: fatigue to 1e11 cycles, retention to 10 years.",
      "Appl. Phys. Lett. 118:082901 (2021), abstract: 2 P_r of 27 uC/cm2 pristine, above 6 after 1e11 "
      "cycles, above 12 extrapolated to 10 years; both ends taken as reached, and the stretching exponent "
      "assumed",
      Confidence::published,
      "fecap: {ageing: {data: epitaxial_5nm}}",
      {}};
  entry.ageing.endurance = {{1, 1}, {1e11, 6.0 / 27.0}};
  // exp(-(10 years / time)^exponent) = 12/27.
  constexpr double ten_years_s = 10 * 365.25 * 86400;
  entry.ageing.retention_time =
      Time::si(ten_years_s / std::pow(-std::log(12.0 / 27.0), 1 / entry.ageing.retention_exponent));
  return entry;
}

AgeingEntry interface_engineered() {
  AgeingEntry entry{"interface_engineered",
                    "Hf0.5Zr0.5O2 with engineered electrodes: no fatigue up to 1e11 cycles, end of life at 1e12.",
                    "fatigue-free above 1e11 cycles and lifetime above 1e12 as stated in abstracts collected by Zhou, "
                    "Nano Convergence 12:3 (2025); what is left at the end of life is assumed to be nothing",
                    Confidence::assumed,
                    "fecap: {ageing: {data: interface_engineered}}",
                    {}};
  entry.ageing.endurance = {{1e11, 1}, {1e12, 0}};
  return entry;
}

}  // namespace

void EndurancePoint::settings(Settings& v) {
  v("cycles", cycles, "full switching cycles", at_least(1));
  v("remanent", remanent, "remanent polarization as a share of the pristine one", at_least(0));
}

void FerroelectricAgeing::settings(Settings& v) {
  v.list_of_sections("endurance", endurance,
                     "wake-up and fatigue as points, ascending in cycles, straight between them over log10(cycles)");
  v("retention_time", retention_time, "time constant of the stretched exponential loss; 0 s: no loss", at_least(0));
  v("retention_exponent", retention_exponent, "exponent of the stretched exponential loss", between(0.01, 1));
  v("imprint_per_decade", imprint_per_decade, "shift of the loop per decade of time towards the stored state",
    at_least(0));
  v("imprint_start", imprint_start, "time at which imprint begins", positive());
  const auto ascends = [](const EndurancePoint& a, const EndurancePoint& b) { return a.cycles < b.cycles; };
  const bool sorted = std::adjacent_find(endurance.begin(), endurance.end(), [&](const auto& a, const auto& b) {
                        return !ascends(a, b);
                      }) == endurance.end();
  v.require(sorted, "endurance", "must be given with ascending cycles.");
}

double FerroelectricAgeing::remanent_share(double cycles) const {
  if (endurance.empty()) return 1;
  if (cycles <= endurance.front().cycles) return endurance.front().remanent;
  if (cycles >= endurance.back().cycles) return endurance.back().remanent;
  const auto above = std::find_if(endurance.begin(), endurance.end(),
                                  [&](const EndurancePoint& point) { return point.cycles > cycles; });
  const EndurancePoint& high = *above;
  const EndurancePoint& low = *(above - 1);
  const double weight = std::log(cycles / low.cycles) / std::log(high.cycles / low.cycles);
  return low.remanent + weight * (high.remanent - low.remanent);
}

double FerroelectricAgeing::retained_share(double t_s) const {
  if (retention_time.si() == 0) return 1;
  return std::exp(-std::pow(t_s / retention_time.si(), retention_exponent));
}

double FerroelectricAgeing::imprint_V_per_m(double t_s) const {
  return imprint_per_decade.si() * std::log10(1 + t_s / imprint_start.si());
}

const std::vector<AgeingEntry>& ageing_catalog() {
  static const std::vector<AgeingEntry> catalog{none(), epitaxial_5nm(), interface_engineered()};
  return catalog;
}

const std::vector<std::string>& ageing_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const AgeingEntry& entry : ageing_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const AgeingEntry& find_ageing(const std::string& name) {
  const auto& catalog = ageing_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const AgeingEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, ageing_names());
  throw InputError(fmt::format("'{}' is not a known set of ageing data{} Known sets: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(ageing_names(), ", ")));
}

void AgeingConfig::settings(Settings& v) {
  v.choice("data", data, ageing_names(), "measured ageing; its numbers follow and may be overridden");
  if (made_for_ != data) {
    ageing = find_ageing(data).ageing;
    made_for_ = data;
  }
  ageing.settings(v);
}

}  // namespace tellegen::devices
