#include "tellegen/circuits/cost/cost_table.h"

#include <fmt/format.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

std::span<const std::pair<Evidence, const char*>> enum_names(Evidence) {
  static constexpr std::pair<Evidence, const char*> names[] = {{Evidence::silicon, "silicon"},
                                                               {Evidence::synthesis, "synthesis"},
                                                               {Evidence::simulation, "simulation"},
                                                               {Evidence::paper_table, "paper_table"},
                                                               {Evidence::memory, "memory"}};
  return names;
}

std::span<const std::pair<Scaling, const char*>> enum_names(Scaling) {
  static constexpr std::pair<Scaling, const char*> names[] = {{Scaling::logic, "logic"}, {Scaling::none, "none"}};
  return names;
}

double assumed_spread(Evidence evidence) {
  if (evidence == Evidence::silicon) return 1.5;
  if (evidence == Evidence::synthesis) return 2.0;
  return 4.0;
}

std::string name_of(Evidence evidence) {
  for (const auto& [value, name] : enum_names(evidence)) {
    if (value == evidence) return name;
  }
  TELLEGEN_ASSERT(false);
  return {};
}

void Spread::settings(Settings& v) {
  v("low", low, "lowest over typical", required(Allowed{0, 1, true}));
  v("high", high, "highest over typical", required(at_least(1)));
  v("from", from, "what the factors were measured against", required());
  v.require(low < high, "low", "must be below high.");
}

Spread spread_or_assumed(const std::optional<Spread>& stated, Evidence evidence) {
  if (stated) return *stated;
  const double factor = assumed_spread(evidence);
  return {1 / factor, factor, fmt::format("assumed x/{} ({})", factor, name_of(evidence))};
}

void LawOrigin::settings(Settings& v) {
  v("source", source, "key in sources.yaml", required());
  v("evidence", evidence, "how the source came to its numbers", required());
  v("node", node, "technology node of the source; absent where the law takes the node", positive());
  v.section("energy_spread", energy_spread, "measured spread of the energy; absent: assumed from the evidence");
  v.section("area_spread", area_spread, "measured spread of the area; absent: assumed from the evidence");
}

Provenance LawOrigin::provenance(double node_nm) const {
  Provenance from;
  from.source = source;
  from.evidence = name_of(evidence);
  from.node_nm = node_nm;
  from.scaling = "none";
  const std::string energy_from = spread_or_assumed(energy_spread, evidence).from;
  const std::string area_from = spread_or_assumed(area_spread, evidence).from;
  from.spread = energy_from == area_from ? energy_from : "energy: " + energy_from + "; area: " + area_from;
  return from;
}

Band LawOrigin::energy(double typical_J) const { return spread_or_assumed(energy_spread, evidence).around(typical_J); }
Band LawOrigin::area(double typical_m2) const { return spread_or_assumed(area_spread, evidence).around(typical_m2); }

void CostEntry::settings(Settings& v) {
  v("name", name, "what other tables and the code call it", required());
  v("what", what, "what is priced, and what one action is", required());
  v("source", source, "key in sources.yaml", required());
  v("evidence", evidence, "how the source came to its number", required());
  v("node", node, "technology node of the source; absent: the price belongs to none", positive());
  v("supply", supply, "supply of the source; absent: nominal of the node", positive());
  v("scaling", scaling, "how it may be brought to another node", required());
  v.require(node > Length{} || scaling == Scaling::none, "node",
            "is missing: what is scaled needs the node of its source.");
  v("energy", energy, "per action", positive());
  v("power", power, "at `rate`, where the source gives a power instead of an energy", positive());
  v("rate", rate, "actions per second at `power`", positive());
  v("area", area, "of one instance", positive());
  v("static_power", static_power, "leakage of one instance", positive());
  v("latency", latency, "of one action; absent: 1 / rate", positive());
  v("bits", bits, "width of the operands, or bits moved by one action", between(0, 65536));
  v("bytes", bytes, "capacity, of memories", at_least(0));
  v.section("spread", spread, "measured spread; absent: assumed from the evidence");
  v("note", note, "derivation, doubts, other values");
  v.require(energy || (power && rate) || area, "energy",
            "is missing: an entry prices something, an energy, a power with its rate, or an area.");
}

Price CostEntry::price() const {
  const Spread range = spread_or_assumed(spread, evidence);
  Price price;
  price.from = {source, name_of(evidence), node.in(units::nm), "none", range.from, {}};
  if (energy) {
    price.energy_J = range.around(energy->si());
    price.formula = "energy_J";
    price.inputs = {{"energy_J", energy->si()}};
  } else if (power && rate) {
    price.energy_J = range.around(power->si() / rate->si());
    price.formula = "power_W / rate_Hz";
    price.inputs = {{"power_W", power->si()}, {"rate_Hz", rate->si()}};
  } else {
    price.formula = "0 (no energy in the source)";
    price.from.warnings.push_back(
        fmt::format("{} has no energy in its source ({}): its energy counts as zero.", name, source));
  }
  if (area) price.area_m2 = range.around(area->si());
  if (static_power) price.static_W = range.around(static_power->si());
  if (latency) {
    price.latency_s = latency->si();
  } else if (rate) {
    price.latency_s = 1 / rate->si();
  }
  if (!area)
    price.from.warnings.push_back(
        fmt::format("{} has no area in its source ({}): its area counts as zero.", name, source));
  return price;
}

void CostUnit::settings(Settings& v) {
  v("set", set, "value of costs.activation it belongs to", required());
  v("unit", unit, "what the network calls it", required());
  v.list("parts", parts, "entries it is composed of");
  v("note", note, "why these parts");
  v.require(!parts.empty(), "parts", "must have at least one part.");
}

void CostTable::settings(Settings& v) {
  v.list_of_sections("entries", entries, "priced parts");
  v.list_of_sections("units", units, "units composed of parts");
}

void Source::settings(Settings& v) {
  v("key", key, "what the tables call it", required());
  v("reference", reference, "publication or repository", required());
  v("checked", checked, "how far the numbers were checked against it", required());
  v("licence", licence, "of a repository: what may be taken from it");
}

void SourceList::settings(Settings& v) { v.list_of_sections("sources", sources, "publications and repositories"); }

}  // namespace tellegen::circuits
