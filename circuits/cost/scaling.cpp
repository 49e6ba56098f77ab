#include "tellegen/circuits/cost/scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {
namespace {

// The fits are stated for supplies of about this range.
constexpr double kLowestSupply_V = 0.6, kHighestSupply_V = 1.2;

double polynomial(const std::vector<double>& coefficients, double x) {
  double value = 0;
  for (const double c : coefficients) value = value * x + c;
  return value;
}

bool same(double a, double b) { return std::abs(a - b) < 1e-6 * std::abs(b); }

/// Position of `nm` in a falling list of nodes: between items `index` and `index + 1`, at `t` of the way in ln(node).
struct Position {
  std::size_t index = 0;
  double t = 0;
};
template <class Row>
Position locate(const std::vector<Row>& rows, double nm) {
  const auto at = [&](std::size_t i) { return rows[i].node.in(units::nm); };
  const double clamped = std::clamp(nm, at(rows.size() - 1), at(0));
  std::size_t i = 0;
  while (i + 2 < rows.size() && at(i + 1) > clamped) ++i;
  return {i, std::log(at(i) / clamped) / std::log(at(i) / at(i + 1))};
}

double mix(double a, double b, double t) { return std::exp((1 - t) * std::log(a) + t * std::log(b)); }

const ScalingRow& row_named(const ScalingTable& table, const std::string& name) {
  std::vector<std::string> names;
  for (const ScalingRow& row : table.rows) {
    if (row.name == name) return row;
    names.push_back(row.name);
  }
  throw InputError(fmt::format("'{}' is not a row of the node scaling table. Rows: {}.", name, fmt::join(names, ", ")));
}

/// The high-performance family, falling node: rows without a prefix down to 65 nm, HP rows below.
std::vector<ScalingRow> high_performance(const ScalingTable& table) {
  std::vector<ScalingRow> family;
  for (const ScalingRow& row : table.rows) {
    if (!row.name.starts_with("LP")) family.push_back(row);
  }
  std::ranges::sort(family, [](const ScalingRow& a, const ScalingRow& b) { return a.node > b.node; });
  return family;
}

template <class Coefficients>
double at_node(const std::vector<ScalingRow>& family, double nm, double v_V, Coefficients coefficients) {
  const Position p = locate(family, nm);
  const double left = polynomial(coefficients(family[p.index]), v_V);
  if (p.t == 0) return left;
  const double right = polynomial(coefficients(family[p.index + 1]), v_V);
  return p.t == 1 ? right : mix(left, right, p.t);
}

void warn_about_range(ScalingFactors& factors, const ScalingTable& table, double nm, double v_V) {
  const double high = table.area.front().node.in(units::nm), low = table.area.back().node.in(units::nm);
  if (nm > high || nm < low) {
    factors.warnings.push_back(
        fmt::format("Stillmaker & Baas cover {} nm to {} nm: {} nm is scaled as the nearest of them.",
                    short_number(low), short_number(high), short_number(nm)));
  }
  // Nodes above 90 nm run at higher supplies, which their own rows cover.
  const double highest_V = nm > 90 ? 1.8 : kHighestSupply_V;
  if (v_V < kLowestSupply_V || v_V > highest_V) {
    factors.warnings.push_back(
        fmt::format("Stillmaker & Baas are fitted from {} V to {} V: {} V at {} nm is extrapolated.",
                    short_number(kLowestSupply_V), short_number(highest_V), short_number(v_V), short_number(nm)));
  }
}

}  // namespace

void ScalingRow::settings(Settings& v) {
  v("name", name, "node, with HP or LP before it from 45 nm down", required());
  v("node", node, "technology node", required(positive()));
  v.list("delay", delay, "cubic in the supply");
  v.list("energy", energy, "quadratic in the supply");
  v.list("power", power, "quadratic in the supply");
  v.require(delay.size() == 4, "delay", "must have four coefficients.");
  v.require(energy.size() == 3, "energy", "must have three coefficients.");
  v.require(power.size() == 3, "power", "must have three coefficients.");
}

