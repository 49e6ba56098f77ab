#include "tellegen/sim/report/run_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tellegen/base/table.h"
#include "tellegen/sim/report/boundaries.h"
#include "tellegen/sim/report/programming_numbers.h"
#include "tellegen/sim/report/value_text.h"

namespace tellegen::report {
namespace {

constexpr std::size_t kSharesShown = 5;

std::string cell(const Report& report, const std::string& id) {
  const Number* number = report.numbers.find(id);
  return number == nullptr ? "" : value_text(number->value, number->unit);
}

std::string share_cell(const Report& report, const std::string& quantity, const std::string& layer) {
  return share_text(report.numbers.at(quantity + "." + layer).value, report.numbers.at(quantity).value);
}

std::string layer_table(const Report& report) {
  using Align = Table::Align;
  Table table({{"layer", Align::left},
               {"op", Align::left},
               {"tiles"},
               {"use"},
               {"out SNR"},
               {"clipped"},
               {"energy/" + report.sample},
               {"share"},
               {"area"},
               {"share"},
               {"latency"}});
  for (const ReportLayer& layer : report.layers) {
    table.row({layer.id, layer.operation, cell(report, "tiles." + layer.id), cell(report, "utilisation." + layer.id),
               cell(report, "snr." + layer.id), cell(report, "clipped." + layer.id), cell(report, "energy." + layer.id),
               share_cell(report, "energy", layer.id), cell(report, "area." + layer.id),
               share_cell(report, "area", layer.id), cell(report, "latency." + layer.id)});
  }
  table.rule();
  table.row({"total", "", cell(report, "tiles"), cell(report, "utilisation"), "", "", cell(report, "energy"), "",
             cell(report, "area"), "", cell(report, "latency")});
  return table.text();
}

std::string shares_text(const Report& report, const std::string& quantity) {
  const auto shares = component_shares(report, quantity);
  std::string text;
  double other = 0;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i].second <= 0) continue;
    if (i < kSharesShown) {
      text += fmt::format("  {} {}", shares[i].first, share_text(shares[i].second, 1));
    } else {
      other += shares[i].second;
    }
  }
  return other > 0 ? text + "  other " + share_text(other, 1) : text;
}

std::string accuracy_text(const Report& report) {
  const Number& mean = report.numbers.at("accuracy.chip");
  std::string interval = " (one chip: no interval)";
  for (const NumberInput& input : mean.inputs) {
    if (input.name != kHalfWidth) continue;
    interval = all_equal(input.value) ? " (all chips equal)"
                                      : fmt::format(" +- {} (95 %)", half_width_text(input.value, input.unit));
  }
  const std::string title = mean.title.substr(0, mean.title.find(" on the chip"));
  return fmt::format("{:<10} float {}   chip {}{}\n", title, cell(report, "accuracy.float"),
                     cell(report, "accuracy.chip"), interval);
}

/// Every warning once, in order of appearance.
std::vector<std::string> warnings_of(const Report& report) {
  std::vector<std::string> warnings;
  std::set<std::string> seen;
  for (const Number& number : report.numbers.all()) {
    for (const std::string& warning : number.warnings) {
      if (seen.insert(warning).second) warnings.push_back(warning);
    }
  }
  return warnings;
}

/// Which numbers have no finite value and do not say why.
std::string infinities(const Report& report) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> ids;
  for (const Number& number : report.numbers.all()) {
    if (!number.is_finite() && number.warnings.empty()) ids.push_back(number.id);
  }
  if (ids.empty()) return "";
  const std::size_t shown = std::min(ids.size(), kShown);
  return fmt::format("note: without a finite value, shown as '-': {}{}\n",
                     fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                     ids.size() > shown ? fmt::format(" and {} more", ids.size() - shown) : "");
}

}  // namespace

std::vector<std::pair<std::string, double>> component_shares(const Report& report, const std::string& quantity) {
  const double total = report.numbers.at(quantity).value;
  std::map<std::string, double> sums;
  for (const std::string& component : report.components) {
    const Number* number = report.numbers.find(quantity + ".all." + component);
    const std::string shown = component.rfind("activation_", 0) == 0 ? "activation" : component;
    if (number != nullptr && total > 0) sums[shown] += number->value / total;
  }
  std::vector<std::pair<std::string, double>> shares(sums.begin(), sums.end());
  std::stable_sort(shares.begin(), shares.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  return shares;
}

std::string run_table(const Report& report) {
  const Numbers& numbers = report.numbers;
  std::string text = fmt::format("{}    {}\n\n{}\n", report.title, report.extent, layer_table(report));
  if (numbers.find("accuracy.chip") != nullptr) text += accuracy_text(report);
  text += fmt::format("energy     {} per {}  {}\n", spread_text(numbers.at("energy")), report.sample,
                      shares_text(report, "energy"));
  text += fmt::format("area       {}  {}\n", spread_text(numbers.at("area")), shares_text(report, "area"));
  text += fmt::format("speed      latency {}   {}   {}   {}\n", cell(report, "latency"), cell(report, "tops"),
                      spread_text(numbers.at("tops_per_watt")), cell(report, "tops_per_mm2"));
  text += programming_line(report);
  text += boundary_lines(report.edges, report.layers);
  for (const std::string& sentence : report.log) text += "solver     " + sentence + "\n";
  for (const std::string& warning : warnings_of(report)) text += "note: " + warning + "\n";
  text += infinities(report);
  return text + fmt::format("version {}, configuration {}\n", report.version, report.config_hash);
}

}  // namespace tellegen::report
