#include "tellegen/sim/engine/wear.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/units.h"

namespace tellegen::sim {

circuits::Band lifetime_images(const WearRow& row) {
  return row.writes_per_cell > 0 ? row.endurance * (1 / row.writes_per_cell) : circuits::Band{};
}

std::string wear_remark(const Ledger& ledger, const std::string& cell) {
  if (ledger.wear.empty()) return "";
  const auto worst = std::ranges::max_element(ledger.wear, {}, &WearRow::writes_per_cell);
  const circuits::Band images = lifetime_images(*worst);
  const double latency_s = total_latency_s(ledger);
  const auto time = [&](double count) { return format_quantity(count * latency_s, Time::dimension); };
  return fmt::format(
      "Attention takes {:g} write{} of each of its cells per input. Cells of kind '{}' take {:g} in all ({:g} to "
      "{:g}): with one input after the other they last {} ({} to {}).",
      worst->writes_per_cell, worst->writes_per_cell == 1 ? "" : "s", cell, worst->endurance.typical,
      worst->endurance.low, worst->endurance.high, time(images.typical), time(images.low), time(images.high));
}

}  // namespace tellegen::sim
