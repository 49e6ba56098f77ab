// The strict reader.

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/config.h"
#include "tellegen/base/config_tree.h"

namespace tellegen::detail {
namespace {

using Kind = ConfigNode::Kind;

/// A mapping that is being visited; `node` is null where the file does not have it.
struct Frame {
  ConfigNode* node;
  std::string path;
  Place place;  ///< of the mapping, or of the nearest one around it

  std::string path_of(const std::string& name) const { return path.empty() ? name : path + "." + name; }
};

void note_known(ConfigNode& mapping, const std::string& name) {
  mapping.visited = true;
  if (std::ranges::find(mapping.known, name) == mapping.known.end()) mapping.known.push_back(name);
}

/// Settings that are in the file already are no proposals.
std::vector<std::string> not_given(const ConfigNode& mapping) {
  std::vector<std::string> names;
  for (const std::string& name : mapping.known) {
    const bool given =
        std::ranges::any_of(mapping.entries, [&](const ConfigEntry& entry) { return entry.name == name; });
    if (!given) names.push_back(name);
  }
  return names;
}

void check_unknown(const ConfigNode& node, const std::string& path) {
  for (std::size_t i = 0; i < node.items.size(); ++i) check_unknown(node.items[i], fmt::format("{}[{}]", path, i));
  for (const ConfigEntry& entry : node.entries) {
    const std::string full = path.empty() ? entry.name : path + "." + entry.name;
    if (node.visited && std::ranges::find(node.known, entry.name) == node.known.end()) {
      const bool overrides = entry.place.line == 0;  // may well name what the file gives
      const std::string near = nearest(entry.name, overrides ? node.known : not_given(node));
      const std::string remedy = near.empty() ? fmt::format(". Known here: {}.", fmt::join(node.known, ", "))
                                              : fmt::format("; did you mean '{}'?", near);
      throw ConfigError(entry.place, fmt::format("{} is not a known setting{}", full, remedy));
    }
    check_unknown(entry.value, full);
  }
}

}  // namespace

struct ConfigReader::State {
  ConfigNode root;
  std::vector<Frame> frames;
  std::vector<ConfigError> missing, failed;

  /// The value of a setting of the current mapping, or null; remembers that the name is known.
  ConfigNode* find(const std::string& name) {
    ConfigNode* mapping = frames.back().node;
    if (mapping == nullptr) return nullptr;
    note_known(*mapping, name);
    ConfigEntry* entry = mapping->find(name);
    return entry == nullptr ? nullptr : &entry->value;
  }

  [[noreturn]] void fail(const ConfigNode& node, const std::string& name, const std::string& message) const {
    throw ConfigError(node.place, frames.back().path_of(name) + " " + message);
  }

  /// The text of a node that must be a single value.
  const std::string& scalar(const ConfigNode& node, const std::string& name) const {
    if (node.kind == Kind::null) fail(node, name, "has no value.");
    if (node.kind != Kind::scalar) fail(node, name, "must be a single value, but is " + describe(node) + ".");
    return node.text;
  }

  void read(const ConfigNode& node, const std::string& name, const Setting& setting) const {
    const std::string& text = scalar(node, name);
    try {
      setting.read(text);
    } catch (const InputError& error) {
      fail(node, name, fmt::format("= '{}' {}", text, error.what()));
    }
  }

