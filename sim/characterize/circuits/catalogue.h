#pragma once
// Every analog circuit between crossbars under one roof: to list, to describe, to measure.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/sim/characterize/characterization.h"

namespace tellegen::characterize {

enum class CircuitKind { front_end, softmax, crossing };

/// A line of the list.
struct Circuit {
  std::string name;
  CircuitKind kind = CircuitKind::front_end;
  std::string summary, equations, source, smallest_yaml;
};

/// How a protocol is run.
struct CircuitRequest {
  Overrides settings = {};  ///< settings of the circuit: "bias" -> "20 nA"
  std::uint64_t seed = 1;
  Temperature temperature = Temperature::si(300);
  std::filesystem::path costs = {};  ///< folder of cost tables, for digital rivals; "": without them
};

/// "front-end", "softmax circuit", "crossing".
const char* kind_name(CircuitKind kind);
/// All of them, kind by kind.
const std::vector<Circuit>& circuits();
/// Throws InputError with a proposal.
const Circuit& find_circuit(const std::string& name);
/// Its settings, one row each, paths as in its smallest file.
std::vector<ManualRow> settings_of(const Circuit& circuit);

/// transfer, error, mismatch, noise, energy, temperature.
const std::vector<std::string>& circuit_protocols();
/// Throws InputError where there is no such protocol or a setting is wrong, RefusedError where the circuit cannot work.
Characterization characterize(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request);

}  // namespace tellegen::characterize
