#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/devices/generic.h"
#include "tellegen/devices/ideal.h"
#include "tellegen/devices/measured.h"
#include "tellegen/devices/pcm_hermes.h"
#include "tellegen/devices/pcm_joshi.h"
#include "tellegen/devices/programming/write_verified.h"
#include "tellegen/devices/rram_cmo.h"
#include "tellegen/devices/rram_milo.h"
#include "tellegen/devices/rram_wan.h"
#include "tellegen/devices/sonos.h"

namespace tellegen::devices {

const std::vector<DeviceEntry>& device_catalog() {
  static const std::vector<DeviceEntry> catalog{ideal_entry(),        generic_entry(),       pcm_joshi_entry(),
                                                pcm_hermes_1_entry(), pcm_hermes_2_entry(),  rram_wan_entry(),
                                                rram_cmo_entry(),     rram_milo_entry(),     sonos_entry(),
                                                measured_entry(),     write_verified_entry()};
  return catalog;
}

const std::vector<std::string>& device_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const DeviceEntry& entry : device_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const DeviceEntry& find_device(const std::string& name) {
  const auto& catalog = device_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const DeviceEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, device_names());
  throw InputError(fmt::format("'{}' is not a known device{} Known devices: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(device_names(), ", ")));
}

PulseCount& PulseCount::operator+=(const PulseCount& other) {
  cells += other.cells;
  unconverged += other.unconverged;
  pulses += other.pulses;
  reads += other.reads;
  energy_J += other.energy_J;
  time_s += other.time_s;
  longest_cell_s = std::max(longest_cell_s, other.longest_cell_s);
  return *this;
}

DeviceConfig::DeviceConfig() : parameters_(find_device(model).defaults()) {}
DeviceConfig::DeviceConfig(const DeviceConfig& other)
    : model(other.model),
      iv(other.iv),
      conditions(other.conditions),
      parameters_(other.parameters_->clone()),
      made_for_(other.made_for_) {}

DeviceConfig& DeviceConfig::operator=(const DeviceConfig& other) {
  if (this == &other) return *this;
  model = other.model;
  iv = other.iv;
  conditions = other.conditions;
  parameters_ = other.parameters_->clone();
  made_for_ = other.made_for_;
  return *this;
}

void DeviceConfig::settings(Settings& v) {
  v.choice("model", model, device_names(), "device model; its own settings follow in the same mapping");
  if (made_for_ != model) {
    parameters_ = find_device(model).defaults();
    made_for_ = model;
  }
  parameters_->settings(v);
  v.section("iv", iv, "current of a cell at voltages where it is no longer conductance times voltage");
  v("age", conditions.age, "time from the end of programming to the read",
    between(Time::si(0), 1000 * 365.25 * units::day));
  v("temperature", conditions.temperature,
    "temperature at which cells are read; only models with a temperature law (generic) use it",
    between(Temperature::si(1), Temperature::si(1000)));
}

}  // namespace tellegen::devices