  void push(ConfigNode* node, const std::string& name) {
    const Frame& parent = frames.back();
    const std::string path = parent.path_of(name);
    if (node != nullptr && node->kind == Kind::null) node->kind = Kind::mapping;  // all its lines are commented out
    if (node != nullptr && node->kind != Kind::mapping)
      fail(*node, name, "must be a mapping of settings, but is " + describe(*node) + ".");
    if (node != nullptr) node->visited = true;
    frames.push_back({node, path, node == nullptr ? parent.place : node->place});
  }
};

ConfigReader::ConfigReader(std::unique_ptr<State> state) : state_(std::move(state)) {
  ConfigNode& root = state_->root;
  if (root.kind == Kind::null) root.kind = Kind::mapping;
  if (root.kind != Kind::mapping)
    throw ConfigError(root.place, "the file must be a mapping of settings, but is " + describe(root) + ".");
  root.visited = true;
  state_->frames.push_back({&root, "", root.place});
}

ConfigReader::~ConfigReader() = default;
ConfigReader::ConfigReader(ConfigReader&&) noexcept = default;

ConfigReader ConfigReader::of_file(const std::filesystem::path& file, const Overrides& overrides) {
  auto state = std::make_unique<State>();
  state->root = parse_yaml_file(file);
  for (const auto& [path, text] : overrides) apply_override(state->root, path, text);
  return ConfigReader(std::move(state));
}

ConfigReader ConfigReader::of_text(std::string_view text, const std::string& name, const Overrides& overrides) {
  auto state = std::make_unique<State>();
  state->root = parse_yaml(text, name);
  for (const auto& [path, value] : overrides) apply_override(state->root, path, value);
  return ConfigReader(std::move(state));
}

void ConfigReader::finish() const {
  check_unknown(state_->root, "");
  if (!state_->missing.empty()) throw state_->missing.front();
  if (!state_->failed.empty()) throw state_->failed.front();
}

void ConfigReader::visit(const Setting& setting) {
  const ConfigNode* node = state_->find(setting.name);
  if (node != nullptr) return state_->read(*node, setting.name, setting);
  if (!setting.required) return;
  const Frame& frame = state_->frames.back();
  state_->missing.emplace_back(frame.place, fmt::format("{} is missing and has no default ({}: {}).",
                                                        frame.path_of(setting.name), setting.kind, setting.help));
}

void ConfigReader::choice(const char* name, std::string& value, std::span<const std::string> known, const char*) {
  const ConfigNode* node = state_->find(name);
  if (node == nullptr) return;
  const std::string& text = state_->scalar(*node, name);
  if (std::ranges::find(known, text) == known.end()) {
    state_->fail(*node, name,
                 fmt::format("= '{}' {}", text, unknown_value_message(text, std::string(name) + "s", known)));
  }
  value = text;
}

void ConfigReader::free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                            const char*) {
  ConfigNode* node = state_->find(name);
  if (node == nullptr) return;
  if (node->kind == Kind::null) node->kind = Kind::mapping;
  if (node->kind != Kind::mapping)
    state_->fail(*node, name, "must be a mapping of names to lists, but is " + describe(*node) + ".");
  value.clear();
  for (const ConfigEntry& entry : node->entries) {
    const std::string full = fmt::format("{}.{}", name, entry.name);
    std::vector<std::string> texts;
    if (entry.value.kind == Kind::scalar) {
      texts.push_back(entry.value.text);  // one value needs no brackets
    } else if (entry.value.kind == Kind::list) {
      for (const ConfigNode& item : entry.value.items) {
        texts.push_back(state_->scalar(item, fmt::format("{}[{}]", full, texts.size())));
      }
    } else {
      state_->fail(entry.value, full, "must be a value or a list, but is " + describe(entry.value) + ".");
    }
    value.emplace_back(entry.name, std::move(texts));
  }
}

void ConfigReader::require(bool holds, const char* name, const std::string& message) {
  if (holds) return;
  const Frame& frame = state_->frames.back();
  const ConfigEntry* entry = frame.node == nullptr ? nullptr : frame.node->find(name);
  state_->failed.emplace_back(entry == nullptr ? frame.place : entry->value.place, frame.path_of(name) + " " + message);
}

void ConfigReader::enter(const char* name, const char*) { state_->push(state_->find(name), name); }

void ConfigReader::leave() { state_->frames.pop_back(); }

bool ConfigReader::present() const { return state_->frames.back().node != nullptr; }

void ConfigReader::visit_list(const char* name, const char*, std::size_t, std::function<void(std::size_t)> resize,
                              std::function<Setting(std::size_t)> element) {
  const ConfigNode* node = state_->find(name);
  if (node == nullptr) return;
  if (node->kind != Kind::list) state_->fail(*node, name, "must be a list, but is " + describe(*node) + ".");
  resize(node->items.size());
  for (std::size_t i = 0; i < node->items.size(); ++i)
    state_->read(node->items[i], fmt::format("{}[{}]", name, i), element(i));
}

void ConfigReader::visit_sections(const char* name, const char*, std::size_t, std::function<void(std::size_t)> resize,
                                  std::function<void(std::size_t, Settings&)> element) {
  ConfigNode* node = state_->find(name);
  if (node == nullptr) return;
  if (node->kind != Kind::list)
    state_->fail(*node, name, "must be a list of mappings, but is " + describe(*node) + ".");
  resize(node->items.size());
  for (std::size_t i = 0; i < node->items.size(); ++i) {
    state_->push(&node->items[i], fmt::format("{}[{}]", name, i));
    element(i, *this);
    leave();
  }
}

}  // namespace tellegen::detail
