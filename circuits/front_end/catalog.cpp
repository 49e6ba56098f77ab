#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/threshold_gate.h"

namespace tellegen::circuits {

const std::vector<FrontEndEntry>& front_end_catalog() {
  static const std::vector<FrontEndEntry> catalog{differential_pair_entry(), comparator_entry(),
                                                  memglu_translinear_entry(), memglu_memristor_entry(),
                                                  memglu_pairs_entry()};
  return catalog;
}

const std::vector<std::string>& front_end_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const FrontEndEntry& entry : front_end_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const FrontEndEntry& find_front_end(const std::string& name) {
  const auto& catalog = front_end_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const FrontEndEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, front_end_names());
  throw InputError(fmt::format("'{}' is not a known front-end{} Known front-ends: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(front_end_names(), ", ")));
}

FrontEndConfig::FrontEndConfig() : parameters_(find_front_end(circuit).defaults()), made_for_(circuit) {}
FrontEndConfig::FrontEndConfig(const FrontEndConfig& other)
    : circuit(other.circuit), parameters_(other.parameters_->clone()), made_for_(other.made_for_) {}

FrontEndConfig& FrontEndConfig::operator=(const FrontEndConfig& other) {
  if (this == &other) return *this;
  circuit = other.circuit;
  parameters_ = other.parameters_->clone();
  made_for_ = other.made_for_;
  return *this;
}

void FrontEndConfig::settings(Settings& v) {
  v.choice("circuit", circuit, front_end_names(), "front-end circuit; its own settings follow in the same mapping");
  circuit_settings(v);
}

void FrontEndConfig::circuit_settings(Settings& v) {
  if (made_for_ != circuit) {
    parameters_ = find_front_end(circuit).defaults();
    made_for_ = circuit;
  }
  parameters_->settings(v);
}

Price evaluation_price(const FrontEndCost& cost, double held_s) {
  Price price;
  price.energy_J = cost.energy_J + held_s * cost.power_W;
  price.area_m2 = cost.area_m2;
  price.latency_s = cost.evaluation_s;
  price.from.source = "circuit equations";
  price.from.evidence = "derived";
  price.from.scaling = "none";
  price.from.spread = "low and high of the assumed loads, layout, reference and trimming";
  price.formula = "power_W * (evaluation_s + held_s) + dynamic_J";
  price.inputs = {{"power_W", cost.power_W.typical},
                  {"evaluation_s", cost.evaluation_s},
                  {"held_s", held_s},
                  {"dynamic_J", cost.dynamic_J.typical}};
  return price;
}

}  // namespace tellegen::circuits
