#include "tellegen/sim/report/conversion_table.h"

#include <fmt/format.h>

#include "tellegen/base/table.h"

namespace tellegen::report {
namespace {

using Align = Table::Align;
using models::gating::ThresholdGate;

std::string numbers(const std::vector<double>& values) {
  std::string text;
  for (const double value : values) text += (text.empty() ? "" : ", ") + fmt::format("{:.4g}", value);
  return text.empty() ? "-" : text;
}

/// Family, K, tau, theta.
std::vector<std::string> gate_cells(const ThresholdGate& gate) {
  const bool hard = gate.kernel == models::gating::Kernel::hard;
  return {std::string(models::gating::name(models::gating::family(gate))), std::to_string(gate.branches()),
          hard ? std::string("hard") : numbers(gate.tau), numbers(gate.theta)};
}

std::vector<std::string> site_cells(const mapping::ConversionSite& site) {
  std::vector<std::string> row{site.activation, site.function, site.reader, site.legal ? "yes" : "no"};
  if (site.gate) {
    for (std::string& cell : gate_cells(*site.gate)) row.push_back(std::move(cell));
    row.push_back(site.error == 0 ? std::string("exact") : fmt::format("{:.2g}", site.error));
    row.push_back(std::to_string(site.parameters));
  } else {
    row.insert(row.end(), {"no gate", "", "", "", "", ""});
  }
  row.push_back(site.why);
  return row;
}

std::string figure_cell(const models::Figure& figure, const models::Figure& float_figure) {
  return fmt::format("{:.6g} ({:+.2g})", figure.value, figure.value - float_figure.value);
}

}  // namespace

std::string conversion_table(const std::vector<mapping::ConversionSite>& sites) {
  Table table({{"activation", Align::left},
               {"function", Align::left},
               {"in front of", Align::left},
               {"legal", Align::left},
               {"family", Align::left},
               {"K"},
               {"tau"},
               {"theta"},
               {"error"},
               {"parameters"},
               {"why", Align::left}});
  std::size_t legal = 0;
  for (const mapping::ConversionSite& site : sites) {
    legal += site.legal ? 1 : 0;
    table.row(site_cells(site));
  }
  return table.text() + fmt::format(
                            "{} of {} sites allow a gate in front of the product. error: largest difference on [-8, "
                            "8]. parameters: of one gate shared by the layer.\n",
                            legal, sites.size());
}

std::string calibration_table(const std::vector<models::CalibratedGate>& gates) {
  Table table({{"activation", Align::left},
               {"function", Align::left},
               {"gate", Align::left},
               {"family", Align::left},
               {"K"},
               {"tau"},
               {"theta"},
               {"rms error"},
               {"relative"},
               {"largest"},
               {"parameters"}});
  for (const models::CalibratedGate& gate : gates) {
    std::vector<std::string> row{gate.activation, gate.function, gate.model};
    for (std::string& cell : gate_cells(gate.gate)) row.push_back(std::move(cell));
    for (std::string cell : {fmt::format("{:.3g}", gate.error.rms), fmt::format("{:.2g} %", 100 * gate.error.relative),
                             fmt::format("{:.3g}", gate.error.maximum), std::to_string(gate.parameters)})
      row.push_back(std::move(cell));
    table.row(std::move(row));
  }
  return table.text() + "Errors are on the values that the activation sees in the calibration samples.\n";
}

std::string drift_table(const std::vector<GateFigures>& all) {
  std::vector<Table::Column> columns{{"network", Align::left}};
  for (const models::Figure& figure : all.front().figures) columns.push_back({figure.name});
  Table table(columns);
  for (const GateFigures& one : all) {
    std::vector<std::string> row{one.gates};
    for (std::size_t f = 0; f < one.figures.size(); ++f) {
      const bool is_float = &one == &all.front();
      row.push_back(is_float ? fmt::format("{:.6g}", one.figures[f].value)
                             : figure_cell(one.figures[f], all.front().figures[f]));
    }
    table.row(std::move(row));
  }
  return table.text();
}

}  // namespace tellegen::report
