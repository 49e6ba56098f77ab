#include "tellegen/devices/programming/measured_cells.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string>
#include <utility>

#include "tellegen/base/error.h"

namespace tellegen::devices {
namespace {

constexpr const char* header = "pulse,raising_S,lowering_S";

/// Position of g on a strictly monotone curve, in pulses.
double position(const std::vector<double>& curve_S, double g_S) {
  const bool rising = curve_S.back() > curve_S.front();
  const auto before = [&](double a, double b) { return rising ? a < b : a > b; };
  const auto after = std::lower_bound(curve_S.begin(), curve_S.end(), g_S, before);
  if (after == curve_S.begin()) return 0;
  if (after == curve_S.end()) return static_cast<double>(curve_S.size() - 1);
  const auto index = static_cast<double>(after - curve_S.begin());
  return index - (*after - g_S) / (*after - *(after - 1));
}

/// Conductance at a position.
double conductance_at(const std::vector<double>& curve_S, double pulses) {
  const double last = static_cast<double>(curve_S.size() - 1);
  const double at = std::clamp(pulses, 0.0, last);
  const auto k = static_cast<std::size_t>(std::min(at, last - 1));
  return curve_S[k] + (at - static_cast<double>(k)) * (curve_S[k + 1] - curve_S[k]);
}

/// The three numbers of a line.
void read_line(const Place& place, const std::string& line, double (&values)[3]) {
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int column = 0; column < 3; ++column) {
    const auto [next, error] = std::from_chars(at, end, values[column]);
    const bool ends_well = column == 2 ? next == end : next != end && *next == ',';
    if (error != std::errc() || !ends_well || !std::isfinite(values[column])) {
      throw InputError(place, fmt::format("'{}' needs three finite numbers separated by commas: {}.", line, header));
    }
    at = next + 1;
  }
}

void check_step(const Place& place, const PulseResponse& response) {
  const std::size_t n = response.raising_S.size();
  if (response.raising_S.back() < 0 || response.lowering_S.back() < 0) {
    throw InputError(place, "a conductance is negative; conductances must be at least 0 S.");
  }
  if (n < 2) return;
  if (!(response.raising_S[n - 1] > response.raising_S[n - 2])) {
    throw InputError(place, fmt::format("raising_S '{}' must be above the line before ('{}'); average repeated "
                                        "measurements first.",
                                        response.raising_S[n - 1], response.raising_S[n - 2]));
  }
  if (!(response.lowering_S[n - 1] < response.lowering_S[n - 2])) {
    throw InputError(place, fmt::format("lowering_S '{}' must be below the line before ('{}'); average repeated "
                                        "measurements first.",
                                        response.lowering_S[n - 1], response.lowering_S[n - 2]));
  }
}

}  // namespace

void read_pulse_curves(const std::filesystem::path& file, PulseResponse& response) {
  std::ifstream text(file);
  if (!text) throw InputError({file.string()}, "cannot be opened; a CSV file with pulse-response curves is needed.");
  response.raising_S.clear();
  response.lowering_S.clear();
  bool has_header = false;
  std::string line;
  for (int number = 1; std::getline(text, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line[0] == '#') continue;
    const Place place{file.string(), number};
    if (!has_header) {
      if (line != header) throw InputError(place, fmt::format("'{}' must be the header '{}'.", line, header));
      has_header = true;
      continue;
    }
    double values[3];
    read_line(place, line, values);
    if (values[0] != static_cast<double>(response.raising_S.size())) {
      throw InputError(place, fmt::format("pulse '{}' must be {}: pulses count up from 0 without gaps.", values[0],
                                          response.raising_S.size()));
    }
    response.raising_S.push_back(values[1]);
    response.lowering_S.push_back(values[2]);
    check_step(place, response);
  }
  if (response.raising_S.size() < 2) {
    throw InputError({file.string()},
                     fmt::format("holds {} lines of data; at least 2 are needed, under the header '{}'.",
                                 response.raising_S.size(), header));
  }
}

MeasuredCells::MeasuredCells(PulseResponse response, double read_V, std::vector<double> g_S, const PulseSpread& spread,
                             const Stream& stream)
    : response_(std::move(response)),
      read_V_(read_V),
      g_S_(std::move(g_S)),
      stream_(stream),
      draws_(g_S_.size(), spread, stream) {
  TELLEGEN_ASSERT(response_.raising_S.size() >= 2 && response_.lowering_S.size() >= 2);
  TELLEGEN_ASSERT(response_.raise_V * response_.lower_V < 0 && response_.width_s > 0);
}

void MeasuredCells::conductances(std::span<const std::uint32_t> cells, std::span<double> g_S) const {
  for (std::size_t i = 0; i < cells.size(); ++i) g_S[i] = g_S_[cells[i]];
}

void MeasuredCells::apply(const PulseBatch& pulses, std::span<double> energy_J) {
  std::vector<double> speed(pulses.cells.size());
  draws_.speeds(pulses.cells, speed);
  for (std::size_t i = 0; i < speed.size(); ++i) {
    const double v_V = pulses.v_V[i], width_s = pulses.width_s[i];
    const bool raises = v_V * response_.raise_V > 0;
    const std::vector<double>& curve_S = raises ? response_.raising_S : response_.lowering_S;
    const double measured_V = raises ? response_.raise_V : response_.lower_V;
    const double count = v_V / measured_V * width_s / response_.width_s * speed[i];
    double& g_S = g_S_[pulses.cells[i]];
    const double before_S = g_S;
    g_S = conductance_at(curve_S, position(curve_S, g_S) + count);
    energy_J[i] += v_V * v_V * width_s * 0.5 * (before_S + g_S);
  }
  draws_.count(pulses.cells);
}

std::unique_ptr<PulsedCells> MeasuredCells::nominal(std::size_t size) const {
  return std::make_unique<MeasuredCells>(response_, read_V_, std::vector<double>(size, g_S_.at(0)), PulseSpread{},
                                         stream_);
}

}  // namespace tellegen::devices
