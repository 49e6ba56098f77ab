#pragma once
// Every element model of the project under one roof: to list, to describe, to measure.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/sim/characterize/characterization.h"

namespace tellegen::characterize {

enum class Kind { conductance, memristor, ferroelectric, transistor };

/// How a protocol is run; what is absent is chosen by the protocol and reported in the findings.
struct Request {
  Overrides settings = {};  ///< settings of the device: "g_max" -> "20 uS"
  std::uint64_t seed = 1;
  std::optional<Voltage> amplitude = {};
  std::optional<Frequency> frequency = {};
};

/// A line of the list.
struct Device {
  std::string name;
  Kind kind = Kind::conductance;
  std::string summary, equations, source, smallest_yaml;
  std::vector<std::string> protocols;
};

/// "conductance device", "memristor", ...
const char* kind_name(Kind kind);

/// All of them, kind by kind.
const std::vector<Device>& devices();
/// Throws InputError with a proposal.
const Device& find(const std::string& name);
/// Its settings, one row each, paths as in its smallest file.
std::vector<ManualRow> settings_of(const Device& device);

/// Throws InputError where the device has no such protocol or a setting is wrong.
Characterization characterize(const Device& device, const std::string& protocol, const Request& request);

}  // namespace tellegen::characterize
