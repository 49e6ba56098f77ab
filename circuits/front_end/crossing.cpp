#include "tellegen/circuits/front_end/crossing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

const std::vector<CrossingEntry>& crossing_catalog() {
  static const std::vector<CrossingEntry> entries{transimpedance_entry(), current_conveyor_entry(), sample_hold_entry(),
                                                  multiplier_entry()};
  return entries;
}

const std::vector<std::string>& crossing_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const CrossingEntry& entry : crossing_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const CrossingEntry& find_crossing(const std::string& name) {
  for (const CrossingEntry& entry : crossing_catalog()) {
    if (entry.name == name) return entry;
  }
  throw InputError(fmt::format("'{}' is not a known crossing; allowed: {}.", name, fmt::join(crossing_names(), ", ")));
}

CrossingConfig::CrossingConfig() : parameters_(find_crossing(circuit).defaults()), made_for_(circuit) {}
CrossingConfig::CrossingConfig(const CrossingConfig& other)
    : circuit(other.circuit), parameters_(other.parameters_->clone()), made_for_(other.made_for_) {}
CrossingConfig& CrossingConfig::operator=(const CrossingConfig& other) {
  if (this == &other) return *this;
  circuit = other.circuit;
  parameters_ = other.parameters_->clone();
  made_for_ = other.made_for_;
  return *this;
}

void CrossingConfig::settings(Settings& v) {
  v.choice("circuit", circuit, crossing_names(), "the crossing");
  if (circuit != made_for_) {
    parameters_ = find_crossing(circuit).defaults();
    made_for_ = circuit;
  }
  parameters_->settings(v);
}

}  // namespace tellegen::circuits
