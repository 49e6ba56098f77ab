#include "tellegen/sim/report/point.h"

#include <fmt/format.h>

#include <algorithm>

namespace tellegen::report {
namespace {

std::map<std::string, circuits::Band> energies(const sim::Ledger& ledger) {
  std::map<std::string, circuits::Band> sums;
  for (const sim::EnergyRow& row : ledger.energy) sums[row.component] += row.energy_J;
  return sums;
}

std::map<std::string, circuits::Band> areas(const sim::Ledger& ledger) {
  std::map<std::string, circuits::Band> sums;
  for (const sim::AreaRow& row : ledger.area) sums[row.component] += row.area_m2;
  return sums;
}

}  // namespace

Point run_point(sim::Session& session, const sim::ExperimentConfig& config, const Progress& progress) {
  Point point;
  try {
    const sim::RunResult result = session.run(config, progress);
    point.config_hash = result.hash;
    point.float_accuracy = result.float_accuracy;
    point.accuracy = result.accuracy;
    for (const sim::ChipResult& chip : result.chips) point.chip_accuracy.push_back(chip.accuracy);
    point.energy_J = sim::total_energy_J(result.ledger);
    point.area_m2 = sim::total_area_m2(result.ledger);
    point.latency_s = sim::total_latency_s(result.ledger);
    point.component_energy_J = energies(result.ledger);
    point.component_area_m2 = areas(result.ledger);
    point.warnings = result.ledger.warnings;
  } catch (const RefusedError& refused) {
    point.refusal = refused.what();
  }
  return point;
}

Overrides to_overrides(const SettingsMap& settings) {
  Overrides overrides;
  for (const auto& [name, values] : settings) overrides.emplace_back(name, values.at(0));
  return overrides;
}

bool single_values(const SettingsMap& settings) {
  return std::all_of(settings.begin(), settings.end(), [](const auto& setting) { return setting.second.size() == 1; });
}

Progress part_of(const Progress& whole, std::size_t index, std::size_t points) {
  if (!whole) return {};
  constexpr std::size_t kStepsPerRun = 1000;
  return [=](std::size_t done, std::size_t total) {
    whole(index * kStepsPerRun + done * kStepsPerRun / std::max<std::size_t>(total, 1), points * kStepsPerRun);
  };
}

std::filesystem::path input_beside(const std::filesystem::path& path, const std::filesystem::path& file,
                                   const std::string& setting) {
  const auto found = sim::find_input(path, file);
  if (!found) {
    throw InputError(
        {file.string()},
        fmt::format(
            "{} = '{}' does not exist. Allowed: a file, named from the working directory, from the folder of this "
            "file, or from one of the folders above it.",
            setting, path.string()));
  }
  return *found;
}

}  // namespace tellegen::report
