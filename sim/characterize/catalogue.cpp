#include "tellegen/sim/characterize/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/devices/conductance_device.h"
#include "tellegen/devices/fecap/fecap_array.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/mosfet/mosfet_card.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {
namespace {

constexpr const char* film_equations =
    "P(E) = P_s tanh((E -+ E_c) / (2 d)), d from the remanent polarization; minor loops are affine images of it "
    "between the last two turning points, and a larger swing wipes out smaller ones. Domains switch one by one with "
    "tau = tau_0 exp((E_a / E)^alpha). A small signal sees eps_0 eps_r plus the reversible share of dP/dE.";
constexpr const char* transistor_equations =
    "I_D = I_spec W / L (i_f - i_r), i = q^2 + q, 2 q + ln q = (V_P - V) / U_T with V = V_S forward and V_D in "
    "reverse, V_P = (V_G - V_T0) / n, U_T = kT / q: one expression from weak to strong inversion. p-channel: the "
    "same with the sign of all voltages and of the current changed.";

std::vector<Device> all() {
  std::vector<Device> list;
  for (const devices::DeviceEntry& entry : devices::device_catalog()) {
    list.push_back({entry.name,
                    Kind::conductance,
                    entry.summary,
                    entry.equations,
                    entry.source,
                    entry.smallest_yaml,
                    {"pulses", "retention", "read"}});
  }
  for (const devices::MemristorEntry& entry : devices::memristor_catalog()) {
    list.push_back({entry.name,
                    Kind::memristor,
                    entry.summary,
                    entry.equations,
                    entry.source,
                    entry.smallest_yaml,
                    {"iv", "branches", "pulses"}});
  }
  for (const devices::FilmEntry& entry : devices::film_catalog()) {
    list.push_back({entry.name,
                    Kind::ferroelectric,
                    entry.summary,
                    film_equations,
                    entry.source,
                    entry.smallest_yaml,
                    {"pe-loop"}});
  }
  for (const devices::MosfetEntry& entry : devices::mosfet_catalog()) {
    list.push_back(
        {entry.name, Kind::transistor, entry.summary, transistor_equations, entry.source, entry.smallest_yaml, {"iv"}});
  }
  return list;
}

/// Whether a row is there "only where device.model = a, b" and `name` is none of them, or is the choice itself.
bool is_of_another(const ManualRow& row, const std::string& name) {
  const bool is_outermost = std::count(row.path.begin(), row.path.end(), '.') == 1;
  for (const char* choice : {".model", ".film", ".card"}) {
    if (is_outermost && row.path.ends_with(choice)) return true;
  }
  const std::size_t equals = row.when.find(" = ");
  if (equals == std::string::npos) return false;
  const std::string list = ", " + row.when.substr(equals + 3) + ",";
  return list.find(", " + name + ",") == std::string::npos;
}

/// Of the settings of a whole catalogue, those of one entry.
std::vector<ManualRow> of_one(const std::string& name, std::vector<ManualRow> rows) {
  std::erase_if(rows, [&](const ManualRow& row) { return is_of_another(row, name); });
  for (ManualRow& row : rows) row.when.clear();
  return rows;
}

using Protocol = void (*)(const Device&, const Request&, Characterization&);
Protocol protocol_of(Kind kind, const std::string& name) {
  if (name == "retention") return retention;
  if (name == "read") return read;
  if (name == "branches") return memristor_branches;
  if (name == "pulses") return kind == Kind::conductance ? conductance_programming : memristor_pulses;
  if (name == "pe-loop") return polarization_loop;
  return kind == Kind::transistor ? transistor_iv : memristor_iv;
}

}  // namespace

const char* kind_name(Kind kind) {
  switch (kind) {
    case Kind::memristor:
      return "memristor";
    case Kind::ferroelectric:
      return "ferroelectric film";
    case Kind::transistor:
      return "transistor";
    case Kind::conductance:
      break;
  }
  return "conductance device";
}

const std::vector<Device>& devices() {
  static const std::vector<Device> list = all();
  return list;
}

const Device& find(const std::string& name) {
  std::vector<std::string> names;
  for (const Device& device : devices()) {
    if (device.name == name) return device;
    names.push_back(device.name);
  }
  const std::string near = nearest(name, names);
  throw InputError(fmt::format("'{}' is not a known device{} 'tellegen device list' shows all of them.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
}

std::vector<ManualRow> settings_of(const Device& device) {
  switch (device.kind) {
    case Kind::memristor:
      return of_one(device.name, config_manual<Single<devices::MemristorConfig>>({"memristor", {}}));
    case Kind::ferroelectric:
      return of_one(device.name, config_manual<Single<devices::FecapConfig>>({"fecap", {}}));
    case Kind::transistor:
      return of_one(device.name, config_manual<Single<devices::MosfetConfig>>({"mosfet", {}}));
    case Kind::conductance:
      break;
  }
  return of_one(device.name, config_manual<Single<devices::DeviceConfig>>({"device", {}}));
}

Characterization characterize(const Device& device, const std::string& protocol, const Request& request) {
  if (std::find(device.protocols.begin(), device.protocols.end(), protocol) == device.protocols.end()) {
    const std::string near = nearest(protocol, device.protocols);
    throw InputError(fmt::format("--protocol = '{}' is not a protocol of the {} '{}'; allowed: {}{}", protocol,
                                 kind_name(device.kind), device.name, fmt::join(device.protocols, ", "),
                                 near.empty() ? "." : fmt::format("; did you mean '{}'?", near)));
  }
  Characterization result;
  result.device = device.name;
  result.protocol = protocol;
  result.source = device.source;
  result.seed = request.seed;
  protocol_of(device.kind, protocol)(device, request, result);
  return result;
}

std::vector<double> evenly(double first, double last, std::size_t count) {
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = first + (last - first) * static_cast<double>(i) / static_cast<double>(count - 1);
  }
  return values;
}

std::vector<double> evenly_in_logarithm(double first, double last, std::size_t count) {
  std::vector<double> values = evenly(std::log(first), std::log(last), count);
  for (double& value : values) value = std::exp(value);
  return values;
}

}  // namespace tellegen::characterize
