#include "tellegen/sim/report/sweep.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/safe_text.h"

namespace tellegen::report {
namespace {

const std::vector<std::string>* axis(const SettingsMap& axes, const std::string& name) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const auto& entry) { return entry.first == name; });
  return found == axes.end() ? nullptr : &found->second;
}

/// More points than allowed, without counting so far that the count overflows.
bool too_many_points(const SettingsMap& axes) {
  std::size_t count = 1;
  for (const auto& [name, values] : axes) {
    if (values.empty()) return false;
    if (values.size() > kMostPoints / count) return true;
    count *= values.size();
  }
  return false;
}

std::string too_many_text(const SettingsMap& axes) {
  std::vector<std::size_t> sizes;
  for (const auto& [name, values] : axes) sizes.push_back(values.size());
  return fmt::format("has {} points; allowed: up to {}. Leave values out, or make several sweeps.",
                     fmt::join(sizes, " x "), kMostPoints);
}

bool axes_differ(const SettingsMap& axes) {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      if (overlap(axes[a].first, axes[b].first)) return false;
    }
  }
  return true;
}

std::size_t point_count(const SettingsMap& axes) {
  std::size_t count = 1;
  for (const auto& [name, values] : axes) count *= values.size();
  return count;
}

sim::ExperimentConfig point_config(const std::filesystem::path& file, const SweepConfig& sweep, std::size_t index,
                                   const Overrides& overrides) {
  std::filesystem::path experiment = sweep.experiment;
  Overrides here;
  const std::vector<std::size_t> position = positions(sweep.over, index);
  for (std::size_t a = 0; a < sweep.over.size(); ++a) {
    const auto& [name, values] = sweep.over[a];
    if (name == kExperimentAxis) {
      experiment = values[position[a]];
    } else {
      for (const std::string& setting : settings_of(name)) here.emplace_back(setting, values[position[a]]);
    }
  }
  return read_layered(experiment, file, {{"set", to_overrides(sweep.set)}, {"over", here}, {"", overrides}});
}

}  // namespace

std::vector<std::size_t> positions(const SettingsMap& axes, std::size_t index) {
  std::vector<std::size_t> position(axes.size());
  for (std::size_t a = axes.size(); a-- > 0;) {
    position[a] = index % axes[a].second.size();
    index /= axes[a].second.size();
  }
  return position;
}

void SweepConfig::settings(Settings& v) {
  v("experiment", experiment, "the experiment that is varied; left out where 'over' has an axis of that name");
  v.free_map("set", set,
             "settings that differ from the experiment in all points, for example {evaluate.samples: 1000}");
  v.free_map("over", over,
             "axes of the grid, for example {chip.adc.bits: [6, 8]}; 'experiment' with a list of files is one too; "
             "names with a comma between them take the same value");
  v("compare_axis", compare_axis, "axis along which accuracies are compared chip by chip; none where it is empty");
  v.require(single_values(set), "set", "must have one value for each setting; lists belong under 'over'.");
  const bool filled = std::all_of(over.begin(), over.end(), [](const auto& entry) { return !entry.second.empty(); });
  v.require(all_printable(set), "set", kNotPrintable);
  v.require(all_printable(over), "over", kNotPrintable);
  v.require(!too_many_points(over), "over", too_many_text(over));
  v.require(axes_differ(over), "over", "has an axis that is a part of another one; vary each setting once.");
  v.require(!over.empty() && filled, "over", "must have at least one axis, and each axis at least one value.");
  v.require(experiment.empty() == (axis(over, kExperimentAxis) != nullptr), "experiment",
            "must be given once: as 'experiment: FILE', or as an axis 'experiment: [FILE, FILE]' under 'over'.");
  v.require(compare_axis.empty() || axis(over, compare_axis) != nullptr, "compare_axis",
            fmt::format("= '{}' is not an axis of this sweep. Allowed: one of the names under 'over'.", compare_axis));
}

std::vector<std::size_t> SweepResult::shape() const {
  std::vector<std::size_t> sizes;
  for (const auto& entry : axes) sizes.push_back(entry.second.size());
  return sizes;
}

std::size_t SweepResult::axis_index(const std::string& wanted) const {
  std::size_t index = 0;
  while (index < axes.size() && axes[index].first != wanted) ++index;
  return index;
}

std::vector<std::string> SweepResult::values(std::size_t index) const {
  const std::vector<std::size_t> position = positions(axes, index);
  std::vector<std::string> texts;
  for (std::size_t a = 0; a < axes.size(); ++a) texts.push_back(axes[a].second[position[a]]);
  return texts;
}

std::vector<const Point*> SweepResult::point_list() const {
  std::vector<const Point*> list;
  for (const Point& point : points) list.push_back(&point);
  return list;
}

std::vector<PairedDifference> paired_differences(const SweepResult& result) {
  std::vector<PairedDifference> differences;
  const std::size_t compared = result.axis_index(result.compare_axis);
  if (compared == result.axes.size()) return differences;
  std::size_t stride = 1;
  for (std::size_t a = compared + 1; a < result.axes.size(); ++a) stride *= result.axes[a].second.size();
  for (std::size_t i = 0; i < result.points.size(); ++i) {
    const std::size_t position = positions(result.axes, i)[compared];
    if (position == 0) continue;
    const std::vector<double>& from = result.points[i - position * stride].chip_accuracy;
    const std::vector<double>& to = result.points[i].chip_accuracy;
    if (from.empty() || from.size() != to.size()) continue;
    std::vector<double> change(to.size());
    for (std::size_t c = 0; c < to.size(); ++c) change[c] = to[c] - from[c];
    PairedDifference difference;
    difference.point = i;
    difference.others = result.values(i);
    difference.to = difference.others[compared];
    difference.from = result.axes[compared].second[0];
    difference.others.erase(difference.others.begin() + static_cast<std::ptrdiff_t>(compared));
    difference.difference = mean_interval(change);
    differences.push_back(std::move(difference));
  }
  return differences;
}

std::vector<sim::ExperimentConfig> sweep_experiments(const std::filesystem::path& file, const Overrides& overrides) {
  SweepConfig sweep;
  read_config(file, sweep);
  refuse_fixed(overrides, sweep.over, "an axis of " + file.string());
  std::vector<sim::ExperimentConfig> configs;
  for (std::size_t i = 0; i < point_count(sweep.over); ++i) configs.push_back(point_config(file, sweep, i, overrides));
  return configs;
}

SweepResult run_sweep(const std::filesystem::path& file, const Overrides& overrides, sim::Session& session,
                      const Progress& progress) {
  SweepConfig sweep;
  read_config(file, sweep);
  const std::vector<sim::ExperimentConfig> configs = sweep_experiments(file, overrides);
  SweepResult result;
  result.name = printable(file.stem().string());
  result.axes = sweep.over;
  result.compare_axis = sweep.compare_axis;
  merge(overrides, sweep.set);
  result.resolved_yaml = write_config(sweep);
  result.hash = sim::config_hash(result.resolved_yaml);
  result.version = sim::version();
  for (std::size_t i = 0; i < configs.size(); ++i) {
    result.points.push_back(run_point(session, configs[i], part_of(progress, i, configs.size())));
  }
  require_right_input(result.point_list());
  result.paired = paired_differences(result);
  return result;
}

}  // namespace tellegen::report
