// Statistics of published converters by architecture, for kinds that no law covers.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/adc_cost.h"
#include "tellegen/circuits/cost/price_range.h"

namespace tellegen::circuits {
namespace {

/// Median with the 10th percentile below and as much above.
Band mirrored(double p10, double p50) { return {p10, p50, p50 * p50 / p10}; }

}  // namespace

void SurveyLaw::Architecture::settings(Settings& v) {
  v("kind", kind, "as in chip.adc.kind", required());
  v("designs", designs, "how many designs the statistics are over", required(at_least(1)));
  v.list("walden", walden, "energy per step of the effective resolution: 10th percentile, median", positive());
  v.list("area", area, "10th percentile, median", positive());
  v.require(walden.size() == 2 && area.size() == 2, "walden",
            "and area must have a 10th percentile and a median each.");
}

void SurveyLaw::Fit::settings(Settings& v) {
  v.list("coefficients", coefficients, "constant, per ln(nm), per ln(Hz), per bit");
  v("sd", sd, "standard deviation of the logarithm", required(positive()));
  v.require(coefficients.size() == 4, "coefficients", "must have four values.");
}

double SurveyLaw::Fit::at(const AdcUse& use) const {
  return std::exp(coefficients[0] + coefficients[1] * std::log(use.node.in(units::nm)) +
                  coefficients[2] * std::log(use.rate.si()) + coefficients[3] * use.bits);
}

void SurveyLaw::settings(Settings& v) {
  origin.settings(v);
  v("bits_min", bits_min, "fewest effective bits", required(positive()));
  v("bits_max", bits_max, "most effective bits", required(positive()));
  v.list_of_sections("architectures", architectures, "medians by architecture");
  v.section("sar_energy", sar_energy, "fit of the energy of SAR converters [pJ]");
  v.section("sar_area", sar_area, "fit of the area of SAR converters [um2]");
}

Price SurveyLaw::sar_price(const AdcUse& use) const {
  Price price;
  price.from = origin.provenance(use.node.in(units::nm));
  price.from.scaling = "none: the law takes the node";
  price.from.spread = "one standard deviation of the fit";
  const auto band = [](const Fit& fit, double typical) {
    return Band{typical * std::exp(-fit.sd), typical, typical * std::exp(fit.sd)};
  };
  price.energy_J = band(sar_energy, sar_energy.at(use) * 1e-12);
  price.area_m2 = band(sar_area, sar_area.at(use) * 1e-12);
  price.latency_s = 1 / use.rate.si();
  price.formula = "1e-12 * exp(c0 + cT * ln(node_nm) + cf * ln(rate_Hz) + cb * bits)";
  const std::vector<double>& c = sar_energy.coefficients;
  price.inputs = {{"c0", c[0]},
                  {"cT", c[1]},
                  {"cf", c[2]},
                  {"cb", c[3]},
                  {"bits", use.bits},
                  {"node_nm", use.node.in(units::nm)},
                  {"rate_Hz", use.rate.si()}};
  warn_about_bits(price, "survey_2025", use.bits, bits_min, bits_max);
  return price;
}

Price SurveyLaw::median_price(const std::string& kind, const AdcUse& use) const {
  const auto row = std::ranges::find(architectures, kind, &Architecture::kind);
  TELLEGEN_ASSERT(row != architectures.end());
  Price price;
  price.from = origin.provenance(use.node.in(units::nm));
  price.from.scaling = fmt::format("none: median over {} designs of all nodes and rates", row->designs);
  price.from.spread = "10th percentile of the survey, mirrored about the median";
  const double steps = std::exp2(use.bits);
  price.energy_J = steps * mirrored(row->walden[0].si(), row->walden[1].si());
  price.area_m2 = mirrored(row->area[0].si(), row->area[1].si());
  price.latency_s = 1 / use.rate.si();
  price.formula = "walden_J * 2^bits";
  price.inputs = {{"walden_J", row->walden[1].si()}, {"bits", use.bits}};
  warn_about_bits(price, "survey_2025", use.bits, bits_min, bits_max);
  return price;
}

Price SurveyLaw::cyclic_price(const AdcUse& use) const {
  Price price = median_price("pipeline", use);
  price.area_m2 = price.area_m2 * (1 / std::max(use.bits, 1.0));
  price.from.warnings.push_back(
      "survey_2025 has no cyclic converters: they are priced as pipeline converters with one stage's area.");
  return price;
}

}  // namespace tellegen::circuits
