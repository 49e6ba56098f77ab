#include "tellegen/sim/report/ledger_numbers.h"

#include <fmt/format.h>

#include <map>

#include "tellegen/base/error.h"
#include "tellegen/sim/report/breakdown.h"

namespace tellegen::report {
namespace {

constexpr double kTera = 1e12;
constexpr double kOperationsPerMac = 2;

/// The raw count behind a component's actions; "" where they are not counted but follow from time.
std::string event_of(const std::string& component) {
  static const std::map<std::string, std::string> events = {{"dac", "dac_drives"},
                                                            {"row_line", "drive_V2"},
                                                            {"cells", "cell_energy_J"},
                                                            {"sample_hold", "conversions"},
                                                            {"adc", "conversions"},
                                                            {"nonlinear_adc", "conversions"},
                                                            {"shift_add", "shift_adds"},
                                                            {"scaling", "scalings"},
                                                            {"cell_writes", "cell_writes"},
                                                            {"buffer_read", "buffer_read_bits"},
                                                            {"buffer_write", "buffer_write_bits"}};
  const std::string prefix = "activation_";
  if (component.rfind(prefix, 0) == 0) return "digital_" + component.substr(prefix.size());
  const auto found = events.find(component);
  return found == events.end() ? "" : found->second;
}

void put_pedigree(const circuits::Price& price, Number& number) {
  number.source = source_text(price.from);
  number.warnings = price.from.warnings;
}

/// price.energy.LAYER.COMPONENT: what one action costs, by which formula.
std::string add_price(const sim::EnergyRow& row, const std::string& layer_id, Numbers& numbers) {
  std::string id = fmt::format("price.energy.{}.{}", layer_id, row.component);
  for (int copy = 2; numbers.find(id) != nullptr; ++copy)
    id = fmt::format("price.energy.{}.{}.{}", layer_id, row.component, copy);
  Number price = banded(row.price.energy_J, "J/" + row.count_unit);
  price.id = id;
  price.title = fmt::format("energy of one action of {} in {}", row.component, row.layer);
  price.formula = row.price.formula;
  for (const auto& [name, value] : row.price.inputs) price.inputs.push_back({name, value, "", ""});
  put_pedigree(row.price, price);
  numbers.add(std::move(price));
  return id;
}

BreakdownRow energy_row(const sim::EnergyRow& row, const std::string& layer_id, Numbers& numbers) {
  const std::string price_id = add_price(row, layer_id, numbers);
  Number number = banded(row.energy_J, "J");
  number.formula = "actions per image x price of one action";
  number.inputs = {{"actions per image", row.count, row.count_unit, ""},
                   numbers.refer("price of one action", price_id)};
  const std::string count_id = fmt::format("count.{}.{}", layer_id, event_of(row.component));
  const std::string images_id = fmt::format("count.{}.images", layer_id);
  if (numbers.find(count_id) != nullptr) {
    number.formula = "actions / images x price of one action";
    number.inputs = {numbers.refer("actions", count_id), numbers.refer("images", images_id),
                     numbers.refer("price of one action", price_id)};
  }
  put_pedigree(row.price, number);
  return {row.layer, row.component, std::move(number)};
}

Number instances_times(const circuits::Band& total, const circuits::Band& each, double instances,
                       const std::string& unit, const circuits::Price& price) {
  Number number = banded(total, unit);
  number.formula = "instances x each";
  number.inputs = {{"instances", instances, "1", ""},
                   {"each, low", each.low, unit, ""},
                   {"each, typical", each.typical, unit, ""},
                   {"each, high", each.high, unit, ""}};
  put_pedigree(price, number);
  return number;
}

std::string id_of(const Report& report, const std::string& layer_name) {
  for (const ReportLayer& layer : report.layers) {
    if (layer.name == layer_name) return layer.id;
  }
  TELLEGEN_ASSERT(!"every layer of the ledger is in the report");
  return "";
}

/// value = operations / divisor; the spread turns round.
Number per(const std::string& id, const std::string& title, const std::string& unit, double operations,
           const Number& divisor, const Numbers& numbers) {
  const auto ratio = [operations](double d) { return d > 0 ? operations / d : 0; };
  Number number;
  number.id = id;
  number.title = title;
  number.unit = unit;
  number.value = ratio(divisor.value);
  number.low = ratio(divisor.high);
  number.high = ratio(divisor.low);
  number.inputs = {numbers.refer("macs", "macs"), numbers.refer(divisor.id, divisor.id)};
  number.source = "derived";
  return number;
}

}  // namespace

void add_energy(const sim::RunResult& result, Report& report) {
  std::vector<BreakdownRow> rows;
  for (const sim::EnergyRow& row : result.ledger.energy) {
    rows.push_back(energy_row(row, id_of(report, row.layer), report.numbers));
  }
  add_breakdown({"energy", "energy per image", "J", result.ledger.note}, std::move(rows), report);
}

void add_area(const sim::RunResult& result, Report& report) {
  std::vector<BreakdownRow> areas, powers;
  for (const sim::AreaRow& row : result.ledger.area) {
    areas.push_back(
        {row.layer, row.component, instances_times(row.area_m2, row.price.area_m2, row.instances, "m2", row.price)});
    if (row.static_W.high > 0) {
      powers.push_back(
          {row.layer, row.component, instances_times(row.static_W, row.price.static_W, row.instances, "W", row.price)});
    }
  }
  add_breakdown({"area", "area", "m2", result.ledger.note}, std::move(areas), report);
  add_breakdown({"static_power", "static power", "W"}, std::move(powers), report);
}

void add_latency(const sim::RunResult& result, Report& report) {
  Number total;
  total.id = "latency";
  total.title = "latency of one image, layer after layer";
  total.unit = "s";
  total.formula = "sum of its parts";
  total.source = "the plan and the converters' rates";
  for (const sim::LatencyRow& row : result.ledger.latency) {
    const std::string layer = id_of(report, row.layer);
    Number number;
    number.id = "latency." + layer;
    number.title = "latency of " + row.layer + " per image";
    number.value = number.low = number.high = row.latency_s;
    number.unit = "s";
    number.formula = "positions x input slices x max(drive, lines per ADC x conversion)";
    number.inputs = {{"positions", row.positions, "1", ""},
                     {"input slices", row.input_slices, "1", ""},
                     {"drive", row.drive_s, "s", ""},
                     {"lines per ADC", row.lines_per_adc, "1", ""},
                     {"conversion", row.conversion_s, "s", ""}};
    if (row.units_s > 0) {
      number.formula += " + circuits between converters";
      number.inputs.push_back({"circuits between converters", row.units_s, "s", ""});
    }
    if (row.writes_s > 0) {
      number.formula += " + writes";
      number.inputs.push_back({"writes", row.writes_s, "s", ""});
    }
    number.source = total.source;
    report.numbers.add(std::move(number));
    total.value += row.latency_s;
    total.inputs.push_back(report.numbers.refer(layer, "latency." + layer));
  }
  total.low = total.high = total.value;
  report.numbers.add(std::move(total));
}

void add_throughput(const sim::RunResult& result, Report& report) {
  Numbers& numbers = report.numbers;
  const double tera_operations = kOperationsPerMac * static_cast<double>(result.macs_per_image) / kTera;
  Number tops = per("tops", "operations per second, one image at a time", "TOPS", tera_operations,
                    numbers.at("latency"), numbers);
  tops.formula = "2 x macs / latency / 1e12";
  numbers.add(std::move(tops));
  Number per_watt =
      per("tops_per_watt", "operations per second and watt", "TOPS/W", tera_operations, numbers.at("energy"), numbers);
  per_watt.formula = "2 x macs / energy / 1e12";
  numbers.add(std::move(per_watt));

  const Number& rate = numbers.at("tops");
  const Number& area = numbers.at("area");
  constexpr double kMm2PerM2 = 1e6;
  Number per_area = per("tops_per_mm2", "operations per second and square millimetre", "TOPS/mm2",
                        rate.value / kMm2PerM2, area, numbers);
  per_area.formula = "tops / (1e6 x area)";
  per_area.inputs = {numbers.refer("tops", "tops"), numbers.refer("area", "area")};
  numbers.add(std::move(per_area));
}

}  // namespace tellegen::report