void AreaRow::settings(Settings& v) {
  v("node", node, "technology node", required(positive()));
  v.list("factors", factors, "density against the nodes of all rows, in their order");
}

void SupplyRow::settings(Settings& v) {
  v("node", node, "technology node", required(positive()));
  v("supply", supply, "nominal supply", required(positive()));
}

void ScalingTable::settings(Settings& v) {
  v("source", source, "key in sources.yaml", required());
  v.list_of_sections("rows", rows, "polynomials per node");
  v.list_of_sections("area", area, "relative densities, falling node");
  v("supply_source", supply_source, "key in sources.yaml", required());
  v.list_of_sections("supplies", supplies, "nominal supplies, falling node");
  v.require(rows.size() >= 2, "rows", "must have at least two nodes.");
  v.require(area.size() >= 2, "area", "must have at least two nodes.");
  v.require(supplies.size() >= 2, "supplies", "must have at least two nodes.");
  v.require(std::ranges::all_of(area, [&](const AreaRow& row) { return row.factors.size() == area.size(); }), "area",
            "must be square: each row has one factor per node.");
}

NodeScaling::NodeScaling(ScalingTable table) : table_(std::move(table)) {}

double NodeScaling::energy(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const {
  return polynomial(row_named(table_, to).energy, v_to.si()) / polynomial(row_named(table_, from).energy, v_from.si());
}
double NodeScaling::delay(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const {
  return polynomial(row_named(table_, to).delay, v_to.si()) / polynomial(row_named(table_, from).delay, v_from.si());
}
double NodeScaling::power(const std::string& from, Voltage v_from, const std::string& to, Voltage v_to) const {
  return polynomial(row_named(table_, to).power, v_to.si()) / polynomial(row_named(table_, from).power, v_from.si());
}

double NodeScaling::area(Length from, Length to) const {
  if (same(from.si(), to.si())) return 1;
  const Position row = locate(table_.area, to.in(units::nm)), column = locate(table_.area, from.in(units::nm));
  const auto density = [&](std::size_t i, std::size_t j) { return table_.area[i].factors[j]; };
  const auto along_row = [&](std::size_t i) {
    const double left = density(i, column.index);
    return column.t == 0 ? left : mix(left, density(i, column.index + 1), column.t);
  };
  const double left = along_row(row.index);
  return 1 / (row.t == 0 ? left : mix(left, along_row(row.index + 1), row.t));
}

Voltage NodeScaling::supply(Length node) const {
  const Position p = locate(table_.supplies, node.in(units::nm));
  return (1 - p.t) * table_.supplies[p.index].supply + p.t * table_.supplies[p.index + 1].supply;
}

ScalingFactors NodeScaling::factors(Length from, std::optional<Voltage> v_from, Length to) const {
  ScalingFactors factors;
  if (same(from.si(), to.si())) {
    factors.path = "none";
    return factors;
  }
  const double from_nm = from.in(units::nm), to_nm = to.in(units::nm);
  const double from_V = v_from.value_or(supply(from)).si(), to_V = supply(to).si();
  const auto family = high_performance(table_);
  const auto energy_of = [](const ScalingRow& row) -> const std::vector<double>& { return row.energy; };
  const auto delay_of = [](const ScalingRow& row) -> const std::vector<double>& { return row.delay; };
  factors.energy = at_node(family, to_nm, to_V, energy_of) / at_node(family, from_nm, from_V, energy_of);
  factors.delay = at_node(family, to_nm, to_V, delay_of) / at_node(family, from_nm, from_V, delay_of);
  factors.area = area(from, to);
  factors.path =
      fmt::format("Stillmaker & Baas 2017, HP: {:.3g} nm {:.3g} V to {:.3g} nm {:.3g} V", from_nm, from_V, to_nm, to_V);
  warn_about_range(factors, table_, from_nm, from_V);
  warn_about_range(factors, table_, to_nm, to_V);
  return factors;
}

}  // namespace tellegen::circuits
