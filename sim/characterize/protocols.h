#pragma once
// Inside sim/characterize: the protocols of each kind of device. Each fills tables, findings, figure and settings.

#include "tellegen/sim/characterize/catalogue.h"

namespace tellegen::characterize {

/// `device:`, `memristor:`, ... alone in a file, with the request's settings applied to the entry `name`.
template <class Config>
struct Single {
  const char* section;
  Config config;
  void settings(Settings& v) { v.section(section, config, "the device"); }
};
template <class Config>
Single<Config> read_single(const char* section, const std::string& smallest_yaml, const Overrides& settings,
                           Config defaults = {}) {
  Single<Config> file{section, std::move(defaults)};
  Overrides overrides;
  for (const auto& [name, value] : settings) overrides.emplace_back(std::string(section) + "." + name, value);
  read_config_text(smallest_yaml, "--set", file, overrides);
  return file;
}

/// Evenly spaced values, in themselves or in their logarithm; both ends included.
std::vector<double> evenly(double first, double last, std::size_t count);
std::vector<double> evenly_in_logarithm(double first, double last, std::size_t count);

void retention(const Device& device, const Request& request, Characterization& result);
void conductance_programming(const Device& device, const Request& request, Characterization& result);
void read(const Device& device, const Request& request, Characterization& result);
void memristor_iv(const Device& device, const Request& request, Characterization& result);
void memristor_branches(const Device& device, const Request& request, Characterization& result);
void memristor_pulses(const Device& device, const Request& request, Characterization& result);
void polarization_loop(const Device& device, const Request& request, Characterization& result);
void transistor_iv(const Device& device, const Request& request, Characterization& result);

}  // namespace tellegen::characterize
