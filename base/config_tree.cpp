#include "tellegen/base/config_tree.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "tellegen/base/input_file.h"

namespace tellegen::detail {
namespace {

using Kind = ConfigNode::Kind;

/// Far more than any configuration has; the parser and what follows are recursive.
constexpr std::size_t deepest_nesting = 64;

/// Builds the tree from the parser's events. Containers are kept open on a stack of values and moved into their parent
/// at the end.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string name) : name_(std::move(name)) {}
  ConfigNode root;

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { add(node(Kind::null, mark)); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_anchor(mark); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor, const std::string& value) override {
    if (anchor != 0) refuse_anchor(mark);
    ConfigNode scalar = node(Kind::scalar, mark);
    scalar.text = value;
    add(std::move(scalar));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Kind::list, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Kind::mapping, mark, anchor);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    ConfigNode node;
    ConfigEntry key;
    bool has_key = false;
  };

  ConfigNode node(Kind kind, const YAML::Mark& mark) const {
    ConfigNode result;
    result.kind = kind;
    result.place = place(mark);
    return result;
  }
  Place place(const YAML::Mark& mark) const { return {name_, mark.line + 1, mark.column + 1}; }

  [[noreturn]] void refuse_anchor(const YAML::Mark& mark) const {
    throw ConfigError(place(mark), "anchors and aliases are not supported; write the value out.");
  }

  void open(Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (anchor != 0) refuse_anchor(mark);
    if (open_.size() == deepest_nesting)
      throw ConfigError(place(mark),
                        fmt::format("the nesting is too deep; at most {} levels are allowed.", deepest_nesting));
    open_.push_back({node(kind, mark), {}, false});
  }
  void close() {
    ConfigNode done = std::move(open_.back().node);
    open_.pop_back();
    add(std::move(done));
  }

  void add(ConfigNode value) {
    if (open_.empty()) {
      root = std::move(value);
    } else if (Open& parent = open_.back(); parent.node.kind == Kind::list) {
      parent.node.items.push_back(std::move(value));
    } else if (!parent.has_key) {
      take_key(parent, value);
    } else {
      parent.key.value = std::move(value);
      parent.node.entries.push_back(std::move(parent.key));
      parent.has_key = false;
    }
  }

  static void take_key(Open& parent, const ConfigNode& key) {
    if (key.kind != Kind::scalar)
      throw ConfigError(key.place, "the name of a setting must be plain text, but is " + describe(key) + ".");
    if (const ConfigEntry* first = parent.node.find(key.text)) {
      throw ConfigError(key.place,
                        fmt::format("'{}' is given twice; the first is at line {}.", key.text, first->place.line));
    }
    parent.key = {key.text, key.place, {}};
    parent.has_key = true;
  }

  std::string name_;
  std::vector<Open> open_;
};

void set_place(ConfigNode& node, const Place& place) {
  node.place = place;
  for (ConfigNode& item : node.items) set_place(item, place);
  for (ConfigEntry& entry : node.entries) {
    entry.place = place;
    set_place(entry.value, place);
  }
}

ConfigEntry& find_or_add(ConfigNode& mapping, const std::string& name, const Place& place) {
  if (ConfigEntry* entry = mapping.find(name)) return *entry;
  mapping.entries.push_back({name, place, {}});
  mapping.entries.back().value.place = place;
  return mapping.entries.back();
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r'; }

/// YAML forbids control characters; for the parser some of them end the text, and what follows would be dropped without
/// a word. Texts that begin with a byte order mark can be UTF-16, which holds such bytes rightly.
void refuse_control_characters(std::string_view text, const std::string& name) {
  const auto found = std::find_if(text.begin(), text.end(), is_control);
  if (found == text.end() || text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return;
  const std::string_view before(text.begin(), found);
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t column = before.size() - (before.rfind('\n') + 1) + 1;
  throw ConfigError({name, static_cast<int>(line), static_cast<int>(column)},
                    fmt::format("here is a control character (byte {}), which no YAML text holds. Remove it, or give a "
                                "text file in UTF-8.",
                                static_cast<int>(*found)));
}

}  // namespace

ConfigEntry* ConfigNode::find(std::string_view name) {
  for (ConfigEntry& entry : entries) {
    if (entry.name == name) return &entry;
  }
  return nullptr;
}

std::string describe(const ConfigNode& node) {
  switch (node.kind) {
    case Kind::null:
      return "empty";
    case Kind::scalar:
      return "the single value '" + node.text + "'";
    case Kind::list:
      return "a list";
    case Kind::mapping:
      return "a mapping";
  }
  return {};
}

ConfigNode parse_yaml(std::string_view text, const std::string& name) {
  refuse_control_characters(text, name);
  std::istringstream stream{std::string(text)};
  TreeBuilder builder(name);
  builder.root.place = {name, 1, 1};
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return std::move(builder.root);
    TreeBuilder second(name);
    if (parser.HandleNextDocument(second))
      throw ConfigError(second.root.place, "a second document starts here; a configuration is one document.");
  } catch (const YAML::Exception& error) {
    throw ConfigError({name, error.mark.line + 1, error.mark.column + 1}, "this is not valid YAML: " + error.msg + ".");
  }
  return std::move(builder.root);
}

ConfigNode parse_yaml_file(const std::filesystem::path& file) {
  if (const std::string problem = not_a_file(file); !problem.empty()) throw ConfigError({file.string(), 0, 0}, problem);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  if (!(text << stream.rdbuf()) && std::filesystem::file_size(file) > 0)
    throw ConfigError(file.string() + ": the file cannot be read.");
  return parse_yaml(text.str(), file.string());
}

void apply_override(ConfigNode& root, const std::string& path, const std::string& text) {
  const Place place{"--set " + path, 0, 0};
  if (path.empty() || path.front() == '.' || path.back() == '.' || path.find("..") != std::string::npos) {
    throw ConfigError(place, "the name of a setting is missing.");
  }
  ConfigNode* node = &root;
  std::string walked;
  std::istringstream names(path);
  for (std::string name; std::getline(names, name, '.');) {
    if (node->kind == Kind::null) node->kind = Kind::mapping;
    if (node->kind != Kind::mapping)
      throw ConfigError(place, fmt::format("{} has no settings inside; it is {}.", walked, describe(*node)));
    node = &find_or_add(*node, name, place).value;
    walked += (walked.empty() ? "" : ".") + name;
  }
  try {
    *node = parse_yaml(text, place.file);
  } catch (const ConfigError&) {
    throw ConfigError(place, fmt::format("the value '{}' is not valid YAML.", text));
  }
  set_place(*node, place);
}

}  // namespace tellegen::detail
