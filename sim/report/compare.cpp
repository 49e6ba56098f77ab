#include "tellegen/sim/report/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "tellegen/base/safe_text.h"

namespace tellegen::report {
namespace {

enum Part : std::size_t { kAdc, kActivation, kDac, kRest, kParts };

Part part_of_component(const std::string& component) {
  if (component == "adc" || component == "nonlinear_adc" || component == "sample_hold") return kAdc;
  if (component == "dac") return kDac;
  return component.rfind("activation_", 0) == 0 ? kActivation : kRest;
}

constexpr const char* kSamples = "evaluate.samples";

bool changes(const SettingsMap& settings, const std::string& name) {
  return std::any_of(settings.begin(), settings.end(),
                     [&](const auto& setting) { return overlap(setting.first, name); });
}

bool names_differ(const std::vector<CompareOption>& options) {
  std::set<std::string> names;
  return std::all_of(options.begin(), options.end(),
                     [&](const CompareOption& option) { return names.insert(option.name).second; });
}

sim::ExperimentConfig option_config(const std::filesystem::path& file, const CompareConfig& compare, std::size_t index,
                                    const Overrides& overrides) {
  const CompareOption& option = compare.options[index];
  refuse_fixed(overrides, option.set, fmt::format("set by option '{}' of {}", option.name, file.string()));
  return read_layered(compare.experiment, file,
                      {{"images", {{kSamples, std::to_string(compare.images)}}},
                       {"set", to_overrides(compare.set)},
                       {fmt::format("options[{}].set", index), to_overrides(option.set)},
                       {"", overrides}});
}

void refuse_missing_images(const std::filesystem::path& file, const sim::ExperimentConfig& config) {
  const std::int64_t held = sim::test_set_size(config);
  if (config.evaluate.samples <= held) return;
  throw InputError({file.string()}, fmt::format("images = '{}' is more than '{}' holds; allowed: 1 to {}.",
                                                config.evaluate.samples, config.network.data_file().string(), held));
}

}  // namespace

void CompareOption::settings(Settings& v) {
  v("name", name, "what the row is called", required());
  v.require(is_printable(name), "name", kNotPrintable);
  v.free_map("set", set, "settings that differ from the experiment, for example {chip.adc.bits: 6}");
  v.require(all_printable(set), "set", kNotPrintable);
  v.require(single_values(set), "set", "must have one value for each setting; write one option per value.");
  v.require(!changes(set, kSamples), "set", "must not change evaluate.samples; 'images' holds for all options.");
}

void CompareConfig::settings(Settings& v) {
  v("experiment", experiment, "the experiment that the options vary", required());
  v("images", images, "how many images of the test set are run for each option", at_least(1));
  v.free_map("set", set, "settings that differ from the experiment in all options");
  v.require(all_printable(set), "set", kNotPrintable);
  v.require(single_values(set), "set", "must have one value for each setting.");
  v.list_of_sections("options", options, "the alternatives, in the order of the table");
  v.require(!options.empty(), "options", "must have at least one entry, for example {name: as it is}.");
  v.require(names_differ(options), "options", "must have names that differ from each other.");
}

std::vector<const Point*> CompareResult::point_list() const {
  std::vector<const Point*> list;
  for (const ComparedOption& option : options) list.push_back(&option.point);
  return list;
}

std::vector<BoundaryPart> boundary_parts(const Point& point) {
  std::vector<BoundaryPart> parts(kParts);
  const std::array<const char*, kParts> names = {"adc", "activation", "dac", "rest"};
  for (std::size_t i = 0; i < kParts; ++i) parts[i].name = names[i];
  for (const auto& [component, band] : point.component_energy_J) parts[part_of_component(component)].energy_J += band;
  for (const auto& [component, band] : point.component_area_m2) parts[part_of_component(component)].area_m2 += band;
  return parts;
}

BoundaryPart ComparedOption::boundary() const {
  BoundaryPart sum;
  sum.name = "boundary";
  for (const Part part : {kAdc, kActivation, kDac}) {
    sum.energy_J += parts.at(part).energy_J;
    sum.area_m2 += parts.at(part).area_m2;
  }
  return sum;
}

std::vector<sim::ExperimentConfig> compare_experiments(const std::filesystem::path& file, const Overrides& overrides) {
  CompareConfig compare;
  read_config(file, compare);
  std::vector<sim::ExperimentConfig> configs;
  for (std::size_t i = 0; i < compare.options.size(); ++i)
    configs.push_back(option_config(file, compare, i, overrides));
  return configs;
}

CompareResult run_compare(const std::filesystem::path& file, const Overrides& overrides, sim::Session& session,
                          const Progress& progress) {
  CompareConfig compare;
  read_config(file, compare);
  const std::vector<sim::ExperimentConfig> configs = compare_experiments(file, overrides);
  CompareResult result;
  result.name = printable(file.stem().string());
  result.images = configs.front().evaluate.samples;
  merge(overrides, compare.set);
  result.resolved_yaml = write_config(compare);
  result.hash = sim::config_hash(result.resolved_yaml);
  result.version = sim::version();
  for (std::size_t i = 0; i < configs.size(); ++i) {
    refuse_missing_images(file, configs[i]);
    ComparedOption option;
    option.name = compare.options[i].name;
    option.point = run_point(session, configs[i], part_of(progress, i, configs.size()));
    option.parts = boundary_parts(option.point);
    result.options.push_back(std::move(option));
  }
  require_right_input(result.point_list());
  return result;
}

}  // namespace tellegen::report
