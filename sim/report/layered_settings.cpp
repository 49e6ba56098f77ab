#include "tellegen/sim/report/layered_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "tellegen/base/config_tree.h"
#include "tellegen/base/safe_text.h"

namespace tellegen::report {
namespace {

std::filesystem::path input_beside(const std::filesystem::path& path, const std::filesystem::path& file) {
  const auto found = sim::find_input(path, file);
  if (!found) {
    throw InputError(
        {file.string()},
        fmt::format("experiment = '{}' does not exist. Allowed: a file, named from the working directory, from the "
                    "folder of this file, or from one of the folders above it.",
                    path.string()));
  }
  return *found;
}

/// The node that "set", "over" or "options[1].set" names; null where there is none.
const detail::ConfigNode* node_at(detail::ConfigNode& root, const std::string& origin) {
  detail::ConfigNode* node = &root;
  std::istringstream steps(origin);
  for (std::string step; std::getline(steps, step, '.');) {
    const std::size_t bracket = step.find('[');
    detail::ConfigEntry* entry = node->find(step.substr(0, bracket));
    if (entry == nullptr) return nullptr;
    node = &entry->value;
    if (bracket == std::string::npos) continue;
    const std::size_t item = std::stoul(step.substr(bracket + 1));
    if (item >= node->items.size()) return nullptr;
    node = &node->items[item];
  }
  return node;
}

/// Where `file` gives setting `name` the value `text`: the value itself in a list of values, else the name.
Place place_of(const std::filesystem::path& file, const std::string& origin, const std::string& name,
               const std::string& text) {
  detail::ConfigNode root = detail::parse_yaml_file(file);
  if (const detail::ConfigNode* node = node_at(root, origin)) {
    for (const detail::ConfigEntry& entry : node->entries) {
      const std::vector<std::string> settings = settings_of(entry.name);
      if (std::find(settings.begin(), settings.end(), name) == settings.end()) continue;
      for (const detail::ConfigNode& item : entry.value.items) {
        if (item.text == text) return item.place;
      }
      return entry.place;
    }
  }
  return {file.string()};
}

/// "--set NAME: NAME = '99' is ..." becomes "FILE:LINE:COLUMN: ORIGIN.NAME = '99' is ..." where the setting is the
/// file's.
[[noreturn]] void throw_with_origin(const ConfigError& error, const std::filesystem::path& file,
                                    const std::vector<SettingsLayer>& layers) {
  const std::string message = error.what();
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    for (const auto& [name, text] : layer->overrides) {
      const std::string place = "--set " + name + ": ";
      if (message.rfind(place, 0) != 0) continue;
      if (layer->origin.empty()) throw ConfigError(message);
      const std::string rest = message.substr(place.size());
      const std::string subject = rest.rfind(name, 0) == 0 ? rest : name + ": " + rest;
      throw ConfigError(place_of(file, layer->origin, name, text), layer->origin + "." + subject);
    }
  }
  throw ConfigError(message);
}

bool is_inside(const std::string& inner, const std::string& outer) { return inner.rfind(outer + ".", 0) == 0; }

}  // namespace

Overrides to_overrides(const SettingsMap& settings) {
  Overrides overrides;
  for (const auto& [name, values] : settings) overrides.emplace_back(name, values.at(0));
  return overrides;
}

bool single_values(const SettingsMap& settings) {
  return std::all_of(settings.begin(), settings.end(), [](const auto& setting) { return setting.second.size() == 1; });
}

bool all_printable(const SettingsMap& settings) {
  return std::all_of(settings.begin(), settings.end(), [](const auto& setting) {
    return is_printable(setting.first) && std::all_of(setting.second.begin(), setting.second.end(), is_printable);
  });
}

std::vector<std::string> settings_of(const std::string& name) {
  std::vector<std::string> settings;
  std::size_t begin = 0;
  while (true) {
    begin = name.find_first_not_of(' ', begin);
    if (begin == std::string::npos) begin = name.size();
    const std::size_t comma = name.find(',', begin);
    settings.push_back(name.substr(begin, comma == std::string::npos ? comma : comma - begin));
    while (!settings.back().empty() && settings.back().back() == ' ') settings.back().pop_back();
    if (comma == std::string::npos) return settings;
    begin = comma + 1;
  }
}

bool overlap(const std::string& a, const std::string& b) {
  for (const std::string& one : settings_of(a)) {
    for (const std::string& other : settings_of(b)) {
      if (one == other || is_inside(one, other) || is_inside(other, one)) return true;
    }
  }
  return false;
}

void refuse_fixed(const Overrides& overrides, const SettingsMap& settings, const std::string& holder) {
  for (const auto& [name, text] : overrides) {
    for (const auto& [fixed, values] : settings) {
      if (!overlap(name, fixed)) continue;
      throw InputError(
          fmt::format("--set {}={}: {} is {}. Change the file, or leave this --set out.", name, text, fixed, holder));
    }
  }
}

void merge(const Overrides& overrides, SettingsMap& settings) {
  for (const auto& [name, text] : overrides) {
    const auto same = std::find_if(settings.begin(), settings.end(),
                                   [&name = name](const auto& setting) { return setting.first == name; });
    if (same == settings.end()) {
      settings.push_back({name, {text}});
    } else {
      same->second = {text};
    }
  }
}

sim::ExperimentConfig read_layered(const std::filesystem::path& experiment, const std::filesystem::path& file,
                                   const std::vector<SettingsLayer>& layers) {
  const std::filesystem::path found = input_beside(experiment, file);
  Overrides all;
  for (const SettingsLayer& layer : layers) all.insert(all.end(), layer.overrides.begin(), layer.overrides.end());
  try {
    return sim::read_experiment(found, all);
  } catch (const ConfigError& error) {
    throw_with_origin(error, file, layers);
  }
}

}  // namespace tellegen::report
