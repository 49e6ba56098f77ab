#include "tellegen/sim/characterize/circuits/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/crossing.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/sim/characterize/circuits/measure.h"

namespace tellegen::characterize {
namespace {

template <class Entries>
void add_all(std::vector<Circuit>& list, CircuitKind kind, const Entries& entries) {
  for (const auto& entry : entries) {
    list.push_back({entry.name, kind, entry.summary, entry.equations, entry.source, entry.smallest_yaml});
  }
}

/// Whether a setting is there "only where PATH = a, b" and the choice at PATH is another one.
bool is_of_another(const ManualRow& row, const std::vector<ManualRow>& rows) {
  const std::size_t equals = row.when.find(" = ");
  if (equals == std::string::npos) return false;
  const std::string path = row.when.substr(0, equals), list = ", " + row.when.substr(equals + 3) + ",";
  const auto choice =
      std::find_if(rows.begin(), rows.end(), [&](const ManualRow& other) { return other.path == path; });
  return choice == rows.end() || list.find(", " + choice->default_value + ",") == std::string::npos;
}

/// The settings of one circuit with the transistor and the memristor that it has by default.
template <class Config>
std::vector<ManualRow> rows_of(const Circuit& circuit, const char* section) {
  const std::vector<ManualRow> all = config_manual(read_single<Config>(section, circuit.smallest_yaml, {}));
  std::vector<ManualRow> rows;
  for (const ManualRow& row : all) {
    if (row.path == std::string(section) + ".circuit" || is_of_another(row, all)) continue;
    rows.push_back(row);
    rows.back().when.clear();
  }
  return rows;
}

}  // namespace

const char* kind_name(CircuitKind kind) {
  switch (kind) {
    case CircuitKind::softmax:
      return "softmax circuit";
    case CircuitKind::crossing:
      return "crossing";
    case CircuitKind::front_end:
      break;
  }
  return "front-end";
}

const std::vector<Circuit>& circuits() {
  static const std::vector<Circuit> list = [] {
    std::vector<Circuit> all;
    add_all(all, CircuitKind::front_end, tellegen::circuits::front_end_catalog());
    add_all(all, CircuitKind::softmax, tellegen::circuits::softmax_catalog());
    add_all(all, CircuitKind::crossing, tellegen::circuits::crossing_catalog());
    return all;
  }();
  return list;
}

const Circuit& find_circuit(const std::string& name) {
  std::vector<std::string> names;
  for (const Circuit& circuit : circuits()) {
    if (circuit.name == name) return circuit;
    names.push_back(circuit.name);
  }
  const std::string near = nearest(name, names);
  throw InputError(fmt::format("'{}' is not a known circuit{} 'tellegen circuit list' shows all of them.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
}

std::vector<ManualRow> settings_of(const Circuit& circuit) {
  switch (circuit.kind) {
    case CircuitKind::softmax:
      return rows_of<tellegen::circuits::SoftmaxConfig>(circuit, "softmax");
    case CircuitKind::crossing:
      return rows_of<tellegen::circuits::CrossingConfig>(circuit, "crossing");
    case CircuitKind::front_end:
      break;
  }
  return rows_of<tellegen::circuits::FrontEndConfig>(circuit, "front_end");
}

const std::vector<std::string>& circuit_protocols() {
  static const std::vector<std::string> names{"transfer", "error", "mismatch", "noise", "energy", "temperature"};
  return names;
}

Characterization characterize(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request) {
  const auto& known = circuit_protocols();
  if (std::find(known.begin(), known.end(), protocol) == known.end()) {
    const std::string near = nearest(protocol, known);
    throw InputError(fmt::format("--protocol = '{}' is not a protocol of circuits; allowed: {}{}", protocol,
                                 fmt::join(known, ", "),
                                 near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
  }
  Characterization result;
  result.device = circuit.name;
  result.protocol = protocol;
  result.source = circuit.source;
  result.seed = request.seed;
  const auto run = circuit.kind == CircuitKind::softmax    ? softmax_protocol
                   : circuit.kind == CircuitKind::crossing ? crossing_protocol
                                                           : front_end_protocol;
  run(circuit, protocol, request, result);
  open_flat_axes(result.figure);
  return result;
}

}  // namespace tellegen::characterize
