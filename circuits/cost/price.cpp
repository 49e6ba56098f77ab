#include "tellegen/circuits/cost/price.h"

#include <fmt/format.h>

#include <algorithm>

namespace tellegen::circuits {
namespace {

/// Appends `text` to a list joined by " + " unless it is in it already.
void join(std::string& list, const std::string& text) {
  if (list.empty()) {
    list = text;
  } else if ((" + " + list + " + ").find(" + " + text + " + ") == std::string::npos) {
    list += " + " + text;
  }
}

}  // namespace

Price combine(const std::vector<std::pair<std::string, Price>>& parts) {
  Price sum;
  for (const auto& [name, part] : parts) {
    sum.energy_J += part.energy_J;
    sum.area_m2 += part.area_m2;
    sum.static_W += part.static_W;
    sum.latency_s += part.latency_s;
    join(sum.from.source, part.from.source);
    join(sum.from.evidence, part.from.evidence);
    join(sum.from.scaling, part.from.scaling);
    join(sum.from.spread, part.from.spread);
    sum.from.node_nm = std::max(sum.from.node_nm, part.from.node_nm);
    for (const std::string& warning : part.from.warnings) {
      if (std::ranges::find(sum.from.warnings, warning) == sum.from.warnings.end())
        sum.from.warnings.push_back(warning);
    }
    sum.formula += (sum.formula.empty() ? "" : " + ") + name + "_J";
    sum.inputs.emplace_back(name + "_J", part.energy_J.typical);
  }
  return sum;
}

Price free_of_cost(const std::string& why) {
  Price price;
  price.from.source = "none";
  price.from.evidence = "derived";
  price.from.scaling = "none";
  price.from.spread = "none";
  price.formula = "0 (" + why + ")";
  return price;
}

std::string short_number(double number) { return fmt::format("{:.6g}", number); }

}  // namespace tellegen::circuits
