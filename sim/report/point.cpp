#include "tellegen/sim/report/point.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/sim/report/signal_numbers.h"

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

bool is_finite(const circuits::Band& band) {
  return std::isfinite(band.low) && std::isfinite(band.typical) && std::isfinite(band.high);
}

bool signals_are_finite(const sim::RunResult& result) {
  for (const sim::LayerEvents& layer : result.events) {
    if (layer.not_finite > 0) return false;
  }
  for (const sim::ChipResult& chip : result.chips) {
    for (const sim::LayerSignal& layer : chip.signals) {
      if (!std::isfinite(layer.signal) || !std::isfinite(layer.error)) return false;
    }
  }
  return true;
}

void warn_about_infinities(const sim::RunResult& result, Point& point) {
  if (!signals_are_finite(result)) point.warnings.push_back(kInfiniteOutputs);

  const auto check = [&point](bool finite, const char* what) {
    if (!finite) point.warnings.push_back(fmt::format("The {} has no finite value and is shown as '-'.", what));
  };
  check(std::isfinite(point.accuracy.mean) && std::isfinite(point.float_accuracy), "accuracy");
  check(is_finite(point.energy_J), "energy");
  check(is_finite(point.area_m2), "area");
  check(std::isfinite(point.latency_s), "latency");
}

Point without_result(NoResult reason, const std::string& why) {
  Point point;
  point.reason = reason;
  point.refusal = why;
  return point;
}

bool any_done(const std::vector<const Point*>& points) {
  return std::any_of(points.begin(), points.end(), [](const Point* point) { return point->done(); });
}

/// Not more labels than a line holds.
std::string joined_labels(const std::vector<std::string>& labels) {
  constexpr std::size_t kShown = 4;
  if (labels.size() <= kShown) return fmt::format("{}", fmt::join(labels, "; "));
  return fmt::format("{}; and {} more", fmt::join(labels.begin(), labels.begin() + kShown, "; "),
                     labels.size() - kShown);
}

}  // namespace

Point point_of(const sim::RunResult& result) {
  Point point;
  point.config_hash = result.hash;
  point.metric = result.config.network.metric;
  point.float_accuracy = result.float_accuracy;
  point.accuracy = result.accuracy;
  for (const sim::ChipResult& chip : result.chips) point.chip_accuracy.push_back(chip.accuracy);
  point.energy_J = sim::total_energy_J(result.ledger);
  point.area_m2 = sim::total_area_m2(result.ledger);
  point.latency_s = sim::total_latency_s(result.ledger);
  point.component_energy_J = energies(result.ledger);
  point.component_area_m2 = areas(result.ledger);
  point.warnings = result.ledger.warnings;
  warn_about_infinities(result, point);
  return point;
}

Point run_point(sim::Session& session, const sim::ExperimentConfig& config, const Progress& progress) {
  try {
    return point_of(session.run(config, progress));
  } catch (const RefusedError& refused) {
    return without_result(NoResult::refused, refused.what());
  } catch (const InputError& error) {
    return without_result(NoResult::wrong_input, error.what());
  } catch (const std::exception& error) {
    return without_result(NoResult::fault, std::string("a fault of the program: ") + error.what());
  }
}

void require_right_input(const std::vector<const Point*>& points) {
  const bool all_wrong = std::all_of(points.begin(), points.end(), [](const Point* point) {
    return !point->done() && point->reason == NoResult::wrong_input;
  });
  if (all_wrong && !points.empty()) throw InputError(points.front()->refusal);
}

void require_results(const std::vector<const Point*>& points) {
  for (const Point* point : points) {
    if (!point->done() && point->reason == NoResult::fault) throw std::runtime_error(point->refusal);
  }
  if (any_done(points) || points.empty()) return;
  throw RefusedError(
      {fmt::format("none of the {} points could be done; the first: ", points.size()) + points.front()->refusal,
       "All reasons are in the files."});
}

std::string refusal_lines(const std::vector<const Point*>& points, const std::vector<std::string>& labels) {
  std::vector<std::string> texts;
  std::map<std::string, std::vector<std::string>> labels_of;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i]->done()) continue;
    std::vector<std::string>& same = labels_of[points[i]->refusal];
    if (same.empty()) texts.push_back(points[i]->refusal);
    same.push_back(labels[i]);
  }
  std::string lines;
  for (const std::string& text : texts) lines += fmt::format("refused: {}: {}\n", joined_labels(labels_of[text]), text);
  return lines;
}

Progress part_of(const Progress& whole, std::size_t index, std::size_t points) {
  if (!whole) return {};
  constexpr std::size_t kStepsPerRun = 1000;
  return [=](std::size_t done, std::size_t total) {
    whole(index * kStepsPerRun + done * kStepsPerRun / std::max<std::size_t>(total, 1), points * kStepsPerRun);
  };
}

}  // namespace tellegen::report
