// Conductance devices: what age does, and what one read sees.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/sim/characterize/conductance_levels.h"

namespace tellegen::characterize {
namespace {

using devices::ArrayAddress;

std::string age_text(Time age) { return age.si() == 0 ? "the end of programming" : "age " + format(age); }

struct Histogram {
  std::vector<double> centre_S, density_per_S;
};

/// Bins of a fifth of the standard deviation, or a single one where nothing is spread.
Histogram histogram_of(const std::vector<float>& values, const Spread& spread, double range_S) {
  const double width_S = std::max(spread.sigma / 5, range_S * 1e-3);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const double first_S = std::floor(static_cast<double>(*low) / width_S) * width_S;
  const std::size_t bins = static_cast<std::size_t>((static_cast<double>(*high) - first_S) / width_S) + 1;
  std::vector<double> counts(bins + 2, 0.0);  // an empty bin at each end closes the outline
  for (const float v : values) {
    const double place = std::min((static_cast<double>(v) - first_S) / width_S, static_cast<double>(bins) - 0.5);
    counts[static_cast<std::size_t>(std::max(place, 0.0)) + 1] += 1;
  }
  Histogram histogram;
  for (std::size_t b = 0; b < counts.size(); ++b) {
    histogram.centre_S.push_back(first_S + (static_cast<double>(b) - 0.5) * width_S);
    histogram.density_per_S.push_back(counts[b] / (static_cast<double>(values.size()) * width_S));
  }
  return histogram;
}

/// Standard deviations over the target; parts that a device does not have are left out, and so is a sum of one part.
std::vector<plot::Series> spread_curves(const DataTable& levels, bool aged) {
  std::vector<plot::Series> curves;
  const auto add = [&](const char* name, std::size_t column) {
    curves.push_back({name, levels.columns[0].values, levels.columns[column].values, {}, plot::Style::line_points, -1});
  };
  const std::vector<double>& read_S = levels.columns[4].values;
  const bool noisy = *std::max_element(read_S.begin(), read_S.end()) > 0;
  add("programmed", 1);
  if (aged) add("programmed and aged", 3);
  if (noisy) add("one read of one cell", 4);
  if (noisy) add("all together", 5);
  return curves;
}

}  // namespace

void retention(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::DeviceConfig>("device", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  const auto model = file.config.make();
  const std::vector<double> levels_S = levels_of(*model, 5);
  const std::vector<double> ages_s = evenly_in_logarithm(1, 1e8, 41);
  DataTable table{"levels",
                  {{"target", "S", {}},
                   {"age", "s", {}},
                   {"mean", "S", {}},
                   {"sigma", "S", {}},
                   {"quantile_05", "S", {}},
                   {"quantile_95", "S", {}}}};
  plot::Panel panel{"", {"age", "s", true}, {"conductance", "S"}, {}};
  for (std::size_t l = levels_S.size(); l-- > 0;) {
    const ArrayAddress address = address_of(request, l);
    const auto cells = model->program(targets(levels_S[l]), address);
    plot::Series mean{in_uS(levels_S[l]), {}, {}, {}, plot::Style::line, static_cast<int>(l)};
    plot::Series band{"", {}, {}, {}, plot::Style::band, static_cast<int>(l)};
    for (const double age_s : ages_s) {
      const Spread s =
          spread_of(model->read(cells, {Time::si(age_s), file.config.conditions.temperature}, address).mean_S);
      const double row[] = {levels_S[l], age_s, s.mean, s.sigma, s.low, s.high};
      for (std::size_t c = 0; c < table.columns.size(); ++c) table.columns[c].values.push_back(row[c]);
      for (plot::Series* series : {&mean, &band}) series->x.push_back(age_s);
      mean.y.push_back(s.mean);
      band.y.push_back(s.low);
      band.y_high.push_back(s.high);
    }
    result.findings.push_back(fmt::format("{} after 1 s is {} +- {}, after 3 years {} +- {}.", in_uS(levels_S[l]),
                                          in_uS(mean.y.front()), in_uS(table.columns[3].values.end()[-41]),
                                          in_uS(mean.y.back()), in_uS(table.columns[3].values.back())));
    panel.series.push_back(std::move(band));
    panel.series.push_back(std::move(mean));
  }
  panel.title = fmt::format("mean and 5 % to 95 % of {} cells at {}", cells_per_level,
                            format(file.config.conditions.temperature));
  result.figure = {device.name + ": retention", {panel}};
  result.tables.push_back(std::move(table));
}

void read(const Device& device, const Request& request, Characterization& result) {
  auto file = read_single<devices::DeviceConfig>("device", device.smallest_yaml, request.settings);
  result.settings = write_config(file);
  const auto model = file.config.make();
  const std::vector<double> levels_S = levels_of(*model, 8);
  const double range_S = model->g_max().si() - model->g_min().si();
  DataTable levels{"levels",
                   {{"target", "S", {}},
                    {"programmed_sigma", "S", {}},
                    {"mean", "S", {}},
                    {"aged_sigma", "S", {}},
                    {"read_sigma", "S", {}},
                    {"total_sigma", "S", {}}}};
  DataTable bins{"histogram", {{"target", "S", {}}, {"conductance", "S", {}}, {"density", "1/S", {}}}};
  plot::Panel shape{
      "one read", {"conductance", "S"}, {"cells per bin over the fullest bin", "", false, false, 0.0, 1.0}, {}};
  for (std::size_t l = 0; l < levels_S.size(); ++l) {
    const ArrayAddress address = address_of(request, l);
    const auto cells = model->program(targets(levels_S[l]), address);
    const auto statistics = model->read(cells, file.config.conditions, address);
    std::vector<float> sample_S(cells_per_level);
    devices::sample_read(statistics, address.stream(Purpose::read_noise), 0, sample_S);
    double variance_S2 = 0;
    for (const float v : statistics.variance_S2) variance_S2 += static_cast<double>(v) / cells_per_level;
    const Spread seen = spread_of(sample_S);
    const double row[] = {
        levels_S[l], spread_of(cells.g_S).sigma, seen.mean, spread_of(statistics.mean_S).sigma, std::sqrt(variance_S2),
        seen.sigma};
    for (std::size_t c = 0; c < levels.columns.size(); ++c) levels.columns[c].values.push_back(row[c]);
    const Histogram histogram = histogram_of(sample_S, seen, range_S);
    const double fullest = *std::max_element(histogram.density_per_S.begin(), histogram.density_per_S.end());
    plot::Series outline{"", histogram.centre_S, {}, {}, plot::Style::steps, static_cast<int>(l)};
    for (std::size_t b = 0; b < histogram.centre_S.size(); ++b) {
      bins.columns[0].values.push_back(levels_S[l]);
      bins.columns[1].values.push_back(histogram.centre_S[b]);
      bins.columns[2].values.push_back(histogram.density_per_S[b]);
      outline.y.push_back(histogram.density_per_S[b] / fullest);
    }
    shape.series.push_back(std::move(outline));
  }
  plot::Panel spread{"standard deviation", {"target", "S"}, {"standard deviation", "S", false, true, 0.0}, {}};
  spread.series = spread_curves(levels, file.config.conditions.age.si() > 0);
  result.findings.push_back(fmt::format("One read at {} scatters by {} at {} and by {} at {}.",
                                        age_text(file.config.conditions.age), in_uS(levels.columns[5].values.front()),
                                        in_uS(levels_S.front()), in_uS(levels.columns[5].values.back()),
                                        in_uS(levels_S.back())));
  result.figure = {fmt::format("{}: one read of {} cells per level at {}", device.name, cells_per_level,
                               age_text(file.config.conditions.age)),
                   {shape, spread}};
  result.tables = {std::move(levels), std::move(bins)};
}

}  // namespace tellegen::characterize
