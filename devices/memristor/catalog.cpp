#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/devices/memristor/chang.h"
#include "tellegen/devices/memristor/data_driven.h"
#include "tellegen/devices/memristor/flux_controlled.h"
#include "tellegen/devices/memristor/hp.h"
#include "tellegen/devices/memristor/knowm.h"
#include "tellegen/devices/memristor/memristor.h"
#include "tellegen/devices/memristor/pershin.h"
#include "tellegen/devices/memristor/stanford_pku.h"
#include "tellegen/devices/memristor/vteam.h"
#include "tellegen/devices/memristor/yakopcic.h"

namespace tellegen::devices {

const std::vector<MemristorEntry>& memristor_catalog() {
  static const std::vector<MemristorEntry> catalog{hp_entry(),       flux_controlled_entry(), vteam_entry(),
                                                   yakopcic_entry(), stanford_pku_entry(),    knowm_entry(),
                                                   chang_entry(),    pershin_entry(),         data_driven_entry()};
  return catalog;
}

const std::vector<std::string>& memristor_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const MemristorEntry& entry : memristor_catalog()) all.push_back(entry.name);
    return all;
  }();
  return names;
}

const MemristorEntry& find_memristor(const std::string& name) {
  const auto& catalog = memristor_catalog();
  const auto found =
      std::find_if(catalog.begin(), catalog.end(), [&](const MemristorEntry& entry) { return entry.name == name; });
  if (found != catalog.end()) return *found;
  const std::string near = nearest(name, memristor_names());
  throw InputError(fmt::format("'{}' is not a known memristor{} Known memristors: {}.", name,
                               near.empty() ? "." : fmt::format("; did you mean '{}'?", near),
                               fmt::join(memristor_names(), ", ")));
}

double conductance_S(const MemristorModel& model, double x, double read_V) {
  return model.current_A(x, read_V) / read_V;
}

std::unique_ptr<MemristorModel> make_memristor(const std::string& settings) {
  struct File {
    MemristorConfig memristor;
    void settings(Settings& v) { v.section("memristor", memristor, "the device"); }
  } file;
  read_config_text(fmt::format("memristor: {{model: {}}}", settings), "memristor", file);
  return file.memristor.make();
}

MemristorConfig::MemristorConfig() : parameters_(find_memristor(model).defaults()) {}
MemristorConfig::MemristorConfig(const std::string& name)
    : model(name), parameters_(find_memristor(name).defaults()), made_for_(name) {}
MemristorConfig::MemristorConfig(const MemristorConfig& other)
    : model(other.model), parameters_(other.parameters_->clone()), made_for_(other.made_for_) {}

MemristorConfig& MemristorConfig::operator=(const MemristorConfig& other) {
  if (this == &other) return *this;
  model = other.model;
  parameters_ = other.parameters_->clone();
  made_for_ = other.made_for_;
  return *this;
}

void MemristorConfig::settings(Settings& v) {
  v.choice("model", model, memristor_names(), "memristor model; its own settings follow in the same mapping");
  if (made_for_ != model) {
    parameters_ = find_memristor(model).defaults();
    made_for_ = model;
  }
  parameters_->settings(v);
}

}  // namespace tellegen::devices
