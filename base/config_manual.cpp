// One row per setting, with the settings of every entry of a catalogue.

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/config.h"

namespace tellegen::detail {
namespace {

bool same(const ManualRow& a, const ManualRow& b) {
  return a.path == b.path && a.kind == b.kind && a.allowed == b.allowed && a.default_value == b.default_value &&
         a.help == b.help;
}

bool contains(const std::vector<ManualRow>& rows, const ManualRow& row) {
  return std::ranges::any_of(rows, [&](const ManualRow& other) { return same(row, other); });
}

/// Adds the settings of every entry of a catalogue after the last row of their mapping, and marks each row that only
/// some entries have with their names.
void add_entries(std::vector<ManualRow>& rows, const ConfigManual::Choice& choice,
                 const std::function<void(Settings&)>& visit) {
  std::vector<std::pair<std::string, std::vector<ManualRow>>> entries;
  for (const std::string& name : choice.known) {
    ConfigManual manual(std::map<std::string, std::string>{{choice.path, name}});
    visit(manual);
    entries.emplace_back(name, manual.rows());
  }
  std::vector<ManualRow> added;
  for (const auto& [name, entry_rows] : entries) {
    for (const ManualRow& row : entry_rows) {
      if (!contains(rows, row) && !contains(added, row)) added.push_back(row);
    }
  }
  const auto last = std::find_if(rows.rbegin(), rows.rend(),
                                 [&](const ManualRow& row) { return row.path.starts_with(choice.mapping); });
  rows.insert(last.base(), added.begin(), added.end());
  for (ManualRow& row : rows) {
    if (!row.path.starts_with(choice.mapping) || !row.when.empty()) continue;
    std::vector<std::string> having;
    for (const auto& [name, entry_rows] : entries) {
      if (contains(entry_rows, row)) having.push_back(name);
    }
    if (having.size() < entries.size()) row.when = fmt::format("{} = {}", choice.path, fmt::join(having, ", "));
  }
}

}  // namespace

std::string ConfigManual::path(const std::string& name) const {
  std::string result;
  for (const std::string& part : prefix_) result += part + ".";
  return result + name;
}

void ConfigManual::visit(const Setting& setting) {
  rows_.push_back({path(setting.name), setting.kind, setting.allowed, setting.required ? "required" : setting.write(),
                   setting.help, ""});
}

void ConfigManual::choice(const char* name, std::string& value, std::span<const std::string> known, const char* help) {
  const std::string full = path(name);
  rows_.push_back({full, fmt::format("one of {}", fmt::join(known, ", ")), "", value, help, ""});
  choices_.push_back({full, path(""), value, {known.begin(), known.end()}});
  if (const auto forced = forced_.find(full); forced != forced_.end()) value = forced->second;
}

void ConfigManual::free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>&,
                            const char* help) {
  rows_.push_back({path(name), "mapping of names to lists", "", "", help, ""});
}

void ConfigManual::enter(const char* name, const char*) { prefix_.emplace_back(name); }

void ConfigManual::leave() { prefix_.pop_back(); }

void ConfigManual::visit_list(const char* name, const char* help, std::size_t size,
                              std::function<void(std::size_t)> resize, std::function<Setting(std::size_t)> element) {
  std::vector<std::string> items;
  for (std::size_t i = 0; i < size; ++i) items.push_back(element(i).write());
  if (size == 0) resize(1);  // an element to ask for its kind; the configuration is the manual's own copy
  const Setting first = element(0);
  rows_.push_back(
      {path(name), "list of " + first.kind, first.allowed, fmt::format("[{}]", fmt::join(items, ", ")), help, ""});
  if (size == 0) resize(0);
}

void ConfigManual::visit_sections(const char* name, const char* help, std::size_t size,
                                  std::function<void(std::size_t)> resize,
                                  std::function<void(std::size_t, Settings&)> element) {
  rows_.push_back({path(name), "list of mappings", "", "", help, ""});
  if (size == 0) resize(1);
  prefix_.push_back(std::string(name) + "[]");
  element(0, *this);
  prefix_.pop_back();
  if (size == 0) resize(0);
}

std::vector<ManualRow> manual_of(const std::function<void(Settings&)>& visit) {
  ConfigManual base;
  visit(base);
  std::vector<ManualRow> rows = base.rows();
  for (const ConfigManual::Choice& choice : base.choices()) add_entries(rows, choice, visit);
  return rows;
}

}  // namespace tellegen::detail
