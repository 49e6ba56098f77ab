#include "tellegen/sim/characterize/circuits/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tellegen::characterize {

Overrides with(Overrides settings, const std::string& name, const std::string& value) {
  std::erase_if(settings, [&](const auto& setting) { return setting.first == name; });
  settings.emplace_back(name, value);
  return settings;
}

Scatter scatter_of(std::vector<float> samples) {
  Scatter scatter;
  const auto count = static_cast<double>(samples.size());
  for (const float value : samples) scatter.mean += static_cast<double>(value) / count;
  for (const float value : samples) {
    scatter.deviation += std::pow(static_cast<double>(value) - scatter.mean, 2) / (count - 1);
  }
  scatter.deviation = std::sqrt(scatter.deviation);
  std::sort(samples.begin(), samples.end());
  const auto quantile = [&](double share) {
    return static_cast<double>(samples[static_cast<std::size_t>(share * (count - 1))]);
  };
  scatter.low = quantile(0.025);
  scatter.high = quantile(0.975);
  return scatter;
}

std::string text_of(const circuits::Band& band, const Dimension& dimension) {
  return fmt::format("{} ({} to {})", format_quantity(band.typical, dimension), format_quantity(band.low, dimension),
                     format_quantity(band.high, dimension));
}

void describe_cost(const circuits::FrontEndCost& cost, Characterization& result) {
  for (const circuits::SupplyBranch& branch : cost.branches) {
    result.findings.push_back(fmt::format("Branch '{}' takes {}: {}.", branch.name,
                                          text_of(branch.current_A, Current::dimension), branch.from));
  }
  result.findings.push_back(
      fmt::format("One evaluation lasts {}, takes {} and the unit {}; bandwidth {}.",
                  format_quantity(cost.evaluation_s, Time::dimension), text_of(cost.energy_J, Energy::dimension),
                  text_of(cost.area_m2, Area::dimension), format_quantity(cost.bandwidth_Hz, Frequency::dimension)));
  for (const std::string& assumption : cost.assumptions) result.findings.push_back("Assumed: " + assumption);
}

plot::Figure energy_figure(const std::string& circuit, const DataTable& table) {
  const auto values = [&](const std::string& name) {
    const auto found = std::ranges::find(table.columns, name, &Column::name);
    TELLEGEN_ASSERT(found != table.columns.end());
    return found->values;
  };
  const std::vector<double> bias_A = values("bias");
  const plot::Axis axis{"bias current (A)", "", true};
  const plot::Series band{"low to high", bias_A, values("energy_low"), values("energy_high"), plot::Style::band, 0};
  return {circuit + ": energy and speed",
          {{"one evaluation",
            axis,
            {"energy (J)", "", true},
            {band, {"typical", bias_A, values("energy"), {}, plot::Style::line_points}}},
           {"speed",
            axis,
            {"bandwidth (Hz)", "", true},
            {{"", bias_A, values("bandwidth"), {}, plot::Style::line_points}}}}};
}

void describe_book(const circuits::EnergyBook& book, Characterization& result) {
  result.findings.push_back(fmt::format("Supply {} = dissipated {} + stored {} + delivered {}, within {:.1e}.",
                                        format_quantity(book.supply_J(), Energy::dimension),
                                        format_quantity(book.dissipated_J(), Energy::dimension),
                                        format_quantity(book.stored_J(), Energy::dimension),
                                        format_quantity(book.delivered_J(), Energy::dimension), book.imbalance()));
}

namespace {

void open_flat_axis(plot::Axis& axis, const std::vector<const std::vector<double>*>& values) {
  double low = HUGE_VAL, high = -HUGE_VAL;
  for (const auto* list : values) {
    for (const double value : *list) {
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  if (axis.low || axis.high || high - low > 1e-9 * std::abs(high)) return;
  axis.low = axis.log ? low / 10 : low - 1;
  axis.high = axis.log ? high * 10 : high + 1;
}

}  // namespace

void open_flat_axes(plot::Figure& figure) {
  for (plot::Panel& panel : figure.panels) {
    std::vector<const std::vector<double>*> x, y;
    for (const plot::Series& series : panel.series) {
      x.push_back(&series.x);
      y.push_back(&series.y);
      y.push_back(&series.y_high);
    }
    open_flat_axis(panel.x, x);
    open_flat_axis(panel.y, y);
  }
}

void add_row(DataTable& table, std::initializer_list<double> values) {
  TELLEGEN_ASSERT(values.size() == table.columns.size());
  std::size_t column = 0;
  for (const double value : values) table.columns[column++].values.push_back(value);
}

}  // namespace tellegen::characterize
