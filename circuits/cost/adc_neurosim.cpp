// NeuroSim's SAR converter, restated from its published equations: power fitted to circuit simulation per node, area
// counted in transistor footprints. Between tabulated nodes the coefficients are interpolated on logarithms.

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {
namespace {

constexpr double kCycle_s = 1e-9;  // one comparison; a conversion takes bits + 1
constexpr double kPowerPerKelvin = 1.3e-3;
constexpr double kReferenceTemperature_K = 300;
constexpr double kReferenceReadVoltage_V = 0.5;

struct Coefficients {
  double a_uW = 0, b_uW = 0, c_W = 0, d = 0, footprint_m2 = 0;
};

Coefficients of(const NeuroSimAdcLaw::Row& row) {
  return {row.abcd[0], row.abcd[1], row.abcd[2], row.abcd[3], row.footprint ? row.footprint->si() : 0};
}

Coefficients between(const Coefficients& p, const Coefficients& q, double t) {
  const auto geometric = [t](double x, double y) { return std::exp((1 - t) * std::log(x) + t * std::log(y)); };
  Coefficients mixed{geometric(p.a_uW, q.a_uW), geometric(p.b_uW, q.b_uW), geometric(p.c_W, q.c_W),
                     (1 - t) * p.d + t * q.d, 0};
  if (p.footprint_m2 > 0 && q.footprint_m2 > 0) mixed.footprint_m2 = geometric(p.footprint_m2, q.footprint_m2);
  return mixed;
}

// Rows stand in falling order of node.
Coefficients at_node(const std::vector<NeuroSimAdcLaw::Row>& rows, double node_nm, Price& price) {
  const auto nm = [](const NeuroSimAdcLaw::Row& row) { return row.node.in(units::nm); };
  for (const auto& row : rows) {
    if (std::abs(nm(row) - node_nm) < 1e-6 * node_nm) return of(row);
  }
  if (node_nm > nm(rows.front()) || node_nm < nm(rows.back())) {
    const auto& edge = node_nm > nm(rows.front()) ? rows.front() : rows.back();
    price.from.warnings.push_back(fmt::format(
        "neurosim_sar covers {} nm to {} nm: its price at {} nm is used for {} nm.", short_number(nm(rows.back())),
        short_number(nm(rows.front())), short_number(nm(edge)), short_number(node_nm)));
    return of(edge);
  }
  std::size_t i = 0;
  while (nm(rows[i + 1]) > node_nm) ++i;
  const double t = std::log(nm(rows[i]) / node_nm) / std::log(nm(rows[i]) / nm(rows[i + 1]));
  price.from.warnings.push_back(
      fmt::format("neurosim_sar has no row at {} nm: it is interpolated between {} nm and {} nm.",
                  short_number(node_nm), short_number(nm(rows[i])), short_number(nm(rows[i + 1]))));
  return between(of(rows[i]), of(rows[i + 1]), t);
}

}  // namespace

void NeuroSimAdcLaw::Row::settings(Settings& v) {
  v("node", node, "technology node", required(positive()));
  v.list("abcd", abcd, "power: uW per bit, uW, column current term [W ohm, about], exponent per decade of ohm");
  v("footprint", footprint, "area of one minimum transistor; absent: not known", positive());
  v.require(abcd.size() == 4, "abcd", "must have the four coefficients a, b, c, d.");
}

void NeuroSimAdcLaw::settings(Settings& v) {
  origin.settings(v);
  v.list_of_sections("low_standby_power", low_standby_power, "rows of the LSTP roadmap, falling node");
  v.list_of_sections("high_performance", high_performance, "rows of the HP roadmap, falling node");
  static const std::vector<std::string> roadmaps{"LSTP", "HP"};
  v.choice("roadmap", roadmap, roadmaps, "which rows are used");
  v.list("n_footprints", n_footprints, "n transistors of the first bit, of each further bit");
  v.list("p_footprints", p_footprints, "p transistors of the first bit, of each further bit");
  v("bits_min", bits_min, "fewest bits tabulated", required(positive()));
  v("bits_max", bits_max, "most bits tabulated", required(positive()));
  v.require(n_footprints.size() == 2, "n_footprints", "must have two counts.");
  v.require(p_footprints.size() == 2, "p_footprints", "must have two counts.");
  v.require(!low_standby_power.empty() && !high_performance.empty(), "low_standby_power",
            "and high_performance must have rows.");
}

Price NeuroSimAdcLaw::price(const AdcUse& use) const {
  const double node_nm = use.node.in(units::nm);
  Price price;
  price.from = origin.provenance(node_nm);
  price.from.scaling = "none: the law takes the node";
  const Coefficients k = at_node(roadmap == "HP" ? high_performance : low_standby_power, node_nm, price);

  const double effective_ohm = use.column_ohm * kReferenceReadVoltage_V / use.read_voltage_V;
  const double column_W = std::isinf(effective_ohm) ? 0 : k.c_W * std::exp(-k.d * std::log10(effective_ohm));
  const double heat = 1 + kPowerPerKelvin * (use.temperature_K - kReferenceTemperature_K);
  const double power_W = ((k.a_uW * use.bits + k.b_uW) * 1e-6 + column_W) * heat;
  const double time_s = (use.bits + 1) * kCycle_s;
  const double footprints =
      n_footprints[0] + n_footprints[1] * (use.bits - 1) + p_footprints[0] + p_footprints[1] * (use.bits - 1);
  price.energy_J = origin.energy(power_W * time_s);
  price.area_m2 = origin.area(k.footprint_m2 * footprints);
  price.latency_s = time_s;
  price.formula = "((a_uW * bits + b_uW) * 1e-6 + column_W) * heat * (bits + 1) * cycle_s";
  price.inputs = {{"bits", use.bits},     {"node_nm", node_nm}, {"a_uW", k.a_uW},     {"b_uW", k.b_uW},
                  {"column_W", column_W}, {"heat", heat},       {"cycle_s", kCycle_s}};
  warn_about_bits(price, "neurosim_sar", use.bits, bits_min, bits_max);
  if (k.footprint_m2 == 0) {
    price.from.warnings.push_back(fmt::format(
        "neurosim_sar has no transistor footprint at {} nm: the area counts as zero.", short_number(node_nm)));
  }
  if (use.rate.si() * time_s > 1 + 1e-9) {
    price.from.warnings.push_back(
        fmt::format("neurosim_sar takes {} ns for {} bits: a rate of {} is faster than it is.",
                    short_number(time_s * 1e9), short_number(use.bits), format(use.rate)));
  }
  return price;
}

}  // namespace tellegen::circuits
