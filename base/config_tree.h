#pragma once
// A YAML document as a tree of texts with places, and the overrides on top of it. Hides yaml-cpp (which is slow to
// compile).

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/error.h"

namespace tellegen::detail {

struct ConfigEntry;

struct ConfigNode {
  enum class Kind { null, scalar, list, mapping };
  Kind kind = Kind::null;
  Place place;
  std::string text;                  ///< of a scalar
  std::vector<ConfigNode> items;     ///< of a list
  std::vector<ConfigEntry> entries;  ///< of a mapping, in file order
  bool visited = false;              ///< a struct has asked for settings of this mapping, by the names in `known`
  std::vector<std::string> known;

  ConfigEntry* find(std::string_view name);
};

struct ConfigEntry {
  std::string name;
  Place place;
  ConfigNode value;
};

/// "a mapping", "a list", "the single value '5'", "empty".
std::string describe(const ConfigNode& node);

/// Parses one YAML document. Throws ConfigError: syntax, repeated keys, anchors, several documents.
ConfigNode parse_yaml(std::string_view text, const std::string& name);
/// Reads and parses a file. Throws ConfigError also where it cannot be read.
ConfigNode parse_yaml_file(const std::filesystem::path& file);

/// Puts `text` (YAML) at a dotted path, making the mappings on the way. Its place reads "--set path".
void apply_override(ConfigNode& root, const std::string& path, const std::string& text);

}  // namespace tellegen::detail
