#include "tellegen/devices/technology/technology.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

/// The local row that stands for a node: the first of the table.
const WireRow& local_wires(const TechnologyEntry& entry) { return entry.wires.front(); }

double between_logarithms(double low, double high, double weight) {
  return std::exp(std::log(low) + weight * (std::log(high) - std::log(low)));
}

/// Names of all sources that any node has at the local level.
const std::vector<std::string>& wire_source_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TechnologyEntry& entry : technology_catalog()) {
      for (const WireRow& row : entry.wires) {
        if (row.level == WireLevel::local && std::find(all.begin(), all.end(), row.source) == all.end()) {
          all.push_back(row.source);
        }
      }
    }
    return all;
  }();
  return names;
}

const WireRow* wires_or_null(const TechnologyEntry& technology, const std::string& source, WireLevel level) {
  for (const WireRow& row : technology.wires) {
    if (row.source == source && row.level == level) return &row;
  }
  return nullptr;
}

std::string sources_at(const TechnologyEntry& technology, WireLevel level) {
  std::vector<std::string> sources;
  for (const WireRow& row : technology.wires) {
    if (row.level == level) sources.push_back(row.source);
  }
  return fmt::format("{}", fmt::join(sources, ", "));
}

}  // namespace

std::span<const std::pair<WireLevel, const char*>> enum_names(WireLevel) {
  static constexpr std::pair<WireLevel, const char*> names[] = {
      {WireLevel::local, "local"}, {WireLevel::semi_global, "semi_global"}, {WireLevel::global, "global"}};
  return names;
}

const std::vector<std::string>& technology_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const TechnologyEntry& entry : technology_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const TechnologyEntry& find_technology(const std::string& name) {
  const auto& catalog = technology_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const TechnologyEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, technology_names());
  throw InputError(fmt::format("'{}' is not a known technology{} Known technologies: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(technology_names(), ", ")));
}

const WireRow& find_wires(const TechnologyEntry& technology, const std::string& source, WireLevel level) {
  if (const WireRow* row = wires_or_null(technology, source, level)) return *row;
  const auto names = enum_names(level);
  const char* level_name = names[static_cast<std::size_t>(level)].second;
  const std::string known = sources_at(technology, level);
  throw InputError(fmt::format("{} has no {} wires from the source '{}'; {}.", technology.name, level_name, source,
                               known.empty() ? "it has none at this level" : "it has those of " + known));
}

InterpolatedNode interpolate_node(Length node) {
  const auto& catalog = technology_catalog();  // descending
  if (node > catalog.front().node || node < catalog.back().node) {
    throw InputError(fmt::format("A technology node of {} is outside the table, which goes from {} to {}.",
                                 format(node), format(catalog.back().node), format(catalog.front().node)));
  }
  const auto at_or_below =
      std::find_if(catalog.begin(), catalog.end(), [&](const TechnologyEntry& entry) { return entry.node <= node; });
  const TechnologyEntry& small = *at_or_below;
  const TechnologyEntry& large = small.node == node ? small : *(at_or_below - 1);
  const double weight = small.node == node ? 0 : std::log(node / small.node) / std::log(large.node / small.node);
  const WireRow &a = local_wires(small), &b = local_wires(large);
  const auto between = [weight](auto low, auto high) {
    return decltype(low)::si(between_logarithms(low.si(), high.si(), weight));
  };
  return {between(small.supply, large.supply),
          between(a.width, b.width),
          {between(a.per_length.r, b.per_length.r), between(a.per_length.c, b.per_length.c)}};
}

TechnologyConfig::TechnologyConfig() { take(find_technology(name), local_wires(find_technology(name))); }

void TechnologyConfig::take(const TechnologyEntry& entry, const WireRow& row) {
  supply = entry.supply;
  // Where a source gives no geometry, the array keeps the pitch of the node's first one.
  wire_width = row.width.si() > 0 ? row.width : local_wires(entry).width;
  wire_resistance = row.per_length.r;
  wire_capacitance = row.per_length.c;
  made_for_ = entry.name + "/" + row.source;
}

void TechnologyConfig::settings(Settings& v) {
  v.choice("name", name, technology_names(), "technology node");
  v.choice("wires", wires, wire_source_names(), "whose numbers for the local wires; a node has one to four of these");
  const TechnologyEntry& entry = find_technology(name);
  const WireRow* row = wires_or_null(entry, wires, WireLevel::local);
  if (row != nullptr && made_for_ != entry.name + "/" + row->source) take(entry, *row);
  v("supply", supply, "supply voltage", positive());
  v("wire_width", wire_width, "width F of the local wires, the unit of the cell pitch", positive());
  v("wire_resistance", wire_resistance, "resistance of the local wires per length", at_least(0));
  v("wire_capacitance", wire_capacitance, "capacitance of the local wires per length", at_least(0));
  v("pitch_along_row", pitch_along_row, "pitch of the cells along a row, in F (4 with a transistor in each cell)",
    positive());
  v("pitch_along_column", pitch_along_column, "pitch along a column, in F (12 with a transistor in each cell)",
    positive());
  v.require(row != nullptr, "wires",
            fmt::format("is no source for the local wires of {}; it has those of {}.", entry.name,
                        sources_at(entry, WireLevel::local)));
}

WireSegment TechnologyConfig::row_segment() const {
  return WirePerLength{wire_resistance, wire_capacitance}.segment(pitch_along_row * wire_width);
}

WireSegment TechnologyConfig::column_segment() const {
  return WirePerLength{wire_resistance, wire_capacitance}.segment(pitch_along_column * wire_width);
}

}  // namespace tellegen::devices
