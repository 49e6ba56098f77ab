#include "tellegen/circuits/front_end/softmax_circuit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tellegen/base/error.h"

namespace tellegen::circuits {

const std::vector<SoftmaxEntry>& softmax_catalog() {
  static const std::vector<SoftmaxEntry> entries{softmax_array_entry(), softmax_tree_entry(), softmax_chain_entry()};
  return entries;
}

const std::vector<std::string>& softmax_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SoftmaxEntry& entry : softmax_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const SoftmaxEntry& find_softmax(const std::string& name) {
  for (const SoftmaxEntry& entry : softmax_catalog()) {
    if (entry.name == name) return entry;
  }
  throw InputError(
      fmt::format("'{}' is not a known softmax circuit; allowed: {}.", name, fmt::join(softmax_names(), ", ")));
}

SoftmaxConfig::SoftmaxConfig() : parameters_(find_softmax(circuit).defaults()), made_for_(circuit) {}
SoftmaxConfig::SoftmaxConfig(const SoftmaxConfig& other)
    : circuit(other.circuit), parameters_(other.parameters_->clone()), made_for_(other.made_for_) {}
SoftmaxConfig& SoftmaxConfig::operator=(const SoftmaxConfig& other) {
  if (this == &other) return *this;
  circuit = other.circuit;
  parameters_ = other.parameters_->clone();
  made_for_ = other.made_for_;
  return *this;
}

void SoftmaxConfig::settings(Settings& v) {
  v.choice("circuit", circuit, softmax_names(), "the softmax circuit");
  circuit_settings(v);
}

void SoftmaxConfig::circuit_settings(Settings& v) {
  if (circuit != made_for_) {
    parameters_ = find_softmax(circuit).defaults();
    made_for_ = circuit;
  }
  parameters_->settings(v);
}

}  // namespace tellegen::circuits
